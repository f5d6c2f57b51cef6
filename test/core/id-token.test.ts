// Behaviour 2: the id_token, OpenID Connect Core 3.1.3.3.

import { createHash } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { createTestService } from '../support/core.ts';
import type { Settings } from '../../src/core/records/schemas.ts';

const SECRET_OF_32 = 'a-secret-of-thirty-two-bytes-or-more';

async function exchange(
  signing_alg: Settings['signing_alg'],
  scope: string,
  secret = SECRET_OF_32,
) {
  const { service } = createTestService({ settings: { signing_alg } });
  const client = service.registry.clients.first();
  if (client === undefined) throw new Error('the test service registers a client');
  service.registry.clients.put({ ...client, client_secret: secret });
  const redirect_uri = client.redirect_uris[0] ?? '';
  const { value } = await service.authorize({ client_id: client.client_id, redirect_uri, scope });
  const evaluation = createEvaluation(1);
  const response = await service.token(
    {
      content_type: 'json',
      parameters: new Map([
        ['grant_type', 'authorization_code'],
        ['client_id', client.client_id],
        ['client_secret', secret],
        ['audience', service.issuer()],
        ['redirect_uri', redirect_uri],
        ['code', value],
      ]),
      query: [],
      authorization: null,
      ip: '127.0.0.1',
    },
    evaluation,
  );
  return { response, evaluation };
}

describe('behaviour 2: id_token', () => {
  test('only when the authorization had openid', async () => {
    expect((await exchange('ES256', '')).response).not.toHaveProperty('id_token');
    expect((await exchange('ES256', 'profile')).response).not.toHaveProperty('id_token');
  });

  test.each(['RS256', 'ES256', 'PS256'] as const)(
    '%s: at_hash is the left half of the SHA-256 of the access token',
    async (alg) => {
      const { response } = await exchange(alg, 'openid');
      const digest = createHash('sha256').update(response.access_token).digest();
      expect(decodeJwt(response.id_token ?? '')['at_hash']).toBe(
        digest.subarray(0, 16).toString('base64url'),
      );
    },
  );

  test('EdDSA: at_hash is left out', async () => {
    const { response } = await exchange('EdDSA', 'openid');
    expect(decodeJwt(response.id_token ?? '')).not.toHaveProperty('at_hash');
  });

  test('HS256: signed with the client_secret', async () => {
    const { response } = await exchange('HS256', 'openid');
    const { payload } = await jwtVerify(
      response.id_token ?? '',
      new TextEncoder().encode(SECRET_OF_32),
      { currentDate: new Date(0) },
    );
    expect(payload.aud).toBeDefined();
  });

  test('HS256: a client_secret under 32 bytes signs none, which is noted', async () => {
    const { response, evaluation } = await exchange('HS256', 'openid', 'short');
    expect(response).not.toHaveProperty('id_token');
    expect(evaluation.deviations).toContainEqual({ id: 'no_id_token' });
  });
});
