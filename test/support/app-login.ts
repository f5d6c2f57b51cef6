// An app that signs its user in with PKCE and its secret: the requests of the app and of the user's browser.

import type { Exchange } from '../../src/control/schemas.ts';
import { createPkcePair } from '../../src/oauth/pkce.ts';
import { approval, signInFormOf } from '../../src/scenario/sign-in-form.ts';
import type { Ready } from './cli-process.ts';
import { ask, DEMO } from './token-calls.ts';

export type TokenFields = Readonly<Record<string, string>>;

/** A token response. */
export async function tokens(ready: Ready, fields: TokenFields): Promise<TokenFields> {
  const { client_id, client_secret } = DEMO;
  const body = new URLSearchParams({ client_id, client_secret, ...fields });
  const answer = await fetch(ready.token_endpoint, { method: 'POST', body });
  return (await answer.json()) as TokenFields;
}

async function newest(ready: Ready): Promise<Exchange> {
  const { items } = await ask<{ items: Exchange[] }>(ready, 'GET', '/exchanges?limit=1');
  return ask<Exchange>(ready, 'GET', `/exchanges/${items[0]?.number ?? 0}?secrets=true`);
}

/** Signs the user in. @returns the code and verifier that the app redeems */
export async function signedIn(ready: Ready, scope = 'openid'): Promise<TokenFields> {
  const { challenge, verifier } = await createPkcePair('S256');
  const { client_id, redirect_uri, audience } = DEMO;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    audience,
    scope,
    state: 'of-the-app',
    ...challenge,
  });
  await (await fetch(`${ready.issuer}/authorize?${query.toString()}`)).text();
  const form = signInFormOf(await newest(ready));
  if (form === null) throw new Error('nobody was asked to sign in');
  const { path, headers, body = '' } = approval(form, 'ada');
  const answer = await fetch(`${ready.issuer}${path}`, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    audience,
    code_verifier: verifier,
  };
}
