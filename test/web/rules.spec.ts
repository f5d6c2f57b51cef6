import { exchange, issueCode } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

test('a rule that a trace cites opens with its text, leads to others, and gives the focus back', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const code = await issueCode(ready);
  await exchange(ready, code);
  await bench.open('Traffic');
  await page.locator('#exchange-1').click();
  const detail = page.getByRole('region', { name: 'Exchange', exact: true });
  const cited = detail.getByRole('button', { name: 'spec 4.1.1' }).first();
  await cited.click();

  const rule = page.getByRole('dialog', { name: /4\.1\.1 The authorization_code grant/ });
  await expect(rule).toContainText('The body is a JSON object');
  await expect(rule).toContainText('docs/specification.md#4-1-1');
  expect(await severeFindings(page)).toEqual([]);
  await rule.getByRole('link', { name: '2.1' }).click();
  await expect(page.getByRole('dialog', { name: /2\.1 Token response/ })).toContainText(
    'expires_in',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(cited).toBeFocused();

  const rfc = detail.getByRole('link', { name: 'RFC 6749 4.1.3' }).first();
  await expect(rfc).toHaveAttribute('href', 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3');
  expect(errors).toEqual([]);
});
