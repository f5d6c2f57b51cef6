// Keycloak. Sources and limits: docs/reference/shapes/keycloak.md.

import type { Shape, ShapeError } from '../../records/schemas.ts';

const entry = (reason: string, error: string, error_description: string): ShapeError => ({
  reason,
  body: { error, error_description },
});

const CODE = 'Code not valid';
const REFRESH = 'Invalid refresh token';
const OTHER_CLIENT = "Invalid refresh token. Token client and authorized client don't match";
const CREDENTIALS = 'Invalid client or Invalid client credentials';

/** The password grant: its authenticators answer a wrong user or password with 401. */
const USER: Omit<ShapeError, 'reason'> = {
  status: 401,
  body: { error: 'invalid_grant', error_description: 'Invalid user credentials' },
};

/** Claims that access tokens, id_tokens and userinfo share. */
const PROFILE = {
  preferred_username: { $from: 'user.sub', $scope: 'profile' },
  email_verified: { $value: true, $scope: 'email' },
};

export const keycloak: Shape = {
  provider: 'keycloak',
  name: 'Keycloak',
  parameters: { realm: ['sandbox'] },
  issuer_path: '/realms/{realm}',
  paths: {
    authorization: ['/realms/{realm}/protocol/openid-connect/auth'],
    token: ['/realms/{realm}/protocol/openid-connect/token'],
    userinfo: ['/realms/{realm}/protocol/openid-connect/userinfo'],
    jwks: ['/realms/{realm}/protocol/openid-connect/certs'],
    end_session: ['/realms/{realm}/protocol/openid-connect/logout'],
    revocation: ['/realms/{realm}/protocol/openid-connect/revoke'],
    introspection: ['/realms/{realm}/protocol/openid-connect/token/introspect'],
    device_authorization: ['/realms/{realm}/protocol/openid-connect/auth/device'],
    registration: ['/realms/{realm}/clients-registrations/openid-connect'],
  },
  access_token_typ: 'JWT',
  access_token: {
    typ: 'Bearer',
    azp: { $from: 'client.client_id' },
    client_id: null,
    sid: { $from: 'session.uuid' },
    acr: '1',
    realm_access: { roles: { $from: 'roles' } },
    groups: { $from: 'groups' },
    name: { $from: 'user.name', $scope: 'profile' },
    email: { $from: 'user.email', $scope: 'email' },
    ...PROFILE,
  },
  id_token: {
    typ: 'ID',
    azp: { $from: 'client.client_id' },
    jti: '{token.uuid}',
    sid: { $from: 'session.uuid' },
    acr: '1',
    groups: { $from: 'groups' },
    ...PROFILE,
  },
  userinfo: { groups: { $from: 'groups' }, ...PROFILE },
  refresh_token_format: 'jwt',
  refresh_token: {
    typ: 'Refresh',
    sid: { $from: 'session.uuid' },
    scope: { $from: 'scope' },
  },
  token_response: {
    refresh_expires_in: { $from: 'refresh.expires_in' },
    'not-before-policy': 0,
    session_state: { $from: 'session.uuid' },
    scope: { $from: 'scope' },
  },
  accepts: ['credentials_twice'],
  errors: [
    entry('code_unknown', 'invalid_grant', CODE),
    entry('code_redeemed', 'invalid_grant', CODE),
    entry('code_revoked', 'invalid_grant', CODE),
    entry('code_expired', 'invalid_grant', 'Code is expired'),
    entry('redirect_uri_differs', 'invalid_grant', 'Incorrect redirect_uri'),
    entry('code_verifier_wrong', 'invalid_grant', 'PKCE verification failed'),
    entry('refresh_token_unknown', 'invalid_grant', REFRESH),
    entry('refresh_token_is_other_credential', 'invalid_grant', REFRESH),
    entry('refresh_token_of_other_client', 'invalid_grant', OTHER_CLIENT),
    entry('refresh_token_expired', 'invalid_grant', 'Token is not active'),
    { reason: 'username_unknown', ...USER },
    { reason: 'password_wrong', ...USER },
    entry('client_unknown', 'invalid_client', CREDENTIALS),
    entry('client_secret_wrong', 'unauthorized_client', CREDENTIALS),
  ],
  settings: {
    profile: 'interop',
    lifetimes: {
      access_token: 300,
      refresh_token: 36_000,
      refresh_token_idle: 1800,
      code: 60,
    },
  },
};
