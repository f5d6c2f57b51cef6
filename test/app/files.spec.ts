// Workspace files opened through the system while the app runs, and instances beside each other.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ElectronApplication } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import { appArguments, appEnvironment, chooseMenuItem, expect, isAlive, test } from './launch.ts';
import { answerQuestion, chooseFile } from './native-dialogs.ts';

/** Passes a file to the app as Electron does for a second start. */
const handOver = (app: ElectronApplication, file: string) =>
  app.evaluate(({ app: electron }, path) => {
    electron.emit('second-instance', {}, ['electron', path], '/');
  }, file);

test('instances with different data folders run side by side; a second start with the same one focuses the first window, hands its file over and exits; reopening the current file reads it again and keeps its tokens, and opening another requires confirmation when credentials end or changes are unsaved, as quitting does then', async ({
  executablePath,
  userData,
  launch,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const port = await freePort();
  const folder = join(userData, 'other');
  const beside = spawn(executablePath, appArguments(), {
    env: appEnvironment(folder, port),
    stdio: 'ignore',
  });
  await expect.poll(() => isAlive(port)).toBe(true);
  const status = page.getByRole('contentinfo');
  const open = (name: string) => handOver(app, join(userData, `${name}.grantbench.json`));
  const suggested = await chooseFile(app, join(userData, 'demo.grantbench.json'));
  await chooseMenuItem(app, 'save-as');
  await expect(status).toContainText('demo.grantbench.json');
  expect(await suggested()).toBe('Demo.grantbench.json');
  await bench.runAll();
  await expect(bench.step('Refresh')).toContainText('200');
  // Two access tokens and a refresh token.
  const before = '3 live credentials';
  await expect(status).toContainText(before);
  const ended = once(beside, 'exit');
  beside.kill();
  await ended;
  expect(readFileSync(join(folder, 'workspace.json'), 'utf8')).toContain('"Demo"');

  const ending = await answerQuestion(app, 'Cancel');
  symlinkSync(userData, join(userData, 'linked'), 'junction');
  const demo = readFileSync(join(userData, 'demo.grantbench.json'), 'utf8');
  const edited = { ...(JSON.parse(demo) as object), name: 'Edited elsewhere' };
  writeFileSync(join(userData, 'demo.grantbench.json'), JSON.stringify(edited));
  await open('demo');
  await open('linked/demo');
  await app.evaluate(({ app: electron, BrowserWindow }) => {
    const focus = () => electron.setName('focused');
    Object.assign(BrowserWindow.getAllWindows()[0] ?? {}, { focus });
  });
  const other = join(userData, 'other.grantbench.json');
  writeFileSync(other, '{"version": 1, "name": "other"}');
  const second = spawn(executablePath, [...appArguments(), './other.grantbench.json'], {
    env: appEnvironment(userData, 0),
    cwd: userData,
    stdio: 'ignore',
  });
  expect(await once(second, 'exit')).toEqual([0, null]);
  await expect.poll(() => app.evaluate(({ app: electron }) => electron.getName())).toBe('focused');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await expect.poll(ending).toHaveLength(1);
  const [losses] = await ending();
  expect(losses).toContain('Open other.grantbench.json in place of Edited elsewhere?');
  expect(losses).toContain(before);
  expect(losses).toContain('will end, because the new workspace does not have their clients.');
  await expect(status).toContainText('demo.grantbench.json');
  await expect(status).toContainText(before);
  await answerQuestion(app, 'Open');
  await open('other');
  await expect(status).toContainText('other.grantbench.json');
  await expect(status).toContainText('0 live credentials');

  const changed = '{"version": 1, "name": "changed by another program"}';
  writeFileSync(other, changed);
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('menuitemradio', { name: /^strict/ }).click();
  const unsaved = await answerQuestion(app, 'Cancel');
  writeFileSync(join(userData, 'third.grantbench.json'), '{"version": 1, "name": "third"}');
  await open('third');
  await expect.poll(unsaved).toHaveLength(1);
  const [changes] = await unsaved();
  expect(changes).toContain('other has unsaved changes.');
  expect(changes).toContain('was changed by another program, so it was not overwritten');
  await expect(status).toContainText('other.grantbench.json');
  const reopened = app.waitForEvent('window');
  await app.evaluate(({ app: electron }) => electron.quit());
  const statusAgain = (await reopened).getByRole('contentinfo');
  await expect(statusAgain).toContainText('other.grantbench.json · not saved');
  expect((await unsaved())[1]).toContain('The changes are lost if you quit.');
  await answerQuestion(app, 'Open');
  await open('third');
  await expect(statusAgain).toContainText('third.grantbench.json');
  expect(readFileSync(other, 'utf8')).toBe(changed);
});

/** Starts the app with this data folder. @returns its first line that begins so, after which it is ended */
async function printedBy(
  binary: string,
  folder: string,
  begin: string,
  signal: NodeJS.Signals,
): Promise<string> {
  const app = spawn(binary, appArguments(), {
    env: appEnvironment(folder, 0),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(app, 'exit');
  let printed = '';
  for await (const line of createInterface({ input: app.stderr }))
    if (line.startsWith(begin)) {
      printed = line;
      break;
    }
  app.stderr.resume();
  app.kill(signal);
  await ended;
  return printed;
}

test('the app reports a damaged file and files of a newer version in its data folder, and leaves them unchanged; it does not end silently if it cannot use the folder', async ({
  executablePath,
  userData,
}) => {
  const files = {
    'workspace.json': JSON.stringify({ version: 2, name: 'From tomorrow' }),
    'keys.json': JSON.stringify({ version: 2, keys: 'in a new way' }),
    'window-settings.json': '{"recent": [',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(userData, name), text);
  const printed = await printedBy(executablePath, userData, 'grantbench: cannot use ', 'SIGTERM');
  for (const name of Object.keys(files)) expect(printed).toContain(join(userData, name));
  expect(printed.match(/newer Grantbench/g)).toHaveLength(2);
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(join(userData, name), 'utf8')).toBe(text);

  const taken = join(userData, 'keys.json');
  const begin = 'grantbench: The data folder ';
  // Its error box waits for a click.
  const refused = await printedBy(executablePath, taken, begin, 'SIGKILL');
  expect(refused).toContain(`${taken} cannot be used: `);
});
