// The signing keys in the settings, and the requests that a throttle counter rejected.

import { readFile } from 'node:fs/promises';
import { generateSigningKey } from '../../src/engine/key-material.ts';
import { ask } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import { severeFindings } from '../support/findings.ts';
import { hammer, type Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

async function openKeys({ page, open }: Workbench) {
  await open('Settings');
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await sections.getByRole('link', { name: 'Signing keys' }).click();
  return page.getByRole('region', { name: 'Signing keys' });
}

const kidsOf = async (ready: Ready) => {
  const { items } = await ask<{ items: { kid: string }[] }>(ready, 'GET', '/keys');
  return items.map(({ kid }) => kid);
};

test('keys are rotated and retired after one confirmation, the public keys are saved as a JWK Set, a key is imported, the list is updated, and a key that cannot sign is reported at the field', async ({
  page,
  bench,
  ready,
  errors,
}) => {
  const keys = await openKeys(bench);
  const [old = ''] = await kidsOf(ready);
  await keys.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await kidsOf(ready)).toEqual([old]);
  await keys.getByRole('button', { name: 'Rotate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  const rows = keys.getByRole('row').filter({ hasNotText: 'Algorithm' });
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText('signing, published');
  await expect(rows.nth(1)).toContainText(old);
  const download = page.waitForEvent('download');
  await keys.getByRole('button', { name: 'Export JWK Set' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('jwks.json');
  const text = await readFile(await file.path(), 'utf8');
  const saved = JSON.parse(text) as { keys: { kid: string }[] };
  expect(saved.keys.map(({ kid }) => kid)).toEqual(await kidsOf(ready));
  expect(text).not.toContain('"d"');
  expect(await severeFindings(page, keys)).toEqual([]);
  await keys.getByRole('button', { name: `Retire…: ${old}` }).click();
  await expect(page.getByRole('dialog')).toContainText('reject every token it signed');
  await page.getByRole('dialog').getByRole('button', { name: 'Retire', exact: true }).click();
  await expect(rows).toHaveCount(1);
  expect(await kidsOf(ready)).not.toContain(old);
  expect(errors).toEqual([]);

  await keys.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import key' });
  const field = dialog.getByRole('textbox', { name: 'Private key' });
  const save = dialog.getByRole('button', { name: 'Save' });
  const { private_jwk } = await generateSigningKey('RS256', 0);
  const cases: [object | string, string][] = [
    ['{"kty": "EC",}', 'Line 1'],
    [[private_jwk], 'must be a JSON object'],
    [{ kty: 'EC', alg: 'ES256' }, '“d” is missing'],
    [{ ...private_jwk, alg: 'ES256' }, 'needs one of kty EC'],
    [{ ...private_jwk, n: 'AQAB' }, 'is not a private key that can sign'],
  ];
  for (const [typed, message] of cases) {
    await field.fill(typeof typed === 'string' ? typed : JSON.stringify(typed));
    await save.click();
    await expect(dialog).toContainText(message);
  }
  await field.fill(JSON.stringify({ ...private_jwk, kid: 'mine' }));
  await save.click();
  await expect(dialog).toBeHidden();
  await expect(keys.getByRole('row', { name: /mine/ })).toContainText('signing, published');
  expect((await kidsOf(ready))[0]).toBe('mine');
});

test('a counter’s row opens the requests that it rejected, each with its exchange', async ({
  page,
  bench,
  ready,
}) => {
  await ask(ready, 'PATCH', '/clients/demo-app', {
    throttle: { limit: 2, window_seconds: 3600 },
  });
  await hammer(bench);
  await expect(page.getByText('the client’s own limit, per 1 h').first()).toBeVisible();
  const toggle = page.getByRole('button', { name: /throttled, show the latest/ });
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  const blocked = page.getByRole('list', { name: /^Throttled requests of/ });
  const link = blocked.getByRole('link', { name: /^exchange #\d+$/ }).first();
  await expect(link).toBeVisible();
  const counters = page.getByRole('region', { name: 'Throttle counters' });
  expect(await severeFindings(page, counters)).toEqual([]);
  const number = (await link.innerText()).replace(/\D/g, '');
  await link.click();
  await expect(page).toHaveURL(new RegExp(`#/traffic/${number}$`));
});
