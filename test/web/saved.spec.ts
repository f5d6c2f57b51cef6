// Flows and requests saved by name: in the workspace if its file is written, else in this browser; listed first,
// replaced only after a confirmation, and restorable when deleted. What cannot be saved is reported above every view.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { exchangeDetail, lookFor } from '../support/workbench.ts';
import { expect, openBench, test as base } from './serve.ts';

interface Fixtures {
  /** Whether the server saves a workspace file. */
  readonly saves: boolean;
  readonly file: string;
}

const test = base.extend<Fixtures>({
  saves: [true, { option: true }],
  file: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'grantbench-saved-'));
    await use(join(folder, 'workspace.json'));
    await rm(folder, { recursive: true, force: true });
  },
  engine: async ({ file, saves }, use) => use(saves ? { workspace: { file, save: true } } : {}),
});

const openFlows = (page: Page) => page.getByRole('button', { name: 'Saved', exact: true }).click();

const requestsOf = (page: Page) => ({
  start: page.getByRole('region', { name: 'Start from' }),
  region: page.getByRole('region', { name: 'Request', exact: true }),
  list: page.getByRole('list', { name: 'Saved' }),
});

const askToSave = async (page: Page, name: string | null) => {
  await requestsOf(page).region.getByRole('button', { name: 'Save', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Save', exact: true });
  if (name !== null) await form.getByLabel('Save this request as').fill(name);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
};

const saveRequest = async (page: Page, name: string) => {
  await askToSave(page, name);
  await expect(page.getByText(`“${name}” is saved, without secrets`)).toBeVisible();
};

async function elsewhere(browser: Browser, ready: Ready): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openBench(page, ready);
  return page;
}

test('a flow saved in the workspace appears in every browser at once, and is replaced only after a confirmation', async ({
  bench,
  ready,
  browser,
  file,
  errors,
}) => {
  const { page } = bench;
  const other = await elsewhere(browser, ready);
  await bench.run('Issue a code');
  await openFlows(page);
  await expect(page.getByText('Saved in the workspace file workspace.json.')).toBeVisible();
  await page.getByLabel('Save this flow as').fill('Checkout');
  await page.getByLabel('Save this flow as').press('Enter');
  await expect(page.getByText('“Checkout” is saved, without secrets')).toBeVisible();

  await openFlows(other);
  await expect(other.getByRole('button', { name: 'Replay: Checkout' })).toBeVisible();
  await expect(async () =>
    expect(await readFile(file, 'utf8')).toContain('"saved_flows"'),
  ).toPass();
  expect(await page.evaluate(() => localStorage.getItem('grantbench.scenarios'))).toBeNull();

  await openFlows(page);
  const { items } = await ask<{ items: { saved_at: string }[] }>(ready, 'GET', '/saved-flows');
  await page.getByLabel('Save this flow as').press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Replace “Checkout”?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await severeFindings(page, question)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await ask<object>(ready, 'GET', '/saved-flows')).toMatchObject({ items });
  await page.getByLabel('Save this flow as').press('Enter');
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect(page.getByText('“Checkout” is replaced, without secrets')).toBeVisible();
  expect(await ask<object>(ready, 'GET', '/saved-flows')).not.toMatchObject({ items });

  await openFlows(page);
  await page.getByRole('button', { name: 'Delete: Checkout' }).click();
  await expect(page.getByText('Nothing is saved.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nothing is saved.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeFocused();
  await other.context().close();
  expect(errors).toEqual([]);
});

test('a request is saved, listed first, opened with fresh credentials, sent, deleted and restored', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Requests');
  const { start, region, list } = requestsOf(page);
  await start.getByRole('button', { name: 'Exchange a code', exact: true }).click();
  await region.getByLabel('Value of redirect_uri', { exact: true }).fill('http://localhost:9/own');
  await askToSave(page, null);
  await expect(page.getByText('“Exchange a code” is saved, without secrets')).toBeVisible();
  await saveRequest(page, 'Wrong redirect');
  await expect(list.getByRole('listitem')).toContainText([/Wrong redirect/, /Exchange a code/]);
  await expect(start.getByRole('heading').first()).toHaveText('Saved');
  const saved = await ask<object>(ready, 'GET', '/saved-requests/Wrong%20redirect');
  expect(JSON.stringify(saved)).not.toMatch(/demo-secret|[\w-]{43,}/);

  await start.getByRole('button', { name: 'JWK Set', exact: true }).click();
  const codes = async () =>
    (await ask<{ items: unknown[] }>(ready, 'GET', '/tokens?kind=code')).items.length;
  const before = await codes();
  await list.getByRole('button', { name: 'Open: Wrong redirect' }).click();
  await expect(region.getByRole('heading', { name: 'Wrong redirect' })).toBeVisible();
  await expect(region.getByLabel('Value of client_secret', { exact: true })).toHaveValue(
    'demo-secret',
  );
  await expect(region.getByText('The code is issued when you send')).toBeVisible();
  expect(await codes()).toBe(before);
  await region.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(exchangeDetail(page)).toContainText('400');
  expect(await codes()).toBe(before + 1);

  await list.getByRole('button', { name: 'Delete: Wrong redirect' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  const notice = page.getByRole('alert').filter({ hasText: '“Wrong redirect” is deleted' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.reload();
  await bench.ready();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  expect(errors).toEqual([]);
});

test('behaviour 16.1: flows and requests are one list in both views: each opens in its own view, is renamed and exported; the palette finds and opens requests, even new ones while it is open, and a long list has a filter', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const scenario = {
    format: 'grantbench-scenario',
    version: 1,
    name: 'Checkout',
    steps: [{ issue_tokens: {} }],
  };
  await ask(ready, 'PUT', '/saved-flows/Checkout', { scenario });
  const request = {
    client_id: 'demo-app',
    method: 'GET',
    path: '/userinfo',
    headers: [['Authorization', 'Bearer ']],
  };
  await ask(ready, 'PUT', '/saved-requests/Me', request);
  await ask(ready, 'PUT', '/saved-requests/Taken', request);

  await openFlows(page);
  const { list, region } = requestsOf(page);
  await expect(list.getByRole('listitem')).toHaveText([/Checkout/, /Taken/, /Me/]);
  await list.getByRole('button', { name: 'Open: Me' }).click();
  await expect(region.getByRole('heading', { name: 'Me' })).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveText([/Taken/, /Me/, /Checkout/]);

  await list.getByRole('button', { name: 'Rename: Me' }).click();
  await page.getByLabel('New name').fill('Taken');
  await page.getByLabel('New name').press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Replace “Taken”?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('New name').press('Enter');
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect(list.getByRole('listitem')).toHaveText([/Taken/, /Checkout/]);
  const reported = page.getByRole('alert').filter({ hasText: '“Me” is renamed to “Taken”' });
  await reported.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('listitem')).toHaveText([/Taken/, /Me/, /Checkout/]);
  await list.getByRole('button', { name: 'Rename: Me' }).click();
  await page.getByLabel('New name').fill('Who am I');
  await page.getByLabel('New name').press('Enter');
  await expect(list.getByRole('listitem')).toHaveText([/Taken/, /Who am I/, /Checkout/]);
  expect(await ask<object>(ready, 'GET', '/saved-requests')).toMatchObject({
    items: [{ name: 'Taken' }, { name: 'Who am I' }],
  });

  const coming = page.waitForEvent('download');
  await list.getByRole('button', { name: 'Export: Who am I' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('who-am-i.scenario.json');
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    name: 'Who am I',
    steps: [
      { issue_tokens: { client: 'demo-app' } },
      { request: { path: '/userinfo', headers: [['Authorization', 'Bearer {{access_token}}']] } },
    ],
  });

  await list.getByRole('button', { name: 'Replay: Checkout' }).click();
  await expect(page.getByText('“Checkout” replayed: 1 step, all as expected.')).toBeVisible();

  await lookFor(page, 'userinfo 7');
  await expect(page.getByRole('option', { name: /Userinfo 7/ })).toHaveCount(0);
  for (let n = 0; n < 9; n += 1) {
    await ask(ready, 'PUT', `/saved-requests/Userinfo%20${n}`, {
      method: 'GET',
      path: '/userinfo',
    });
  }
  await page.getByRole('option', { name: /Userinfo 7/ }).click();
  await expect(region.getByRole('heading', { name: 'Userinfo 7' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Filter saved items' }).fill('info 3');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect(errors).toEqual([]);
});

test.describe('without a saved workspace file', () => {
  test.use({ saves: false });

  test('behaviour 16.4: a saved request stays in this browser, and the page says so', async ({
    bench,
    ready,
  }) => {
    const { page } = bench;
    await bench.open('Requests');
    await saveRequest(page, 'Mine');
    const { start, list } = requestsOf(page);
    await expect(
      start.getByText(
        'Saved in this browser: the server saves no workspace file (see serve --save).',
      ),
    ).toBeVisible();
    expect(await ask(ready, 'GET', '/saved-requests')).toMatchObject({ items: [] });
    await page.reload();
    await bench.ready();
    await expect(list.getByRole('listitem')).toHaveCount(1);
  });
});

test('behaviour 16.4: items kept in this browser, even by an earlier version, are listed with those of the workspace, open as they were, and stay in the browser', async ({
  page,
  ready,
}) => {
  const scenario = (name: string) => ({
    format: 'grantbench-scenario',
    version: 1,
    name,
    steps: [{ issue_tokens: {} }],
  });
  await ask(ready, 'PUT', '/saved-flows/Shared', { scenario: scenario('Shared') });
  const flows = ['Shared', 'One'].map((name) => ({
    saved_at: '2026-01-01T10:00:00.000Z',
    scenario: scenario(name),
  }));
  const request = {
    name: 'Earlier',
    saved_at: '2025-11-02T10:00:00.000Z',
    template: null,
    client_id: null,
    method: 'POST',
    path: '/oauth/token?note=a%20b',
    headers: [['Content-Type', 'application/json']],
    format: 'json',
    body: '{"grant_type" : "x", "n": 5.0}',
  };
  const kept = {
    'grantbench.scenarios': JSON.stringify({ flows, unconverted: [] }),
    'grantbench.saved-requests': JSON.stringify([request]),
  };
  await page.goto(`${ready.control.url}/favicon.ico`);
  await page.evaluate((items) => Object.assign(localStorage, items), kept);
  const bench = await openBench(page, ready);

  await openFlows(page);
  const { region, list } = requestsOf(page);
  await expect(list.getByRole('listitem')).toHaveText([
    /^Replay: Shared(?!.*in this browser)/,
    /^Replay: Shared.*in this browser/,
    /^Replay: One.*in this browser/,
    /Earlier.*in this browser/,
  ]);
  expect(await ask<{ items: unknown[] }>(ready, 'GET', '/saved-flows')).toMatchObject({
    items: [{ scenario: scenario('Shared') }],
  });

  await page.keyboard.press('Escape');
  await bench.open('Requests');
  await list.getByRole('button', { name: 'Open: Earlier' }).click();
  await expect(region.getByRole('heading', { name: 'Earlier' })).toBeVisible();
  await expect(region.getByLabel('Path and query', { exact: true })).toHaveValue(request.path);
  await saveRequest(page, 'In the workspace');
  expect(await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))).toMatchObject(
    kept,
  );
});

const unsavable = test.extend({
  engine: async ({ file }, use) =>
    use({
      workspace: { file, save: true },
      keep_file: join(dirname(file), 'keys.json'),
      onFault: () => undefined,
    }),
});

unsavable(
  'a workspace, signing keys and revocations that cannot be saved are reported above every view, until they are saved',
  async ({ page, bench, ready, file }) => {
    const folder = dirname(file);
    const warnings = page.getByText(/^(The workspace|Signing keys and revocations).* not saved$/);
    const change = async (profile: string) => {
      await ask(ready, 'PATCH', '/settings', { profile });
      await ask(ready, 'POST', '/keys', { alg: 'ES256' });
    };
    await bench.open('Clients');
    await expect(warnings).toHaveCount(0);
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder was');
    await change('strict');
    await expect(warnings).toHaveText([
      'The workspace is not saved',
      'Signing keys and revocations are not saved',
    ]);
    await expect(page.getByText(/keys\.json could not be saved: ENOTDIR/)).toBeVisible();
    await bench.open('Users');
    await expect(warnings).toHaveCount(2);
    await rm(folder);
    await mkdir(folder);
    await change('interop');
    await expect(warnings).toHaveCount(0);
  },
);
