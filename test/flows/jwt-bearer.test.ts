// The JWT bearer grant (RFC 7523 2.1) over real HTTP, with third-party clients.

import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { clientSchema } from '../../src/core/records/schemas.ts';
import { assertionClaims, clientKey, signAssertion, signingClient } from '../support/assertion.ts';
import { AUDIENCE, NOW, sharedHttpService } from '../support/http-service.ts';
import { oauthClient, openidClient } from '../support/token-endpoints.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const key = await clientKey();
const http = await sharedHttpService({}, { grant_types: [GRANT], jwks: { keys: [key.jwk] } });
http.service.registry.clients.put(
  clientSchema.parse({
    client_id: 'signer',
    profile: 'interop',
    grant_types: [GRANT],
    ...signingClient(key),
  }),
);

const sign = (claims: Readonly<Record<string, unknown>> = {}) =>
  signAssertion(key, assertionClaims(http.url, NOW, { sub: 'ada', ...claims }));

const demo = () => openidClient(http.url, 'client_secret_post');

describe('openid-client', () => {
  it('behaviour 7.20, RFC 7523 2.1: openid-client gets a token for a user', async () => {
    const answer = await openid.genericGrantRequest(await demo(), GRANT, {
      assertion: await sign(),
      audience: AUDIENCE,
      scope: 'orders:read',
    });
    expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    expect(answer).not.toHaveProperty('refresh_token');
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: 'ada',
      client_id: 'demo-app',
      aud: AUDIENCE,
      scope: 'orders:read',
    });
  });
});

describe('oauth4webapi', () => {
  it('RFC 7521 4.1: gets a token with a client assertion and an assertion grant', async () => {
    const { as, options } = await oauthClient(http.url, 'client_secret_post');
    expect(as.grant_types_supported).toContain(GRANT);
    // The sandbox clock differs from the machine clock.
    const client = {
      client_id: 'signer',
      [oauth.clockSkew]: Math.round((NOW - Date.now()) / 1000),
    };
    const response = await oauth.genericTokenEndpointRequest(
      as,
      client,
      oauth.PrivateKeyJwt({ key: key.private_key, kid: 'k1' }),
      GRANT,
      { assertion: await sign({ iss: 'signer' }), resource: AUDIENCE },
      options,
    );
    const answer = await oauth.processGenericTokenEndpointResponse(as, client, response);
    expect(decodeJwt(answer.access_token)).toMatchObject({ sub: 'ada', aud: AUDIENCE });
  });
});
