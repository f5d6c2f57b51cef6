// Task: show a redundant token request. At most 2 clicks. Start: the first view, freshly opened; an app has refreshed
// while its access token was valid, and then sent more requests.

import { exchange, issueCode, refresh } from '../../support/token-calls.ts';
import { exchangeDetail } from '../../support/workbench.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a redundant token request is shown with its advice', async ({ page, ready }) => {
  const answer = await exchange(ready, await issueCode(ready));
  const { refresh_token } = (await answer.json()) as { refresh_token: string };
  await refresh(ready, refresh_token);
  await fetch(`${ready.issuer}/.well-known/openid-configuration`);
  await page.goto(addressOf(ready));
  const person = counted(page);
  const redundant = page.getByRole('region', { name: 'Newest redundant request' });
  await person.click(redundant.getByRole('link', { name: 'exchange #2' }));
  await expect(exchangeDetail(page)).toContainText('was valid for another');
  expect(person.taken()).toBeLessThanOrEqual(2);
});
