// Token revocation (RFC 7009): a client revokes one of its tokens. Revoking a refresh token revokes all tokens of its
// authorization; revoking an access token revokes only that (behaviour 7).

import type { Domain } from '../model/domain.ts';
import {
  checkPresenter,
  checkTokenLive,
  identifyToken,
  type PresentedToken,
} from './presented-token.ts';
import type { TokenRequest } from '../model/request.ts';
import { checkOwner } from '../registry/lists.ts';
import { type Evaluation, orFinding, pass } from '../checks/trace.ts';

/** Whether the token was live until now. The trace says how it ended otherwise. */
async function wasLive(domain: Domain, token: PresentedToken, evaluation: Evaluation) {
  const live = await orFinding(evaluation, async () => {
    await checkTokenLive(domain, token);
    pass(evaluation, 'credential_live');
    return true;
  });
  return live ?? false;
}

/**
 * Ends the token, unless there is nothing left to end. A refresh token that was replaced or has expired still revokes
 * its lineage, whose access tokens may be live.
 */
async function end(
  { ports: { stores, clock } }: Domain,
  token: PresentedToken,
  live: boolean,
  exchange: number,
): Promise<boolean> {
  const now = clock.now();
  if (token.kind === 'refresh_token') {
    await stores.end(token.record, 'revoked', now, exchange);
    return stores.revokeLineage(token.record.lineage, now, exchange);
  }
  const { id, expires_at } = token.facts;
  if (live) await stores.endAccessToken(id, 'revoked', now, expires_at * 1000, exchange);
  return live;
}

/**
 * Evaluates a revocation request and revokes the token. A token that is unknown or has ended is not an error, as the
 * client's purpose is achieved (RFC 7009 2.2).
 * @throws OAuthError if the client does not authenticate, or the token is missing or belongs to another client
 */
export async function revoke(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<void> {
  evaluation.endpoint = 'revoke';
  const client = await checkPresenter(domain, request, evaluation);
  const token = await orFinding(evaluation, () => identifyToken(domain, request, evaluation));
  if (token === null) return;
  // RFC 7009 2.1 requires an error; the code is the one for refresh tokens at the token endpoint (RFC 6749 5.2).
  checkOwner(token.client_id, client, domain.registry, 'token_of_other_client');
  pass(evaluation, 'credential_client');
  const live = await wasLive(domain, token, evaluation);
  if (!(await end(domain, token, live, evaluation.exchange))) return;
  domain.ports.emit({ type: 'credentials' });
  const extent = token.kind === 'refresh_token' ? 'with its whole lineage' : 'alone';
  pass(evaluation, 'consume', { note: extent });
}
