// Token exchange (RFC 8693) over real HTTP, with third-party clients.

import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { clientSchema } from '../../src/core/records/schemas.ts';
import { AUDIENCE, sharedHttpService } from '../support/http-service.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token';

const grant_types = ['authorization_code', 'client_credentials', GRANT] as const;
const http = await sharedHttpService({}, { grant_types: [...grant_types] });
http.service.registry.clients.put(
  clientSchema.parse({ client_id: 'orders', client_secret: 'orders-secret', grant_types }),
);

const mint = async (client_id = 'demo-app') =>
  (await http.service.mint({ client_id, sub: 'ada' })).access_token;

const orders = () =>
  openid.discovery(new URL(http.url), 'orders', {}, openid.ClientSecretPost('orders-secret'), {
    execute: [openid.allowInsecureRequests],
  });

describe('openid-client', () => {
  it('behaviour 7.19, RFC 8693 2.1, 2.2.1: openid-client exchanges a token for one for another API, and gets its type', async () => {
    const answer = await openid.genericGrantRequest(await orders(), GRANT, {
      subject_token: await mint(),
      subject_token_type: ACCESS,
      audience: AUDIENCE,
      scope: 'orders:read',
    });
    expect(answer).toMatchObject({ token_type: 'bearer', issued_token_type: ACCESS });
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: 'ada',
      client_id: 'orders',
      aud: AUDIENCE,
      scope: 'orders:read',
    });
  });

  it('RFC 8693 2.1, 4.1: becomes the actor with its own actor token, for the API in resource', async () => {
    const config = await orders();
    expect(config.serverMetadata().grant_types_supported).toContain(GRANT);
    const actor = await openid.clientCredentialsGrant(config);
    const answer = await openid.genericGrantRequest(config, GRANT, {
      subject_token: await mint(),
      subject_token_type: ACCESS,
      actor_token: actor.access_token,
      actor_token_type: ACCESS,
      resource: AUDIENCE,
    });
    const act = { sub: 'orders' };
    expect(decodeJwt(answer.access_token)).toMatchObject({ sub: 'ada', aud: AUDIENCE, act });
    expect(await openid.tokenIntrospection(config, answer.access_token)).toMatchObject({ act });
  });
});
