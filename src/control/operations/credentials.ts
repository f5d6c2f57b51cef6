// Codes and tokens: issued, listed, ended.

import { described, z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

export const codes = {
  create: op
    .route({
      method: 'POST',
      path: '/codes',
      successStatus: 201,
      summary: 'Issue an authorization code',
      description:
        'Issues a code as if a user had just consented at /authorize. Redeem it at the token endpoint, or send the browser to `redirect_to`.',
    })
    .meta({ example: { client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' } })
    .input(s.issueCodeSchema)
    .output(s.issuedCodeSchema),
};

export const tokens = {
  list: op
    .route({
      method: 'GET',
      path: '/tokens',
      summary: 'List credentials, newest first',
      description:
        'Returns codes, access tokens and refresh tokens with their states, and their values with `secrets`; with `live_counts`, how many of them live.',
    })
    .input(z.extend(s.credentialFilterSchema, s.secretsSchema.shape))
    .output(s.credentialListSchema),
  mint: op
    .route({
      method: 'POST',
      path: '/tokens',
      successStatus: 201,
      summary: 'Issue a token pair without a code',
      description:
        'Issues an access token and a refresh token directly, without a code or a token request.',
    })
    .meta({ example: { client_id: 'demo-app', scope: 'openid' } })
    .input(s.mintTokensSchema)
    .output(s.mintedTokensSchema),
  sign: op
    .route({
      method: 'POST',
      path: '/tokens/sign',
      summary: 'Sign a token for a test, right or wrong on purpose',
      description:
        'Builds and signs a token with which to test what a resource server validates. It is not issued: this service rejects it at introspection, userinfo and token exchange.',
    })
    .meta({ example: { client_id: 'demo-app', wrong: ['expired'] } })
    .input(s.signTokenSchema)
    .output(s.signedTokenSchema),
  get: op
    .route({
      method: 'GET',
      path: '/tokens/{id}',
      summary: 'Read a credential',
      description: 'Returns a credential with its state, and its value with `secrets`.',
    })
    .input(z.extend(idKey, s.secretsSchema.shape))
    .output(s.credentialSchema),
  revoke: op
    .route({
      method: 'POST',
      path: '/tokens/{id}/revoke',
      summary: 'Revoke a credential',
      description: 'Revokes this credential, and for a refresh token its whole lineage.',
    })
    .input(idKey)
    .output(s.credentialSchema),
  expire: op
    .route({
      method: 'POST',
      path: '/tokens/{id}/expire',
      summary: 'Expire a credential now',
      description:
        'Introspection and userinfo reject the token at once. An API that verifies it offline cannot notice.',
    })
    .input(idKey)
    .output(s.credentialSchema),
};

export const lineages = {
  get: op
    .route({
      method: 'GET',
      path: '/lineages/{id}',
      summary: 'Read the lineage of one authorization',
      description:
        'Returns the credentials of one authorization as a tree: what was issued, and what was presented for it.',
    })
    .input(idKey)
    .output(s.lineageSchema),
  revoke: op
    .route({
      method: 'POST',
      path: '/lineages/{id}/revoke',
      summary: 'Revoke the lineage of one authorization',
      description: 'Revokes all codes and tokens of this authorization.',
    })
    .meta({
      example_answer: { lineage_id: 'q2Zr8w', revoked_at: '2026-03-02T10:00:00.000Z' },
    })
    .input(idKey)
    .output(
      z.object({
        lineage_id: described(
          z.string(),
          'Identifier of the lineage: all credentials of one authorization have the same.',
        ),
        revoked_at: described(z.string(), 'When it was revoked.'),
      }),
    ),
};
