// Automation access in the window: off by default, found by commands, remembered, and closed when it is switched off
// or the app quits.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import { collectErrors } from '../support/console-errors.ts';
import { severeFindings } from '../support/findings.ts';
import { DEMO, exchangeBody } from '../support/token-calls.ts';
import { expect, openSection, rememberedSettings, test } from './launch.ts';
import { answerQuestion } from './native-dialogs.ts';

interface Entry {
  readonly kind: string;
  readonly issuer: string;
  readonly control: { readonly url: string; readonly token: string };
}

/** The instance files that commands find in the user's data folder. */
function entries(userData: string): Entry[] {
  const folder = join(userData, 'run');
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Entry);
  } catch {
    return [];
  }
}

async function onlyEntry(userData: string): Promise<Entry> {
  await expect.poll(() => entries(userData)).toHaveLength(1);
  const [entry] = entries(userData);
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

const status = async ({ url, token }: Entry['control'], given = token) => {
  const headers = { authorization: `Bearer ${given}` };
  const answer = await fetch(`${url}/api/server`, { headers }).catch(() => null);
  return answer?.status ?? null;
};

const flip = (page: Page) => page.getByRole('switch', { name: 'Automation access' }).click();

test('automation access requires confirmation in a native dialog and the control token, listens on loopback, closes when switched off, and opens with an alert when its instance file cannot be written, and closes when it cannot be removed', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  const errors = collectErrors(page);
  await bench.ready();
  const declined = await answerQuestion(app, 'Cancel');
  const section = await openSection(bench, 'Workspace', 'Automation');
  await flip(page);
  await expect.poll(declined).toHaveLength(1);
  await expect(section.getByRole('switch')).toBeEnabled();
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect(section).not.toContainText('http://localhost:');
  expect(entries(userData)).toEqual([]);
  expect(rememberedSettings(userData)).toBeNull();

  const agreed = await answerQuestion(app, 'Turn On');
  await flip(page);
  await expect(section.getByRole('switch')).toBeChecked();
  await expect(section).toContainText('http://localhost:');
  const entry = await onlyEntry(userData);
  expect(entry.kind).toBe('window');
  await expect(page.getByRole('banner')).toContainText(entry.issuer);
  await expect(section).toContainText(entry.control.url);
  await expect(section).not.toContainText(entry.control.token);
  expect(await status(entry.control)).toBe(200);
  expect(await status(entry.control, 'guessed')).toBe(401);
  const folder = join(userData, 'run');
  if (process.platform !== 'win32') {
    const [name = ''] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
  expect(await severeFindings(page, section)).toEqual([]);

  await flip(page);
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect(section).not.toContainText('http://localhost:');
  await expect.poll(() => entries(userData)).toEqual([]);
  await expect.poll(() => status(entry.control)).toBeNull();
  expect(await agreed()).toHaveLength(1);
  expect(errors).toEqual([]);

  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  await flip(page);
  await expect(section.getByRole('alert')).toContainText('Commands cannot find this instance');
  await expect(section).toContainText('http://localhost:');
  await flip(page);
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect(section).not.toContainText('http://localhost:');
});

test('a command finds the window without options and issues a code that its sandbox accepts; moving the server to another port updates the remembered settings and the instance file; automation access is remembered, gets a new control token at each start, and ends with the app', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await answerQuestion(app, 'Turn On');
  await bench.ready();
  await openSection(bench, 'Workspace', 'Automation');
  await flip(page);
  const { issuer, control } = await onlyEntry(userData);
  const { ended } = startCli(['code', '--json', '--audience', DEMO.audience], {
    GRANTBENCH_USER_DATA: userData,
  });
  const { code: exit, stdout, stderr } = await ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const { code } = JSON.parse(stdout) as { code: string };
  const answer = await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exchangeBody(code),
  });
  expect(answer.status).toBe(200);

  const former = Number(new URL(issuer).port);
  const wanted = former > 60_000 ? former - 1000 : former + 1000;
  const server = await openSection(bench, 'Server');
  await server.getByRole('textbox', { name: 'Port' }).fill(String(wanted));
  await server.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByRole('banner')).toContainText(`http://localhost:${wanted}`);
  await expect.poll(() => entries(userData)[0]?.issuer).toBe(`http://localhost:${wanted}`);
  await expect
    .poll(() => rememberedSettings(userData))
    .toMatchObject({ port: wanted, automation: true });
  await app.close();
  expect(entries(userData)).toEqual([]);

  const again = await launch();
  await again.bench.ready();
  const after = await onlyEntry(userData);
  expect(after.control.token).not.toBe(control.token);
  const section = await openSection(again.bench, 'Workspace', 'Automation');
  await expect(section.getByRole('switch')).toBeChecked();
});
