// Task: answer an app with 429 twice. At most 2 clicks.
// Start: the first view, freshly opened.

import { exchange, issueCode } from '../../support/token-calls.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a fault for two responses with 429 is activated', async ({ page, ready }) => {
  await page.goto(addressOf(ready));
  const person = counted(page);
  await person.click(page.getByRole('link', { name: 'Faults' }));
  await person.click(
    page.getByRole('button', { name: 'Activate: 429 twice, then normal responses' }),
  );
  await expect(
    page.getByRole('banner').getByRole('link', { name: '1 fault active' }),
  ).toBeVisible();
  const code = await issueCode(ready);
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await exchange(ready, code)).status);
  expect(statuses).toEqual([429, 429, 200]);
  expect(person.taken()).toBeLessThanOrEqual(2);
});
