// Issues tokens directly for a user and a client, on behalf of the control API: without a request, a code or consent.
// The same checks apply as for a code.

import type { Lineage, RefreshTokenRecord } from '../model/credentials.ts';
import { issueAccessToken } from '../issuing/access-tokens.ts';
import { issueRefreshToken } from '../issuing/issue-refresh-token.ts';
import { openLineage } from '../issuing/open-lineage.ts';
import type { Issuing } from '../model/domain.ts';
import {
  type AuthorizationOrder,
  type Authorized,
  checkAuthorization,
  type OrderBasis,
} from './direct-code.ts';

export type MintOrder = Omit<AuthorizationOrder, 'redirect_uri'>;

export interface MintedTokens {
  readonly access_token: string;
  readonly refresh_token: string | null;
  readonly expires_in: number;
  readonly scope: string;
  readonly lineage: Lineage;
}

/**
 * Decides the audience before its scopes are checked, as no code exchange will decide it.
 * @throws AuthorizationProblem naming the member and the rule
 */
export function checkOrder(basis: OrderBasis, order: MintOrder): Authorized {
  const { registry, issuer } = basis;
  const fallback = registry.clients.get(order.client_id)?.default_audience ?? issuer;
  return checkAuthorization({ ...order, audience: order.audience ?? fallback }, basis);
}

const lineageOf = (issuing: Issuing, { client, user, audience, scope }: Authorized): Lineage =>
  openLineage(issuing, { client, user_sub: user.sub, audience, scope });

/**
 * Issues an access token and a refresh token without a code.
 * @throws AuthorizationProblem naming the member and the rule
 */
export async function mint(issuing: Issuing, order: MintOrder): Promise<MintedTokens> {
  const authorized = checkOrder(issuing, order);
  const { client, scope } = authorized;
  const lineage = lineageOf(issuing, authorized);
  const access = await issueAccessToken(issuing, {
    client,
    lineage,
    audience: lineage.audience ?? issuing.issuer,
    scope,
    expires_in: order.access_token_expires_in ?? null,
    by: null,
  });
  const refresh = client.grant_types.includes('refresh_token')
    ? await issueRefreshToken(issuing, lineage, null)
    : null;
  return {
    access_token: access.value,
    refresh_token: refresh?.value ?? null,
    expires_in: (access.expires_at - access.issued_at) / 1000,
    scope,
    lineage,
  };
}

/** Opens a lineage with a live refresh token and without access token, to fill the sandbox with data. */
export const mintRefreshToken = async (
  issuing: Issuing,
  order: MintOrder,
): Promise<RefreshTokenRecord> =>
  issueRefreshToken(issuing, lineageOf(issuing, checkOrder(issuing, order)), null);
