// The values of enumerations in records, in display order. Their descriptions are in enumeration-words.ts, which the
// service itself does not need, and which alone has the values that only schemas read.

export const PROFILES = ['documented', 'strict', 'interop'] as const;

export const DIALECTS = ['rfc6749', 'auth0'] as const;

/** Providers whose shapes are included. */
export const PROVIDERS = ['auth0', 'okta', 'entra', 'keycloak'] as const;

/** What a provider accepts although the standards do not. */
export const PROVIDER_LENIENCES = [
  'credentials_twice',
  'basic_client_id_alone',
  'access_token_in_query',
  'on_behalf_of',
] as const;

export const REFRESH_TOKEN_FORMATS = ['opaque', 'jwt'] as const;

/** The errors that can be chosen on the sign-in page, besides access_denied (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export const SIGN_IN_ERRORS = [
  'login_required',
  'server_error',
  'temporarily_unavailable',
] as const;

/** What the sign-in page asks of a user besides the selection. */
export const SIGN_IN_AUTHENTICATIONS = ['none', 'password', 'password_and_code'] as const;

/** The methods of requests to a protected API; GET includes HEAD. */
export const API_METHODS = ['GET', 'POST'] as const;

export const THROTTLE_MODES = ['off', 'observe', 'enforce'] as const;

export const SIGNING_ALGS = ['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256'] as const;

/** Claims of a request object that are about the JWT, and are no parameters of the request (RFC 9101 4). */
export const CLAIMS_OF_THE_JWT = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sub'] as const;

/** The algorithms of request objects (RFC 9101 10.2): with a registered key, with the client_secret, or unsigned. */
export const REQUEST_OBJECT_ALGS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'HS256',
  'HS384',
  'HS512',
  'none',
] as const;

/** The algorithms of signed responses, whose keys are published. */
export const RESPONSE_ALGS = ['RS256', 'ES256', 'EdDSA', 'PS256'] as const;

/** The grant_type of the device grant (RFC 8628 3.4). */
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

/** What a client may be registered for: the grants of the token endpoint, and ID tokens from /authorize itself. */
export const CLIENT_GRANTS = [...GRANT_TYPES, 'implicit'] as const;

export const AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;

export const REGISTRATION_MODES = ['off', 'open', 'token'] as const;

/** The possible senders of a request; `server` for what Grantbench itself sends to an app. */
export const SENDERS = ['app', 'workbench', 'command_line', 'scenario', 'server'] as const;
/** The header with which Grantbench marks its own requests; in lower case, as in Node. */
export const SENDER_HEADER = 'grantbench-sent-by';

/** Requests to them come from monitoring, not from an app. */
export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** Paths to which no fault applies. */
export const UNTOUCHED_PATHS: readonly string[] = ['/', ...HEALTH_PATHS];

/** Schemes that are not allowed for redirects: the browser runs them or opens them itself. */
export const UNSAFE_SCHEMES = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
] as const;

/** Claims that the service itself sets. Custom claims must not have these names (behaviour 2). */
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

/** Private members of a JWK (RFC 7518 6). */
export const PRIVATE_JWK_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

export const DEVICE_STATES = ['pending', 'approved', 'denied', 'redeemed', 'expired'] as const;

/** What decides a device authorization: the user on the page, the control API, or the setting `authorize`. */
export const DECIDED_ON = ['page', 'control', 'setting'] as const;
