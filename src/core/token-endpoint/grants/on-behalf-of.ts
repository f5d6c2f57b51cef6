// The on-behalf-of request of Microsoft Entra ID: the JWT bearer grant with an access token of this issuer as the
// assertion. An API that received the token asks for one of another API, for the same user.

import { OAuthError } from '../../checks/errors.ts';
import { shortCause } from '../../checks/describe-cause.ts';
import { pass } from '../../checks/trace.ts';
import { checkIdToken } from '../../issuing/id-token.ts';
import { type TokenResponse, valueOf } from '../../model/request.ts';
import { decideAudience } from '../../registry/audiences.ts';
import { knownScope } from '../../registry/scopes.ts';
import { namesIssuer } from '../../shape/address.ts';
import { checkPresented, type ExchangedToken } from './exchanged-token.ts';
import type { GrantContext } from './grant.ts';
import {
  issueForUser,
  lifetimeWithin,
  openOwnLineage,
  requestedScopes,
  sentScope,
} from './issue.ts';

/**
 * The token must have been issued for the API that asks. Which URI is the API of a client is not registered, so only
 * a token that is certainly for another one is rejected: for another client, by its client_id, or for the issuer.
 */
function checkAddressee(
  { client, registry, issuer, evaluation }: GrantContext,
  { audience }: ExchangedToken,
): void {
  const got = audience ?? '';
  const named = got.startsWith('api://') ? got.slice('api://'.length) : got;
  const isOther = named !== client.client_id && registry.clients.get(named) !== undefined;
  if (isOther || namesIssuer(got, issuer)) {
    throw new OAuthError('on_behalf_of_audience', { expected: `api://${client.client_id}`, got });
  }
  pass(evaluation, 'credential_client', { got });
}

async function checkLive({ evaluation }: GrantContext, subject: ExchangedToken): Promise<void> {
  const end = await subject.ended();
  if (end !== null) throw new OAuthError('on_behalf_of_ended', { got: shortCause(end) });
  pass(evaluation, 'credential_live');
}

function checkUser({ registry, evaluation }: GrantContext, { user_sub }: ExchangedToken): string {
  if (user_sub === null || registry.users.get(user_sub) === undefined) {
    throw new OAuthError('on_behalf_of_without_user', { got: user_sub ?? 'a client' });
  }
  pass(evaluation, 'user', { got: user_sub });
  return user_sub;
}

/** Makes checks 9 to 13, then issues tokens that live no longer than the assertion. */
export async function redeemOnBehalfOf(context: GrantContext): Promise<TokenResponse> {
  const value = valueOf(context.request, 'assertion') ?? '';
  const subject = await checkPresented(context, value, 'access_token', 'on_behalf_of_unknown');
  checkAddressee(context, subject);
  await checkLive(context, subject);
  const user_sub = checkUser(context, subject);
  const audience = decideAudience(context);
  const scope = knownScope(context, requestedScopes(context), audience);
  checkIdToken(context, scope);
  pass(context.evaluation, 'consume', { note: 'an access token can be used until it expires' });
  const lineage = openOwnLineage(context, { user_sub, audience, scope });
  const requested_scope = sentScope(context);
  const expires_in = lifetimeWithin(context, subject.expires_at);
  const order = { lineage, audience, scope, requested_scope, expires_in, nonce: null };
  return issueForUser(context, order);
}
