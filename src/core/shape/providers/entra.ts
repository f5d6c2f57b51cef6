// Microsoft Entra ID, endpoints of version 2.0. Sources and limits: docs/reference/shapes/entra.md.

import { DEVICE_CODE_GRANT } from '../../records/enumerations.ts';
import type { Shape, ShapeError } from '../../records/schemas.ts';

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

const entry = (reason: string, code: number, text = own): ShapeError => ({
  reason,
  body: body(code, text),
});

/** Refusals with an error code that only Entra has (device authorization grant, authorization code flow). */
const renamed = (reason: string, code: number, error: string): ShapeError => ({
  reason,
  status: 400,
  body: body(code, own, error),
});

const all = (reasons: readonly string[], code: number): ShapeError[] =>
  reasons.map((reason) => entry(reason, code));

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const errors: ShapeError[] = [
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
  entry('redirect_uri_differs', 50_011),
  entry('code_expired', 70_008),
  entry('refresh_token_expired', 700_082),
  ...all(['code_revoked', 'refresh_token_revoked'], 50_173),
  ...all(['username_unknown', 'password_wrong'], 50_126),
  renamed('device_pending', 70_016, 'authorization_pending'),
  renamed('device_polled_too_soon', 70_016, 'authorization_pending'),
  renamed('device_denied', 65_004, 'authorization_declined'),
  renamed('device_code_unknown', 70_018, 'bad_verification_code'),
  renamed('device_code_is_user_code', 70_018, 'bad_verification_code'),
  renamed('device_code_expired', 70_019, 'expired_token'),
  ...all(['on_behalf_of_ended', 'assertion_expired'], 500_133),
  entry('on_behalf_of_audience', 500_131),
  { grant_type: JWT_BEARER, error: 'invalid_grant', body: body(50_013, own) },
  { error: 'invalid_grant', body: body(70_000, own) },

  renamed('client_unknown', 700_016, 'unauthorized_client'),
  entry('client_secret_wrong', 7_000_215),
  ...all(
    ['client_secret_missing', 'client_secret_required', 'client_authentication_missing'],
    7_000_218,
  ),
  ...all(['client_has_no_secret', 'client_secret_unexpected'], 700_025),
  entry('client_assertion_signature_wrong', 700_027),
  { error: 'invalid_client', body: body(70_002, own) },
  { error: 'unauthorized_client', body: body(70_001, own) },

  renamed('audience_unknown', 500_011, 'invalid_resource'),
  { error: 'invalid_target', body: body(650_057, own) },
  { error: 'unsupported_grant_type', body: body(70_003, own) },
  { error: 'invalid_scope', body: body(70_011, own) },
  ...all(['grant_type_missing', 'parameter_missing', 'parameter_empty'], 900_144),
  { error: 'method_not_allowed', body: body(900_561, own) },
  { error: 'invalid_request', body: body(9_002_313, own) },

  { error: 'invalid_token', body: body(50_027, own) },
  { error: 'insufficient_scope', body: body(65_001, own) },
  { error: 'too_many_requests', body: body(50_196, own) },
  { error: 'server_error', body: body(50_000, own) },
  { body: body(90_023, own) },
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
  device_response: {
    message:
      'To sign in, use a web browser to open the page {device.verification_uri} and enter the code {device.user_code} to authenticate.',
    verification_uri_complete: null,
  },
  grant_types: { device_code: DEVICE_CODE_GRANT },
  accepts: ['on_behalf_of'],
  errors,
  settings: {
    profile: 'interop',
    lifetimes: { access_token: 3599, refresh_token: 7_776_000, code: 600 },
    refresh_rotation: { enabled: true, grace_seconds: 60 },
  },
};
