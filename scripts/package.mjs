// `npm run package -- --linux deb`: builds installers into dist/. docs/internals/releasing.md names all of them.

import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale, removeFormer } from './build.mjs';
import { billText } from './packaging/bill-of-materials.mjs';
import { INSTALLERS } from './packaging/installers.mjs';
import { shippedPackages } from './packaging/shipped-packages.mjs';
import { ROOT, VERSION } from './run.mjs';

/** @typedef {import('./packaging/installers.mjs').Platform} Platform */

const USAGE = `Usage: npm run package -- [--linux FORMATS] [--mac FORMATS] [--win FORMATS]
  --linux, --mac, --win  formats, separated by commas:
${Object.entries(INSTALLERS)
  .map(
    ([flag, { formats }]) => `                         ${flag}: ${Object.keys(formats).join(', ')}`,
  )
  .join('\n')}
  --out FOLDER           where they go (default: dist)
  --arch ARCH            x64 or arm64 (default: that of this machine)
  --electron WHICH       released, test, or any: the test runtime where the release cannot be fetched (default: any)`;

/** @param {string} problem @returns {never} */
function misused(problem) {
  console.error(`${problem}\n${USAGE}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        linux: { type: 'string' },
        mac: { type: 'string' },
        win: { type: 'string' },
        out: { type: 'string', default: join(ROOT, 'dist') },
        arch: { type: 'string', default: process.arch },
        electron: { type: 'string', default: 'any' },
      },
    }).values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @template {string} T
 * @param {string} flag
 * @param {string} value
 * @param {readonly T[]} choices
 * @returns {T}
 */
function oneOf(flag, value, choices) {
  const chosen = choices.find((choice) => choice === value);
  return chosen ?? misused(`--${flag} ${value}: there are ${choices.join(', ')}.`);
}

const given = readArguments();
const arch = oneOf('arch', given.arch, ['x64', 'arm64']);
const wanted = oneOf(
  'electron',
  given.electron,
  /** @type {const} */ (['released', 'test', 'any']),
);
const orders = /** @type {[Platform, string[]][]} */ (
  Object.keys(INSTALLERS)
    .map((flag) => /** @type {Platform} */ (flag))
    .flatMap((flag) => (given[flag] === undefined ? [] : [[flag, given[flag].split(',')]]))
);
if (orders.length === 0) misused('Name at least one format.');
for (const [flag, formats] of orders)
  for (const format of formats) oneOf(flag, format, Object.keys(INSTALLERS[flag].formats));

const dist = resolve(given.out);
const workshop = mkdtempSync(join(tmpdir(), 'grantbench-installers-'));
process.once('exit', () => rmSync(workshop, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** The messages for a full disk, in Node and in packaging tools. */
const FULL = /ENOSPC|No space left on device/i;

/** @param {unknown} error */
function reasonOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (!FULL.test(message)) return message;
  return `no space is left in ${dist} or ${tmpdir()}: make room, or choose others with --out and TMPDIR`;
}

/** @param {Platform} flag @param {string[]} formats @param {string} unfinished a folder beside the finished ones */
async function build(flag, formats, unfinished) {
  const { platform, formats: known } = INSTALLERS[flag];
  // Imported late, because the packaging code is large and flags may be mistyped.
  const { electronZip } = await import('./packaging/electron-zip.mjs');
  const { buildAppFolder } = await import('./packaging/app-folder.mjs');
  const target = { platform, arch };
  const electron = await electronZip(target, wanted);
  const bill = billText(VERSION, electron.version, shippedPackages(ROOT));
  const out = mkdtempSync(join(workshop, `${flag}-`));
  const app = {
    folder: await buildAppFolder(target, electron, bill, out),
    // The name shows that it is not a release.
    packageName: electron.isTestRuntime ? 'grantbench-test' : 'grantbench',
    version: VERSION,
    electronVersion: electron.version,
    bill,
    arch,
    workshop: out,
    dist: unfinished,
  };
  for (const format of formats) {
    const file = await known[format]?.(app);
    if (file === undefined) continue;
    const finished = join(dist, basename(file));
    renameSync(file, finished);
    console.log(relative(process.cwd(), finished));
  }
}

try {
  if (!(await buildIfStale())) throw new Error('without a build there is nothing to package');
  removeFormer();
  mkdirSync(dist, { recursive: true });
  const unfinished = mkdtempSync(join(dist, '.unfinished-'));
  process.once('exit', () => rmSync(unfinished, { recursive: true, force: true }));
  for (const [flag, formats] of orders) await build(flag, formats, unfinished);
} catch (error) {
  console.error(`Not packaged: ${reasonOf(error)}.`);
  process.exitCode = 1;
}
