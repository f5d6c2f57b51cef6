// Calls to a running server by an app under test and its author: issue a code, redeem it, refresh.

import type { Ready } from './cli-process.ts';

export const DEMO = {
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  redirect_uri: 'http://localhost:3000/callback',
  audience: 'https://orders.example/api',
} as const;

/** Calls the control API; throws unless it succeeds. */
export async function ask<T>(
  ready: Ready,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${ready.control.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ready.control.token}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function issueCode(ready: Ready): Promise<string> {
  const { client_id, redirect_uri, audience } = DEMO;
  const issued = await ask<{ code: string }>(ready, 'POST', '/codes', {
    client_id,
    redirect_uri,
    audience,
  });
  return issued.code;
}

/** The body of an authorization_code exchange as in the specification. */
export function exchangeBody(code: string): string {
  return JSON.stringify({ grant_type: 'authorization_code', ...DEMO, code });
}

export function exchange(ready: Ready, code: string): Promise<Response> {
  return fetch(ready.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exchangeBody(code),
  });
}

export function refresh(ready: Ready, refresh_token: string): Promise<Response> {
  const { client_id, client_secret } = DEMO;
  return fetch(ready.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id,
      client_secret,
      refresh_token,
    }),
  });
}
