// What steps send by default, so that a recorder can omit what the runner adds. A field whose variable has no value
// is not sent.

import {
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_TYPES,
} from '../oauth/token-request.ts';

/** GET /authorize: the parameters of RFC 6749 4.1.1. The user of the step is sent as login_hint. */
export const AUTHORIZE_PARAMETERS: Readonly<Record<string, string>> = {
  response_type: 'code',
  client_id: '{{client.client_id}}',
  redirect_uri: '{{client.redirect_uri}}',
  audience: '{{issuer}}',
  state: 'scenario',
};

/** POST /oauth/device_authorization (RFC 8628 3.1), besides the client's credentials. */
export const DEVICE_FIELDS: Readonly<Record<string, string>> = { audience: '{{issuer}}' };

/** The client's credentials, in the body or in the header. */
export const CREDENTIAL_FIELDS: Readonly<Record<string, string>> = {
  client_id: '{{client.client_id}}',
  client_secret: '{{client.client_secret}}',
};

/** The client's assertion instead (RFC 7523 2.2). */
export const ASSERTION_FIELDS: Readonly<Record<string, string>> = {
  client_id: '{{client.client_id}}',
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: '{{client_assertion}}',
};

/** The method of a client that authenticates with an assertion; undefined for every other method. */
export const assertionMethod = (
  method: string | undefined,
): 'client_secret_jwt' | 'private_key_jwt' | undefined =>
  method === 'client_secret_jwt' || method === 'private_key_jwt' ? method : undefined;

const OF_GRANT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  /** Spec 4.1.1, and the verifier if the code has a challenge (RFC 7636 4.5). */
  authorization_code: {
    audience: '{{audience}}',
    redirect_uri: '{{redirect_uri}}',
    code: '{{code}}',
    code_verifier: '{{code_verifier}}',
  },
  /** Spec 4.1.2. */
  refresh_token: { refresh_token: '{{refresh_token}}' },
  client_credentials: { audience: '{{issuer}}' },
  /** RFC 8693 2.1: the newest access token is exchanged. */
  [TOKEN_EXCHANGE_GRANT]: {
    subject_token: '{{access_token}}',
    subject_token_type: TOKEN_TYPES.access_token,
  },
  /** RFC 7523 2.1; a scenario without a signing step sets the field. */
  [JWT_BEARER_GRANT]: { assertion: '{{assertion}}' },
  /** RFC 8628 3.4. */
  [DEVICE_CODE_GRANT]: { device_code: '{{device_code}}' },
  /** RFC 6749 4.3.2. */
  password: { username: '{{user.sub}}', password: '{{user.password}}' },
};

/** Returns what a token request of this grant sends besides the client's credentials. */
export const grantFields = (grant: string): Readonly<Record<string, string>> => ({
  grant_type: grant,
  ...OF_GRANT[grant],
});

/** Members of responses that later steps can use by name; the newest value counts. */
export const KEPT_MEMBERS = [
  'code',
  'access_token',
  'refresh_token',
  'id_token',
  'device_code',
  'user_code',
] as const;
export type KeptMember = (typeof KEPT_MEMBERS)[number];

/** Limits of repetitions: in total, concurrent, and per second. */
export const MOST_REPEATED = { count: 10_000, parallel: 100, per_second: 500 } as const;
