// Codes and tokens: issuing, listing, revoking, expiring.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';
import { string } from '../schemas/values.ts';

export const codes = {
  create: op(
    'POST /codes',
    'Issue an authorization code',
    'Issues a code as if a user had consented at /authorize. Redeem the code at the token endpoint, or send the browser to `redirect_to`.',
    201,
  )
    .meta({ example: { client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' } })
    .input(s.issueCodeSchema)
    .output(s.issuedCodeSchema),
};

export const tokens = {
  list: op(
    'GET /tokens',
    'List credentials, newest first',
    'Returns codes, access tokens and refresh tokens with their states. With `secrets`, also returns their values; with `live_counts`, the numbers of live credentials.',
  )
    .input(z.extend(s.credentialFilterSchema, s.secretsSchema.shape))
    .output(s.credentialListSchema),
  mint: op(
    'POST /tokens',
    'Issue a token pair without a code',
    'Issues an access token and a refresh token directly, without a code or a token request.',
    201,
  )
    .meta({ example: { client_id: 'demo-app', scope: 'openid' } })
    .input(s.mintTokensSchema)
    .output(s.mintedTokensSchema),
  sign: op(
    'POST /tokens/sign',
    'Sign a valid or deliberately invalid token for a test',
    'Builds and signs a token to test the validation of a resource server. The token is not issued: this sandbox rejects it at introspection, userinfo and token exchange.',
  )
    .meta({ example: { client_id: 'demo-app', wrong: ['expired'] } })
    .input(s.signTokenSchema)
    .output(s.signedTokenSchema),
  get: op(
    'GET /tokens/{id}',
    'Read a credential',
    'Returns a credential with its state and, with `secrets`, its value.',
  )
    .input(z.extend(idKey, s.secretsSchema.shape))
    .output(s.credentialSchema),
  revoke: op(
    'POST /tokens/{id}/revoke',
    'Revoke a credential',
    'Revokes the credential; for a refresh token, revokes its whole lineage.',
  )
    .input(idKey)
    .output(s.credentialSchema),
  expire: op(
    'POST /tokens/{id}/expire',
    'Expire a credential now',
    'Introspection and userinfo reject the token immediately. An API that validates tokens offline does not notice.',
  )
    .input(idKey)
    .output(s.credentialSchema),
};

export const lineages = {
  get: op(
    'GET /lineages/{id}',
    'Read the lineage of one authorization',
    'Returns the credentials of one authorization as a tree: each issued credential with the one that was presented for it.',
  )
    .input(idKey)
    .output(s.lineageSchema),
  revoke: op(
    'POST /lineages/{id}/revoke',
    'Revoke the lineage of one authorization',
    'Revokes all codes and tokens of the authorization.',
  )
    .meta({
      example_answer: { lineage_id: 'q2Zr8w', revoked_at: '2026-03-02T10:00:00.000Z' },
    })
    .input(idKey)
    .output(
      z.object({
        lineage_id: string(
          'Identifier of the lineage, shared by all credentials of one authorization.',
        ),
        revoked_at: string('When the lineage was revoked.'),
      }),
    ),
};
