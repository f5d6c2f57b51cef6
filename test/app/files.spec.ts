// Workspace files opened through the system: while the app runs, and while the current workspace has unsaved changes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ElectronApplication } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import { appArguments, appEnvironment, chooseMenuItem, expect, test } from './launch.ts';

function workspaceFile(folder: string, name: string, members: object = {}): string {
  const file = join(folder, `${name}.grantbench.json`);
  writeFileSync(file, JSON.stringify({ version: 1, name, ...members }));
  return file;
}

/** Answers native dialogs with the button of this label, and records their text. */
const answerDialogs = (app: ElectronApplication, button: string) =>
  app.evaluate(({ dialog }, label) => {
    const kept = globalThis as { asked?: string[] };
    kept.asked = [];
    dialog.showMessageBox = async (...args: unknown[]) => {
      const {
        message,
        detail,
        buttons = [],
      } = args.at(-1) as Record<string, string> & {
        buttons?: string[];
      };
      kept.asked?.push(`${message}\n${detail}`);
      return { response: Math.max(0, buttons.indexOf(label)), checkboxChecked: false };
    };
  }, button);

/** Chooses Save Workspace As and this file. */
async function saveAs(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, file);
  await chooseMenuItem(app, 'save-as');
}

const asked = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as { asked?: string[] }).asked ?? []);

test('reopening the current file keeps its tokens, and opening another requires confirmation that credentials end', async ({
  executablePath,
  userData,
  launch,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  await answerDialogs(app, 'Cancel');
  const hand = async (name: string) => {
    const second = spawn(executablePath, [...appArguments(), `./${name}.grantbench.json`], {
      env: appEnvironment(userData, 0),
      cwd: userData,
      stdio: 'ignore',
    });
    expect(await once(second, 'exit')).toEqual([0, null]);
  };
  const start = async (name: string) => {
    await hand(name);
    await expect(page.getByRole('contentinfo')).toContainText(`${basename(name)}.grantbench.json`);
  };
  await saveAs(app, join(userData, 'demo.grantbench.json'));
  symlinkSync(userData, join(userData, 'linked'), 'junction');
  await expect(page.getByRole('contentinfo')).toContainText('demo.grantbench.json');
  await bench.runAll();
  await expect(bench.step('Refresh')).toContainText('200');
  const status = page.getByRole('contentinfo');
  // Two access tokens and a refresh token.
  const before = '3 live credentials';
  await expect(status).toContainText(before);
  await start('demo');
  await start('linked/demo');
  await expect(status).toContainText(before);
  expect(await asked(app)).toEqual([]);

  workspaceFile(userData, 'other');
  await hand('other');
  await expect.poll(() => asked(app)).toHaveLength(1);
  const [question = ''] = await asked(app);
  expect(question).toContain('Open other.grantbench.json in place of Demo?');
  expect(question).toContain(before);
  expect(question).toContain('will end, because the new workspace does not have their clients.');
  await expect(status).toContainText('demo.grantbench.json');
  await expect(status).toContainText(before);

  await answerDialogs(app, 'Open');
  await start('other');
  await expect(status).toContainText('0 live credentials');
});

test('a workspace with unsaved changes is replaced only after confirmation', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const open = (file: string) =>
    app.evaluate(({ app: electron }, path) => {
      electron.emit('second-instance', {}, ['electron', path], '/');
    }, file);
  const first = workspaceFile(userData, 'first');
  await open(first);
  await expect(page.getByRole('contentinfo')).toContainText('first.grantbench.json');
  writeFileSync(first, JSON.stringify({ version: 1, name: 'changed by another program' }));
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('menuitemradio', { name: /^strict/ }).click();

  await answerDialogs(app, 'Cancel');
  const second = workspaceFile(userData, 'second');
  await open(second);
  await expect.poll(() => asked(app)).toHaveLength(1);
  const [question = ''] = await asked(app);
  expect(question).toContain('first has unsaved changes.');
  expect(question).toContain('was changed by another program, so it was not overwritten');
  await expect(page.getByRole('contentinfo')).toContainText('first.grantbench.json');

  await answerDialogs(app, 'Open');
  await open(second);
  await expect(page.getByRole('contentinfo')).toContainText('second.grantbench.json');
  expect(readFileSync(first, 'utf8')).toContain('changed by another program');
});

test('the app reports files of a newer version in its data folder and leaves them unchanged', async ({
  executablePath,
  userData,
}) => {
  const files = {
    'workspace.json': JSON.stringify({ version: 2, name: 'From tomorrow' }),
    'keys.json': JSON.stringify({ version: 2, keys: 'in a new way' }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(userData, name), text);
  const app = spawn(executablePath, appArguments(), {
    env: appEnvironment(userData, 0),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(app, 'exit');
  let told = '';
  for await (const line of createInterface({ input: app.stderr }))
    if (line.startsWith('grantbench: cannot use ')) {
      told = line;
      break;
    }
  for (const name of Object.keys(files)) expect(told).toContain(join(userData, name));
  expect(told.match(/newer Grantbench/g)).toHaveLength(2);
  app.stderr.resume();
  app.kill();
  await ended;
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(join(userData, name), 'utf8')).toBe(text);
});

test('two instances with different data folders run side by side', async ({
  executablePath,
  userData,
  launch,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const port = await freePort();
  const folder = join(userData, 'other');
  const other = spawn(executablePath, appArguments(), {
    env: appEnvironment(folder, port),
    stdio: 'ignore',
  });
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(alive).toBe(true);
  await saveAs(app, join(userData, 'mine.grantbench.json'));
  await expect(page.getByRole('contentinfo')).toContainText('mine.grantbench.json');
  const ended = once(other, 'exit');
  other.kill();
  await ended;
  expect(readFileSync(join(folder, 'workspace.json'), 'utf8')).toContain('"Demo"');
  await bench.runAll();
});
