// Task: expire the access token of an app and refresh it. At most 4 clicks.
// Start: the first view, freshly opened; an app has an access token and a refresh token.

import { ask, exchange, issueCode } from '../../support/token-calls.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('an access token is expired, and its refresh token is exchanged for a new one', async ({
  page,
  ready,
}) => {
  await exchange(ready, await issueCode(ready));
  await page.goto(addressOf(ready));
  const person = counted(page);
  await person.click(page.getByRole('link', { name: 'Tokens' }));
  await person.click(page.getByRole('row').filter({ hasText: 'Access token' }).first());
  await person.click(page.getByRole('button', { name: 'Expire and refresh…' }));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Expire and refresh' }));
  await expect(page.getByText(/^Expired .* and got a new access token/)).toBeVisible();
  const { items } = await ask<{ items: { kind: string; state: string }[] }>(
    ready,
    'GET',
    '/tokens',
  );
  const states = items.filter(({ kind }) => kind === 'access_token').map(({ state }) => state);
  expect(states.toSorted()).toEqual(['active', 'expired']);
  expect(person.taken()).toBeLessThanOrEqual(4);
});
