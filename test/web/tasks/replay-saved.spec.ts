// Task: replay yesterday's flow. At most 2 clicks.
// Start: the first view, freshly opened; a flow was saved earlier.

import { ask } from '../../support/token-calls.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a saved flow is replayed', async ({ page, ready }) => {
  const steps = [{ issue_tokens: {} }, { token: { grant: 'refresh_token' } }];
  const scenario = { format: 'grantbench-scenario', version: 1, name: 'Yesterday', steps };
  await ask(ready, 'PUT', '/saved-flows/Yesterday', { scenario });
  await page.goto(addressOf(ready));
  const person = counted(page);
  await person.click(page.getByRole('button', { name: 'Saved', exact: true }));
  await person.click(page.getByRole('button', { name: 'Replay: Yesterday' }));
  await expect(page.getByText(/“Yesterday” replayed: \d+ steps, all as expected\./)).toBeVisible();
  expect(person.taken()).toBeLessThanOrEqual(2);
});
