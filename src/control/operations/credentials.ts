// Codes and tokens: issued, listed, ended.

import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
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
        'As if a user had just agreed at /authorize: redeem the code at the token endpoint, or send the app to `redirect_to`.',
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
        'Codes, access tokens and refresh tokens with their states. Values need `secrets`.',
    })
    .input(z.extend(s.credentialFilterSchema, s.secretsSchema.shape))
    .output(s.listOf(s.credentialSchema)),
  mint: op
    .route({
      method: 'POST',
      path: '/tokens',
      successStatus: 201,
      summary: 'Mint a token pair without a code',
      description: 'An access token and a refresh token, without an exchange or a code.',
    })
    .meta({ example: { client_id: 'demo-app', scope: 'openid' } })
    .input(s.mintTokensSchema)
    .output(s.mintedTokensSchema),
  get: op
    .route({
      method: 'GET',
      path: '/tokens/{id}',
      summary: 'Read a credential',
      description: 'One credential with its state. Its value needs `secrets`.',
    })
    .input(z.extend(idKey, s.secretsSchema.shape))
    .output(s.credentialSchema),
  revoke: op
    .route({
      method: 'POST',
      path: '/tokens/{id}/revoke',
      summary: 'Revoke a credential',
      description: 'Ends this credential; with a refresh token, its whole lineage.',
    })
    .input(idKey)
    .output(s.credentialSchema),
  expire: op
    .route({
      method: 'POST',
      path: '/tokens/{id}/expire',
      summary: 'Expire a credential now',
      description:
        'Introspection and userinfo reject the token at once. Whoever verifies it offline cannot know.',
    })
    .input(idKey)
    .output(s.credentialSchema),
};

export const lineages = {
  get: op
    .route({
      method: 'GET',
      path: '/lineages/{id}',
      summary: 'Read everything that came of one authorization',
      description: 'One authorization as a tree: what was issued, what was presented for it.',
    })
    .input(idKey)
    .output(s.lineageSchema),
  revoke: op
    .route({
      method: 'POST',
      path: '/lineages/{id}/revoke',
      summary: 'Revoke everything that came of one authorization',
      description: 'No code and no token of this authorization works any more.',
    })
    .meta({
      example_answer: { lineage_id: 'q2Zr8w', revoked_at: '2026-03-02T10:00:00.000Z' },
    })
    .input(idKey)
    .output(
      z.object({
        lineage_id: described(z.string(), 'The same for everything issued from one authorization.'),
        revoked_at: described(z.string(), 'When it was revoked.'),
      }),
    ),
};
