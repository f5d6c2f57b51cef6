import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Ready } from '../support/cli-process.ts';
import { ask, DEMO, exchange, issueCode, refresh } from '../support/token-calls.ts';
import { severeFindings } from '../support/findings.ts';
import { losableConnection } from '../support/held-answers.ts';
import { exchangeDetail, runCommand, workbench } from '../support/workbench.ts';
import { addressOf, expect, openBench, test, testWithOwnPage } from './serve.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Tokens' });
const row = (page: Page, id: string) => page.locator(`[id="token-${id}"]`);
const detail = (page: Page, id: string) => page.getByRole('region', { name: `Token ${id}` });
const inspector = (page: Page) => page.getByRole('region', { name: 'Inspect a token' });
const box = (page: Page) => page.getByRole('textbox', { name: 'Token', exact: true });

/** Credentials 1.1 to 1.3: a code that exchange 1 redeemed for an access and a refresh token. */
async function signIn(ready: Ready): Promise<Tokens> {
  return (await (await exchange(ready, await issueCode(ready))).json()) as Tokens;
}

/** The visible ids, from the top. */
const ids = (page: Page) =>
  grid(page)
    .locator('tbody tr[id]')
    .evaluateAll((rows) => rows.map(({ id }) => id.replace('token-', '')));

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('an empty list explains its purpose and is filled by one button; tokens issued elsewhere appear by themselves, newest first; text, kind, state, client and token value filter it', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Tokens');
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'Issue a token pair' }).click();
  await expect(row(page, '1.1')).toContainText('Access token');
  await expect(row(page, '1.2')).toContainText('Refresh token');

  const { refresh_token } = await signIn(ready);
  await expect.poll(() => ids(page)).toEqual(['2.3', '2.2', '2.1', '1.2', '1.1']);
  await expect(row(page, '2.1')).toContainText('redeemed');
  await expect(row(page, '2.2')).toContainText('active');
  for (const words of ['demo-app', 'ada', DEMO.audience, '1 d']) {
    await expect(row(page, '2.2')).toContainText(words);
  }
  // Two access tokens and two refresh tokens.
  await expect(page.getByRole('link', { name: 'Tokens' })).toContainText('4');

  await row(page, '1.1').click();
  await page.getByRole('tab', { name: 'Lineage' }).click();
  await expect(page.getByText('Issued directly, without a code')).toBeVisible();

  await ask(ready, 'POST', '/clients', { client_id: 'checkout', redirect_uris: [] });
  await ask(ready, 'POST', '/tokens', { client_id: 'checkout' });
  const text = page.getByRole('textbox', { name: 'Text' });
  const pick = async (name: string, value: string) => {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('option', { name: value, exact: true }).click();
  };
  await text.fill('CHECK');
  await expect.poll(() => ids(page)).toEqual(['3.2', '3.1']);
  await text.fill(refresh_token);
  await expect.poll(() => ids(page)).toEqual(['2.3']);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await pick('Kind', 'Access token');
  await expect.poll(() => ids(page)).toEqual(['3.1', '2.2', '1.1']);
  await pick('Client', 'demo-app');
  await expect.poll(() => ids(page)).toEqual(['2.2', '1.1']);
  await pick('State', 'revoked');
  await expect(page.getByText('No matching tokens')).toBeVisible();
  await bench.open('Flow');
  await bench.open('Tokens');
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('revoked');
  await page.getByRole('button', { name: 'Clear the filter' }).last().click();
  await expect.poll(() => ids(page)).toHaveLength(7);
  expect(errors).toEqual([]);
});

test('behaviour 6: the remaining lifetime follows the sandbox clock, frozen or running, without an event from the server; of hundreds, only visible rows are drawn; a scrolled list stays still and reports newer tokens', async ({
  bench,
  ready,
}) => {
  const { page } = bench;
  await ask(ready, 'PATCH', '/clock', { frozen: true });
  await ask(ready, 'POST', '/tokens', { client_id: 'demo-app', access_token_expires_in: 120 });
  await bench.open('Tokens');
  const life = row(page, '1.1').getByRole('meter', { name: 'Remaining lifetime' });
  await expect(life).toHaveAttribute('aria-valuetext', '2 min left');
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 90 });
  await expect(life).toHaveAttribute('aria-valuetext', '30 s left');
  await expect(life).toHaveAttribute('aria-valuenow', '30');
  await ask(ready, 'PATCH', '/clock', { advance_seconds: 30 });
  await expect(row(page, '1.1')).toContainText('expired');
  await expect(life).toBeHidden();

  await ask(ready, 'POST', '/tokens', { client_id: 'demo-app', access_token_expires_in: 2 });
  await expect(row(page, '2.1')).toContainText('active');
  await ask(ready, 'PATCH', '/clock', { frozen: false });
  await expect(row(page, '2.1')).toContainText('expired');

  // Where the list is not drawn for each of them.
  await bench.open('Devices');
  for (let count = 0; count < 130; count += 1) {
    await ask(ready, 'POST', '/tokens', { client_id: 'demo-app' });
  }
  await bench.open('Tokens');
  await expect(row(page, '3o.2')).toBeVisible();
  expect((await ids(page)).length).toBeLessThan(60);
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(row(page, '1.1')).toBeInViewport({ ratio: 1, timeout: 500 });
  }).toPass();
  const before = await row(page, '1.1').boundingBox();
  await ask(ready, 'POST', '/tokens', { client_id: 'demo-app' });
  const newer = page.getByRole('button', { name: 'Show newer tokens' });
  await expect(newer).toBeVisible();
  expect(await row(page, '1.1').boundingBox()).toEqual(before);
  await newer.click();
  await expect(row(page, '3p.2')).toBeVisible();
  await expect(newer).toBeHidden();
});

test('behaviour 2: an access token is decoded into three labelled colours, claims, times, a verdict and its exchange; HS256 is said to be uncheckable; two tokens are compared claim by claim, in words', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  const { access_token } = await signIn(ready);
  await bench.open('Tokens');
  await row(page, '1.2').click();
  const shown = detail(page, '1.2');
  await expect(shown).toContainText('Signature verified');
  const payload = shown.getByRole('region', { name: 'Payload' });
  await expect(payload).toContainText('Subject: Ada Example');
  await expect(payload).toContainText(/Issued (now|\d+ s ago)/);
  await expect(payload).toContainText(/Expires in 1 d \(\d\d:\d\d:\d\d tomorrow\)/);
  await expect(payload).toContainText('Token 2 of lineage 1');
  await expect(shown.getByRole('region', { name: 'Header' })).toContainText('at+jwt');
  const encoded = shown.getByRole('region', { name: 'Encoded' });
  await expect(encoded).toContainText(access_token);
  const colours = await encoded
    .locator('p')
    .last()
    .locator('[data-part]')
    .evaluateAll((parts) => parts.map((one) => getComputedStyle(one).color));
  expect(new Set(colours).size).toBe(3);
  await shown.getByRole('link', { name: 'exchange #1' }).click();
  await expect(exchangeDetail(page)).toContainText('#1');

  await ask(ready, 'PATCH', '/settings', { signing_alg: 'HS256' });
  await signIn(ready);
  await bench.open('Tokens');
  await row(page, '2.2').click();
  await expect(detail(page, '2.2')).toContainText('Not checked');
  await expect(detail(page, '2.2')).toContainText('only the server can check it');

  const mint = (scope: string) =>
    ask(ready, 'POST', '/tokens', { client_id: 'demo-app', audience: DEMO.audience, scope });
  await mint('orders:read');
  await ask(ready, 'PATCH', '/users/ada', { claims: { role: 'admin' } });
  await mint('orders:read openid');
  await row(page, '3.1').click();
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: /^4\.1 / }).click();
  const compared = detail(page, '3.1').getByRole('region', { name: 'Payload' });
  const member = (name: string) =>
    compared.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await expect(member('role')).toContainText('addedabsentadmin');
  await expect(member('scope')).toContainText('added openid');
  await expect(member('jti')).toContainText('changed');
  await expect(member('sub')).toContainText('same');
  await page.getByRole('switch', { name: 'Only differences' }).check();
  await expect(member('sub')).toBeHidden();
  await expect(detail(page, '3.1').getByRole('region', { name: 'Header' })).toContainText(
    'No differences.',
  );
  expect(errors).toEqual([]);
});

test('the lineage is a tree below the code, with the exchange of each credential; secrets are copied from a button and from the palette, and stay hidden until revealed, then decoded if they are JWTs', async ({
  bench,
  ready,
  context,
}) => {
  const { page } = bench;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await ask(ready, 'PATCH', '/settings', { refresh_rotation: { enabled: true } });
  const first = await signIn(ready);
  const copied = (await (await refresh(ready, first.refresh_token)).json()) as Tokens;
  await bench.open('Tokens');
  await row(page, '1.1').click();
  await page.getByRole('tab', { name: 'Lineage' }).click();
  const members = page.getByRole('list', { name: 'Lineage 1' }).getByRole('listitem');
  const tree = [
    /Code1\.1redeemed.*directly.*redeemed .* by exchange #1/,
    /Access token1\.2active.* by exchange #1 from 1\.1/,
    /Refresh token1\.3rotated.* by exchange #1 from 1\.1 · rotated .* by exchange #2/,
    /Access token1\.4active.* by exchange #2 from 1\.3/,
    /Refresh token1\.5active.* by exchange #2 from 1\.3/,
  ];
  await expect(members).toHaveText(tree);
  await members.nth(4).getByRole('button').click();
  await expect(detail(page, '1.5')).toBeVisible();
  await expect(row(page, '1.5')).toHaveAttribute('aria-selected', 'true');

  await detail(page, '1.5').getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('Copied the refresh token')).toBeVisible();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toBe(copied.refresh_token);
  await row(page, '1.4').click();
  await expect(detail(page, '1.4')).toBeVisible();
  await runCommand(page, 'Copy the open token');
  await expect.poll(clipboard).toBe(copied.access_token);

  await ask(ready, 'PATCH', '/settings', { access_token_format: 'opaque' });
  const { access_token, refresh_token } = await signIn(ready);
  for (const [id, kind, value] of [
    ['2.3', 'refresh token', refresh_token],
    ['2.2', 'access token', access_token],
  ] as const) {
    await row(page, id).click();
    const shown = detail(page, id);
    await expect(shown).toContainText('Opaque');
    await expect(shown.getByText(value)).toBeHidden();
    await shown.getByRole('button', { name: `Reveal the ${kind}` }).click();
    await expect(shown.getByText(value)).toBeVisible();
    await shown.getByRole('button', { name: `Hide the ${kind}` }).click();
    await expect(shown.getByText(value)).toBeHidden();
  }

  await ask(ready, 'PUT', '/shape', { provider: 'keycloak' });
  await signIn(ready);
  await row(page, '3.3').click();
  const signed = detail(page, '3.3');
  await expect(signed.getByRole('heading', { name: 'Payload' })).toBeHidden();
  await signed.getByRole('button', { name: 'Reveal the refresh token' }).click();
  await expect(signed, 'a refresh token that is a JWT').toContainText('Signature verified');
  await expect(signed.getByRole('heading', { name: 'Payload' })).toBeVisible();
});

test('behaviour 2, RFC 6749 4.1.2, RFC 7009 2.1: a replay is forecast, sent over real HTTP and explained; expiring says which verifiers cannot know, revoking names what it includes, a token no longer kept says so', async ({
  bench,
  ready,
  errors,
}) => {
  const { page } = bench;
  await issueCode(ready);
  await bench.open('Tokens');
  const code = detail(page, '1.1');
  await row(page, '1.1').click();
  await expect(code).toContainText(DEMO.redirect_uri);
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(code).toContainText('200');
  await expect(row(page, '1.1')).toContainText('redeemed');

  await row(page, '1.3').click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(detail(page, '1.3')).toContainText('Expected 200 with an access token.');
  await expect(detail(page, '1.3')).toContainText('Matched.');
  await expect(row(page, '1.4')).toContainText('active');

  await row(page, '1.1').click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Lineage 1 is revoked with all its credentials.');
  await question.getByRole('button', { name: 'Replay' }).click();
  await expect(code).toContainText('Matched.');
  await expect(code).toContainText('The code was already used');
  for (const id of ['1.2', '1.3', '1.4']) await expect(row(page, id)).toContainText('revoked');
  await code.getByRole('button', { name: 'Back to the token' }).click();
  await expect(code.getByRole('tab', { name: 'Lineage' })).toBeVisible();

  const { access_token, refresh_token } = await signIn(ready);
  for (let n = 0; n < 2; n += 1) await refresh(ready, refresh_token);
  await row(page, '2.2').click();
  await page.getByRole('button', { name: 'Expire now…' }).click();
  await expect(question).toContainText('verifies the JWT offline cannot know');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, '2.2')).toContainText('active');
  await page.getByRole('button', { name: 'Expire now…' }).click();
  await question.getByRole('button', { name: 'Expire now' }).click();
  await expect(row(page, '2.2')).toContainText('expired');
  await expect(detail(page, '2.2')).toContainText('Not valid at this server.');
  await expect(detail(page, '2.2')).toContainText('Signature verified');
  await expect(row(page, '2.3')).toContainText('active');
  const userinfo = await fetch(`${ready.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect(userinfo.status).toBe(401);

  await row(page, '2.3').click();
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await expect(question).toContainText('2 access tokens more');
  await question.getByRole('button', { name: 'Revoke' }).click();
  for (const id of ['2.3', '2.4', '2.5']) await expect(row(page, id)).toContainText('revoked');
  await expect(row(page, '2.1')).toContainText('redeemed');
  expect((await refresh(ready, refresh_token)).status).toBe(400);

  await row(page, '2.2').click();
  await expect(detail(page, '2.2')).toContainText('Signature verified');
  await ask(ready, 'POST', '/reset', {});
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await expect(detail(page, '2.2')).toContainText('No longer kept');
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(detail(page, '2.2')).toBeHidden();
  expect(errors).toEqual([]);
});

test('after a reset, a token with the same id shows neither the result of a replay nor the text of the former one; without the connection, its lineage cannot be revoked, and its text is not said to be gone', async ({
  page,
  ready,
  server,
}) => {
  const mint = (scope: string) =>
    ask(ready, 'POST', '/tokens', { client_id: DEMO.client_id, sub: 'ada', scope });
  await mint('openid');
  const bench = await openBench(page, ready);
  await bench.open('Tokens');
  await row(page, '1.2').click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(detail(page, '1.2')).toContainText('Matched.');
  await row(page, '1.1').click();
  const claims = detail(page, '1.1').getByRole('region', { name: 'Payload' });
  await expect(claims).toContainText('openid');
  await ask(ready, 'POST', '/reset', {});
  await mint('profile');
  await expect(claims).toContainText('profile');
  await row(page, '1.2').click();
  const reveal = page.getByRole('button', { name: 'Reveal the refresh token' });
  await expect(reveal).toBeEnabled();
  await detail(page, '1.2').getByRole('tab', { name: 'Lineage' }).click();
  const revoke = page.getByRole('button', { name: 'Revoke lineage…' });
  await expect(revoke).toBeEnabled();
  await server.stop();
  await expect(revoke).toBeDisabled();
  await detail(page, '1.2').getByRole('tab', { name: 'Token', exact: true }).click();
  await reveal.click({ force: true });
  await expect(reveal).toBeDisabled();
  await expect(page.getByText('no longer stored')).toHaveCount(0);
});

test('the paste box decodes any token, lists what it removed, sends nothing, and names each kind of problem, with its position', async ({
  page,
  ready,
  errors,
}) => {
  const { access_token } = await signIn(ready);
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)));
  });
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
  await page.goto(addressOf(ready));
  const bench = workbench(page);
  await bench.ready();
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  await box(page).fill(`"Authorization: Bearer ${access_token.slice(0, 50)}\n`);
  await box(page).fill(` "Bearer ${access_token.slice(0, 50)}\n${access_token.slice(50)}" `);
  const pane = inspector(page);
  await expect(pane).toContainText('never sent');
  await expect(pane).toContainText(
    'removed: spaces around it, quotes, “Bearer”, line breaks and spaces inside it',
  );
  await expect(pane).toContainText('Signature verified');
  await expect(pane).toContainText('Issued here as access token 1.2 by exchange #1. It is active.');
  expect(sent.length).toBeGreaterThan(0);
  const signature = access_token.split('.')[2] ?? '';
  expect(sent.filter((text) => text.includes(signature.slice(0, 20)))).toEqual([]);
  await ask(ready, 'POST', `/keys/${decodeProtectedHeader(access_token).kid}/retire`, {});
  await expect(pane).toContainText('Its key was retired or the issuer has changed');
  await expect(page.getByRole('row', { name: /Access token 1\.2/ })).toContainText('inactive');

  const cases: readonly (readonly [text: string, ...says: string[]])[] = [
    ['garbage', 'Opaque.', 'Opaque: there is nothing to decode.'],
    ['three.dots.of.garbage', 'Not a token.', '4 parts'],
    ['...........', '8 or more parts'],
    ['not%.base64.url', 'it must not contain “%” at character 4'],
    [`${part({ alg: 'RS256' })}.${part({ a: 1 })}`, 'Truncated.', 'signature are missing'],
    [`${part({ alg: 'RS256' })}.bm8ganNvbg.x`, 'It is not JSON.', 'no json'],
    [`${part({ alg: 'none' })}.${part({ sub: 'eve' })}.`, 'Unsigned', 'RFC 8725 3.2'],
    [
      `${part({ alg: 'RS256', kid: 'nobody' })}.${part({ iat: 1000, exp: 2000 })}.x`,
      'Unknown key',
      'another issuer',
      'expired 56 y',
    ],
    [
      `${part({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.YQ.YQ.YQ.YQ`,
      'Encrypted (JWE).',
      'A256GCM',
      'How its content is encrypted',
    ],
  ];
  for (const [text, ...says] of cases) {
    await box(page).fill(text);
    for (const words of says) await expect(pane).toContainText(words);
    if (text === 'garbage') await expect(pane).not.toContainText(/decoded/i);
    await expect(box(page)).toHaveValue(text);
  }
  await bench.open('Flow');
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  await expect(box(page)).toHaveValue(cases.at(-1)?.[0] ?? '');
  expect(errors).toEqual([]);
});

test('behaviour 12.19: two megabytes can be pasted, are decoded and partly shown, and the page stays responsive; a foreign token is verified with a pasted key or the keys of its server', async ({
  bench,
  errors,
}) => {
  const { page } = bench;
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  const claims = { filler: 'x'.repeat(1_500_000), sub: 'eve' };
  const token = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
  await box(page).evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, token);
  const pane = inspector(page);
  await expect(pane).toContainText(
    `${token.length.toLocaleString('en')} characters, too many to edit here`,
  );
  const payload = pane.getByRole('region', { name: 'Payload' });
  await expect(payload).toContainText('1,499,000 more characters');
  await expect(payload).toContainText('eve');
  expect((await pane.textContent())?.length).toBeLessThan(20_000);
  await bench.open('Flow');
  await bench.open('Tokens');
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  await expect(pane).toContainText('characters, too many to edit here');
  await pane.getByRole('button', { name: 'Clear' }).click();
  await expect(box(page)).toBeFocused();

  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs' };
  const foreign = await new SignJWT({ iss: 'https://provider.example', sub: 'ada' })
    .setProtectedHeader({ alg: 'ES256', kid: 'theirs' })
    .sign(privateKey);
  const provider = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  try {
    await box(page).fill(foreign);
    await expect(pane).toContainText('no key of this server has that kid');
    await pane.getByRole('button', { name: 'Verify with another key' }).click();
    const key = pane.getByLabel('Key to verify with');
    await key.fill('no key at all');
    await expect(pane).toContainText('The text is not a key');
    await key.fill(JSON.stringify(jwk));
    await expect(pane).toContainText('Signature verified ES256 with a given key');
    await key.fill('https://provider.example/jwks');
    await pane.getByRole('button', { name: 'Fetch the keys' }).click();
    await expect(pane).toContainText('must be an http or https URL at localhost');
    const { port } = provider.address() as AddressInfo;
    await key.fill(`http://127.0.0.1:${port}/jwks`);
    await pane.getByRole('button', { name: 'Fetch the keys' }).click();
    await expect(key).toHaveValue(/"kid": "theirs"/);
    await expect(pane).toContainText('Signature verified ES256 with a given key');
    await box(page).fill(`${foreign.slice(0, -8)}AAAAAAAA`);
    await expect(pane).toContainText('Signature invalid');
    await pane.getByRole('button', { name: 'Use this server’s keys' }).click();
    await expect(pane).toContainText('no key of this server has that kid');
    expect(await severeFindings(page, pane)).toEqual([]);
    expect(errors).toEqual([]);
  } finally {
    provider.close();
  }
});

testWithOwnPage(
  'the list says when it is loading, and offers to try again when loading fails',
  async ({ page, ready }) => {
    await signIn(ready);
    const connection = await losableConnection(page, '/tokens/list');
    const bench = await openBench(page, ready);
    await bench.open('Tokens');
    await expect(page.getByText('Loading tokens…')).toBeVisible();
    await connection.lose();
    await expect(page.getByText('The tokens could not be loaded')).toBeVisible();
    await expect(page.getByText('The connection to Grantbench is lost')).toBeVisible();
    connection.restore();
    await expect(row(page, '1.2')).toBeVisible({ timeout: 30_000 });
  },
);

test('the list is usable by keyboard alone: moving, opening, acting and returning; no part of the view has a serious accessibility finding', async ({
  bench,
  ready,
}) => {
  test.slow();
  const { page } = bench;
  const { refresh_token } = await signIn(ready);
  await bench.open('Tokens');
  await expect(row(page, '1.3')).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', 'token-1.3');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(detail(page, '1.2')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(detail(page, '1.1')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(detail(page, '1.2')).toBeVisible();
  await runCommand(page, 'Revoke the open token');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
  await expect(row(page, '1.2')).toContainText('revoked');
  await grid(page).press('Escape');
  await expect(detail(page, '1.2')).toBeHidden();
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('Alt+i');
  await expect(box(page)).toBeFocused();

  const look = async (what: string, part?: Locator) => {
    expect.soft(await severeFindings(page, part), what).toEqual([]);
  };
  await refresh(ready, refresh_token);
  await ask(ready, 'POST', '/tokens/1.4/expire');
  await issueCode(ready);
  await row(page, '1.4').click();
  await expect(detail(page, '1.4')).toContainText('Not valid at this server');
  await look('an ended access token');
  await page.getByRole('tab', { name: 'Lineage' }).click();
  await expect(page.getByRole('list', { name: 'Lineage 1' })).toBeVisible();
  await look('the lineage', detail(page, '1.4'));
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await expect(page.getByRole('option', { name: /^1\.2 / })).toBeVisible();
  await look('the tokens to compare with', page.getByRole('listbox'));
  await page.getByRole('option', { name: /^1\.2 / }).click();
  await expect(page.getByRole('rowheader', { name: 'jti' })).toBeVisible();
  await look('the comparison', detail(page, '1.4'));
  await row(page, '1.1').click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('the question before a replay');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Inspect a token' }).click();
  await box(page).fill(`${part({ alg: 'none' })}.e%.`);
  await expect(inspector(page)).toContainText('must not contain');
  await look('the paste box', inspector(page));
  await page.setViewportSize({ width: 640, height: 400 });
  await look('the paste box at 200 % zoom', inspector(page));
});
