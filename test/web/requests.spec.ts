// The Requests view in a real browser: a request is composed, sent, explained and repeated, and failures are reported.

import type { Locator, Page } from '@playwright/test';
import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO, exchange } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { exchangeDetail as answer, type Workbench } from '../support/workbench.ts';
import { expect, test } from './serve.ts';

function composer(page: Page) {
  const region = page.getByRole('region', { name: 'Request', exact: true });
  return {
    region,
    path: region.getByLabel('Path and query'),
    method: region.getByRole('combobox', { name: 'Method' }),
    notes: region.getByRole('list', { name: 'Notes on the request' }),
    value: (name: string) => region.getByLabel(`Value of ${name}`, { exact: true }),
    tab: (name: string) => region.getByRole('tab', { name: new RegExp(`^${name}`) }).click(),
    send: () => region.getByRole('button', { name: 'Send', exact: true }).click(),
    startFrom: (title: string) =>
      page
        .getByRole('region', { name: 'Start from' })
        .getByRole('button', { name: title, exact: true })
        .click(),
  };
}

const faultsOf = async (ready: Ready) =>
  (await ask<{ items: { hits: number }[] }>(ready, 'GET', '/faults')).items;

const history = (page: Page) => page.getByRole('list', { name: 'History' });

async function open(bench: Workbench) {
  await bench.open('Requests');
  const parts = composer(bench.page);
  await expect(parts.region.getByText('The code is issued when you send')).toBeVisible();
  return parts;
}

async function pasteCommand(page: Page, command: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste curl' }).click();
  await page.getByLabel('Command', { exact: true }).fill(command);
  await page.getByRole('button', { name: 'Import' }).click();
}

test('the first request is ready to be sent, and its response is explained; viewing a request issues nothing: Send or a button issues a code, and an emptied field stays empty', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const { region, value, send, startFrom } = await open(bench);
  const codes = async () => {
    const { items } = await ask<{ items: unknown[] }>(ready, 'GET', '/tokens?kind=code');
    return items.length;
  };
  expect(await codes()).toBe(0);
  await expect(value('client_secret')).toHaveAttribute('type', 'password');
  await value('redirect_uri').press('ControlOrMeta+Enter');
  await expect(answer(page)).toContainText('200');
  await expect(await bench.detail('Response')).toContainText('"access_token"');
  await expect(await bench.detail('Token')).toContainText('Signature verified');
  await expect(region.getByText('The code was redeemed')).toBeVisible();
  await expect(history(page).getByRole('listitem')).toContainText('Exchange a code');

  await region.getByRole('button', { name: 'Get new credentials' }).click();
  await expect(region.getByText('The code expires in')).toBeVisible();
  expect((await exchange(ready, await value('code').inputValue())).status).toBe(200);
  await expect(region.getByText('The code was redeemed')).toBeVisible();

  await region.getByRole('button', { name: 'Get new credentials' }).click();
  await expect(region.getByText('The code expires in')).toBeVisible();
  await value('redirect_uri').fill(`${DEMO.redirect_uri}/`);
  await value('redirect_uri').press('ControlOrMeta+Enter');
  await expect(answer(page).getByRole('region', { name: 'Cause' })).toContainText('redirect URI');
  await expect(history(page).getByRole('listitem')).toHaveCount(2);

  await startFrom('Refresh');
  await startFrom('Exchange a code');
  await expect(value('code')).toHaveValue('');
  expect(await codes()).toBe(3);
  await send();
  await expect(history(page).getByRole('listitem')).toHaveCount(3);
  await expect(answer(page)).toContainText('200');
  expect(await codes()).toBe(4);

  await startFrom('Exchange a code');
  await region.getByRole('button', { name: 'Get new credentials' }).click();
  await expect(region.getByText('The code expires in')).toBeVisible();
  expect(await codes()).toBe(5);
  await value('code').fill('');
  await send();
  await expect(history(page).getByRole('listitem').first()).toContainText('400');
  expect(await codes()).toBe(5);
  await region.getByRole('button', { name: 'Get new credentials' }).click();
  await expect(region.getByText('The code expires in')).toBeVisible();
  await ask(ready, 'POST', '/reset', {});
  await expect(region.getByText(/^The code/)).toBeHidden();
  await ask(ready, 'DELETE', '/clients/demo-app');
  await expect(region.getByRole('button', { name: 'Get new credentials' })).toBeHidden();
  expect(errors).toEqual([]);
});

test('requests of the history and of Traffic are resent and edited, and survive a reload without secrets; code masks the secret, its copy does not; an exchange shows its body, highlighted JSON and decoded query, then raw text', async ({
  bench,
  context,
}) => {
  const { page } = bench;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { path, region, send, startFrom, tab, value } = await open(bench);
  await send();
  await expect(history(page).getByRole('listitem')).toHaveCount(1);
  await answer(page).getByRole('button', { name: 'Resend unchanged' }).click();
  await expect(history(page).getByRole('listitem')).toHaveCount(2);
  await expect(history(page).getByRole('listitem').first()).toContainText('400');
  await history(page).getByRole('listitem').nth(1).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Edit and send' }).click();
  await expect(value('code')).not.toHaveValue('');
  const spent = await value('code').inputValue();
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  await expect.poll(stored).toContain('authorization_code');
  const kept = await stored();
  expect(kept).not.toContain(spent);
  expect(kept).not.toContain(DEMO.client_secret);
  await page.reload();
  await bench.ready();
  await open(bench);
  await history(page).getByRole('listitem').first().getByRole('button').first().click();
  await expect(value('client_secret')).toHaveValue(DEMO.client_secret);
  await expect(value('code')).toHaveValue('');
  await send();
  await expect(answer(page)).toContainText('200');

  await startFrom('JWK Set');
  await page.goto(`${new URL(page.url()).origin}/#/traffic/1`);
  await page.getByRole('button', { name: 'More for this exchange' }).click();
  await page.getByRole('menuitem', { name: 'Edit in Requests' }).click();
  await expect(value('grant_type')).toHaveValue('authorization_code');

  await startFrom('Exchange a code');
  await tab('Code');
  const language = region.getByRole('combobox', { name: 'Copy as' });
  await language.click();
  await page.getByRole('option', { name: 'Node fetch', exact: true }).click();
  const code = region.getByRole('region', { name: 'request as Node fetch' });
  await expect(code).toContainText('authorization_code');
  await expect(code).not.toContainText(DEMO.client_secret);
  await region.getByRole('button', { name: 'Copy request as Node fetch' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(DEMO.client_secret);

  await path.fill('/oauth/token?note=a%20b');
  await send();
  await expect(answer(page)).toContainText('#4');
  const response = (await bench.detail('Response')).getByRole('region', { name: 'Raw response' });
  await expect(response).toHaveText(/^Body\{[^]*"access_token"[^]*\}HTTP\/1\.1 200/);
  const colourOf = (text: string) =>
    response.getByText(text, { exact: true }).evaluate((part) => getComputedStyle(part).color);
  expect(await colourOf('"access_token"')).not.toBe(await colourOf('"Bearer"'));
  await page.getByRole('switch', { name: 'Pretty' }).uncheck();
  await expect(response).toHaveText(/^HTTP\/1\.1 200[^]*\{"access_token"[^]*\}$/);
  const request = (await bench.detail('Request')).getByRole('region', { name: 'Raw request' });
  await expect(request).toContainText('Querynote = a bPOST /oauth/token?note=a%20b');
});

test('a failing curl command is imported, its differences reported, its response explained; replaced input is restored; fields and raw text show the same body; text without fields is sent as typed', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  const { notes, path, region, send, startFrom, value } = await open(bench);
  await pasteCommand(page, 'curl "http://localhost');
  const dialog = page.getByRole('dialog', { name: 'Paste a curl command' });
  await expect(dialog).toContainText('opened but not closed');
  await expect(dialog.getByLabel('Command', { exact: true })).toHaveValue('curl "http://localhost');
  await dialog
    .getByLabel('Command', { exact: true })
    .fill(
      `curl https://tenant.example/oauth/token?x=1 -b cookies.txt -H 'Content-Type: application/json' \\\n -d '{"grant_type":"authorization_code","client_id":"demo-app","client_secret":"demo-secret","code":"stale","redirect_uri":"${DEMO.redirect_uri}","audience":"${DEMO.audience}"}'`,
    );
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(notes).toContainText('The command is for https://tenant.example');
  await expect(notes).toContainText('-b cookies.txt reads a file');
  await expect(path).toHaveValue('/oauth/token?x=1');
  await expect(value('code')).toHaveValue('stale');
  await send();
  await expect(answer(page).getByRole('region', { name: 'Cause' })).toContainText('code');
  await region.getByRole('button', { name: 'Get new credentials' }).click();
  await expect(value('code')).not.toHaveValue('stale');
  await send();
  await expect(answer(page)).toContainText('200');

  await startFrom('Exchange a code');
  await value('audience').fill('https://typed.example');
  await startFrom('JWK Set');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(value('audience')).toHaveValue('https://typed.example');
  await bench.open('Clients');
  await bench.open('Requests');
  await expect(value('audience')).toHaveValue('https://typed.example');

  const show = (view: string) =>
    region
      .getByRole('radiogroup', { name: 'Show the body as' })
      .getByText(view, { exact: true })
      .click();
  await show('Raw');
  const raw = region.getByLabel('Raw body');
  await expect(raw).toHaveValue(/"audience": "https:\/\/typed\.example"/);
  await raw.fill('{"grant_type": "refresh_token", "grant_type": 5}');
  await show('Fields');
  await expect(region.getByRole('list', { name: 'fields' }).getByRole('listitem')).toHaveCount(2);
  await show('Raw');
  await raw.fill('{"grant_type": ');
  await show('Fields');
  await expect(region.getByText('cannot be shown as fields')).toBeVisible();
  await send();
  await expect(answer(page).getByRole('region', { name: 'Cause' })).toContainText(/JSON/);
  await expect(await bench.detail('Request')).toContainText('{"grant_type": ');
  await show('Raw');
  await expect(raw).toHaveValue('{"grant_type": ');
  expect(errors).toEqual([]);
});

test('a button issues a pair for a client without a live token; every template gets a response from its endpoint; repeated requests are counted by response, each can be opened, and a run at a rate cancelled', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  const { notes, region, send, startFrom, tab, value } = await open(bench);
  await startFrom('Refresh');
  await expect(notes).toContainText('demo-app had no live refresh token');
  await notes.getByRole('button', { name: 'Issue a pair' }).click();
  await expect(value('refresh_token')).not.toHaveValue('');
  await expect(notes).toBeHidden();
  await send();
  await expect(answer(page)).toContainText('200');
  const titles = [
    'Authorize link',
    'User info',
    'Introspect',
    'Server metadata',
    'OpenID configuration',
    'JWK Set',
    'Revoke',
  ];
  for (const [index, title] of titles.entries()) {
    await startFrom(title);
    await send();
    await expect(history(page).getByRole('listitem')).toHaveCount(index + 2);
    await expect(history(page).getByRole('listitem').first()).toContainText(title);
    await expect(history(page).getByRole('listitem').first()).toContainText('200');
  }

  await startFrom('Refresh');
  await notes.getByRole('button', { name: 'Issue a pair' }).click();
  await expect(notes).toBeHidden();
  await tab('Repeat');
  await region.getByLabel('Times').fill('40');
  await region.getByRole('button', { name: 'Send 40 times' }).click();
  const answers = answer(page).getByRole('list', { name: 'Responses' });
  await expect(answer(page)).toContainText('40 of 40 requests answered');
  await expect(answers.getByRole('listitem').filter({ hasText: '200' })).toContainText('30×');
  await expect(answers.getByRole('listitem').filter({ hasText: '429' })).toContainText('10×');
  await answers.getByRole('button', { name: 'Open the first 429 too_many_requests' }).click();
  await expect(answer(page)).toContainText('429');
  await answer(page).getByRole('button', { name: 'All responses' }).click();
  await expect(answers).toBeVisible();

  await startFrom('JWK Set');
  await tab('Repeat');
  await region.getByText('At a rate', { exact: true }).click();
  await region.getByLabel('Times').fill('5000');
  await region.getByRole('button', { name: 'Send 5,000 times' }).click();
  await answer(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(answer(page)).toContainText('cancelled');
  expect(errors).toEqual([]);
});

test('a problem that prevents sending is marked at its field; credentials move to the header, and the trace says what follows; a pending request can be cancelled, and ends when the server stops; a button starts it and sends', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  const { path, region, send, startFrom, tab, value } = await open(bench);
  await path.fill('oauth/token');
  await send();
  await expect(path).toBeFocused();
  await expect(region.getByText('A path must begin with /')).toBeVisible();
  await expect(history(page)).toBeHidden();
  await path.fill('/oauth/token');

  await region
    .getByRole('radiogroup', { name: 'Client authentication' })
    .getByText('Basic', { exact: true })
    .click();
  await expect(value('client_secret')).toBeHidden();
  await tab('Headers');
  await expect(value('Authorization')).toHaveValue(/^Basic /);

  await region.getByRole('button', { name: 'Add header' }).click();
  const added = region.getByLabel(/^Name of header/).last();
  await expect(added).toBeFocused();
  await added.pressSequentially('bad name');
  await expect(region.getByRole('alert')).toContainText('A header name must not contain spaces');
  await added.fill('');
  await send();
  await expect(answer(page)).toContainText('401');
  await expect(answer(page).getByRole('region', { name: 'Cause' })).toBeVisible();

  await startFrom('Exchange a code');
  await value('audience').fill(DEMO.audience);
  await ask(ready, 'POST', '/faults', {
    name: 'late',
    when: 'after',
    delay_ms: 60_000,
    effect: { kind: 'truth' },
  });
  await send();
  await expect(answer(page)).toContainText('Waiting for the response');
  const hits = async () => (await faultsOf(ready)).map((fault) => fault.hits);
  await expect.poll(hits).toEqual([1]);
  await answer(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(answer(page)).toContainText('Cancelled');
  await send();
  await expect(answer(page)).toContainText('Waiting for the response');
  await expect.poll(hits).toEqual([2]);
  await ask(ready, 'POST', '/server/stop');
  await expect(answer(page)).toContainText('no response');
  await expect(value('grant_type')).toHaveValue('authorization_code');

  await ask(ready, 'DELETE', '/faults');
  await expect(page.getByRole('banner').getByText('Stopped')).toBeVisible();
  await send();
  await expect(answer(page)).toContainText('No response');
  await expect(answer(page)).toContainText('not running');
  await expect(value('audience')).toHaveValue(DEMO.audience);
  await answer(page).getByRole('button', { name: 'Start the server and send' }).click();
  await expect(answer(page).getByRole('tab', { name: 'Why' })).toBeVisible();
});

test('everything is reachable in a small window; no state has a serious accessibility finding', async ({
  bench,
}) => {
  test.slow();
  const { page } = bench;
  const { notes, region, send, tab } = await open(bench);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  for (const [number, width, height] of [
    [1, 900, 600],
    [2, 640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    await region.getByRole('button', { name: 'Add field' }).scrollIntoViewIfNeeded();
    await expect(region.getByRole('button', { name: 'Add field' })).toBeInViewport();
    await region.getByRole('button', { name: 'Send', exact: true }).scrollIntoViewIfNeeded();
    await send();
    await expect(answer(page)).toBeVisible();
    await expect(answer(page)).toContainText(`#${number}`);
    await expect(answer(page)).toContainText('200');
    await page
      .getByRole('radiogroup', { name: 'Show', exact: true })
      .getByText('Request', { exact: true })
      .click();
    await expect(region).toBeVisible();
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    await region.getByRole('button', { name: 'Get new credentials' }).click();
    await expect(region.getByText('The code expires in')).toBeVisible();
  }

  await page.setViewportSize({ width: 1280, height: 720 });
  const look = async (state: string, part?: Locator) => {
    expect.soft(await severeFindings(page, part), state).toEqual([]);
  };
  await send();
  await expect(answer(page)).toContainText('#3');
  await expect(answer(page)).toContainText('200');
  await look('answered');
  await pasteCommand(page, 'curl https://tenant.example/userinfo');
  await expect(notes).toBeVisible();
  await look('a note', notes);
  await notes.getByRole('button', { name: 'Dismiss the note' }).click();
  for (const name of ['Query', 'Headers', 'Code', 'Repeat']) {
    await tab(name);
    await look(name, region);
  }
  await region.getByLabel('Times').fill('3');
  await region.getByRole('button', { name: 'Send 3 times' }).click();
  await expect(answer(page)).toContainText('3 of 3 requests answered');
  await look('a run', answer(page));
  await pasteCommand(page, 'nothing');
  await expect(page.getByLabel('Command', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await look('the dialog');
});
