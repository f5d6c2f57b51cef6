// The app under test in the home view: its configuration, and its first requests, explained as they arrive.

import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO, exchange, exchangeBody, issueCode } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeDetail } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

const WAITING = 'Waiting for your app’s first request…';

async function redirectUris(ready: Ready): Promise<string[]> {
  const client = await ask<{ redirect_uris: string[] }>(ready, 'GET', '/clients/demo-app');
  return client.redirect_uris;
}

test('behaviour 13.3: the view shows what an app needs, adds an unregistered callback only by its button, waits for the first request and explains it, and counts all requests, not only the loaded ones', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const app = page.getByRole('region', { name: 'Your app', exact: true });
  await expect(app.getByText(WAITING)).toBeVisible();
  await app.getByRole('link', { name: 'Nothing arrives?' }).click();
  await expect(page.getByRole('heading', { name: 'If nothing arrives' })).toBeInViewport();
  await bench.open('Flow');
  const env = app.getByRole('region', { name: 'Environment variables configuration' });
  await expect(env).toContainText(`OAUTH_ISSUER=${ready.issuer}`);
  await expect(env).toContainText(`OAUTH_REDIRECT_URI=${DEMO.redirect_uri}`);

  const own = 'http://localhost:8080/login/oauth2/code/grantbench';
  await page.getByLabel('Callback', { exact: true }).fill(own);
  await expect(page.getByText('is not registered for demo-app')).toBeVisible();
  await expect(env).toContainText(own);
  expect(await redirectUris(ready)).toEqual([DEMO.redirect_uri]);
  await page.getByRole('button', { name: 'Add it to the redirect URIs' }).click();
  await expect(page.getByText('is not registered for demo-app')).toBeHidden();
  await expect.poll(() => redirectUris(ready)).toEqual([DEMO.redirect_uri, own]);

  await fetch(ready.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exchangeBody('no-such-code'),
  });
  const first = app.getByRole('region', { name: 'First request' });
  await expect(first).toContainText('400');
  await expect(first.getByRole('region', { name: 'Cause' })).toContainText('code');
  await expect(app.getByText(WAITING)).toBeHidden();
  await expect(env).toBeHidden();

  await exchange(ready, await issueCode(ready));
  const newest = app.getByRole('region', { name: 'Newest request' });
  await expect(newest).toContainText('The app received an access token and a refresh token.');
  await expect(first).toContainText('400');
  expect(await severeFindings(page, app)).toEqual([]);
  await app.getByRole('button', { name: 'Settings for your app' }).click();
  await expect(env).toBeVisible();

  await first.getByRole('link', { name: 'exchange #1' }).click();
  await expect(page.getByRole('link', { name: 'Traffic' })).toHaveAttribute('aria-current', 'page');
  await expect(exchangeDetail(page)).toContainText('#1');

  await ask(ready, 'PATCH', '/settings', { capture: { max_exchanges: 5 } });
  for (let n = 0; n < 12; n += 1) await fetch(new URL('/userinfo', ready.issuer));
  await page.reload();
  await bench.ready();
  await bench.open('Flow');
  await expect(app.getByText('14 requests')).toBeVisible();
  await expect(first).toContainText('exchange #1');
  await expect(first).toContainText('is no longer kept');
  await expect(newest).toContainText('exchange #14');
  await app.getByRole('button', { name: 'Show as sequence' }).click();
  const sequence = page.getByRole('region', { name: 'Sequence', exact: true });
  await expect(sequence).toContainText('5 of 14 exchanges; the others are no longer kept since');
  expect(errors).toEqual([]);
});

test('requests of the workbench do not count as requests of the app', async ({ bench, ready }) => {
  const { page } = bench;
  await bench.runAll();
  await expect(exchangeDetail(page)).toBeVisible();
  const line = page.getByRole('button', { name: /^Connect your app/ });
  await expect(line).toContainText('no requests yet');
  await line.click();
  await expect(line).toBeHidden();
  const app = page.getByRole('region', { name: 'Your app' });
  await expect(app.locator(':focus')).toHaveCount(1);
  await expect(page.getByText(WAITING)).toBeVisible();
  await fetch(`${ready.issuer}/.well-known/openid-configuration`);
  await expect(
    page.getByText('The app read the metadata, which lists the endpoints.'),
  ).toBeVisible();
  await expect(app).toContainText('1 request');
  await bench.run('Refresh');
  await expect(page.getByRole('button', { name: /^Your app/ })).toContainText('1 request');
});
