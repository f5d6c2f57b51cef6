// Unchanged third-party clients authenticate in each way, request tokens for themselves, and register themselves.

import * as openid from 'openid-client';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { clientSchema } from '../../src/core/records/schemas.ts';
import { clientKey, signingClient } from '../support/assertion.ts';
import { AUDIENCE, REDIRECT_URI, sharedHttpService } from '../support/http-service.ts';
import { createLoopbackServers, json } from '../support/loopback-servers.ts';
import { callbackUrl } from '../support/token-endpoints.ts';

/** Characters that a form must escape, and a colon, which ends the identifier in Basic. */
const SECRET = 'p+q %41:&=?/!~';
const BASIC_ID = 'basic: +id';
/** Long enough for HS512. */
const LONG_SECRET = 'a secret of 64 bytes, as long as the hash of HS512 needs it: 1234';

const { serve, closeAll } = createLoopbackServers();
afterAll(closeAll);
const serveKeys = async () => `${await serve(json({ keys: [key.jwk] }))}/jwks.json`;

const key = await clientKey();
const http = await sharedHttpService({ profile: 'interop' });
const machine = { grant_types: ['client_credentials'] };
for (const record of [
  { client_id: 'post', client_secret: SECRET },
  {
    client_id: BASIC_ID,
    client_secret: SECRET,
    token_endpoint_auth_method: 'client_secret_basic',
  },
  { client_id: 'signer', ...signingClient(key) },
  { client_id: 'by-uri', ...signingClient(), jwks: null, jwks_uri: await serveKeys() },
  {
    client_id: 'secret-signer',
    client_secret: LONG_SECRET,
    token_endpoint_auth_method: 'client_secret_jwt',
  },
]) {
  http.service.registry.clients.put(clientSchema.parse({ ...machine, ...record }));
}

beforeEach(() => {
  // The libraries sign and validate by the machine clock.
  http.service.ports.clock.set(Date.now());
});

const WAYS = [
  ['post', 'ClientSecretPost', () => openid.ClientSecretPost(SECRET)],
  [BASIC_ID, 'ClientSecretBasic', () => openid.ClientSecretBasic(SECRET)],
  [
    'signer',
    'PrivateKeyJwt',
    () => openid.PrivateKeyJwt({ key: key.private_key, kid: key.jwk.kid ?? '' }),
  ],
  [
    'by-uri',
    'PrivateKeyJwt and a jwks_uri',
    () => openid.PrivateKeyJwt({ key: key.private_key, kid: key.jwk.kid ?? '' }),
  ],
  ['secret-signer', 'ClientSecretJwt', () => openid.ClientSecretJwt(LONG_SECRET)],
] as const;

const notes = () => http.newest()?.evaluation?.deviations.map(({ id }) => id);

describe('openid-client', () => {
  const discover = (id: string, authentication: openid.ClientAuth) =>
    openid.discovery(new URL(http.url), id, undefined, authentication, {
      execute: [openid.allowInsecureRequests],
    });

  it.each(WAYS)(
    'behaviour 1.8, RFC 6749 4.4: %s gets a token of its own with %s',
    async (client_id, _way, authentication) => {
      const config = await discover(client_id, authentication());
      const tokens = await openid.clientCredentialsGrant(config, {
        resource: AUDIENCE,
        scope: 'orders:read',
      });
      expect(tokens.expires_in).toBe(86_400);
      expect(tokens.refresh_token).toBeUndefined();
      expect(notes()).not.toContain('auth_method_mismatch');
      const { payload } = await jwtVerify(
        tokens.access_token,
        createRemoteJWKSet(new URL(`${http.url}/.well-known/jwks.json`)),
        { issuer: http.url, audience: AUDIENCE },
      );
      expect(payload).toMatchObject({ sub: client_id, client_id, scope: 'orders:read' });
    },
  );

  it('spec 5.1: shows the reason when documented rejects its assertion', async () => {
    http.configure({ profile: 'documented' });
    const [, , authentication] = WAYS[2];
    const config = await discover('signer', authentication());
    expect(config.serverMetadata().token_endpoint_auth_methods_supported).toEqual([
      'client_secret_post',
    ]);
    await expect(openid.clientCredentialsGrant(config)).rejects.toMatchObject({
      error: 'invalid_client',
      error_description:
        'client_id and client_secret must be sent in the body; client_assertion is not accepted here',
    });
  });

  it.each([
    [{ mode: 'open' }, undefined],
    [{ mode: 'token', token: 'let-me-in' }, 'let-me-in'],
  ] as const)(
    'RFC 7591: registers itself (%j) and completes a flow',
    async (registration, token) => {
      http.configure({ profile: 'documented', registration });
      const config = await openid.dynamicClientRegistration(
        new URL(http.url),
        { redirect_uris: [REDIRECT_URI], client_name: 'Self-made' },
        undefined,
        {
          execute: [openid.allowInsecureRequests],
          ...(token === undefined ? {} : { initialAccessToken: token }),
        },
      );
      const { client_id } = config.clientMetadata();
      expect(http.service.registry.clients.get(client_id)?.client_name).toBe('Self-made');
      const code = await http.code({ client_id, scope: 'openid' });
      const tokens = await openid.authorizationCodeGrant(
        config,
        callbackUrl({ code, iss: http.url }),
        { idTokenExpected: true },
        { audience: http.url },
      );
      expect(tokens.claims()).toMatchObject({ aud: client_id, sub: 'ada' });
      await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    },
  );
});

it.each([
  ['client_secret_jwt', () => Promise.resolve({})],
  ['private_key_jwt', async () => ({ jwks_uri: await serveKeys() })],
] as const)(
  'behaviour 7.15, RFC 7591 2: a client registers itself for %s and gets a token with it',
  async (token_endpoint_auth_method, keys) => {
    http.configure({ registration: { mode: 'open' } });
    const metadata = { token_endpoint_auth_method, ...(await keys()) };
    const config = await openid.dynamicClientRegistration(
      new URL(http.url),
      { grant_types: ['client_credentials'], ...metadata },
      token_endpoint_auth_method === 'client_secret_jwt'
        ? openid.ClientSecretJwt()
        : openid.PrivateKeyJwt({ key: key.private_key, kid: key.jwk.kid ?? '' }),
      { execute: [openid.allowInsecureRequests] },
    );
    expect(config.clientMetadata()).toMatchObject(metadata);
    const tokens = await openid.clientCredentialsGrant(config);
    expect(tokens.token_type).toBe('bearer');
  },
);
