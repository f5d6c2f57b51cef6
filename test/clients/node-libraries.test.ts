// Node libraries, configured as the page shows: get a code, redeem it, refresh.

import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe.each([
  ['openid-client', 'tokens.access_token', 'fresh.access_token'],
  ['oauth4webapi', 'tokens.access_token', 'fresh.access_token'],
  ['simple-oauth2', 'tokens.token.access_token', 'fresh.token.access_token'],
] as const)('%s', (library, first, refreshed) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());

  it('redeems a code and refreshes the token', async () => {
    const { ready } = sandbox;
    const settings = await sandbox.settingsOf(library, {
      client_secret: SECRET,
      redirect_uris: [REDIRECT_URI],
    });
    const reported = `console.log(JSON.stringify({ first: ${first}, refreshed: ${refreshed} }));`;
    const program = `${authorized(ready, library)}\n${settings}\n${reported}\n`;
    const issued = (await resultOf({ 'app.mjs': program }, [
      process.execPath,
      'app.mjs',
    ])) as Issued;
    expect(issued.first).not.toBe(issued.refreshed);
    for (const token of [issued.first, issued.refreshed]) {
      expect(decodeJwt(token)).toMatchObject({
        iss: ready.issuer,
        client_id: library,
        sub: USER.sub,
      });
    }
  });
});

describe('simple-oauth2', () => {
  it('builds an authorization request that returns a code', async () => {
    const sandbox = await startSandbox();
    try {
      const settings = await sandbox.settingsOf('simple-oauth2', {
        client_secret: SECRET,
        redirect_uris: [REDIRECT_URI],
      });
      const configured = settings.slice(0, settings.indexOf('const tokens'));
      const asked = `client.authorizeURL({ redirect_uri: ${JSON.stringify(REDIRECT_URI)} })`;
      const program = `${configured}\nconsole.log(JSON.stringify(${asked}));\n`;
      const url = await resultOf({ 'app.mjs': program }, [process.execPath, 'app.mjs']);
      const answer = await fetch(String(url), { redirect: 'manual' });
      expect(answer.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/callback\?code=/);
    } finally {
      await sandbox.stop();
    }
  });
});

describe('msal-node', () => {
  it('redeems a code and refreshes the token, over https', async () => {
    const sandbox = await startSandbox({ https: true });
    try {
      const { ready } = sandbox;
      const settings = await sandbox.settingsOf('msal-node', {
        client_secret: SECRET,
        redirect_uris: [REDIRECT_URI],
      });
      const asked = 'await client.getAuthCodeUrl({ redirectUri, scopes, state })';
      const reported = `const shown = await fetch(${asked}, { redirect: 'manual' });
console.log(JSON.stringify({
  first: tokens.accessToken,
  refreshed: fresh.accessToken,
  claims: tokens.idTokenClaims,
  shown: shown.headers.get('location'),
}));`;
      const program = `${authorized(ready, 'msal-node')}\n${settings}\n${reported}\n`;
      const env = { NODE_EXTRA_CA_CERTS: ready.certificate };
      const issued = (await resultOf(
        { 'app.mjs': program },
        [process.execPath, 'app.mjs'],
        env,
      )) as Issued;
      expect(issued).toMatchObject({
        claims: { iss: ready.issuer, sub: USER.sub, name: USER.name },
        shown: expect.stringMatching(/^http:\/\/localhost:3000\/callback\?code=/) as string,
      });
      expect(issued.first).not.toBe(issued.refreshed);
    } finally {
      await sandbox.stop();
    }
  });
});
