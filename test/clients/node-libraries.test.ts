// Node libraries, configured as the page shows: get a code, redeem it, refresh.

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Ready } from '../support/cli-process.ts';
import { resultOf } from './support/program.ts';
import { startSandbox, USER, type Sandbox } from './support/sandbox.ts';

const REDIRECT_URI = 'http://localhost:3000/callback';
const SECRET = `it's "a" secret \\ of 32 characters`;

/** Follows the authorization request as a browser would; placed before the settings. */
const authorized = ({ issuer }: Ready, client_id: string) => `const state = 'state of the app';
const request = new URL(${JSON.stringify(`${issuer}/authorize`)});
request.search = new URLSearchParams({
  response_type: 'code',
  client_id: ${JSON.stringify(client_id)},
  redirect_uri: ${JSON.stringify(REDIRECT_URI)},
  scope: 'openid profile email offline_access',
  state,
}).toString();
const sent = await fetch(request, { redirect: 'manual' });
const callbackUrl = sent.headers.get('location');
const code = new URL(callbackUrl).searchParams.get('code');
`;

interface Issued {
  readonly first: string;
  readonly refreshed: string;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const CLIENT = { client_secret: SECRET, redirect_uris: [REDIRECT_URI] };

/** Runs the settings of a library, and code that prints what it has issued as JSON. */
const issuedBy = async (
  { ready, settingsOf }: Sandbox,
  library: string,
  report: string,
  env?: NodeJS.ProcessEnv,
) => {
  const settings = await settingsOf(library, CLIENT);
  const program = `${authorized(ready, library)}\n${settings}\n${report}\n`;
  return (await resultOf({ 'app.mjs': program }, [process.execPath, 'app.mjs'], env)) as Issued;
};

it.each([
  ['openid-client', 'tokens.access_token', 'fresh.access_token'],
  ['oauth4webapi', 'tokens.access_token', 'fresh.access_token'],
  ['simple-oauth2', 'tokens.token.access_token', 'fresh.token.access_token'],
] as const)('%s redeems a code and refreshes the token', async (library, first, refreshed) => {
  const report = `console.log(JSON.stringify({ first: ${first}, refreshed: ${refreshed} }));`;
  const issued = await issuedBy(sandbox, library, report);
  expect(issued.first).not.toBe(issued.refreshed);
  for (const token of [issued.first, issued.refreshed]) {
    const { issuer: iss } = sandbox.ready;
    expect(decodeJwt(token)).toMatchObject({ iss, client_id: library, sub: USER.sub });
  }
});

const CODE = /^http:\/\/localhost:3000\/callback\?code=/;

it('simple-oauth2 builds an authorization request that returns a code', async () => {
  const client = { ...CLIENT, client_id: 'another' };
  const settings = await sandbox.settingsOf('simple-oauth2', client);
  const configured = settings.slice(0, settings.indexOf('const tokens'));
  const asked = `client.authorizeURL({ redirect_uri: ${JSON.stringify(REDIRECT_URI)} })`;
  const program = `${configured}\nconsole.log(JSON.stringify(${asked}));\n`;
  const url = await resultOf({ 'app.mjs': program }, [process.execPath, 'app.mjs']);
  const answer = await fetch(String(url), { redirect: 'manual' });
  expect(answer.headers.get('location')).toMatch(CODE);
});

it('msal-node redeems a code and refreshes the token, over https', async () => {
  const secure = await startSandbox({ https: true });
  onTestFinished(secure.stop);
  const { issuer: iss, certificate: NODE_EXTRA_CA_CERTS } = secure.ready;
  const report = `const asked = await client.getAuthCodeUrl({ redirectUri, scopes, state });
const shown = await fetch(asked, { redirect: 'manual' });
console.log(JSON.stringify({
  first: tokens.accessToken,
  refreshed: fresh.accessToken,
  claims: tokens.idTokenClaims,
  shown: shown.headers.get('location'),
}));`;
  const issued = await issuedBy(secure, 'msal-node', report, { NODE_EXTRA_CA_CERTS });
  expect(issued).toMatchObject({
    claims: { iss, sub: USER.sub, name: USER.name },
    shown: expect.stringMatching(CODE) as string,
  });
  expect(issued.first).not.toBe(issued.refreshed);
});
