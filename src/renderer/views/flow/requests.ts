// The requests of the flow, from named fields to method, path, headers and body.

import type { Client, SendRequest } from '../../../control/schemas.ts';

/** Fields in the order they are sent; a repeated name stays repeated. */
export type Fields = readonly (readonly [name: string, value: string])[];

export const TOKEN_PATH = '/oauth/token';
export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface Credentials {
  client_id: string;
  client_secret: string | null;
}

export interface ExchangeFields extends Credentials {
  code: string;
  redirect_uri: string;
  audience: string;
  code_verifier: string | null;
}

export interface RefreshFields extends Credentials {
  refresh_token: string;
  scope: string;
}

export const credentialsOf = (client: Client, secret: string | null): Credentials => ({
  client_id: client.client_id,
  client_secret: secret ?? client.client_secret,
});

const present = (name: string, value: string | null): Fields =>
  value === null || value === '' ? [] : [[name, value]];

/** The six fields of spec 4.1.1, and `code_verifier` when the code was issued with a challenge. */
export function exchangeFields(from: ExchangeFields): Fields {
  return [
    ['grant_type', 'authorization_code'],
    ['client_id', from.client_id],
    ...present('client_secret', from.client_secret),
    ...present('audience', from.audience),
    ['redirect_uri', from.redirect_uri],
    ['code', from.code],
    ...present('code_verifier', from.code_verifier),
  ];
}

/** The four fields of spec 4.1.2, and `scope` when less than was granted is wanted (RFC 6749 6). */
export function refreshFields(from: RefreshFields): Fields {
  return [
    ['grant_type', 'refresh_token'],
    ['client_id', from.client_id],
    ...present('client_secret', from.client_secret),
    ['refresh_token', from.refresh_token],
    ...present('scope', from.scope),
  ];
}

/** JSON by hand, so that a repeated name is written twice instead of overwritten. */
export function jsonBody(fields: Fields): string {
  const members = fields.map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

export const formBody = (fields: Fields): string =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

export interface AuthorizeFields {
  client_id: string;
  redirect_uri: string;
  scope: string;
  audience: string;
  state: string;
  code_challenge: string | null;
  login_hint: string;
}

export const AUTHORIZE_PATH = '/authorize';
export const USERINFO_PATH = '/userinfo';

/** The parameters of an authorization request (RFC 6749 4.1.1), with PKCE when there is a challenge. */
export function authorizeFields(from: AuthorizeFields): Fields {
  return [
    ['response_type', 'code'],
    ['client_id', from.client_id],
    ['redirect_uri', from.redirect_uri],
    ...present('scope', from.scope),
    ...present('audience', from.audience),
    ['state', from.state],
    ...present('code_challenge', from.code_challenge),
    ...present('code_challenge_method', from.code_challenge === null ? null : 'S256'),
    ...present('login_hint', from.login_hint),
  ];
}

export const authorizeRequest = (fields: Fields): SendRequest => ({
  method: 'GET',
  path: `${AUTHORIZE_PATH}?${formBody(fields)}`,
  headers: { accept: 'text/html' },
  secrets: true,
});

/** The call with the token in the Authorization header (RFC 6750 2.1), or in a form (2.2). */
export function userinfoRequest(token: string, place: 'header' | 'body'): SendRequest {
  if (place === 'header') {
    const headers = { authorization: `Bearer ${token}`, accept: JSON_TYPE };
    return { method: 'GET', path: USERINFO_PATH, headers, secrets: true };
  }
  return {
    method: 'POST',
    path: USERINFO_PATH,
    headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
    body: formBody([['access_token', token]]),
    secrets: true,
  };
}

/** The two body formats of the token endpoint (spec 4.1). */
export type BodyFormat = 'json' | 'form';

export function tokenRequest(fields: Fields, format: BodyFormat): SendRequest {
  const json = format === 'json';
  return {
    method: 'POST',
    path: TOKEN_PATH,
    headers: { 'content-type': json ? JSON_TYPE : FORM_TYPE, accept: JSON_TYPE },
    body: json ? jsonBody(fields) : formBody(fields),
    secrets: true,
  };
}

export const without = (fields: Fields, name: string): Fields =>
  fields.filter(([field]) => field !== name);

export const replaced = (fields: Fields, name: string, value: string): Fields =>
  fields.map(([field, former]) => [field, field === name ? value : former]);

export const valueOf = (fields: Fields, name: string): string =>
  fields.find(([field]) => field === name)?.[1] ?? '';
