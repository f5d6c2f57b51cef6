// Requests that a client sends to the server itself, from named fields to method, path, headers and body: to the token
// endpoint (RFC 6749 3.2) and for a device (RFC 8628 3.1); and the paths of the other endpoints.

import { basicAuthorization, type Credentials } from './client-authentication.ts';
import {
  FORM_TYPE,
  formBody,
  JSON_TYPE,
  jsonBody,
  type BodyFormat,
  type HttpRequest,
  type Members,
  type Fields,
} from './fields.ts';

export const TOKEN_PATH = '/oauth/token';

/** The token types of RFC 8693 3 that an exchange takes. */
export const TOKEN_TYPES = {
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
  refresh_token: 'urn:ietf:params:oauth:token-type:refresh_token',
  id_token: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** RFC 8628 3.4. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 7523 2.1. */
export const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Only for clients that can keep a secret (behaviour 1.7). */
export const CONFIDENTIAL_GRANTS: readonly string[] = [
  'client_credentials',
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
];

/** The format that spec 4.1 documents for the grant: JSON for codes, a form for the others. */
export const documentedFormat = (grant: unknown): BodyFormat =>
  grant === 'authorization_code' ? 'json' : 'form';

interface TokenRequestOptions {
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

export const AUTHORIZE_PATH = '/authorize';
export const USERINFO_PATH = '/userinfo';
export const PUSH_PATH = '/oauth/par';

export const DEVICE_AUTHORIZATION_PATH = '/oauth/device_authorization';

/** A device authorization request (RFC 8628 3.1). */
export const deviceAuthorizationRequest = (fields: Fields): HttpRequest => ({
  method: 'POST',
  path: DEVICE_AUTHORIZATION_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody(fields),
});
