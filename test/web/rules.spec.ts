import { exchange, issueCode } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeDetail, exchangeRow } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

test('a rule cited in a trace opens with its text, links to others, and restores the focus', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const code = await issueCode(ready);
  await exchange(ready, code);
  await bench.listExchanges();
  await exchangeRow(page, 1).click();
  const detail = exchangeDetail(page);
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

  await fetch(`${ready.issuer}/userinfo`);
  await exchangeRow(page, 2).click();
  await expect(detail.getByRole('link', { name: 'OpenID Connect Core 5.3.1' })).toHaveAttribute(
    'href',
    'https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.5.3.1',
  );
  expect(errors).toEqual([]);
});
