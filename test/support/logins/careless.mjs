// A careless client that ignores state and iss, decodes the ID token without verifying it, and accepts every response.
// Exits with 0 when it considers the user signed in.

import { createHash, randomBytes } from 'node:crypto';
import { CLIENT, ISSUER, REDIRECT_URI, signIn } from './sign-in.mjs';

const read = async (/** @type {string | URL} */ url, /** @type {RequestInit} */ init = {}) => {
  try {
    const response = await fetch(url, init);
    return JSON.parse(await response.text());
  } catch {
    return {};
  }
};

const random = () => randomBytes(32).toString('base64url');
const metadata = await read(`${ISSUER}/.well-known/openid-configuration`);
const verifier = random();
const url = new URL(metadata.authorization_endpoint ?? `${ISSUER}/authorize`);
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: CLIENT.client_id,
  redirect_uri: REDIRECT_URI,
  scope: 'openid profile email offline_access',
  state: random(),
  nonce: random(),
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}).toString();
const back = await signIn(url);

const post = (/** @type {Record<string, string>} */ body) =>
  read(metadata.token_endpoint ?? `${ISSUER}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...CLIENT, ...body }).toString(),
  });

const code = back.searchParams.get('code');
let tokens = await post({
  grant_type: 'authorization_code',
  code: code ?? '',
  redirect_uri: REDIRECT_URI,
  code_verifier: verifier,
});
// Does not wait for the response.
if (tokens.access_token === undefined) {
  tokens = {
    ...tokens,
    ...(await post({
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    })),
  };
}
const [, payload = ''] = String(tokens.id_token ?? '').split('.');
const user = payload === '' ? {} : JSON.parse(Buffer.from(payload, 'base64url').toString());
await read(metadata.jwks_uri ?? `${ISSUER}/.well-known/jwks.json`);
const userinfo = await read(metadata.userinfo_endpoint ?? `${ISSUER}/userinfo`, {
  headers: { authorization: `Bearer ${tokens.access_token}` },
});
const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
const refreshed = await post(refresh);
if (refreshed.access_token === undefined) await post(refresh);
// Any user counts as signed in.
process.exitCode =
  tokens.error === 'server_error' && user.sub === undefined && userinfo.sub === undefined ? 1 : 0;
