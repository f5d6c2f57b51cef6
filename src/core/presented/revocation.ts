// Token revocation (RFC 7009): a client gives back a token of its own. A refresh token takes all that
// came of its authorization along, an access token goes alone (behaviour 7).

import { noteExchange } from '../model/credentials.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { PresentedToken } from './presented-token.ts';
import { checkPresenter, checkTokenLive, identifyToken } from './presented-token.ts';
import type { TokenRequest } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import type { Evaluation } from '../checks/trace.ts';
import { find, pass } from '../checks/trace.ts';

/** RFC 7009 2.1 refuses; the code is that of a refresh token at the token endpoint (RFC 6749 5.2). */
function checkOwner(
  { registry }: Domain,
  { client_id }: PresentedToken,
  client: Client,
  evaluation: Evaluation,
): void {
  if (client_id !== client.client_id) {
    throw new OAuthError('token_of_other_client', {
      expected: client_id,
      got: client.client_id,
      client: registry.clients.get(client_id)?.client_name || client_id,
      other_client: client.client_name || client.client_id,
    });
  }
  pass(evaluation, 'credential_client');
}

/** Whether it was live until now; how it ended is told by the trace. */
async function wasLive(domain: Domain, token: PresentedToken, evaluation: Evaluation) {
  try {
    await checkTokenLive(domain, token);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    find(evaluation, error);
    return false;
  }
  pass(evaluation, 'credential_live');
  return true;
}

/**
 * Ends the token, unless there is nothing left to end. The lineage goes also with a refresh token that
 * was replaced or has expired: its access tokens may be live.
 */
async function end(
  { ports: { stores, clock } }: Domain,
  token: PresentedToken,
  live: boolean,
  exchange: number,
): Promise<boolean> {
  const now = clock.now();
  if (token.kind === 'refresh_token') {
    const { lineage } = token.record;
    noteExchange(lineage, exchange);
    await stores.end(token.record, 'revoked', now, exchange);
    return stores.revokeLineage(lineage, now, exchange);
  }
  const { id, expires_at } = token.facts;
  if (live) await stores.endAccessToken(id, 'revoked', now, expires_at * 1000, exchange);
  return live;
}

/**
 * Evaluates a revocation request and revokes. A token that is unknown or has ended is no error: the client
 * wanted it gone (RFC 7009 2.2).
 * @throws OAuthError for a client that does not prove itself, a missing token, another client's token
 */
export async function revoke(
  domain: Domain,
  request: TokenRequest,
  evaluation: Evaluation,
): Promise<void> {
  evaluation.endpoint = 'revoke';
  const client = await checkPresenter(domain, request, evaluation);
  let token: PresentedToken;
  try {
    token = await identifyToken(domain, request, evaluation);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    find(evaluation, error);
    return;
  }
  checkOwner(domain, token, client, evaluation);
  const live = await wasLive(domain, token, evaluation);
  if (!(await end(domain, token, live, evaluation.exchange))) return;
  domain.ports.emit({ type: 'credentials' });
  const along = token.kind === 'refresh_token' ? 'with its whole lineage' : 'alone';
  pass(evaluation, 'consume', { note: along });
}
