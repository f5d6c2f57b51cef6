// A careless client that ignores state and iss, decodes the ID token without verifying it, and accepts every response.
// Exits with 0 when it considers the user signed in.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
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

const token_endpoint = metadata.token_endpoint ?? `${ISSUER}/oauth/token`;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** @returns {Record<string, string>} */
function dpop() {
  if (process.env['GRANTBENCH_TEST_DPOP'] !== '1') return {};
  const encode = (/** @type {unknown} */ part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) };
  const proof = { htm: 'POST', htu: token_endpoint, iat: Math.floor(Date.now() / 1000) };
  const signed = `${encode(head)}.${encode({ ...proof, jti: random() })}`;
  const key = { key: privateKey, dsaEncoding: /** @type {const} */ ('ieee-p1363') };
  return {
    dpop: `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`,
  };
}

const post = async (/** @type {Record<string, string>} */ body) => {
  let answer;
  // Again and again, with a proof that never has the nonce.
  for (let tries = 0; tries === 0 || (answer.error === 'use_dpop_nonce' && tries < 5); tries++) {
    answer = await read(token_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...dpop() },
      body: new URLSearchParams({ ...CLIENT, ...body }).toString(),
    });
  }
  return answer;
};

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
