// Microsoft Entra ID, endpoints of version 2.0. Sources and limits: docs/reference/shapes/entra.md.

import type { Shape } from '../../records/schemas.ts';

type ErrorEntry = NonNullable<Shape['errors']>[number];

/** The body of every error: the description repeats the members behind it. */
const body = (code: number, text: string, error = '{error.code}') => ({
  error,
  error_description: [
    `AADSTS${code}: ${text}`,
    'Trace ID: {request.uuid}',
    'Correlation ID: {request.uuid}',
    'Timestamp: {time.text}',
  ].join('\r\n'),
  error_codes: [code],
  timestamp: '{time.text}',
  trace_id: '{request.uuid}',
  correlation_id: '{request.uuid}',
});

const own = '{error.description}';

const entry = (reason: string, code: number, text: string): ErrorEntry => ({
  reason,
  body: body(code, text),
});

const errors: ErrorEntry[] = [
  entry(
    'code_redeemed',
    54_005,
    'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
  ),
  entry(
    'code_verifier_wrong',
    501_481,
    'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
  ),
  entry('redirect_uri_differs', 50_011, own),
  entry('refresh_token_expired', 70_008, own),
  entry('refresh_token_revoked', 50_173, own),
  entry('client_secret_wrong', 70_002, own),
  entry('client_unknown', 700_011, own),
  { error: 'invalid_grant', body: body(70_000, own) },
  { error: 'unsupported_grant_type', body: body(70_003, own) },
  { error: 'invalid_scope', body: body(70_011, own) },
  { reason: 'parameter_missing', body: body(900_144, own) },
  { error: 'invalid_client', body: body(70_002, own) },
  { error: 'invalid_request', body: body(9_002_313, own) },
];

export const entra: Shape = {
  provider: 'entra',
  name: 'Microsoft Entra ID',
  parameters: {
    tenant: ['5a4db0c5-0000-4000-8000-000000000001', 'common', 'organizations', 'consumers'],
  },
  issuer_path: '/{tenant}/v2.0',
  paths: {
    authorization: ['/{tenant}/oauth2/v2.0/authorize'],
    token: ['/{tenant}/oauth2/v2.0/token'],
    userinfo: ['/oidc/userinfo'],
    jwks: ['/{tenant}/discovery/v2.0/keys'],
    device_authorization: ['/{tenant}/oauth2/v2.0/devicecode'],
    end_session: ['/{tenant}/oauth2/v2.0/logout'],
  },
  access_token_typ: 'JWT',
  access_token: {
    ver: '2.0',
    tid: { $from: 'parameters.tenant', $scope: 'profile' },
    oid: { $from: 'user.uuid', $scope: 'profile' },
    azp: { $from: 'client.client_id' },
    nbf: { $from: 'token.iat' },
    scp: { $from: 'scope' },
    uti: { $from: 'token.jti' },
    name: { $from: 'user.name', $scope: 'profile' },
    preferred_username: { $from: 'user.email', $scope: 'profile' },
    roles: { $from: 'roles' },
    groups: { $from: 'groups' },
    client_id: null,
    scope: null,
    jti: null,
  },
  id_token: {
    ver: '2.0',
    tid: { $from: 'parameters.tenant' },
    oid: { $from: 'user.uuid', $scope: 'profile' },
    nbf: { $from: 'token.iat' },
    sid: { $from: 'session.uuid' },
    uti: { $from: 'token.uuid' },
    preferred_username: { $from: 'user.email', $scope: 'profile' },
    roles: { $from: 'roles' },
    at_hash: null,
  },
  token_response: { scope: { $from: 'scope' } },
  errors,
  settings: {
    profile: 'interop',
    lifetimes: { access_token: 3599, refresh_token: 7_776_000, code: 600 },
    refresh_rotation: { enabled: true, grace_seconds: 60 },
  },
};
