// Task: rotate the signing keys. At most 4 clicks.
// Start: the first view, freshly opened.

import { ask } from '../../support/token-calls.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a new key signs, and the former key is still published', async ({ page, ready }) => {
  await page.goto(addressOf(ready));
  const person = counted(page);
  await person.click(page.getByRole('link', { name: 'Settings' }).first());
  const sections = page.getByRole('navigation', { name: 'Settings' });
  await person.click(sections.getByRole('link', { name: 'Signing keys' }));
  await person.click(page.getByRole('button', { name: 'Rotate…' }));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }));
  await expect(page.getByText(/signs new tokens/)).toBeVisible();
  const { items } = await ask<{ items: { signing: boolean; published: boolean }[] }>(
    ready,
    'GET',
    '/keys',
  );
  expect(items.filter(({ published }) => published)).toHaveLength(2);
  expect(person.taken()).toBeLessThanOrEqual(4);
});
