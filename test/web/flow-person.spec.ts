// A user signs in in the real browser, and the flow continues with the code that its own callback received.

import type { Page } from '@playwright/test';
import { freePort } from '../support/free-port.ts';
import { severeFindings } from '../support/findings.ts';
import { ask, DEMO } from '../support/token-calls.ts';
import type { Ready } from '../support/cli-process.ts';
import type { Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

interface RegisteredClient {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
}

const PATH = `/clients/${DEMO.client_id}`;
const clientOf = (ready: Ready) => ask<RegisteredClient>(ready, 'GET', PATH);

const clients = async (ready: Ready) =>
  (await ask<{ items: RegisteredClient[] }>(ready, 'GET', '/clients')).items;

/** Presses the button. Returns the sign-in page that opens. */
async function signInPage({ page }: Workbench, button: string | RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: button }).click();
  const signIn = await opened;
  await expect(signIn.getByRole('button', { name: 'Approve' })).toBeVisible();
  return signIn;
}

test('a public client with PKCE takes one click, and one to approve', async ({
  bench,
  ready,
  errors,
}) => {
  const signIn = await signInPage(bench, 'As a public client, with PKCE');
  const query = new URL(signIn.url()).searchParams;
  expect(query.get('code_challenge_method')).toBe('S256');
  expect(query.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  await expect(bench.page.getByText(/This step waits up to 5 minutes for the code/)).toBeVisible();
  expect(await severeFindings(bench.page, bench.step('Issue a code'))).toEqual([]);
  await signIn.getByRole('button', { name: 'Approve' }).click();
  await expect(signIn.getByText('You can close this page.')).toBeVisible();

  await expect(bench.step('Issue a code')).toContainText('for ada');
  await expect(bench.step('Exchange the code')).toContainText('200');
  await expect(bench.step('Call an API with it')).toContainText('sub ada');
  await expect(bench.page.getByText(/This step waits up to 5 minutes for the code/)).toBeHidden();
  const messages = bench.page.getByRole('listbox', { name: /Messages of this flow/ });
  await expect(messages.getByRole('option', { name: /sign-in page/ })).toHaveCount(1);
  await expect(messages.getByRole('option', { name: /ada approved/ })).toHaveCount(1);

  // The request does not count as one of the app.
  await expect(bench.page.getByRole('button', { name: /^Connect your app/ })).toBeVisible();

  // A second run uses the same client.
  const count = (await clients(ready)).length;
  await bench.page.getByRole('button', { name: 'Clear', exact: true }).click();
  const again = bench.page.context().waitForEvent('page');
  await bench.page.getByRole('button', { name: 'As a public client, with PKCE' }).click();
  // A user who is signed in and has approved is not asked again.
  await expect((await again).getByText('You can close this page.')).toBeVisible();
  await expect(bench.step('Call an API with it')).toContainText('sub ada');
  expect(await clients(ready)).toHaveLength(count);
  expect(errors).toEqual([]);
});

test('behaviour 7.22: the step shows a denied consent as its result; a sign-in can be cancelled, and its page has no effect afterwards; a redirect URI is added only by its button', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const uri = `http://localhost:${await freePort()}/callback`;
  await ask(ready, 'PATCH', PATH, { redirect_uris: [uri] });
  await expect(page.getByLabel('Callback', { exact: true })).toHaveValue(uri);
  const denying = await signInPage(bench, `As ${DEMO.client_id}`);
  expect(new URL(denying.url()).searchParams.get('redirect_uri')).toBe(uri);
  await denying.getByRole('button', { name: 'Deny' }).click();
  await expect(denying.getByText('You can close this page.')).toBeVisible();
  await expect(bench.step('Issue a code')).toContainText('1 failed');
  await expect(page.getByRole('option', { name: /303 access_denied/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const signIn = await signInPage(bench, `As ${DEMO.client_id}`);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(bench.step('Issue a code')).toContainText('The sign-in was cancelled.');
  await signIn.close();
  await expect(() => expect(fetch(uri)).rejects.toThrow()).toPass();

  await ask(ready, 'PATCH', PATH, { redirect_uris: ['https://app.example/callback'] });
  await expect(page.getByLabel('Callback', { exact: true })).toHaveValue(/app\.example/);
  await page.getByRole('button', { name: `As ${DEMO.client_id}` }).click();
  await expect(bench.step('Issue a code')).toContainText(
    'has no redirect URI on this machine with a port',
  );
  const add = page.getByRole('button', { name: 'Add a redirect URI and sign in' });
  await expect(add).toBeVisible();
  expect((await clientOf(ready)).redirect_uris).toEqual(['https://app.example/callback']);
  const adding = await signInPage(bench, 'Add a redirect URI and sign in');
  const [, added = ''] = (await clientOf(ready)).redirect_uris;
  expect(added).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(new URL(adding.url()).searchParams.get('redirect_uri')).toBe(added);
  await adding.getByRole('button', { name: 'Approve' }).click();
  await expect(bench.step('Issue a code')).toContainText('for ada');
});
