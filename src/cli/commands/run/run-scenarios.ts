// `grantbench run`: runs scenarios, each in a separate sandbox or, with --against, at a provider, and prints and
// writes the results.

import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { jsonReport, totalsOf } from '../../../scenario/reports/json.ts';
import { tapHead, tapOf } from '../../../scenario/reports/tap.ts';
import { type ScenarioResult, skippedScenario } from '../../../scenario/runner/run-steps.ts';
import { openOutput, type Output, textsOf, writeReports } from '../../reports.ts';
import { pluralize } from '../../../words.ts';
import { remark } from '../../terminal/print.ts';
import type { AgainstOptions } from './against.ts';
import { readScenario, runInOwnSandbox } from './own-sandbox.ts';
import { readRegularFile } from '../../../engine/files/file-text.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';

export interface RunOptions extends AgainstOptions {
  /** Files, and folders of *.scenario.json. */
  readonly paths: readonly string[];
  /** File names; each extension selects TAP, JUnit or JSON. */
  readonly report: readonly string[];
  /** Stops after the first failed scenario. */
  readonly bail: boolean;
  /** JSON on standard output instead of TAP. */
  readonly json: boolean;
}

const EXIT = { passed: 0, failed: 1, unusable: 2 } as const;

function printProblems(bad: readonly BadFile[], all: number): void {
  const lines = bad.flatMap((one) => one.lines);
  for (const line of lines) remark(line);
  const where = all === 1 ? '' : ` in ${bad.length} of ${all} files`;
  remark(`${pluralize(lines.length, 'problem')}${where}; nothing was run.`);
}

type RunOne = (one: ScenarioFile) => Promise<ScenarioResult>;

/** Returns the function that runs a scenario. @throws CommandError if the provider of --against cannot be used */
async function runnerFor(options: RunOptions, version: string): Promise<RunOne> {
  if (options.against === null) {
    return ({ file, parsed }) => runInOwnSandbox(file, parsed, version);
  }
  const { openTarget, runAgainst } = await import('./against.ts');
  const target = await openTarget(options.against, options);
  return ({ file, parsed }) => runAgainst(file, parsed, target, version);
}

async function runAll(
  scenarios: readonly ScenarioFile[],
  { bail, json }: RunOptions,
  runOne: RunOne,
  { print }: Output,
  interrupted: AbortSignal,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  const stopped = once(interrupted, 'abort').then(() => null);
  if (!json) await print(tapHead(scenarios.length));
  for (const one of scenarios) {
    const over = bail && results.some(({ verdict }) => verdict === 'failed');
    const result = over
      ? skippedScenario(one.file, one.parsed)
      : await Promise.race([runOne(one), stopped]);
    if (result === null) {
      if (!json) await print(`Bail out! ${String(interrupted.reason)}\n`);
      break;
    }
    results.push(result);
    if (!json) await print(tapOf(results.length, result));
  }
  return results;
}

function summary(results: readonly ScenarioResult[]): string {
  const { passed, failed, skipped } = totalsOf(results);
  const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
  return `${pluralize(results.length, 'scenario')}: ${passed} passed, ${failed} failed${rest}`;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the exit code. @throws CommandError if the provider of --against cannot be used */
export async function run(options: RunOptions, version: string): Promise<number> {
  const output = openOutput();
  const { scenarios, bad } = await readFiles(options.paths);
  if (bad.length > 0) {
    printProblems(bad, scenarios.length + bad.length);
    return EXIT.unusable;
  }
  const interrupted = new AbortController();
  const { signal } = interrupted;
  for (const name of SIGNALS) {
    process.on(name, () => {
      interrupted.abort(name);
    });
  }
  const runOne = await runnerFor(options, version);
  const results = await runAll(scenarios, options, runOne, output, signal);
  const json = () => jsonReport(results, version, options.against);
  await output.print(options.json ? json() : `# ${summary(results)}\n`);
  const written = await writeReports(options.report, textsOf(results, json));
  // What the interrupted scenario left open would keep the process alive.
  if (signal.aborted)
    process.exit(128 + constants.signals[signal.reason as keyof typeof constants.signals]);
  if (!written || output.isLost()) return EXIT.unusable;
  return totalsOf(results).failed > 0 ? EXIT.failed : EXIT.passed;
}

interface ScenarioFile {
  readonly file: string;
  readonly parsed: ParsedScenario;
}

/** A file that cannot be run. Each line names a place and a rule. */
interface BadFile {
  readonly file: string;
  readonly lines: readonly string[];
}

const ENDING = '.scenario.json';

async function scenariosIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(ENDING) && !/(^|[\\/])node_modules[\\/]/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

const isBad = (found: string[] | BadFile): found is BadFile => !Array.isArray(found);

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'the file or folder does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function unreadable(file: string, error: unknown): BadFile {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { file, lines: [`${file || '""'}: ${SYSTEM[code] ?? message}`] };
}

async function filesAt(path: string): Promise<string[] | BadFile> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const found = await scenariosIn(path);
    if (found.length > 0) return found;
    return { file: path, lines: [`${path}: no file in this folder ends in ${ENDING}`] };
  } catch (error) {
    return unreadable(path, error);
  }
}

async function readOne(file: string): Promise<ScenarioFile | BadFile> {
  let text: string;
  try {
    text = (await readRegularFile(file)).toString();
  } catch (error) {
    return unreadable(file, error);
  }
  const parsed = await readScenario(text);
  if (!('problems' in parsed)) return { file, parsed };
  const lines = parsed.problems.map(({ line, column, path, message }) =>
    [`${file}:${line}:${column}:`, path, message].filter((part) => part !== '').join(' '),
  );
  return { file, lines };
}

/** Reads and checks all scenarios before any is run, each file once. Returns them, or the problems. */
async function readFiles(
  paths: readonly string[],
): Promise<{ readonly scenarios: readonly ScenarioFile[]; readonly bad: readonly BadFile[] }> {
  const found = await Promise.all(paths.map(filesAt));
  const files = new Map<string, string>();
  for (const file of found.flatMap((one) => (isBad(one) ? [] : one))) {
    if (!files.has(resolve(file))) files.set(resolve(file), file);
  }
  const read = await Promise.all([...files.values()].map(readOne));
  return {
    scenarios: read.filter((one) => 'parsed' in one),
    bad: [...found.filter(isBad), ...read.filter((one) => 'lines' in one)],
  };
}
