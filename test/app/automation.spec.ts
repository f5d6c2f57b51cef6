// Automation access in the window: off by default, found by commands, remembered, and closed when it is switched off
// or the app quits.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startCli } from '../support/cli-process.ts';
import { collectErrors } from '../support/console-errors.ts';
import { DEMO, exchangeBody } from '../support/token-calls.ts';
import type { Workbench } from '../support/workbench.ts';
import { severeFindings } from '../support/findings.ts';
import { answerQuestion } from './answer-question.ts';
import { expect, rememberedSettings, test, type Launched } from './launch.ts';

interface Entry {
  readonly kind: string;
  readonly issuer: string;
  readonly control: { readonly url: string; readonly token: string };
}

async function openSection({ page, open }: Workbench, at: string, name = at) {
  await open('Settings');
  const index = page.getByRole('navigation', { name: 'Settings' });
  await index.getByRole('link', { name: at, exact: true }).click();
  return page.getByRole('region', { name, exact: true });
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

const status = async ({ url, token }: Entry['control'], given = token) => {
  const headers = { authorization: `Bearer ${given}` };
  const answer = await fetch(`${url}/api/server`, { headers }).catch(() => null);
  return answer?.status ?? null;
};

const flip = (page: Page) => page.getByRole('switch', { name: 'Automation access' }).click();

/** A window with automation access on. @returns it with its instance file */
async function launchAutomated(launch: () => Promise<Launched>, userData: string) {
  const launched = await launch();
  await answerQuestion(launched.app, 'Turn On');
  await launched.bench.ready();
  await openSection(launched.bench, 'Workspace', 'Automation');
  await flip(launched.page);
  await expect.poll(() => entries(userData).length).toBe(1);
  const [entry] = entries(userData);
  if (entry === undefined) throw new Error('no entry');
  return { ...launched, entry };
}

test('turning on automation access requires confirmation in a native dialog', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await bench.ready();
  const asked = await answerQuestion(app, 'Cancel');
  const section = await openSection(bench, 'Workspace', 'Automation');
  await flip(page);
  await expect.poll(asked).toBe(1);
  await expect(section.getByRole('switch')).toBeEnabled();
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect(section).not.toContainText('http://localhost:');
  expect(entries(userData)).toEqual([]);
  expect(rememberedSettings(userData)).toBeNull();

  const again = await answerQuestion(app, 'Turn On');
  await flip(page);
  await expect(section.getByRole('switch')).toBeChecked();
  await flip(page);
  await expect(section.getByRole('switch')).not.toBeChecked();
  await expect.poll(again).toBe(1);
});

test('automation access listens on loopback, requires the control token, and closes when switched off', async ({
  launch,
  userData,
}) => {
  const { app, page, bench } = await launch();
  await answerQuestion(app, 'Turn On');
  const errors = collectErrors(page);
  await bench.ready();
  const section = await openSection(bench, 'Workspace', 'Automation');
  await expect(section.getByRole('switch')).not.toBeChecked();
  expect(entries(userData)).toEqual([]);

  await flip(page);
  await expect(section).toContainText('http://localhost:');
  await expect.poll(() => entries(userData).length).toBe(1);
  const [entry] = entries(userData);
  if (entry === undefined) throw new Error('no entry');
  expect(entry.kind).toBe('window');
  await expect(page.getByRole('banner')).toContainText(entry.issuer);
  await expect(section).toContainText(entry.control.url);
  await expect(section).not.toContainText(entry.control.token);
  expect(await status(entry.control)).toBe(200);
  expect(await status(entry.control, 'guessed')).toBe(401);
  if (process.platform !== 'win32') {
    const [name = ''] = readdirSync(join(userData, 'run'));
    expect(statSync(join(userData, 'run', name)).mode & 0o077).toBe(0);
  }
  expect(await severeFindings(page)).toEqual([]);

  await flip(page);
  await expect(section).not.toContainText('http://localhost:');
  await expect.poll(() => entries(userData)).toEqual([]);
  await expect.poll(() => status(entry.control)).toBeNull();
  expect(errors).toEqual([]);
});

test('a command finds the window without options and issues a code that its sandbox accepts', async ({
  launch,
  userData,
}) => {
  const { entry } = await launchAutomated(launch, userData);
  const { ended } = startCli(['code', '--json', '--audience', DEMO.audience], {
    GRANTBENCH_USER_DATA: userData,
  });
  const { code: exit, stdout, stderr } = await ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const { code } = JSON.parse(stdout) as { code: string };
  const answer = await fetch(`${entry.issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exchangeBody(code),
  });
  expect(answer.status).toBe(200);
});

test('automation access opens and shows an alert when its instance file cannot be written', async ({
  launch,
  userData,
}) => {
  writeFileSync(join(userData, 'run'), 'in the way');
  const { app, page, bench } = await launch();
  await answerQuestion(app, 'Turn On');
  await bench.ready();
  const section = await openSection(bench, 'Workspace', 'Automation');
  await flip(page);
  await expect(section.getByRole('alert')).toContainText('Commands cannot find this instance');
  await expect(section).toContainText('http://localhost:');
});

test('automation access is remembered, gets a new control token at each start, and ends with the app', async ({
  launch,
  userData,
}) => {
  const { app, entry } = await launchAutomated(launch, userData);
  await app.close();
  expect(entries(userData)).toEqual([]);

  const again = await launch();
  await again.bench.ready();
  await expect.poll(() => entries(userData).length).toBe(1);
  const [after] = entries(userData);
  expect(after?.control.token).not.toBe(entry.control.token);
  const section = await openSection(again.bench, 'Workspace', 'Automation');
  await expect(section.getByRole('switch')).toBeChecked();
});

test('moving the server to another port updates the remembered settings and the instance file', async ({
  launch,
  userData,
}) => {
  const { page, bench, entry } = await launchAutomated(launch, userData);
  const former = Number(new URL(entry.issuer).port);
  const wanted = former > 60_000 ? former - 1000 : former + 1000;
  const section = await openSection(bench, 'Server');
  await section.getByRole('textbox', { name: 'Port' }).fill(String(wanted));
  await section.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByRole('banner')).toContainText(`http://localhost:${wanted}`);
  await expect.poll(() => entries(userData)[0]?.issuer).toBe(`http://localhost:${wanted}`);
  await expect
    .poll(() => rememberedSettings(userData))
    .toMatchObject({ port: wanted, automation: true });
});

test('Settings has a switch that keeps the app running when the window closes', async ({
  launch,
  userData,
}) => {
  const { page, bench } = await launch();
  await bench.ready();
  const section = await openSection(bench, 'Appearance');
  await section.getByRole('switch', { name: 'Keep running when the window closes' }).click();
  await expect(
    page.getByText('the server keeps running; reopen the window', { exact: false }).first(),
  ).toBeVisible();
  await expect.poll(() => rememberedSettings(userData)).toMatchObject({ keep_running: true });
});
