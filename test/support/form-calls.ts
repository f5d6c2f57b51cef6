// Requests of the demo client to the endpoints of a harness.

import type { Answer, Harness } from './harness.ts';
import { call, CREDENTIALS, ORDERS, REDIRECT_URI, sendForm } from './harness.ts';

export const form = (
  harness: Harness,
  path: string,
  parameters: Record<string, string>,
): Promise<Answer> => sendForm(harness.url(), path, { ...CREDENTIALS, ...parameters });

/** The six parameters of spec 4.1.1. */
export const redemption = (code: string): Record<string, string> => ({
  ...CREDENTIALS,
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT_URI,
  audience: ORDERS,
});

export const redeem = (harness: Harness, code: string): Promise<Answer> =>
  harness.token(redemption(code));

export const refresh = (harness: Harness, refresh_token: string): Promise<Answer> =>
  form(harness, '/oauth/token', { grant_type: 'refresh_token', refresh_token });

export const introspect = (harness: Harness, token: string): Promise<Answer> =>
  form(harness, '/oauth/introspect', { token });

export const userinfo = (harness: Harness, token: string, path = '/userinfo'): Promise<Answer> =>
  call(harness.url(), 'GET', path, { headers: { Authorization: `Bearer ${token}` } });

/** The path of an authorization request; the given parameters are added. */
export const authorizePath = (parameters: Record<string, string> = {}): string =>
  `/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: CREDENTIALS.client_id,
    redirect_uri: REDIRECT_URI,
    ...parameters,
  }).toString()}`;
