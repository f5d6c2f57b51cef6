// The names that records choose from, in the order people are shown them, and the identifiers of a trace. What they mean is in enumeration-words.ts,
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

/** What a request changes beside the tokens that it is issued. */
export const EFFECT_KINDS = [
  'count',
  'use_once',
  'redeem',
  'rotate',
  'revoke',
  'extend',
  'revoke_lineage',
  'poll_device',
  'redeem_device',
  'open_device',
  'push_request',
] as const;

/** Every check, in the order of evaluation. */
export const CHECK_IDS = [
  'http',
  'path',
  'method',
  'content_type',
  'body',
  'grant_type',
  'grant_content_type',
  'query',
  'authorization_header',
  'client_id',
  'client_secret',
  'grant_allowed',
  'parameters',
  'token_type',
  'dpop_proof',
  'dpop_signature',
  'dpop_target',
  'dpop_nonce',
  'dpop_time',
  'dpop_unused',
  'dpop_token',
  'throttle',
  'credential_known',
  'credential_client',
  'credential_live',
  'actor',
  'redirect_uri',
  'pkce',
  'dpop_key',
  'audience',
  'scope',
  'id_token',
  'polling',
  'consume',
  'form',
  'request_uri',
  'pushed',
  'response_mode',
  'request_object',
  'response_type',
  'prompt',
  'id_token_hint',
  'user',
  'consent',
  'metadata',
  'capacity',
  'service',
] as const;

export type CheckId = (typeof CHECK_IDS)[number];

/** What `strict` reads otherwise, or what only works by leniency (behaviour 1). */
export const DEVIATION_IDS = [
  'other_content_type',
  'audience_defaulted',
  'resource_as_audience',
  'redirect_uri_omitted',
  'basic_accepted',
  'basic_unencoded',
  'assertion_accepted',
  'dpop_accepted',
  'dpop_ignored',
  'authorization_header_ignored',
  'auth_method_mismatch',
  'unknown_parameters',
  'query_credentials',
  'unknown_scope_dropped',
  'scope_blanks',
  'public_client',
  'metadata_ignored',
  'auth_method_unusable',
  'grant_unusable',
  'registered_scope_unknown',
  'no_refresh_token',
  'hint_unknown',
  'hint_wrong',
  'password_grant',
  'password_not_set',
  'password_grant_unusable',
  'other_clients_token',
  'signed_answer_wanted',
  'openid_missing',
  'id_token_hint_unverified',
  'beside_request_uri',
  'shape_applied',
] as const;

export type DeviationId = (typeof DEVIATION_IDS)[number];
