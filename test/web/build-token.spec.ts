// A token that is built and signed for a test, valid or with deliberate mistakes (behaviour 14).

import type { Page } from '@playwright/test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { severeFindings } from '../support/findings.ts';
import { expect, test } from './serve.ts';

const builder = (page: Page) => page.getByRole('region', { name: 'Build a token' });
const signed = (page: Page) => page.getByRole('region', { name: 'Signed token' });
const claims = (page: Page) => builder(page).getByLabel('Claims', { exact: true });

/** Opens the mistakes of a kind. */
const unfold = (page: Page, kind: string) =>
  builder(page)
    .getByRole('group', { name: 'Mistakes' })
    .locator('summary', { hasText: new RegExp(`^${kind}\\d`) })
    .click();

/** The token in the copied command. */
async function copied(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signed(page).getByRole('button', { name: 'Copy the token' }).click();
  await expect(signed(page).getByText('Copied', { exact: true }).first()).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('the builder starts from an access token, and lists the mistakes in the signed token', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Build a token' }).click();
  await expect(page).toHaveURL(/#\/tokens\/build/);
  await expect(claims(page)).toHaveValue(/"sub": "ada"/);
  await expect(claims(page)).not.toHaveValue(/jti/);
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(signed(page)).toContainText(
    'No deliberate mistakes. Expected response: The response to a valid token while its times are valid',
  );
  await expect(signed(page)).toContainText('Signature verified');
  await expect(builder(page).getByLabel('Wrong audience')).toBeHidden();
  await unfold(page, 'Issuer and audience');
  await builder(page).getByLabel('Wrong audience').check();
  await unfold(page, 'Key');
  await builder(page).getByLabel('alg: none').check();
  await page.getByRole('button', { name: 'Sign with 2 mistakes' }).click();
  await expect(signed(page)).toContainText('An API must reject it.');
  const made = signed(page).getByRole('list', { name: 'Mistakes made' });
  await expect(made.getByRole('listitem')).toHaveCount(2);
  await expect(made).toContainText('aud must name the resource server itself (RFC 9068 4).');
  const payload = signed(page).getByRole('region', { name: 'Payload' });
  await expect(payload).toContainText('Deliberate mistake: Wrong audience');
  await expect(signed(page).getByRole('region', { name: 'Header' })).toContainText(
    'Deliberate mistake: alg: none',
  );
  const token = await copied(page);
  expect(decodeProtectedHeader(token).alg).toBe('none');
  expect(decodeJwt(token).aud).toBe('https://wrong-audience.invalid');
  await expect(signed(page).getByRole('region', { name: 'curl command' })).toContainText(
    "-H 'Authorization: Bearer eyJ",
  );
  // Nothing was issued.
  await expect(page.getByText('No tokens yet')).toBeVisible();
  expect(await severeFindings(page, builder(page).or(signed(page)))).toEqual([]);
  expect(errors).toEqual([]);
});

test('a mistake clears another one that excludes it, input is kept, and a new token can start from a decoded token', async ({
  bench,
}) => {
  const { page } = bench;
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Build a token' }).click();
  await expect(claims(page)).toHaveValue(/"sub": "ada"/);
  await unfold(page, 'Times');
  await builder(page).getByLabel('Expired').check();
  await builder(page).getByLabel('No exp').check();
  await expect(builder(page).getByLabel('Expired')).not.toBeChecked();
  await unfold(page, 'Key');
  await builder(page).getByLabel('Retired key').check();
  await page.getByRole('button', { name: 'Sign with 2 mistakes' }).click();
  await expect(builder(page).getByRole('alert')).toHaveText(
    'Cannot have retired_key: no key was retired since the start.',
  );
  await expect(builder(page).getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(signed(page)).toHaveCount(0);
  for (const name of ['No exp', 'Retired key']) await builder(page).getByLabel(name).uncheck();

  await claims(page).fill('{\n  "sub": "eve",\n}');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(builder(page).getByText(/^Line 3 is not JSON/)).toBeInViewport();
  await expect(claims(page)).toBeFocused();
  await claims(page).fill('{ "sub": "eve" }');
  await page.getByRole('button', { name: 'Close the builder' }).click();
  await page.getByRole('button', { name: 'Build a token' }).click();
  await expect(claims(page)).toHaveValue('{ "sub": "eve" }');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(signed(page).getByRole('region', { name: 'Payload' })).toContainText('eve');

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const foreign = `${part({ alg: 'RS512', kid: 'a', typ: 'JWT' })}.${part({ sub: 'mallory', jti: '1' })}.c2ln`;
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  await page.getByRole('textbox', { name: 'Token', exact: true }).fill(foreign);
  await page.getByRole('button', { name: 'Change and sign…' }).click();
  await expect(claims(page)).toHaveValue('{\n  "sub": "mallory"\n}');
  await expect(builder(page).getByLabel('Header', { exact: true })).toHaveValue(
    '{\n  "typ": "JWT"\n}',
  );
});
