// Permanent losses are announced beforehand; everything else can be undone, even long after its notice is gone.

import type { Page } from '@playwright/test';
import { ask, DEMO } from '../support/token-calls.ts';
import { runCommand } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

interface Document {
  readonly name: string;
  readonly clients: readonly {
    readonly client_id: string;
    readonly client_secret: string | null;
  }[];
}

const TEAM = {
  version: 1,
  name: 'Team',
  clients: [{ client_id: 'shop', client_secret: 'shop-secret' }],
};

/** The preview of a file with this text. */
async function importText(page: Page, text: string) {
  const choosing = page.waitForEvent('filechooser');
  await runCommand(page, 'Import workspace…');
  const buffer = Buffer.from(text);
  const file = { name: 'team.json', mimeType: 'application/json', buffer };
  await (await choosing).setFiles(file);
  return page.getByRole('dialog', { name: 'Import team.json' });
}

/** Drops a file with this text on the page, as a file manager would. */
async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'team.json'));
    return transfer;
  }, text);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

const importButton = { name: 'Import workspace' } as const;
/** Undoes the only change that the palette offers to undo. */
async function undoByKeys(page: Page, text: RegExp): Promise<void> {
  await page.keyboard.press('Alt+Z');
  const field = page.getByRole('combobox', { name: 'Search commands' });
  await expect(field).toBeFocused();
  await expect(page.getByRole('option', { name: /^Undo: / })).toHaveText([text]);
  await field.press('Enter');
}
const dismiss = (page: Page) => page.getByRole('button', { name: 'Dismiss' }).click();

test('behaviour 4.10: deleting a client asks once, with the credentials that end and what Undo cannot bring back; Undo restores its position, or its replaced secret', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/clients', { client_id: 'second' });
  const before = await ask(ready, 'GET', '/clients');
  for (let n = 0; n < 3; n += 1) {
    await ask(ready, 'POST', '/tokens', { client_id: DEMO.client_id });
  }
  await ask(ready, 'POST', '/codes', {
    client_id: DEMO.client_id,
    redirect_uri: 'http://localhost:3000/callback',
  });
  await bench.open('Clients');
  await page.getByRole('link', { name: 'Demo application' }).click();
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await remove.first().click();
  const question = page.getByRole('dialog', { name: 'Delete demo-app?' });
  await expect(question).toContainText(
    'Revoked with it: 7 live credentials (1 code, 3 refresh tokens and 3 access tokens).',
  );
  await expect(question).toContainText('but not its credentials');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Client demo-app' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('7 live credentials');

  await remove.first().click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('demo-app is deleted')).toBeVisible();
  await dismiss(page);
  await undoByKeys(page, /^Undo: demo-app is deleted/);
  await expect(page.getByText('demo-app is restored')).toBeVisible();
  expect(await ask(ready, 'GET', '/clients/demo-app')).toMatchObject({
    client_id: DEMO.client_id,
    client_secret: DEMO.client_secret,
  });
  expect(await ask(ready, 'GET', '/clients')).toEqual(before);
  await page.keyboard.press('Alt+Z');
  await expect(page.getByText('Nothing to undo')).toBeVisible();
  const restored = page.getByRole('alert').filter({ hasText: 'demo-app is restored' });
  await restored.getByRole('button', { name: 'Dismiss' }).click();
  await expect(restored).toBeHidden();

  await page.getByRole('link', { name: 'Demo application' }).click();
  await page.getByRole('button', { name: 'Generate secret' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('its former secret is now rejected')).toBeVisible();
  expect(await ask(ready, 'GET', '/clients/demo-app')).not.toMatchObject({
    client_secret: DEMO.client_secret,
  });
  // A later change, which Undo keeps.
  await ask(ready, 'PATCH', '/clients/demo-app', { profile: 'strict' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(restored).toBeVisible();
  expect(await ask(ready, 'GET', '/clients/demo-app')).toMatchObject({
    client_secret: DEMO.client_secret,
    profile: 'strict',
  });
  expect(errors).toEqual([]);
});

test('behaviour 16.5: an import of a chosen or dropped file with errors, cut off or of a newer version changes nothing; another says what ends, and can be undone after its notice is gone and the page was reloaded', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/tokens', { client_id: DEMO.client_id });
  const before = await ask<Document>(ready, 'GET', '/workspace');
  const wrong = '{\n  "version": 1,\n  "clients": [{ "client_id": "a" }],\n  "colour": "red"\n}';
  const faulty = await importText(page, wrong);
  await expect(faulty.getByRole('alert')).toContainText('it has 2 errors. Nothing was changed.');
  await expect(faulty.getByRole('listitem')).toHaveText([
    /^Line 3 clients\[0\]\.client_secret is required/,
    'Line 4 colour is not a known member',
  ]);
  await expect(faulty.getByRole('button', importButton)).toBeHidden();
  await faulty.getByRole('button', { name: 'Close', exact: true }).last().click();

  const more = Array.from({ length: 60 }, () => ({ client_id: 'a', colour: 'red' }));
  await drop(page, JSON.stringify({ version: 1, name: 'N', clients: more }));
  await expect(faulty.getByRole('alert')).toContainText('it has 100 errors or more.');
  await expect(faulty.getByRole('listitem')).toHaveCount(100);
  const numbers = faulty.getByRole('list', { name: 'Errors' });
  const room = numbers.evaluate((list) => parseFloat(getComputedStyle(list).paddingLeft));
  expect(await room, 'room for “100.”').toBeGreaterThan(24);
  await faulty.getByRole('button', { name: 'Close', exact: true }).last().click();

  for (const [text, problem] of [
    ['{\n  "version": 1,\n  "clients": [\n', /^Line 4 +is not JSON: expected a value/],
    ['{"version": 2, "name": "N"}', /newer Grantbench/],
    ['[1]', /must be a JSON object/],
  ] as const) {
    await drop(page, text);
    await expect(faulty.getByRole('listitem')).toHaveText(problem);
    await expect(faulty.getByRole('button', importButton)).toBeHidden();
    await faulty.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(faulty).toBeHidden();
  }
  expect(await ask<Document>(ready, 'GET', '/workspace')).toEqual(before);

  await drop(page, JSON.stringify(TEAM));
  const dialog = page.getByRole('dialog', { name: 'Import team.json' });
  await expect(dialog).toContainText('“Team”, with 1 client, 0 users');
  await expect(dialog).toContainText(
    '2 live credentials (1 refresh token and 1 access token) will end, because the new workspace does not have their clients.',
  );
  await expect(dialog).toContainText(
    'Saved flows, saved requests and check results are kept unless the file has its own.',
  );
  await expect(dialog).toContainText(
    '“Demo” is kept with its secrets until Grantbench stops. Undo restores it. At most 10 former workspaces are kept, fewer if they are large',
  );
  await dialog.getByRole('button', importButton).click();
  await expect(page.getByText('Imported “Team”')).toBeVisible();
  await dismiss(page);
  await page.reload();
  await bench.ready();

  await undoByKeys(page, /^Undo: the workspace “Demo” was replaced/);
  await expect(page.getByText('“Demo” is restored')).toBeVisible();
  expect(await ask<Document>(ready, 'GET', '/workspace')).toEqual(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('“Team” is restored')).toBeVisible();

  await drop(page, JSON.stringify(TEAM));
  await expect(dialog).toContainText(
    '“Team” already has these records and settings, so none would change.',
  );
  await expect(dialog).not.toContainText(/is kept|It replaces/);
});

test('rules with hits are deleted after a confirmation, and restored without their hits; without a workspace file, a reset says what is lost, and Undo restores the workspace', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const rule = { name: 'Down', when: 'instead', effect: { kind: 'answer', status: 503 } };
  await ask(ready, 'POST', '/faults', rule);
  expect((await fetch(ready.token_endpoint, { method: 'POST' })).status).toBe(503);
  await bench.open('Faults');
  await expect(
    page.getByRole('row', { name: /Down/ }).getByRole('cell', { name: '1' }).last(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'More for all rules' }).click();
  await page.getByRole('menuitem', { name: 'Delete all rules' }).click();
  const question = page.getByRole('dialog', { name: 'Delete 1 rule?' });
  await expect(question).toContainText('but not their 1 hit');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No faults active')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 rule restored')).toBeVisible();
  const { items } = await ask<{ items: object[] }>(ready, 'GET', '/faults');
  expect(items).toMatchObject([{ name: 'Down', hits: 0 }]);

  await ask(ready, 'POST', '/users', { sub: 'bea' });
  await ask(ready, 'POST', '/tokens', { client_id: DEMO.client_id });
  await ask(ready, 'PATCH', '/settings', { profile: 'strict' });
  await page.goto(new URL('#/settings/workspace', page.url()).href);
  await expect(page.getByRole('button', { name: 'Reset to the workspace file…' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Reset to the initial workspace…' }).click();
  const reset = page.getByRole('dialog', { name: 'Reset to the initial workspace?' });
  await expect(reset).toContainText(
    'Lost for good: 2 live credentials (1 refresh token and 1 access token) and 1 exchange.',
  );
  await reset.getByRole('button', { name: 'Reset' }).click();
  await expect(page.getByText('The sandbox was reset and “Demo” was replaced')).toBeVisible();
  expect(await ask(ready, 'GET', '/settings')).toMatchObject({ profile: 'documented' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('“Demo” is restored')).toBeVisible();
  expect(await ask(ready, 'GET', '/users/bea')).toMatchObject({ sub: 'bea' });
});
