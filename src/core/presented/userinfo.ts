// UserInfo (OpenID Connect Core 5.3): returns claims of the user of a live access token. The token is sent as RFC
// 6750 2 says; a token in the query string is never accepted, because it leaks.

import type { AccessTokenFacts } from './access-tokens.ts';
import { readAuthorization } from '../client-authentication/authorization-header.ts';
import { checkContentType, checkQuery } from '../client-authentication/client-request.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { checkPossession, type PresentedAccessToken } from '../dpop/bound-key.ts';
import { ofThisEpoch } from './presented-token.ts';
import { PROFILE_RULES, type ProfileRules } from '../checks/profiles.ts';
import type { TokenRequest } from '../model/request.ts';
import { shaped } from '../shape/shaped.ts';
import type { User } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';

export interface UserinfoRequest extends Pick<
  TokenRequest,
  'parameters' | 'query' | 'authorization' | 'dpop'
> {
  /** null without a body. */
  readonly content_type: TokenRequest['content_type'] | null;
}

/** `sub`, the claims of the granted scopes, and the user's custom claims. */
export type UserinfoClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

type Presented = Pick<PresentedAccessToken, 'value' | 'scheme'>;

/** The spelling of the schemes for access tokens in the header (RFC 6750 2.1, RFC 9449 7.1). */
const SCHEMES = { bearer: 'Bearer', dpop: 'DPoP' } as const;

/** Returns scheme and token of the Authorization header; null for another scheme. */
function readHeader(authorization: string | null): Presented | null {
  const { scheme, credentials: value } = readAuthorization(authorization);
  return scheme === 'bearer' || scheme === 'dpop' ? { scheme, value } : null;
}

/** Returns the error for a missing token, with a hint if the token was sent in the wrong place. */
function missing({ authorization, query }: UserinfoRequest): OAuthError {
  if (query.includes('access_token')) {
    const got = 'it was sent in the query string, which is ignored because it ends up in logs';
    return new OAuthError('access_token_missing', { got });
  }
  if (authorization === null) return new OAuthError('access_token_missing');
  const header = readHeader(authorization);
  const got =
    header === null
      ? 'the Authorization header has a scheme other than Bearer and DPoP'
      : `the Authorization header has ${SCHEMES[header.scheme]} but no token; an environment variable may be unset`;
  return new OAuthError('access_token_missing', { got });
}

/** Returns the token from the header or the body (RFC 6750 2.2); undefined if there is none. */
function presentedToken(request: UserinfoRequest, evaluation: Evaluation): Presented | undefined {
  const header = readHeader(request.authorization);
  const inBody = request.parameters.get('access_token');
  if (header !== null && header.value !== '') {
    if (inBody !== undefined) throw new OAuthError('access_token_twice');
    const got = header.scheme === 'dpop' ? ', with the scheme DPoP' : '';
    pass(evaluation, 'authorization_header', { got: `in the Authorization header${got}` });
    return header;
  }
  if (inBody === undefined || inBody === '') return undefined;
  pass(evaluation, 'authorization_header', { got: 'in the body' });
  return { scheme: 'bearer', value: inBody };
}

/** From here on, the profile of the token's client applies (behaviour 1). */
async function readToken(
  domain: Domain,
  value: string,
  evaluation: Evaluation,
): Promise<AccessTokenFacts> {
  const { accessTokens, registry, settings } = domain;
  const facts = await accessTokens.read(value);
  evaluation.access_token = ofThisEpoch(domain, facts);
  evaluation.client_id = facts.client_id;
  evaluation.profile = registry.clients.get(facts.client_id)?.profile ?? settings().profile;
  pass(evaluation, 'credential_known');
  return facts;
}

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
    if (rules.userinfo_without_openid === 'refuse') throw new OAuthError('openid_missing');
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
  const presented = presentedToken(request, evaluation);
  if (presented === undefined) {
    checkRequest(request, PROFILE_RULES[profile], evaluation);
    throw missing(request);
  }
  const facts = await readToken(domain, presented.value, evaluation);
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
