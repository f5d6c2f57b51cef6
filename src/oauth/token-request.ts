// Requests to the token endpoint (RFC 6749 3.2), from named fields to method, path, headers and body.

import { basicAuthorization, credentialFields, type Credentials } from './client-authentication.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  jsonBody,
  present,
  type BodyFormat,
  type Fields,
  type HttpRequest,
  type Members,
} from './fields.ts';

export const TOKEN_PATH = '/oauth/token';

// Fields left out, empty or null are not sent. Without a `client_id`, the credentials go elsewhere.

export interface ExchangeFields extends Partial<Credentials> {
  readonly code: string;
  readonly redirect_uri: string;
  readonly audience?: string;
  readonly code_verifier?: string | null;
}

export interface RefreshFields extends Partial<Credentials> {
  readonly refresh_token: string;
  readonly audience?: string;
  readonly scope?: string;
}

export interface OwnTokenFields extends Partial<Credentials> {
  readonly audience?: string;
  readonly scope?: string;
}

/** The token types of RFC 8693 3 that an exchange takes. */
export const TOKEN_TYPES = {
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
  refresh_token: 'urn:ietf:params:oauth:token-type:refresh_token',
  id_token: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

export interface TokenExchangeFields extends Partial<Credentials> {
  readonly subject_token: string;
  /** Left out: an access token. */
  readonly subject_token_type?: string;
  readonly actor_token?: string;
  /** Left out: an access token, when there is an actor token. */
  readonly actor_token_type?: string;
  readonly audience?: string;
  readonly scope?: string;
}

export interface DeviceCodeFields extends Partial<Credentials> {
  readonly device_code: string;
}

export interface JwtBearerFields extends Partial<Credentials> {
  readonly assertion: string;
  readonly audience?: string;
  readonly scope?: string;
}

export interface PasswordFields extends Partial<Credentials> {
  readonly username: string;
  readonly password: string;
  readonly audience?: string;
  readonly scope?: string;
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

/** The four fields of spec 4.1.2, and `scope` when less than was granted is wanted (RFC 6749 6). */
export const refreshFields = (from: RefreshFields): Fields => [
  ['grant_type', 'refresh_token'],
  ...credentialFields(from),
  ...present('audience', from.audience),
  ['refresh_token', from.refresh_token],
  ...present('scope', from.scope),
];

/** A token for the client itself (RFC 6749 4.4.2). */
export const clientCredentialsFields = (from: OwnTokenFields): Fields => [
  ['grant_type', 'client_credentials'],
  ...credentialFields(from),
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A token in exchange for another (RFC 8693 2.1). */
export const tokenExchangeFields = (from: TokenExchangeFields): Fields => [
  ['grant_type', TOKEN_EXCHANGE_GRANT],
  ...credentialFields(from),
  ['subject_token', from.subject_token],
  ['subject_token_type', from.subject_token_type ?? TOKEN_TYPES.access_token],
  ...present('actor_token', from.actor_token),
  ...(from.actor_token
    ? present('actor_token_type', from.actor_token_type ?? TOKEN_TYPES.access_token)
    : []),
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

/** RFC 8628 3.4. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A poll of a device that waits for its user (RFC 8628 3.4). */
export const deviceCodeFields = (from: DeviceCodeFields): Fields => [
  ['grant_type', DEVICE_CODE_GRANT],
  ...credentialFields(from),
  ['device_code', from.device_code],
];

/** RFC 7523 2.1. */
export const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A token for the subject of an assertion (RFC 7523 2.1). */
export const jwtBearerFields = (from: JwtBearerFields): Fields => [
  ['grant_type', JWT_BEARER_GRANT],
  ...credentialFields(from),
  ['assertion', from.assertion],
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

/** Tokens for a user whose password the client has (RFC 6749 4.3.2). */
export const passwordFields = (from: PasswordFields): Fields => [
  ['grant_type', 'password'],
  ...credentialFields(from),
  ['username', from.username],
  ['password', from.password],
  ...present('audience', from.audience),
  ...present('scope', from.scope),
];

/** The format that spec 4.1 documents for the grant: JSON for codes, a form for the others. */
export const documentedFormat = (grant: unknown): BodyFormat =>
  grant === 'authorization_code' ? 'json' : 'form';

export interface TokenRequestOptions {
  /** Left out: the one that is documented for the `grant_type` among the fields. */
  readonly format?: BodyFormat;
  readonly path?: string;
  /** Who asks, where the Authorization header says so and the fields do not (RFC 6749 2.3.1). */
  readonly basic?: Credentials | null;
}

const grantOf = (fields: Members): unknown => fields.find(([name]) => name === 'grant_type')?.[1];

/** A request to the token endpoint (RFC 6749 3.2). */
export function tokenRequest(fields: Members, options: TokenRequestOptions = {}): HttpRequest {
  const { format = documentedFormat(grantOf(fields)), path = TOKEN_PATH, basic = null } = options;
  const json = format === 'json';
  return {
    method: 'POST',
    path,
    headers: {
      'content-type': json ? JSON_TYPE : FORM_TYPE,
      accept: JSON_TYPE,
      ...(basic === null ? {} : { authorization: basicAuthorization(basic) }),
    },
    body: json ? jsonBody(fields) : formBody(fields),
  };
}
