// The names that records choose from, in the order people are shown them. What they mean is in enumeration-words.ts,
// which the service itself does not need.

export const PROFILES = ['documented', 'strict', 'interop'] as const;

export const DIALECTS = ['rfc6749', 'auth0'] as const;

/** Providers whose shape is shipped. */
export const PROVIDERS = ['auth0', 'okta', 'entra', 'keycloak'] as const;

export const REFRESH_TOKEN_FORMATS = ['opaque', 'jwt'] as const;

export const AUTHORIZE_MODES = ['consent', 'auto', 'deny'] as const;

export const ACCESS_TOKEN_FORMATS = ['rfc9068', 'auth0', 'opaque'] as const;

export const THROTTLE_MODES = ['off', 'observe', 'enforce'] as const;

export const SIGNING_ALGS = ['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256'] as const;

/** RFC 8628 3.4. */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  DEVICE_CODE_GRANT,
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'password',
] as const;

export const AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'private_key_jwt',
  'none',
] as const;

export const APPLICATION_TYPES = ['web', 'native'] as const;

export const USER_CODE_FORMATS = ['letters', 'digits'] as const;

export const REGISTRATION_MODES = ['off', 'open', 'token'] as const;

/** Who may have sent a request. */
export const SENDERS = ['app', 'workbench', 'command_line', 'scenario'] as const;
/** The header in which Grantbench names itself when it sends a request; in small letters, as Node has it. */
export const SENDER_HEADER = 'grantbench-sent-by';

/** Paths that no fault touches: health is for whoever watches over the process. */
export const UNTOUCHED_PATHS = ['/', '/livez', '/readyz'] as const;

/** Nobody is redirected to these: they run, read or show something of the browser's own. */
export const UNSAFE_SCHEMES = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
] as const;

/** Claims the service itself writes; custom claims may not carry these names (behaviour 2). */
export const REGISTERED_CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'client_id',
  'scope',
  'azp',
  'sid',
  'cnf',
] as const;

/** Members of a JWK that only its owner may have (RFC 7518 6). */
export const PRIVATE_JWK_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/** The states of a device authorization. */
export const DEVICE_STATES = ['pending', 'approved', 'denied', 'redeemed', 'expired'] as const;

/** Who may decide about one: a person on the page, the control API, or the setting `authorize`. */
export const DECIDED_ON = ['page', 'control', 'setting'] as const;
