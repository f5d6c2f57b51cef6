// Okta, with a custom authorization server. Sources and limits: docs/reference/shapes/okta.md.

import type { Shape } from '../../records/schemas.ts';

const NOT_FOUND = {
  status: 404,
  body: {
    errorCode: 'E0000007',
    errorSummary: 'Not found: Resource not found',
    errorLink: 'E0000007',
    errorId: 'oae{request.uuid}',
    errorCauses: [],
  },
};

export const okta: Shape = {
  provider: 'okta',
  name: 'Okta',
  parameters: { server: ['default'] },
  issuer_path: '/oauth2/{server}',
  paths: {
    authorization: ['/oauth2/{server}/v1/authorize'],
    token: ['/oauth2/{server}/v1/token'],
    userinfo: ['/oauth2/{server}/v1/userinfo'],
    jwks: ['/oauth2/{server}/v1/keys'],
    end_session: ['/oauth2/{server}/v1/logout'],
    revocation: ['/oauth2/{server}/v1/revoke'],
    introspection: ['/oauth2/{server}/v1/introspect'],
    device_authorization: ['/oauth2/{server}/v1/device/authorize'],
    registration: ['/oauth2/v1/clients'],
  },
  access_token: {
    ver: 1,
    cid: { $from: 'client.client_id' },
    uid: { $from: 'user.sub' },
    scp: { $from: 'scopes' },
    client_id: null,
    azp: null,
    scope: null,
  },
  id_token: {
    ver: 1,
    jti: 'ID.{token.uuid}',
    amr: ['pwd'],
    idp: '00osandbox',
    preferred_username: { $from: 'user.email', $scope: 'profile' },
    groups: { $from: 'groups', $scope: 'groups' },
  },
  userinfo: {
    preferred_username: { $from: 'user.email', $scope: 'profile' },
    email_verified: { $value: true, $scope: 'email' },
    groups: { $from: 'groups', $scope: 'groups' },
  },
  token_response: { scope: { $from: 'scope' } },
  accepts: ['basic_client_id_alone'],
  errors: [
    { reason: 'not_found', ...NOT_FOUND },
    { reason: 'registration_off', ...NOT_FOUND },
    {
      reason: 'client_secret_missing',
      status: 401,
      body: { error: 'invalid_client', error_description: 'No client credentials found.' },
    },
  ],
  settings: {
    profile: 'interop',
    lifetimes: { access_token: 3600, code: 300 },
  },
};
