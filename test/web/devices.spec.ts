// The Devices view: pending requests appear by themselves, and are approved or denied on the user's behalf.

import { pollFor, registerTv, requestDevice } from '../support/device-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { ask } from '../support/token-calls.ts';
import { expect, test } from './serve.ts';

test('a device request appears by itself, is approved as the chosen user, and its next poll returns that user’s tokens', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await ask(ready, 'POST', '/users', { sub: 'bob' });
  await registerTv(ready);
  await bench.open('Devices');
  await expect(page.getByText('No pending devices')).toBeVisible();
  const codes = await requestDevice(ready, 'openid profile');
  const row = page.getByRole('row').filter({ hasText: codes.user_code });
  await expect(row).toContainText('pending');
  await expect(row).toContainText('tv');
  await expect(row).toContainText('openid profile');
  await expect(row).toContainText(/0[89]:\d\d/);
  await pollFor(ready, codes);
  await pollFor(ready, codes);
  await expect(row).toContainText('2, last');
  await row.getByRole('link', { name: '#1' }).click();
  await expect(page.getByRole('region', { name: 'Exchange', exact: true })).toContainText(
    'device_authorization',
  );

  await bench.open('Devices');
  await page.getByRole('combobox', { name: 'Approve as' }).click();
  await page.getByRole('option', { name: 'Approve as bob' }).click();
  await page.getByRole('button', { name: `Approve: ${codes.user_code}` }).click();
  await expect(page.getByText(`${codes.user_code} is approved as bob`)).toBeVisible();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Show 1 device' }).click();
  await expect(row).toContainText('as bob, over the control API');
  // The second poll came too soon, and the next one has to wait for longer.
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 60 });
  const { status, access_token = '' } = await pollFor(ready, codes);
  expect(status).toBe(200);
  const claims = Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(claims)).toMatchObject({ sub: 'bob' });
  await expect(row).toContainText('redeemed');
  expect(await severeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('a denied device receives the denial, an expired request offers no decision, and a request can be expired before and after its approval', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await registerTv(ready);
  const denied = await requestDevice(ready, 'openid');
  await bench.open('Devices');
  await page.getByRole('button', { name: `Deny: ${denied.user_code}` }).click();
  await expect(page.getByText(`${denied.user_code} is denied`)).toBeVisible();
  expect(await pollFor(ready, denied)).toMatchObject({ status: 400, error: 'access_denied' });

  const pending = await requestDevice(ready, 'openid');
  const question = page.getByRole('dialog', { name: `Expire ${pending.user_code} now?` });
  await page.getByRole('button', { name: `Expire now…: ${pending.user_code}` }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText(`${pending.user_code} is expired`)).toHaveCount(0);
  await page.getByRole('button', { name: `Expire now…: ${pending.user_code}` }).click();
  await question.getByRole('button', { name: 'Expire now' }).click();
  await expect(page.getByText(`${pending.user_code} is expired`)).toBeVisible();
  expect(await pollFor(ready, pending)).toMatchObject({ status: 400, error: 'expired_token' });

  const rowOf = (user_code: string) => page.getByRole('row').filter({ hasText: user_code });
  const late = await requestDevice(ready, 'openid');
  await expect(page.getByRole('button', { name: `Approve: ${late.user_code}` })).toBeVisible();
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 601 });
  await expect(page.getByText('No pending devices')).toBeVisible();
  await page.getByText('All', { exact: true }).click();
  await expect(rowOf(late.user_code)).toContainText('expired');
  await expect(rowOf(late.user_code).getByRole('button')).toHaveCount(0);

  const approved = await requestDevice(ready, 'openid');
  await page.getByRole('button', { name: `Approve: ${approved.user_code}` }).click();
  const row = rowOf(approved.user_code);
  await expect(row).toContainText('approved');
  await row.getByRole('button', { name: 'Expire now…' }).click();
  const again = page.getByRole('dialog', { name: `Expire ${approved.user_code} now?` });
  await expect(again).toContainText('The approval is lost');
  await again.getByRole('button', { name: 'Expire now' }).click();
  await expect(row).toContainText('expired');
  await expect(row.getByRole('button')).toHaveCount(0);
  expect(await pollFor(ready, approved)).toMatchObject({ status: 400, error: 'expired_token' });
});

test('the endpoints respond to the templates for devices', async ({ bench, ready }) => {
  const { page } = bench;
  await registerTv(ready);
  await bench.open('Requests');
  const composer = page.getByRole('region', { name: 'Request', exact: true });
  for (const title of ['Authorize a device', 'Device code']) {
    await page
      .getByRole('region', { name: 'Start from' })
      .getByRole('button', { name: title, exact: true })
      .click();
    await composer.getByRole('combobox', { name: 'Client' }).first().click();
    await page.getByRole('option', { name: /tv/ }).click();
    await composer.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(await bench.detail('Response')).toContainText(
      title === 'Device code' ? '"access_token"' : '"user_code"',
    );
  }
});
