// Creates the requests that a client sends to the server, from named fields to method, path, headers and body: token
// requests (RFC 6749 3.2) and device authorization requests (RFC 8628 3.1). Also the paths of the other endpoints.

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

/** The token types of RFC 8693 3 that can be exchanged. */
export const TOKEN_TYPES = {
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
  refresh_token: 'urn:ietf:params:oauth:token-type:refresh_token',
  id_token: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The grant_type of the device grant (RFC 8628 3.4). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grant_type of the JWT bearer grant (RFC 7523 2.1). */
export const JWT_BEARER_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Grants for confidential clients only (behaviour 1.7). */
export const CONFIDENTIAL_GRANTS: readonly string[] = [
  'client_credentials',
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
];

/** Returns the documented body format of the grant (spec 4.1): JSON for codes, a form for the others. */
export const documentedFormat = (grant: unknown): BodyFormat =>
  grant === 'authorization_code' ? 'json' : 'form';

interface TokenRequestOptions {
  /** The body format; defaults to the documented one for the `grant_type` in the fields. */
  readonly format?: BodyFormat;
  readonly path?: string;
  /** The client credentials for the Authorization header, if they are not in the fields (RFC 6749 2.3.1). */
  readonly basic?: Credentials | null;
}

const grantOf = (fields: Members): unknown => fields.find(([name]) => name === 'grant_type')?.[1];

/** Creates a request to the token endpoint (RFC 6749 3.2). */
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

/** Creates a device authorization request (RFC 8628 3.1). */
export const deviceAuthorizationRequest = (fields: Fields): HttpRequest => ({
  method: 'POST',
  path: DEVICE_AUTHORIZATION_PATH,
  headers: { 'content-type': FORM_TYPE, accept: JSON_TYPE },
  body: formBody(fields),
});
