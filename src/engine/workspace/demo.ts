// The workspace without a file. A typed constant, so that a start without a file needs no schemas; a test validates
// it.

import type { Settings, Workspace } from '../../core/records/schemas.ts';

const SETTINGS: Settings = {
  issuer: null,
  profile: 'documented',
  dialect: 'rfc6749',
  authorize: 'consent',
  lifetimes: {
    access_token: 86_400,
    refresh_token: 2_592_000,
    refresh_token_idle: null,
    session: 86_400,
    code: 600,
    pushed_request: 60,
    device_code: 600,
  },
  require_pushed_authorization_requests: false,
  pkce_plain: true,
  acr_values_supported: [],
  userinfo_audience: false,
  device_authorization: { interval: 5, user_code: 'letters' },
  refresh_rotation: { enabled: false, grace_seconds: 0 },
  expiry_members: false,
  scope_member: false,
  dpop: { require_nonce: false, nonce_seconds: 300, proof_seconds: 60 },
  registration: { mode: 'off', token: null },
  throttle: {
    mode: 'enforce',
    limit: 30,
    window_seconds: 60,
    trust_proxy: false,
    ratelimit_headers: true,
    x_ratelimit_headers: true,
    retry_after_header: true,
  },
  access_token_format: 'rfc9068',
  signing_alg: 'RS256',
  cors: true,
  exchange_header: true,
  capture: { max_exchanges: 10_000, max_bytes: 67_108_864 },
  max_body_bytes: 65_536,
};

export const DEMO_WORKSPACE: Workspace = {
  version: 1,
  name: 'Demo',
  settings: SETTINGS,
  audiences: [
    {
      uri: 'https://orders.example/api',
      name: 'Orders',
      scopes: ['orders:read', 'orders:write'],
    },
  ],
  apis: [
    {
      name: 'orders',
      kind: 'http',
      path: null,
      audience: 'https://orders.example/api',
      rules: [
        {
          path: '/*',
          methods: ['GET'],
          scopes: ['orders:read'],
          max_age: null,
          acr_values: [],
          token_type: 'any',
        },
        {
          path: '/*',
          methods: ['POST'],
          scopes: ['orders:write'],
          max_age: null,
          acr_values: [],
          token_type: 'any',
        },
      ],
    },
  ],
  clients: [
    {
      client_id: 'demo-app',
      client_secret: 'demo-secret',
      client_name: 'Demo application',
      application_type: 'web',
      redirect_uris: ['http://localhost:3000/callback'],
      post_logout_redirect_uris: ['http://localhost:3000/'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
      jwks: null,
      default_audience: null,
      profile: null,
      access_token_expires_in: null,
      refresh_token_expires_in: null,
      access_token_format: null,
      default_max_age: null,
      require_auth_time: false,
      throttle: null,
      claims: {},
      claims_in_id_token: false,
    },
  ],
  users: [
    { sub: 'ada', name: 'Ada Example', email: 'ada@example.test', password: null, claims: {} },
  ],
  faults: [],
};
