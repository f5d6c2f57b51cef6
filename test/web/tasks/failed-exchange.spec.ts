// Task: find a failed exchange. At most 1 click. Start: the first view, freshly opened; an app has sent accepted
// requests and a rejected one.

import { exchange, issueCode } from '../../support/token-calls.ts';
import { exchangeDetail } from '../../support/workbench.ts';
import { addressOf, expect, test } from '../serve.ts';
import { counted } from './counted.ts';

test('a failed exchange opens in one click, with its cause', async ({ page, ready }) => {
  const metadata = () => fetch(`${ready.issuer}/.well-known/openid-configuration`);
  const code = await issueCode(ready);
  await metadata();
  await exchange(ready, code);
  await exchange(ready, code);
  await metadata();
  await page.goto(addressOf(ready));
  const person = counted(page);
  const rejected = page.getByRole('region', { name: 'Newest rejection' });
  await person.click(rejected.getByRole('link', { name: 'exchange #3' }));
  await expect(exchangeDetail(page)).toContainText('The code was already used');
  expect(person.taken()).toBeLessThanOrEqual(1);
});
