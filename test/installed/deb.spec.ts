// The Debian package on a machine, from apt-get install to apt-get purge: `npm run test:package`, as root. The tests
// run in order, and each builds on the ones before.

import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { chromium, expect, test, type Page } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import { walkTheFlow } from '../support/walk.ts';
import { VIEWS, workbench } from '../support/workbench.ts';
import {
  createMachine,
  desktopCommand,
  startDisplay,
  type Machine,
  type Started,
} from './machine.ts';
import { connectionsOf } from './net-log.ts';
import {
  buildPackage,
  install,
  installedFiles,
  installedVersion,
  missingLibraries,
  purge,
  verify,
  type Built,
} from './packages.ts';

const PROGRAM = '/usr/lib/grantbench/grantbench';
const ENTRY = '/usr/share/applications/grantbench.desktop';

test.describe.configure({ mode: 'serial' });

let machine: Machine;
let built: Built;

/** Steps that clean up, however far the tests got. */
const undo: (() => void | Promise<void>)[] = [purge];

test.beforeAll(async () => {
  machine = await createMachine();
  undo.push(machine.remove);
  built = buildPackage();
  undo.push(built.remove);
});

test.afterAll(async () => {
  for (const step of undo) await step();
});

const data = (...path: string[]) => join(machine.home, '.config', 'grantbench', ...path);

/** A workspace file of the user, with the extension of the file type. */
function workspaceFile(name: string): string {
  const file = join(machine.home, `${name}.grantbench.json`);
  writeFileSync(file, JSON.stringify({ version: 1, name }));
  // Root owns the file, and the user must be able to write it.
  chmodSync(file, 0o666);
  return file;
}

interface Opened {
  readonly app: Started;
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** Runs the command of the desktop entry. */
async function openWindow(
  file: string | null,
  flags: readonly string[] = [],
  session = machine.session,
): Promise<Opened> {
  const command = [...desktopCommand(ENTRY, file), '--remote-debugging-port=0', ...flags];
  const app = machine.start(command, { ...session, GRANTBENCH_PORT: '0' });
  const [, url = ''] = await app.line(/^DevTools listening on (ws:\S+)/);
  const targets = new URL('/json/list', url.replace('ws:', 'http:'));
  // Playwright would wait endlessly if it attached while the window is being created.
  await expect.poll(async () => (await fetch(targets)).text()).toContain('"app://grantbench/');
  const browser = await chromium.connectOverCDP(url);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('no context');
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  return {
    app,
    page,
    close: async () => {
      await page.close();
      await browser.close();
      expect((await app.ended).code).toBe(0);
    },
  };
}

test('apt installs the package with every library it needs, and its files match the checksums', () => {
  expect(existsSync('/usr/bin/grantbench')).toBe(false);
  install(built.file);
  expect(missingLibraries(PROGRAM)).toEqual([]);
  expect(verify()).toBe('');
  expect(statSync('/usr/lib/grantbench/chrome-sandbox').mode & 0o7777).toBe(0o4755);
  const writable = installedFiles().filter((file) => (statSync(file).mode & 0o022) !== 0);
  expect(writable.filter((file) => (statSync(file).mode & 0o1000) === 0)).toEqual([]);
});

test('the package registers with menus, file managers, man and shells', () => {
  expect(readFileSync('/usr/share/mime/globs2', 'utf8')).toContain(
    '60:application/vnd.grantbench.workspace+json:*.grantbench.json',
  );
  expect(readFileSync(ENTRY, 'utf8')).toContain(
    'MimeType=application/vnd.grantbench.workspace+json;',
  );
  expect(
    installedFiles().filter((file) => /hicolor\/.*\/apps\/grantbench\.(png|svg)$/.test(file)),
  ).toHaveLength(10);
  expect(machine.run(['sh', '-c', 'zcat /usr/share/man/man1/grantbench.1.gz'])).toContain(
    '.TH GRANTBENCH 1',
  );
  machine.run(['bash', '-n', '/usr/share/bash-completion/completions/grantbench']);
});

test('grantbench runs as a command line without a display and without Node', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(machine.run(['grantbench', '--version'])).toBe(`${version}\n`);
  const server = machine.start([
    'grantbench',
    'serve',
    '--port',
    '0',
    '--control-port',
    '0',
    '--json',
  ]);
  const [line] = await server.line(/^\{"event":"ready".*/);
  const { control } = JSON.parse(line) as { control: { url: string } };
  expect(await (await fetch(control.url)).text()).toContain('<div id="root">');
  const answer = JSON.parse(machine.run(['grantbench', 'token', '--json'])) as object;
  expect(answer).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String) });
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('a command under exec does not inherit ELECTRON_RUN_AS_NODE', () => {
  const output = machine.run([
    'grantbench',
    'exec',
    '--',
    'sh',
    '-c',
    'echo "[$ELECTRON_RUN_AS_NODE]"',
  ]);
  expect(output.split('\n')).toContain('[]');
});

test('NODE_OPTIONS has no effect, because the fuse is off', () => {
  const script = join(machine.home, 'injected.cjs');
  writeFileSync(script, "process.stdout.write('injected\\n')");
  const output = machine.run(['grantbench', '--version'], { NODE_OPTIONS: `--require ${script}` });
  expect(output).not.toContain('injected');
});

test('running as root without --no-sandbox fails with one sentence', () => {
  const env = { PATH: process.env['PATH'], HOME: machine.home, ...machine.session };
  const { status, stderr } = spawnSync(PROGRAM, [], { env, encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stderr.match(/Running as root without --no-sandbox is not supported\./g)).toHaveLength(1);
});

test('without a display, grantbench reports it in one sentence and serves the page', async () => {
  const env = { GRANTBENCH_PORT: '0', GRANTBENCH_CONTROL_PORT: '0' };
  const server = machine.start(['grantbench'], env);
  const [output] = await server.line(/^Cannot open the window: .*/);
  expect(output).toBe(
    'Cannot open the window: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). Serving the page instead.',
  );
  await server.line(/Workbench/);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('the desktop entry opens a sandboxed window for an ordinary user without D-Bus, and no connection leaves the machine', async () => {
  const log = join(machine.home, 'net-log.json');
  const { page, close } = await openWindow(null, [
    `--log-net-log=${log}`,
    '--net-log-capture-mode=Everything',
  ]);
  expect(page.url()).toMatch(/^app:\/\/grantbench\//);
  const bench = workbench(page);
  await bench.ready();
  await walkTheFlow(bench);
  await close();
  const { hosts, entries } = connectionsOf(readFileSync(log, 'utf8'));
  expect(entries).toBeGreaterThan(0);
  expect(hosts).toEqual([]);
});

test('grantbench opens the same window, and a signal closes it', async () => {
  const port = await freePort();
  const app = machine.start(['grantbench'], {
    ...machine.session,
    GRANTBENCH_PORT: String(port),
  });
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(alive).toBe(true);
  app.child.kill('SIGTERM');
  expect(await app.ended).toEqual({ code: 0, text: '' });
  expect(await alive()).toBe(false);
});

test('a window keeps working while a newer version is installed', async () => {
  const { page, close } = await openWindow(null);
  const bench = workbench(page);
  await bench.ready();
  const before = installedVersion();
  install(built.newer);
  expect(installedVersion()).toBe(`${before}+newer`);
  // Each view is loaded when it is first opened, from the version that was started.
  for (const view of VIEWS) {
    await bench.open(view);
    await expect(page.getByRole('main')).toBeVisible();
  }
  await bench.open('Flow');
  await bench.runAll();
  await expect(bench.step('Refresh')).toContainText('200');
  await close();
});

test('workspace files open one after the other in the same window', async () => {
  const first = workspaceFile('first');
  const second = workspaceFile('second');
  const { page, close } = await openWindow(first);
  await workbench(page).ready();
  await expect(page.getByRole('contentinfo')).toContainText('first.grantbench.json');
  for (const file of [second, second, first]) {
    const again = machine.start(desktopCommand(ENTRY, file), machine.session);
    expect((await again.ended).code).toBe(0);
    const name = file === first ? 'first' : 'second';
    await expect(page.getByRole('contentinfo')).toContainText(`${name}.grantbench.json`);
  }
  await close();
});

test('the window ends with its display, and earlier changes are saved', async () => {
  const file = workspaceFile('display');
  const display = await startDisplay();
  undo.push(() => void display.child.kill());
  const { app, page } = await openWindow(file, [], { DISPLAY: display.name });
  await workbench(page).ready();
  await expect(page.getByRole('contentinfo')).toContainText('display.grantbench.json');
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('menuitemradio', { name: /^strict/ }).click();
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"strict"');
  display.child.kill();
  expect((await app.ended).code).not.toBe(0);

  const again = await openWindow(file);
  await workbench(again.page).ready();
  await expect(again.page.getByRole('contentinfo')).toContainText('display.grantbench.json');
  await expect(again.page.getByRole('button', { name: /^Profile:/ })).toContainText('strict');
  await again.close();
});

test('apt-get purge leaves only the files of the user', () => {
  const files = installedFiles().filter((file) => file.includes('grantbench'));
  expect(files.length).toBeGreaterThan(100);
  purge();
  expect(files.filter((file) => existsSync(file))).toEqual([]);
  expect(existsSync('/usr/bin/grantbench')).toBe(false);
  expect(readFileSync('/usr/share/mime/globs2', 'utf8')).not.toContain('grantbench');
  expect(readdirSync(data())).toEqual(expect.arrayContaining(['workspace.json', 'keys.json']));
  expect(existsSync(join(machine.home, 'first.grantbench.json'))).toBe(true);
});
