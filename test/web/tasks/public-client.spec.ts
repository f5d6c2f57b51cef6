// Task: sign in as a public client with PKCE, in the browser. At most 3 clicks.
// Start: the first view, freshly opened.

import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a public client signs in with PKCE, in the browser', async ({ page, ready }) => {
  await page.goto(addressOf(ready));
  const person = counted(page);
  const opened = page.context().waitForEvent('page');
  await person.click(page.getByRole('button', { name: 'As a public client, with PKCE' }));
  const signIn = await opened;
  expect(new URL(signIn.url()).searchParams.get('code_challenge_method')).toBe('S256');
  await person.click(signIn.getByRole('button', { name: 'Approve' }));
  await expect(page.getByRole('option', { name: /claims of ada/ })).toBeVisible();
  expect(person.taken()).toBeLessThanOrEqual(3);
});
