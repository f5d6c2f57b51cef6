// The words that records choose from, in the order people are shown them.

export const PROFILES = ['documented', 'strict', 'interop'] as const;
export const DIALECTS = ['rfc6749', 'auth0'] as const;
export const AUTHORIZE_MODES = ['consent', 'auto', 'deny'] as const;
export const ACCESS_TOKEN_FORMATS = ['rfc9068', 'auth0', 'opaque'] as const;
export const THROTTLE_MODES = ['off', 'observe', 'enforce'] as const;
export const SIGNING_ALGS = ['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256'] as const;
export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export const AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'private_key_jwt',
  'none',
] as const;
export const APPLICATION_TYPES = ['web', 'native'] as const;
export const REGISTRATION_MODES = ['off', 'open', 'token'] as const;

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
] as const;
