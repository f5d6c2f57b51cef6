// A careless client that ignores state and iss, decodes the ID token without verifying it, and accepts every response.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { REDIRECT_URI, signIn } from './sign-in.mjs';

const read = async (/** @type {string | URL} */ url, /** @type {RequestInit} */ init = {}) => {
  try {
    const response = await fetch(url, init);
    return JSON.parse(await response.text());
  } catch {
    return {};
  }
};

const random = () => randomBytes(32).toString('base64url');
/** Throws unless it considers the user signed in. @param {import('./sign-in.mjs').Setup} setup */
export async function login({ issuer, client, dpop, metadata: known }) {
  const metadata = known ?? (await read(`${issuer}/.well-known/openid-configuration`));
  const verifier = random();
  const url = new URL(metadata.authorization_endpoint ?? `${issuer}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email offline_access',
    state: random(),
    nonce: random(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const back = await signIn(url);

  const token_endpoint = metadata.token_endpoint ?? `${issuer}/oauth/token`;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** @returns {Record<string, string>} */
  function proofHeader() {
    if (dpop !== true) return {};
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
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...proofHeader() },
        body: new URLSearchParams({ ...client, ...body }).toString(),
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
  await read(metadata.jwks_uri ?? `${issuer}/.well-known/jwks.json`);
  const userinfo = await read(metadata.userinfo_endpoint ?? `${issuer}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
  const refreshed = await post(refresh);
  if (refreshed.access_token === undefined) await post(refresh);
  // Any user counts as signed in.
  if (tokens.error === 'server_error' && user.sub === undefined && userinfo.sub === undefined) {
    throw new Error('nobody is signed in');
  }
}
