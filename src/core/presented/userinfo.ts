// UserInfo (OpenID Connect Core 5.3): returns claims of the user of a live access token. The token is sent as RFC
// 6750 2 says; a token in the query string is never accepted, because it leaks.

import type { AccessTokenFacts } from './access-tokens.ts';
import { checkContentType, checkQuery } from '../client-authentication/client-request.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { checkPossession } from '../dpop/bound-key.ts';
import { PROFILE_RULES, type ProfileRules } from '../checks/profiles.ts';
import type { TokenRequest } from '../model/request.ts';
import { shaped } from '../shape/shaped.ts';
import type { User } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import { missingToken, readSentToken, sentToken } from './sent-token.ts';

export interface UserinfoRequest extends Pick<
  TokenRequest,
  'parameters' | 'query' | 'authorization' | 'dpop'
> {
  /** null without a body. */
  readonly content_type: TokenRequest['content_type'] | null;
}

/** `sub`, the claims of the granted scopes, and the user's custom claims. */
export type UserinfoClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

function checkRequest(request: UserinfoRequest, rules: ProfileRules, evaluation: Evaluation): void {
  const { content_type } = request;
  if (content_type !== null) checkContentType({ content_type }, 'form', rules, evaluation);
  checkQuery(request, rules, evaluation);
}

function findUser({ registry }: Domain, { user_sub }: AccessTokenFacts): User {
  if (user_sub === null) throw new OAuthError('access_token_of_client');
  const user = registry.users.get(user_sub);
  if (user === undefined) throw new OAuthError('access_token_of_former_user');
  return user;
}

function checkScope(scopes: readonly string[], rules: ProfileRules, evaluation: Evaluation): void {
  if (!scopes.includes('openid')) {
    if (rules.userinfo_without_openid === 'reject') throw new OAuthError('openid_missing');
    note(evaluation, 'openid_missing');
  }
  pass(evaluation, 'scope', { got: scopes.join(' ') || 'none' });
}

/**
 * Returns claims by scope (OpenID Connect Core 5.4). Custom claims are always included, as the access token has them
 * anyway.
 */
function claimsOf({ sub, name, email, claims }: User, scopes: readonly string[]): UserinfoClaims {
  return {
    ...claims,
    ...(scopes.includes('profile') && name !== '' ? { name } : {}),
    ...(scopes.includes('email') && email !== '' ? { email } : {}),
    sub,
  };
}

/**
 * Evaluates a userinfo request and returns the claims of the user.
 * @throws OAuthError `invalid_token`, `insufficient_scope` or `invalid_request` (RFC 6750 3.1)
 */
export async function userinfo(
  domain: Domain,
  request: UserinfoRequest,
  evaluation: Evaluation,
): Promise<UserinfoClaims> {
  evaluation.endpoint = 'userinfo';
  const { profile } = domain.settings();
  evaluation.profile = profile;
  const presented = sentToken(request, evaluation);
  if (presented === undefined) {
    checkRequest(request, PROFILE_RULES[profile], evaluation);
    throw missingToken(request);
  }
  const facts = await readSentToken(domain, presented.value, evaluation);
  pass(evaluation, 'credential_known');
  const rules = PROFILE_RULES[evaluation.profile];
  checkRequest(request, rules, evaluation);
  await domain.accessTokens.checkLive(facts);
  pass(evaluation, 'credential_live');
  await checkPossession({ ...presented, dpop: request.dpop, jkt: facts.jkt }, domain, evaluation);
  const user = findUser(domain, facts);
  pass(evaluation, 'user', { got: user.sub });
  const scopes = facts.scope.split(' ').filter((scope) => scope !== '');
  checkScope(scopes, rules, evaluation);
  const own = claimsOf(user, scopes);
  const { ports, registry, shape, issuer } = domain;
  const provider = shape();
  if (provider === null) return own;
  const known = {
    user,
    client: registry.clients.get(facts.client_id),
    scope: facts.scope,
    audience: facts.audience,
    lineage: facts.id.lineage,
    issuer: issuer(),
    sha256: ports.sha256,
    now: ports.clock.now(),
  };
  return { ...shaped(own, 'userinfo', provider, known, evaluation), sub: own.sub };
}
