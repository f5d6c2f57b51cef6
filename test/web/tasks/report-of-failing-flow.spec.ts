// Task: a report of an app's failing flow. At most 2 clicks.
// Start: the first view, freshly opened; the redemption of an app's code was rejected.

import { readFile } from 'node:fs/promises';
import { signedIn, tokens } from '../../support/app-login.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('the app’s requests become a report that explains the rejection', async ({ page, ready }) => {
  const redeem = await signedIn(ready);
  await tokens(ready, { ...redeem, redirect_uri: 'http://localhost:3000/other' });
  await page.goto(addressOf(ready));
  const person = counted(page);
  const app = page.getByRole('region', { name: 'Your app', exact: true });
  const coming = page.waitForEvent('download');
  await person.click(app.getByRole('button', { name: 'Report' }));
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^grantbench-traffic-.*\.html$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('3 exchanges · 1 rejected');
  expect(text).not.toContain(redeem['code']);
  expect(person.taken()).toBeLessThanOrEqual(2);
});
