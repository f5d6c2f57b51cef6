// What a user's authorization yields once (RFC 6749 5.1): an access token, a refresh token where the client may use
// one, and an id_token where `openid` was granted.

import type { Lineage } from '../../model/credentials.ts';
import { note } from '../../checks/trace.ts';
import type { TokenResponse } from '../../model/request.ts';
import { expiryMembers } from './expiry-members.ts';
import type { GrantContext } from './grant.ts';
import { idTokenMember } from './id-token-member.ts';
import { scopeMember } from './scope-member.ts';

interface Order {
  readonly lineage: Lineage;
  readonly audience: string;
  /** That was granted. */
  readonly scope: string;
  /** As the authorization request had it. */
  readonly asked_scope: string;
  /** Of the access token, in seconds; null for the lifetime of the client or the workspace. */
  readonly expires_in: number | null;
  /** For the id_token; null where the authorization request had none. */
  readonly nonce: string | null;
}

/** An access token for the same purpose that was still valid is noted (behaviour 5.12). */
export async function issueForUser(context: GrantContext, order: Order): Promise<TokenResponse> {
  const { evaluation, client, settings, tokens, overFetch, request, ports } = context;
  const { lineage, audience, scope, asked_scope, expires_in, nonce } = order;
  const access = await tokens.issueAccessToken({
    client,
    lineage,
    audience,
    scope,
    expires_in,
    by: evaluation,
  });
  await overFetch.watch(access, request.ip, evaluation, ports.clock.now());
  const refresh = client.grant_types.includes('refresh_token')
    ? await tokens.issueRefreshToken(lineage, evaluation)
    : null;
  if (refresh === null) note(evaluation, 'no_refresh_token');
  const id_token = await idTokenMember(context, { lineage, nonce, access, scope });
  return {
    access_token: access.value,
    ...(refresh === null ? {} : { refresh_token: refresh.value }),
    token_type: 'Bearer',
    expires_in: (access.expires_at - access.issued_at) / 1000,
    ...(refresh === null ? {} : expiryMembers(refresh, settings, ports.clock.now())),
    ...id_token,
    ...scopeMember(scope, asked_scope, settings),
  };
}
