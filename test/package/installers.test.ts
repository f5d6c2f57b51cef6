// The parts of installers that can be checked without packaging. Needs a build. `npm run test:package` installs a
// package.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it, onTestFinished } from 'vitest';
import { billOfMaterials, licenseTexts } from '../../scripts/packaging/bill-of-materials.mjs';
import { debianVersion } from '../../scripts/packaging/deb.mjs';
import { manPage } from '../../scripts/packaging/man-page.ts';
import { shippedPackages } from '../../scripts/packaging/shipped-packages.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const resource = (...path: string[]) => join(ROOT, 'resources', ...path);

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'grantbench-installers-'));
  onTestFinished(() => {
    rmSync(made, { recursive: true });
  });
  return made;
}

/** Width and height, from the first chunk of the PNG. */
const sizeOfPng = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('icons', () => {
  it.each([16, 24, 32, 48, 64, 128, 256, 1024])('exist in a size of %i pixels', (size) => {
    expect(sizeOfPng(readFileSync(resource('icons', `${size}.png`)))).toEqual([size, size]);
  });

  it('for Windows contain six sizes with correct lengths', () => {
    const ico = readFileSync(resource('icons', 'icon.ico'));
    const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
    const sizes = entries.map((at) => {
      const place = ico.readUInt32LE(at + 12);
      const png = ico.subarray(place, place + ico.readUInt32LE(at + 8));
      expect(sizeOfPng(png)[0] ?? 0).toBe(ico.readUInt8(at) || 256);
      return sizeOfPng(png)[0];
    });
    expect(sizes).toEqual([16, 24, 32, 48, 64, 256]);
  });

  it('for macOS contain every size and no trailing data', () => {
    const icns = readFileSync(resource('icons', 'icon.icns'));
    expect(icns.toString('latin1', 0, 4)).toBe('icns');
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    const sizes: (number | undefined)[] = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
      sizes.push(sizeOfPng(icns.subarray(at + 8))[0]);
    expect(sizes).toEqual([16, 32, 32, 64, 128, 256, 256, 512, 512, 1024]);
  });
});

describe('licences and bill of materials', () => {
  const packages = shippedPackages(ROOT);
  const names = packages.map(({ name }) => name);

  it('name every package in the build, fonts included, and no tool', () => {
    expect(names).toEqual(
      expect.arrayContaining(['jose', 'commander', 'react', 'zod', 'selfsigned']),
    );
    expect(names).toContain('@fontsource-variable/jetbrains-mono');
    expect(names.filter((name) => /^(vite|electron|vitest|typescript|@types)/.test(name))).toEqual(
      [],
    );
  });

  it('contain the text of each licence', () => {
    const text = licenseTexts(packages);
    for (const { name, version, license } of packages)
      expect(text).toContain(`${name} ${version} (${license})\n\n`);
    expect(packages.filter((one) => one.text.length < 40)).toEqual([]);
  });

  it('identify each package once by its purl, with Electron only in installers', () => {
    const bill = billOfMaterials('1.2.3', '33.2.1', packages);
    const refs = bill.components.map((one) => one['bom-ref']);
    expect(refs).toHaveLength(packages.length + 1);
    expect(new Set(refs).size).toBe(refs.length);
    expect(refs).toContain('pkg:npm/electron@33.2.1');
    expect(refs.find((ref) => ref.includes('fontsource'))).toMatch(
      /^pkg:npm\/%40fontsource-variable\//,
    );
    expect(bill.dependencies).toEqual([{ ref: 'pkg:npm/grantbench@1.2.3', dependsOn: refs }]);
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-[1-5][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});

/** Compiles the schema of CycloneDX 1.6, which refers to others by their file names. Formats of strings are not checked. */
function compiledSchema() {
  const library = createRequire(import.meta.url).resolve(
    '@cyclonedx/cyclonedx-library/package.json',
  );
  const fileOf = (schema: string) => `${schema}.SNAPSHOT.schema.json`;
  const read = (schema: string) => {
    const file = join(dirname(library), 'res', 'schema', fileOf(schema));
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const schema of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(read(schema), `http://cyclonedx.org/schema/${fileOf(schema)}`);
  return ajv.compile(read('bom-1.6'));
}

describe('the bill of materials', () => {
  const packages = shippedPackages(ROOT);
  const validate = compiledSchema();
  const problemsOf = (bill: unknown) => (validate(bill) ? [] : validate.errors);

  it.each([
    ['of the npm package', null],
    ['of an installer', '33.2.1'],
  ])('%s is valid against the schema of CycloneDX 1.6', (_what, around) => {
    const bill = billOfMaterials('1.2.3', around, packages);
    expect(problemsOf(bill)).toEqual([]);
  });

  it('would be invalid with a licence that SPDX does not list, or an unknown member', () => {
    const bill = billOfMaterials('1.2.3', null, packages);
    const [first] = bill.components;
    const wrong = [
      { ...first, licenses: [{ license: { id: 'My-Own' } }] },
      { ...first, colour: 1 },
    ];
    for (const component of wrong)
      expect(problemsOf({ ...bill, components: [component] })).not.toEqual([]);
  });
});

describe('the manual page', () => {
  const page = manPage('1.2.3');

  it('documents every command with its flags, the environment and the exit codes', () => {
    for (const part of ['.SS "grantbench serve"', '.SS "grantbench clients add"', '\\-\\-issuer'])
      expect(page).toContain(part);
    for (const title of ['NAME', 'SYNOPSIS', 'COMMANDS', 'EXAMPLES', 'ENVIRONMENT', 'EXIT CODES'])
      expect(page).toContain(`.SH ${title}\n`);
  });

  const hasMan = spawnSync('man', ['--version']).error === undefined;
  it.runIf(hasMan)('is formatted without warnings', () => {
    const file = join(folder(), 'grantbench.1');
    writeFileSync(file, page);
    const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', file], {
      encoding: 'utf8',
      env: { ...process.env, MANPAGER: 'cat', MANWIDTH: '80' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('grantbench serve');
  });
});

/** A stand-in for the app's Electron that prints its arguments. */
function standIn(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$ELECTRON_RUN_AS_NODE" "$@"\n');
  chmodSync(file, 0o755);
}

describe.skipIf(process.platform === 'win32')('the command of an installer', () => {
  it.each([
    [
      'linux',
      'usr/lib/grantbench/bin/grantbench',
      'usr/lib/grantbench/grantbench',
      'usr/lib/grantbench/resources',
    ],
    [
      'darwin',
      'Grantbench.app/Contents/Resources/grantbench',
      'Grantbench.app/Contents/MacOS/Grantbench',
      'Grantbench.app/Contents/Resources',
    ],
  ])(
    'on %s runs the command line as Node through a link, with unchanged arguments',
    (platform, command, electron, resources) => {
      const root = folder();
      standIn(join(root, electron));
      const script = join(root, command);
      mkdirSync(dirname(script), { recursive: true });
      writeFileSync(script, readFileSync(resource(platform, 'grantbench')));
      chmodSync(script, 0o755);
      const link = join(root, 'a link');
      symlinkSync(script, join(root, 'another'));
      symlinkSync('another', link);
      const shown = execFileSync(link, ['token', '--scope', 'a b', ''], {
        encoding: 'utf8',
        cwd: '/',
      });
      const [node, cli, ...args] = shown.split('\n').slice(0, -1);
      expect(node).toBe('1');
      expect(cli?.replace('/MacOS/..', '')).toBe(
        join(root, resources, 'app.asar', 'out', 'node', 'cli.cjs'),
      );
      expect(args).toEqual(['token', '--scope', 'a b', '']);
    },
  );
});

describe('npm run package', () => {
  const run = (...args: string[]) => {
    const script = join(ROOT, 'scripts', 'package.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    return { status, first: stderr.split('\n')[0] };
  };

  it.each([
    [[], 'Name at least one format.'],
    [['--linux', 'snap'], '--linux snap: there are deb, rpm, tar.gz, AppImage.'],
    [['--linux', 'deb', '--arch', 'mips'], '--arch mips: there are x64, arm64.'],
    [['--linux', 'deb', '--electron', 'mine'], '--electron mine: there are released, test, any.'],
  ])('%j is wrong usage', (args, first) => {
    expect(run(...args)).toEqual({ status: 2, first });
  });

  it('gives a pre-release a version that Debian sorts before the release', () => {
    expect(debianVersion('1.0.0-beta.1')).toBe('1.0.0~beta.1');
  });
});
