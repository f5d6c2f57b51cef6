// Task: replay yesterday's flow. At most 2 clicks.
// Start: the first view, freshly opened; a flow was saved earlier.

import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a saved flow is replayed', async ({ bench, ready }) => {
  const { page } = bench;
  await bench.runAll();
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByLabel('Save this flow as').fill('Yesterday');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/“Yesterday” is saved/)).toBeVisible();
  await page.goto('about:blank');
  await page.goto(addressOf(ready));
  const person = counted(page);
  await person.click(page.getByRole('button', { name: 'Saved', exact: true }));
  await person.click(page.getByRole('button', { name: 'Replay: Yesterday' }));
  await expect(page.getByText(/“Yesterday” replayed: \d+ steps, all as expected\./)).toBeVisible();
  expect(person.taken()).toBeLessThanOrEqual(2);
});
