// The requests of a correct client, field by field, as a library would send them. Tests use these to create exchanges
// independently of the scenario steps that they check.

import type { Credentials } from '../../src/oauth/client-authentication.ts';
import {
  AUTHORIZE_PATH,
  PUSH_PATH,
  USERINFO_PATH,
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_TYPES,
} from '../../src/oauth/token-request.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  type Fields,
  type HttpRequest,
} from '../../src/oauth/fields.ts';
import type { PkceChallenge } from '../../src/oauth/pkce.ts';

/** The field, if it has a value. */
const present = (name: string, value: string | null | undefined): Fields =>
  value === undefined || value === null || value === '' ? [] : [[name, value]];

/** The client's credentials for the body (RFC 6749 2.3.1); empty for a client that authenticates otherwise. */
const credentialFields = ({ client_id, client_secret }: Partial<Credentials>): Fields =>
  client_id === undefined
    ? []
    : [['client_id', client_id], ...present('client_secret', client_secret)];

// Missing, empty and null fields are not sent. Without a `client_id`, the client authenticates otherwise.

interface ExchangeFields extends Partial<Credentials> {
  readonly code: string;
  readonly redirect_uri: string;
  readonly audience?: string;
  readonly code_verifier?: string | null;
}

/** The fields that most grants have. */
interface CommonFields extends Partial<Credentials> {
  readonly audience?: string;
  readonly scope?: string;
}

interface RefreshFields extends CommonFields {
  readonly refresh_token: string;
}

interface TokenExchangeFields extends CommonFields {
  /** An access token. */
  readonly subject_token: string;
}

interface DeviceCodeFields extends Partial<Credentials> {
  readonly device_code: string;
}

interface PasswordFields extends CommonFields {
  readonly username: string;
  readonly password: string;
}

/** The six fields of spec 4.1.1 (RFC 6749 4.1.3), with the verifier of a code that was challenged (RFC 7636 4.5). */
export const exchangeFields = (from: ExchangeFields): Fields => [
  ['grant_type', 'authorization_code'],
  ...credentialFields(from),
  ...present('audience', from.audience),
  ['redirect_uri', from.redirect_uri],
  ['code', from.code],
  ...present('code_verifier', from.code_verifier),
];

/** The four fields of spec 4.1.2, and `scope` for less than was granted (RFC 6749 6). */
export const refreshFields = (from: RefreshFields): Fields => [
  ['grant_type', 'refresh_token'],
  ...credentialFields(from),
  ...present('audience', from.audience),
  ['refresh_token', from.refresh_token],
  ...present('scope', from.scope),
];

/** A token for the client itself (RFC 6749 4.4.2). */
export const clientCredentialsFields = (from: CommonFields): Fields => [
  ['grant_type', 'client_credentials'],
  ...credentialFields(from),
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

/** A token in exchange for another (RFC 8693 2.1). */
export const tokenExchangeFields = (from: TokenExchangeFields): Fields => [
  ['grant_type', TOKEN_EXCHANGE_GRANT],
  ...credentialFields(from),
  ['subject_token', from.subject_token],
  ['subject_token_type', TOKEN_TYPES.access_token],
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

/** A poll of a device (RFC 8628 3.4). */
export const deviceCodeFields = (from: DeviceCodeFields): Fields => [
  ['grant_type', DEVICE_CODE_GRANT],
  ...credentialFields(from),
  ['device_code', from.device_code],
];

/** Tokens for a user by password (RFC 6749 4.3.2). */
export const passwordFields = (from: PasswordFields): Fields => [
  ['grant_type', 'password'],
  ...credentialFields(from),
  ['username', from.username],
  ['password', from.password],
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

interface AuthorizeFields {
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

/** The authorization request of a browser (RFC 6749 4.1.1). */
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

/** The authorization request for a pushed request (RFC 9126 4). */
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
