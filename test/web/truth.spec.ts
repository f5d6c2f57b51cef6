// Every statement on screen is true: times are in the user's zone, advice fits and can be followed, switches show what
// is sent, and the same number is written alike everywhere.

import type { Page } from '@playwright/test';
import type { Exchange } from '../../src/control/schemas.ts';
import { ask, DEMO, exchange, issueCode } from '../support/token-calls.ts';
import { exchangeDetail as detail, exchangeRow as row } from '../support/workbench.ts';
import { expect, test, testWithOwnPage } from './serve.ts';

const CALLBACK = DEMO.redirect_uri;

/** A client that a page uses: with PKCE and without a secret. */
async function publicClientRequest(
  ready: Parameters<typeof ask>[0],
): Promise<() => Promise<Response>> {
  const { code } = await ask<{ code: string }>(ready, 'POST', '/codes', {
    client_id: 'spa',
    redirect_uri: CALLBACK,
    code_challenge: 'v'.repeat(43),
    code_challenge_method: 'plain',
  });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'spa',
    redirect_uri: CALLBACK,
    audience: ready.issuer,
    code,
    code_verifier: 'v'.repeat(43),
  });
  return () => fetch(ready.token_endpoint, { method: 'POST', body });
}

const registerPublicClient = (ready: Parameters<typeof ask>[0]) =>
  ask(ready, 'POST', '/clients', {
    client_id: 'spa',
    client_secret: null,
    token_endpoint_auth_method: 'none',
    redirect_uris: [CALLBACK],
  });

/** The number of active tokens in the list, and the counts in the status line and the rail. */
async function expectLive(page: Page, count: number): Promise<void> {
  const words = `${count} live credential${count === 1 ? '' : 's'}`;
  await expect(page.getByRole('contentinfo')).toContainText(words);
  const link = page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Tokens' });
  await expect(link).toContainText(String(count));
}

test.describe('nine hours east of UTC', () => {
  testWithOwnPage.use({ timezoneId: 'Asia/Tokyo' });

  testWithOwnPage(
    'behaviour 6.4: a cause shows the same time as the rows beside it, and UTC on demand; an exchange shows both clocks; the control API stays in UTC',
    async ({ bench, ready }) => {
      const { page } = bench;
      await ask(ready, 'PATCH', '/clock', { frozen: true });
      await ask(ready, 'PATCH', '/clock', { now: '2099-01-02T20:04:05.000Z' });
      const code = await issueCode(ready);
      await exchange(ready, code);
      await exchange(ready, code);
      await bench.listExchanges();
      await expect(row(page, 2)).toContainText('05:04:05');
      await expect(row(page, 2)).toContainText('used at 05:04:05 by exchange 1');
      await row(page, 2).click();
      const cause = detail(page).getByRole('region', { name: 'Cause' });
      await expect(cause).toContainText('used at 05:04:05 by exchange 1');
      await expect(cause.locator('time')).toHaveAttribute(
        'title',
        '3 Jan 2099, 05:04:05 UTC+9 (2 Jan 2099, 20:04:05 UTC)',
      );
      const { cause: reported } = await ask<{ cause: string }>(ready, 'GET', '/exchanges/2');
      expect(reported).toBe('used at 2099-01-02T20:04:05Z by exchange 1');
      // No other profile accepts a used code.
      await expect(cause.getByRole('button')).toHaveCount(0);

      const clockTab = await bench.detail('Clock');
      await expect(clockTab.locator('time')).toHaveCount(2);
      const [sandbox = 0, machine = 0] = await clockTab
        .locator('time')
        .evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
      const { clock } = await ask<Exchange>(ready, 'GET', '/exchanges/2');
      expect(clock.offset_seconds).toBeGreaterThan(50);
      expect(sandbox - machine).toBe(clock.offset_seconds * 1000);
      await expect(clockTab).toContainText(/\d [dh] ahead of machine time/);

      await page.getByRole('button', { name: /^Clock:/ }).click();
      const popover = page.getByRole('dialog', { name: /^Clock:/ });
      await expect(popover).toContainText('3 Jan 2099, 05:04:05 UTC+9');
      await expect(popover).toContainText('2 Jan 2099, 20:04:05 UTC');
      await popover.getByLabel('Date and time (UTC+9)').fill('2099-01-03 06:00:00');
      await popover.getByRole('button', { name: 'Set', exact: true }).click();
      await expect(popover).toContainText('3 Jan 2099, 06:00:00 UTC+9');
      expect((await ask<{ now: string }>(ready, 'GET', '/clock')).now).toBe(
        '2099-01-02T21:00:00.000Z',
      );
    },
  );
});

test('a rejected request of the app offers a one-click fix beside its explanation, which can be undone; when the profile is the cause, it switches the client to a profile that accepts the request', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const { origin } = new URL(ready.issuer);
  const own = 'https://app.example/signed-in';
  const authorize = (client_id: string) =>
    fetch(
      `${origin}/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: own }).toString()}`,
    );
  expect((await authorize('newcomer')).status).toBe(400);
  const app = page.getByRole('region', { name: 'First request' });
  await expect(app).toContainText('client_id "newcomer" is not registered');
  await app.getByRole('button', { name: 'Register this client' }).click();
  await expect(app).toContainText('This client is now registered. Send the request again.');
  expect((await authorize('newcomer')).status).toBe(200);

  expect((await authorize(DEMO.client_id)).status).toBe(400);
  await bench.listExchanges();
  await row(page, 3).click();
  const cause = detail(page).getByRole('region', { name: 'Cause' });
  await cause.getByRole('button', { name: 'Add this redirect URI to the client' }).click();
  await expect(cause).toContainText('This redirect URI is now registered');
  expect((await authorize(DEMO.client_id)).status).toBe(200);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(cause.getByRole('button', { name: /^Add this redirect URI/ })).toBeVisible();
  expect((await authorize(DEMO.client_id)).status).toBe(400);

  const { client_id, client_secret } = DEMO;
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const token = () =>
    fetch(ready.token_endpoint, { method: 'POST', body: new URLSearchParams(grant) });
  expect((await token()).status).toBe(400);
  await row(page, 6).click();
  await cause.getByRole('button', { name: 'Allow client_credentials for this client' }).click();
  await expect(cause).toContainText('This client may now use client_credentials');
  expect((await token()).status).not.toBe(400);

  await registerPublicClient(ready);
  const send = await publicClientRequest(ready);
  expect((await send()).status).toBe(401);
  await row(page, 8).click();
  await expect(cause).toContainText('only the interop profile accepts');
  await cause.getByRole('button', { name: 'Use interop for this client' }).click();
  await expect(cause).toContainText('This client now uses the interop profile');
  await expect(cause.getByRole('button')).toHaveCount(0);
  expect(await ask(ready, 'GET', '/clients/spa')).toMatchObject({ profile: 'interop' });
  const profile = page.getByRole('banner').getByRole('button', { name: /^Profile/ });
  await expect(profile).toHaveAccessibleName(
    'Profile: documented for 2 of 3 clients, dialect: rfc6749',
  );
  expect((await send()).status).toBe(200);

  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(cause.getByRole('button', { name: 'Use interop for this client' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('a code that is redeemed or revoked elsewhere no longer counts down on its card', async ({
  bench,
  ready,
}) => {
  const step = bench.step('Issue a code');
  await bench.run('Issue a code');
  await expect(step).toContainText('expires in');
  const { items } = await ask<{ items: { id: string; value: string }[] }>(
    ready,
    'GET',
    '/tokens?kind=code&secrets=true',
  );
  await ask(ready, 'POST', `/tokens/${items[0]?.id}/revoke`);
  await expect(step).toContainText('· revoked');
  await expect(step).not.toContainText('expires in');
});

test('the remaining lifetime of the decoded token and the number of live credentials follow the clock; PKCE is on and locked for a public client, with the reason beside it', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await bench.run('Issue a code');
  await expectLive(page, 1);
  await bench.run('Read the token');
  await expectLive(page, 2);
  const active = await ask<{ items: unknown[] }>(ready, 'GET', '/tokens?state=active');
  expect(active.items).toHaveLength(2);
  const step = bench.step('Read the token');
  await expect(step).toContainText(/verified.*expires in 1 d/);
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 7200 });
  await expect(step).toContainText('expires in 22 h');
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 86_400 });
  await expect(step).toContainText('expired');
  await expect(step).not.toContainText('expires in');
  await expectLive(page, 1);

  await registerPublicClient(ready);
  await bench.open('Flow');
  const edit = async (step: 'Client' | 'Issue a code') => {
    await bench.step(step).getByRole('button', { name: step, exact: true }).click();
    await page.getByRole('button', { name: `Edit: ${step}` }).click();
  };
  const pkce = page.getByRole('switch', { name: /PKCE/ });
  await edit('Issue a code');
  await expect(pkce).toBeEnabled();
  await edit('Client');
  await bench.step('Client').getByRole('combobox', { name: 'Client' }).click();
  await page.getByRole('option', { name: /spa/ }).click();
  await edit('Issue a code');
  await expect(pkce).toBeChecked();
  await expect(pkce).toBeDisabled();
  await expect(bench.step('Issue a code')).toContainText('the client is public');
});
