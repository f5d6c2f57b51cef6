// Descriptions of the values of enumerations. The service itself does not need them.

import { CLIENT_GRANTS, DEVICE_CODE_GRANT } from './enumerations.ts';
import type {
  AUTH_METHODS,
  DIALECTS,
  PROFILES,
  PROVIDERS,
  REGISTRATION_MODES,
  SENDERS,
  SIGN_IN_AUTHENTICATIONS,
  SIGNING_ALGS,
  THROTTLE_MODES,
} from './enumerations.ts';

/** The meaning of each value, in one line. */
type Words<List extends readonly string[]> = Readonly<Record<List[number], string>>;

export const PROFILE_WORDS: Words<typeof PROFILES> = {
  documented:
    'Follows the specification and accepts both form and JSON. Notes what would fail in strict.',
  strict: 'Accepts only what the specification documents. Finds what breaks in production.',
  interop: 'For standard OAuth clients: accepts HTTP Basic and requests without an audience.',
};

export const DIALECT_WORDS: Words<typeof DIALECTS> = {
  rfc6749: 'Error responses as in RFC 6749 5.2.',
  auth0: 'Error responses with the statuses and codes that Auth0 uses.',
};

export const PROVIDER_WORDS: Words<typeof PROVIDERS> = {
  auth0: 'Auth0',
  okta: 'Okta, with a custom authorization server',
  entra: 'Microsoft Entra ID, endpoints of version 2.0',
  keycloak: 'Keycloak',
};

export const AUTHORIZE_WORDS = {
  consent: 'A page asks who signs in and what is granted.',
  auto: 'Every request is granted without a page, for the user in login_hint or the first user.',
  deny: 'Every request is rejected with access_denied.',
} as const;

export const SIGN_IN_EXTRAS_WORDS = {
  local: 'Where only this machine can reach the server.',
  on: 'Always, also for everyone who can reach the server.',
  off: 'Never.',
} as const;

export const SIGN_IN_AUTHENTICATION_WORDS: Words<typeof SIGN_IN_AUTHENTICATIONS> = {
  none: 'The user is selected, without a password.',
  password: 'The page asks for the password of the user, if the user has one.',
  password_and_code: 'The page asks for a password and for a code, which it shows.',
};

export const ACCESS_TOKEN_FORMAT_WORDS = {
  rfc9068: 'JWT as in RFC 9068',
  auth0: 'JWT with Auth0’s claims',
  opaque: 'Opaque string',
} as const;

export const API_KIND_WORDS = {
  http: 'An HTTP API that returns the claims of the token',
  mcp: 'An MCP server, whose tools return the claims of the token',
} as const;

export const API_TOKEN_TYPE_WORDS = {
  any: 'Bearer tokens, and DPoP-bound tokens with a proof',
  Bearer: 'Bearer tokens only',
  DPoP: 'DPoP-bound tokens only (RFC 9449)',
} as const;

export const THROTTLE_WORDS: Words<typeof THROTTLE_MODES> = {
  off: 'Requests are not counted, and no rate limit headers are sent.',
  observe: 'Requests are counted, but none is rejected.',
  enforce: 'Requests over the limit are rejected with 429.',
};

export const SIGNING_ALG_WORDS: Words<typeof SIGNING_ALGS> = {
  RS256: 'RSA with SHA-256: supported by every library.',
  ES256: 'ECDSA with P-256: short signatures, fast to create.',
  EdDSA: 'Ed25519: fastest, not supported everywhere.',
  PS256: 'RSA-PSS with SHA-256.',
  HS256:
    'HMAC: cannot be verified with published keys. Signs ID tokens with the client secret, which must have at least 32 bytes.',
};

export const GRANT_WORDS: Words<typeof CLIENT_GRANTS> = {
  authorization_code: 'Exchange a code for tokens.',
  refresh_token: 'Get new access tokens with a refresh token.',
  client_credentials: 'Get a token for the client itself, without a user.',
  'urn:ietf:params:oauth:grant-type:token-exchange':
    'Exchange a token for one that another API accepts, or for one that names an actor.',
  [DEVICE_CODE_GRANT]: 'Get tokens on a device while the user signs in on another one.',
  'urn:ietf:params:oauth:grant-type:jwt-bearer':
    'Get a token for a user with an assertion that the client signed.',
  password:
    'Get tokens with the name and password of a user. OAuth 2.1 no longer has this grant; the strict profile rejects it.',
  implicit:
    'Get an ID token from /authorize itself, alone or with a code (response_type id_token or code id_token). Only the interop profile accepts it.',
};

const GRANT_SHORT: Words<typeof CLIENT_GRANTS> = {
  authorization_code: 'code',
  refresh_token: 'refresh',
  client_credentials: 'client',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token exchange',
  [DEVICE_CODE_GRANT]: 'device',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'JWT bearer',
  password: 'password',
  implicit: 'implicit',
};

const isGrantType = (name: string): name is (typeof CLIENT_GRANTS)[number] =>
  CLIENT_GRANTS.some((grant) => grant === name);

/** Returns a short name for narrow columns, such as `refresh`. An unknown grant_type is returned unchanged. */
export const shortGrantName = (grant_type: string): string =>
  isGrantType(grant_type) ? GRANT_SHORT[grant_type] : grant_type;

export const AUTH_METHOD_WORDS: Words<typeof AUTH_METHODS> = {
  client_secret_post: 'Secret in the body (client_secret_post)',
  client_secret_basic: 'Secret in the Authorization header (client_secret_basic)',
  client_secret_jwt: 'Assertion signed with the secret (client_secret_jwt)',
  private_key_jwt: 'Assertion signed with the client’s key (private_key_jwt)',
  none: 'Public client, no secret (none)',
};

export const APPLICATION_TYPE_WORDS = {
  web: 'Web: redirect URIs are compared exactly',
  native: 'Native: the port of a loopback redirect URI may vary',
} as const;

export const USER_CODE_FORMAT_WORDS = {
  letters: 'Eight letters without vowels, such as WDJB-MJHT.',
  digits: 'Nine digits, such as 019-450-730.',
} as const;

export const REGISTRATION_WORDS: Words<typeof REGISTRATION_MODES> = {
  off: 'There is no /register endpoint.',
  open: 'Anyone who reaches the server may register a client.',
  token: 'Registration requires the initial access token.',
};

/** Short names for narrow columns. */
export const SENDER_SHORT: Words<typeof SENDERS> = {
  app: 'app',
  workbench: 'workbench',
  command_line: 'command',
  scenario: 'scenario',
  server: 'server',
};
