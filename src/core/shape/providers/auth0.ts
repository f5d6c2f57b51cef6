// Auth0. Sources and limits: docs/reference/shapes/auth0.md.

import type { Shape } from '../../records/schemas.ts';

export const auth0: Shape = {
  provider: 'auth0',
  name: 'Auth0',
  issuer_path: '/',
  paths: {
    end_session: ['/oidc/logout', '/v2/logout'],
    device_authorization: ['/oauth/device/code'],
    registration: ['/oidc/register'],
  },
  grant_types: { 'http://auth0.com/oauth/grant-type/password-realm': 'password' },
  accepts: ['access_token_in_query'],
  logout_parameters: { returnTo: 'post_logout_redirect_uri' },
  access_token: { permissions: { $from: 'user.claims.permissions' } },
  id_token: { sid: { $from: 'session.uuid' } },
  userinfo: {
    email_verified: { $value: true, $scope: 'email' },
    updated_at: { $from: 'time.iso', $scope: 'profile' },
  },
  settings: {
    profile: 'interop',
    dialect: 'auth0',
    access_token_format: 'auth0',
    lifetimes: { access_token: 86_400, refresh_token_idle: 2_592_000 },
  },
};
