// The initial workspaces of the attacked servers. Together they enable all features under attack: both authorize
// modes, open and closed registration, rotation, every client authentication.

import { generateKeyPairSync, randomBytes } from 'node:crypto';

export const REDIRECT_URI = 'http://localhost:3000/callback';
export const AUDIENCE = 'https://orders.example/api';
export const USER = 'ada';

/** The only client with fault rules, so a 5xx for any other client is a failure. */
export const FAULTY = 'faulty-app';
/** The client that is never attacked, whose responses must always be correct. */
export const NORMAL = 'normal-app';
/** It signs assertions. */
export const SIGNING = 'signing-app';

const NAMES = [NORMAL, FAULTY, 'busy-app', 'other-app'];

export const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** All characters that need escaping somewhere. */
const awkward = () => `k"e\\y &+%/:=?#<${randomBytes(18).toString('base64url')}`;

function createClient(client_id, number) {
  return {
    client_id,
    client_secret: number % 2 === 0 ? randomBytes(24).toString('base64url') : awkward(),
    client_name: `The client ${client_id}`,
    redirect_uris: [REDIRECT_URI],
    grant_types: GRANT_TYPES,
  };
}

export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  DEVICE_CODE_GRANT,
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'password',
  'implicit',
];

const signingClient = {
  client_id: SIGNING,
  client_secret: null,
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...signingKey.publicKey.export({ format: 'jwk' }), kid: 'k1' }] },
  redirect_uris: [REDIRECT_URI],
  grant_types: GRANT_TYPES,
};

/** It signs assertions, but nothing serves its keys. */
const keylessClient = {
  ...signingClient,
  client_id: 'keyless-app',
  jwks: null,
  jwks_uri: 'http://localhost:9/jwks.json',
};

/** It signs assertions with its secret, and nothing receives its logout tokens. */
const hmacClient = {
  ...createClient('hmac-app', 0),
  client_secret: randomBytes(48).toString('base64url'),
  token_endpoint_auth_method: 'client_secret_jwt',
  userinfo_signed_response_alg: 'RS256',
  introspection_signed_response_alg: 'EdDSA',
  backchannel_logout_uri: 'http://localhost:9/backchannel-logout',
};

const SETTINGS = {
  http: {
    authorize: 'auto',
    registration: { mode: 'open' },
    signing_alg: 'RS256',
  },
  https: {
    authorize: 'consent',
    profile: 'interop',
    registration: { mode: 'token', token: `initial-${randomBytes(18).toString('base64url')}` },
    refresh_rotation: { enabled: true },
    signing_alg: 'ES256',
  },
};

/** @param scheme `http` or `https` */
export function createWorkspace(scheme) {
  return {
    version: 1,
    name: 'Under attack',
    settings: SETTINGS[scheme],
    audiences: [{ uri: AUDIENCE, name: 'Orders', scopes: ['orders:read', 'orders:write'] }],
    apis: [
      {
        name: 'orders',
        audience: AUDIENCE,
        rules: [
          { path: '/*/deep/*', scopes: ['orders:write'], max_age: 60, acr_values: ['mfa'] },
          { path: '/bound', token_type: 'DPoP' },
          { path: '/*', token_type: 'Bearer' },
        ],
      },
      { name: 'all', path: '/api' },
    ],
    clients: [...NAMES.map(createClient), signingClient, keylessClient, hmacClient],
    users: [{ sub: USER, name: 'Ada Example', email: 'ada@example.test' }],
  };
}
