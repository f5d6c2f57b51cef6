// Requests to the endpoints that take no grant: authorization, device authorization, userinfo and revocation.

import { credentialFields, type Credentials } from './client-authentication.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  present,
  type Fields,
  type HttpRequest,
} from './fields.ts';
import type { PkceChallenge } from './pkce.ts';

export const AUTHORIZE_PATH = '/authorize';
export const USERINFO_PATH = '/userinfo';
export const PUSH_PATH = '/oauth/par';
const REVOCATION_PATH = '/oauth/revoke';

export const DEVICE_AUTHORIZATION_PATH = '/oauth/device_authorization';

export interface AuthorizeFields {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scope: string;
  readonly audience: string;
  readonly state: string;
  /** null without PKCE. */
  readonly challenge: PkceChallenge | null;
  readonly login_hint: string;
}

/** The parameters of an authorization request (RFC 6749 4.1.1), with PKCE when there is a challenge (RFC 7636 4.3). */
export const authorizeFields = (from: AuthorizeFields): Fields => [
  ['response_type', 'code'],
  ['client_id', from.client_id],
  ['redirect_uri', from.redirect_uri],
  ...present('scope', from.scope),
  ...present('audience', from.audience),
  ['state', from.state],
  ...present('code_challenge', from.challenge?.code_challenge),
  ...present('code_challenge_method', from.challenge?.code_challenge_method),
  ...present('login_hint', from.login_hint),
];

/** What a browser asks when it is sent to the authorization endpoint (RFC 6749 4.1.1). */
export const authorizeRequest = (fields: Fields): HttpRequest => ({
  method: 'GET',
  path: `${AUTHORIZE_PATH}?${formBody(fields)}`,
  headers: { accept: 'text/html' },
});

/** A push of the same parameters with the client's credentials in the form (RFC 9126 2.1). */
export const pushRequest = (fields: Fields, { client_secret }: Credentials): HttpRequest => ({
  method: 'POST',
  path: PUSH_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody([...fields, ...present('client_secret', client_secret)]),
});

/** What the browser brings of a pushed request (RFC 9126 4). */
export const pushedFields = (client_id: string, request_uri: string): Fields => [
  ['client_id', client_id],
  ['request_uri', request_uri],
];

/**
 * A call with the token in the Authorization header (RFC 6750 2.1), or in a form (2.2).
 * @param scheme DPoP for a token that is bound to a key (RFC 9449 7.1); a form has none
 */
export function userinfoRequest(
  token: string,
  place: 'header' | 'body',
  scheme: 'Bearer' | 'DPoP' = 'Bearer',
): HttpRequest {
  if (place === 'header') {
    const headers = { authorization: `${scheme} ${token}`, accept: JSON_TYPE };
    return { method: 'GET', path: USERINFO_PATH, headers };
  }
  return {
    method: 'POST',
    path: USERINFO_PATH,
    headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
    body: formBody([['access_token', token]]),
  };
}

/** A revocation as the client of the token asks for it (RFC 7009 2.1). */
export const revocationRequest = (token: string, credentials: Credentials): HttpRequest => ({
  method: 'POST',
  path: REVOCATION_PATH,
  headers: { 'content-type': FORM_TYPE },
  body: formBody([['token', token], ...credentialFields(credentials)]),
});

/** A device authorization request (RFC 8628 3.1). */
export const deviceAuthorizationRequest = (fields: Fields): HttpRequest => ({
  method: 'POST',
  path: DEVICE_AUTHORIZATION_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody(fields),
});
