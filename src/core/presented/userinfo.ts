// UserInfo (OpenID Connect Core 5.3): returns claims of the user of a live access token. The token is sent as RFC
// 6750 2 says; one in the query string leaks, and is only accepted if the imitated provider accepts it.

import { withSignInClaims } from '../model/sign-in-claims.ts';
import type { AccessTokenFacts } from './access-tokens.ts';
import { checkContentType, checkQuery } from '../client-authentication/client-request.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { checkPossession } from '../dpop/bound-key.ts';
import { PROFILE_RULES, type ProfileRules } from '../checks/profiles.ts';
import { isSameAudience } from '../registry/audiences.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import { shaped } from '../shape/shaped.ts';
import type { Client, User } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import { signAnswer, type SignedAnswer } from './signed-answer.ts';
import { missingToken, readHeader, readSentToken, sentToken } from './sent-token.ts';

export interface UserinfoRequest extends Pick<
  TokenRequest,
  'parameters' | 'query' | 'authorization' | 'dpop'
> {
  /** null without a body. */
  readonly content_type: TokenRequest['content_type'] | null;
  readonly query_token: string | null;
}

/** `sub`, the claims of the granted scopes, and the user's custom claims. */
export type UserinfoClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Returns the token in the query (RFC 6750 2.3), if the imitated provider accepts it there. */
function queryToken({ query_token }: UserinfoRequest, { shape }: Domain): string | undefined {
  const isAccepted = shape()?.accepts.has('access_token_in_query') === true;
  return isAccepted && query_token !== null && query_token !== '' ? query_token : undefined;
}

/** Returns the token from the header, the body or the query; undefined if there is none. */
function presentedToken(request: UserinfoRequest, domain: Domain, evaluation: Evaluation) {
  const value = queryToken(request, domain);
  if (value === undefined) return sentToken(request, evaluation);
  const inHeader = readHeader(request.authorization)?.value ?? '';
  if (inHeader !== '' || valueOf(request, 'access_token') !== undefined) {
    throw new OAuthError('access_token_twice');
  }
  pass(evaluation, 'authorization_header', { got: 'in the query string' });
  return { scheme: 'bearer' as const, value };
}

function checkRequest(
  request: UserinfoRequest,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): void {
  const { content_type } = request;
  if (content_type !== null) checkContentType({ content_type }, 'form', rules, evaluation);
  const isAccepted =
    rules.query_credentials === 'note' && queryToken(request, domain) !== undefined;
  if (isAccepted) note(evaluation, 'access_token_in_query');
  const query = request.query.filter((name) => !isAccepted || name !== 'access_token');
  checkQuery({ query }, rules, evaluation);
}

function findUser({ registry }: Domain, { user_sub, sign_in_claims }: AccessTokenFacts): User {
  if (user_sub === null) throw new OAuthError('access_token_of_client');
  const user = registry.users.get(user_sub);
  if (user === undefined) throw new OAuthError('access_token_of_former_user');
  return withSignInClaims(user, sign_in_claims);
}

/** @throws OAuthError `invalid_token` for a token for another API, if the settings say so */
function checkAudience(
  { audience: got }: AccessTokenFacts,
  { settings, issuer }: Domain,
  evaluation: Evaluation,
): void {
  if (!settings().userinfo_audience) return;
  const operands = { expected: issuer(), got };
  if (!isSameAudience(got, operands.expected, operands.expected)) {
    throw new OAuthError('access_token_for_other_api', operands);
  }
  pass(evaluation, 'audience', operands);
}

function checkScope(scopes: readonly string[], rules: ProfileRules, evaluation: Evaluation): void {
  if (!scopes.includes('openid')) {
    if (rules.userinfo_without_openid === 'reject') throw new OAuthError('openid_missing');
    note(evaluation, 'openid_missing');
  }
  pass(evaluation, 'scope', { got: scopes.join(' ') || 'none' });
}

/**
 * Returns claims by scope (OpenID Connect Core 5.4), and those that were requested one by one (5.5). Custom claims are
 * always included, as the access token has them anyway.
 */
function claimsOf(
  { sub, name, email, claims }: User,
  scopes: readonly string[],
  requested: readonly string[],
): UserinfoClaims {
  const isWanted = (scope: string, claim: string) =>
    scopes.includes(scope) || requested.includes(claim);
  return {
    ...claims,
    ...(isWanted('profile', 'name') && name !== '' ? { name } : {}),
    ...(isWanted('email', 'email') && email !== '' ? { email } : {}),
    sub,
  };
}

/**
 * Evaluates a userinfo request and returns the claims of the user, signed if the client registered that.
 * @throws OAuthError `invalid_token`, `insufficient_scope` or `invalid_request` (RFC 6750 3.1)
 */
export async function userinfo(
  domain: Domain,
  request: UserinfoRequest,
  evaluation: Evaluation,
): Promise<UserinfoClaims | SignedAnswer> {
  evaluation.endpoint = 'userinfo';
  const { profile } = domain.settings();
  evaluation.profile = profile;
  const presented = presentedToken(request, domain, evaluation);
  if (presented === undefined) {
    checkRequest(request, PROFILE_RULES[profile], domain, evaluation);
    throw missingToken(request);
  }
  const facts = await readSentToken(domain, presented.value, evaluation);
  pass(evaluation, 'credential_known');
  const rules = PROFILE_RULES[evaluation.profile];
  checkRequest(request, rules, domain, evaluation);
  await domain.accessTokens.checkLive(facts);
  pass(evaluation, 'credential_live');
  await checkPossession({ ...presented, dpop: request.dpop, jkt: facts.jkt }, domain, evaluation);
  const user = findUser(domain, facts);
  pass(evaluation, 'user', { got: user.sub });
  checkAudience(facts, domain, evaluation);
  const scopes = facts.scope.split(' ').filter((scope) => scope !== '');
  checkScope(scopes, rules, evaluation);
  const client = domain.registry.clients.get(facts.client_id);
  const own = claimsOf(user, scopes, facts.userinfo_claims);
  const claims = shapedClaims(domain, own, { user, client, facts }, evaluation);
  const { userinfo_signed_response_alg: alg } = client ?? {};
  if (client === undefined || alg === undefined) return claims;
  return signAnswer(domain, claims, 'JWT', client, alg);
}

interface About {
  readonly user: User;
  readonly client: Client | undefined;
  readonly facts: AccessTokenFacts;
}

function shapedClaims(
  { ports, shape, issuer }: Domain,
  own: UserinfoClaims,
  { user, client, facts }: About,
  evaluation: Evaluation,
): UserinfoClaims {
  const provider = shape();
  if (provider === null) return own;
  const known = {
    user,
    client,
    scope: facts.scope,
    audience: facts.audience,
    lineage: facts.id.lineage,
    issuer: issuer(),
    sha256: ports.sha256,
    now: ports.clock.now(),
  };
  return { ...shaped(own, 'userinfo', provider, known, evaluation), sub: own.sub };
}
