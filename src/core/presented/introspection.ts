// Token introspection (RFC 7662): whether a token is active, and what it represents. The response never says why a
// token is inactive (2.2); the trace does.

import { withSignInClaims } from '../model/sign-in-claims.ts';
import type { AccessTokenFacts } from './access-tokens.ts';
import { isConfidential } from '../client-authentication/authenticate.ts';
import { type ActClaim, lineageId, subOf } from '../model/credentials.ts';
import { formatAccessTokenId } from '../model/access-token-id.ts';
import { secondsOf } from '../model/clock.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { expiryMembers } from '../token-endpoint/grants/issue.ts';
import {
  checkPresenter,
  checkTokenLive,
  identifyToken,
  type PresentedToken,
} from './presented-token.ts';
import { INTROSPECTION_JWT, signAnswer, type SignedAnswer } from './signed-answer.ts';
import type { TokenRequest } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { type Evaluation, orFinding, note, pass } from '../checks/trace.ts';

export interface IntrospectionRequest extends TokenRequest {
  /** The Accept header, or null. */
  readonly accept: string | null;
}

/** The members of RFC 7662 2.2. Times are whole seconds since the epoch. */
interface ActiveToken {
  readonly active: true;
  readonly scope?: string;
  readonly client_id: string;
  /** Email or name of the user, if registered. */
  readonly username?: string;
  /** Only for access tokens, as refresh tokens have no such type. */
  readonly token_type?: 'Bearer' | 'DPoP';
  /** The key to which the token is bound (RFC 9449 6.2). */
  readonly cnf?: { readonly jkt: string };
  readonly exp: number;
  readonly iat: number;
  readonly sub: string;
  /** Only for access tokens, as refresh tokens are for this service itself. */
  readonly aud?: string;
  readonly iss: string;
  readonly jti: string;
  /** Who acts for the subject, after a token exchange (RFC 8693 4.1). */
  readonly act?: ActClaim;
  /** When and how the user signed in; only of a token for a protected API (RFC 9470 6.2). */
  readonly auth_time?: unknown;
  readonly acr?: unknown;
  /** Only for refresh tokens, with the setting expiry_members (draft-ietf-oauth-refresh-token-expiration 7). */
  readonly refresh_token_timeout?: number;
  readonly authorization_expires_in?: number;
}

export type Introspection = { readonly active: false } | ActiveToken;

/** Returns the members that access tokens and refresh tokens have in common. */
function commonMembers(
  { registry, issuer }: Domain,
  facts: Pick<AccessTokenFacts, 'user_sub' | 'sub' | 'scope' | 'sign_in_claims'>,
) {
  const { user_sub, sub, scope, sign_in_claims } = facts;
  const registered = user_sub === null ? undefined : registry.users.get(user_sub);
  const user = registered && withSignInClaims(registered, sign_in_claims);
  const username = user?.email || user?.name;
  return {
    ...(scope === '' ? {} : { scope }),
    ...(username ? { username } : {}),
    sub,
    iss: issuer(),
  };
}

const confirmation = ({ jkt }: { readonly jkt: string | null }) =>
  jkt === null ? {} : { cnf: { jkt } };

/** A protected API compares them with its rules (RFC 9470 6.2). */
function authenticationMembers({ registry }: Domain, facts: AccessTokenFacts) {
  if (!registry.servesApi(facts.audience)) return {};
  const { auth_time, acr } = facts.claims();
  return {
    ...(auth_time === undefined ? {} : { auth_time }),
    ...(acr === undefined ? {} : { acr }),
  };
}

function describeAccessToken(domain: Domain, facts: AccessTokenFacts): ActiveToken {
  return {
    active: true,
    client_id: facts.client_id,
    token_type: facts.jkt === null ? 'Bearer' : 'DPoP',
    exp: facts.expires_at,
    iat: facts.issued_at,
    aud: facts.audience,
    jti: formatAccessTokenId(facts.id),
    ...(facts.act === null ? {} : { act: facts.act }),
    ...confirmation(facts),
    ...authenticationMembers(domain, facts),
    ...commonMembers(domain, facts),
  };
}

function describe(domain: Domain, token: PresentedToken): ActiveToken {
  if (token.kind === 'access_token') return describeAccessToken(domain, token.facts);
  const { record } = token;
  const { lineage } = record;
  const { epoch, user_sub, scope, registration } = lineage;
  return {
    active: true,
    client_id: registration.client_id,
    exp: Math.floor(record.expires_at / 1000),
    iat: Math.floor(record.issued_at / 1000),
    jti: formatAccessTokenId({ epoch, lineage: lineageId(lineage), n: record.n }),
    ...confirmation(record),
    ...commonMembers(domain, {
      user_sub,
      sub: subOf(lineage),
      scope,
      sign_in_claims: lineage.openid?.claims ?? null,
    }),
    ...expiryMembers(record, domain.settings(), domain.ports.clock.now()),
  };
}

function noteOwner({ client_id }: PresentedToken, client: Client, evaluation: Evaluation): void {
  if (client_id !== client.client_id) note(evaluation, 'other_clients_token', client_id);
  pass(evaluation, 'credential_client', { got: client_id });
}

/** Whether Accept lists the signed response, and does not exclude it by a weight of 0 (RFC 9110 12.4.2). */
function acceptsJwt({ accept }: IntrospectionRequest): boolean {
  const listed = (accept ?? '').toLowerCase().split(',');
  return listed.some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    return type === INTROSPECTION_JWT && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
}

/**
 * Evaluates an introspection request and describes the token, signed if the client accepts that (RFC 9701 4).
 * @throws OAuthError if the client does not authenticate or the token is missing
 */
export async function introspect(
  domain: Domain,
  request: IntrospectionRequest,
  evaluation: Evaluation,
): Promise<Introspection | SignedAnswer> {
  evaluation.endpoint = 'introspect';
  const client = await checkPresenter(domain, request, evaluation);
  // Anyone can use the client_id of a public client, and could scan for tokens with it (RFC 7662 4).
  if (!isConfidential(client)) throw new OAuthError('client_not_authenticated');
  const answer = await describeToken(domain, request, client, evaluation);
  if (!acceptsJwt(request)) return answer;
  const { introspection_signed_response_alg: alg = 'RS256' } = client;
  const iat = secondsOf(domain.ports.clock);
  const claims = { iat, token_introspection: answer };
  return signAnswer(domain, claims, 'token-introspection+jwt', client, alg);
}

/** Returns the members of the response, which never says why a token is inactive (RFC 7662 2.2). */
async function describeToken(
  domain: Domain,
  request: IntrospectionRequest,
  client: Client,
  evaluation: Evaluation,
): Promise<Introspection> {
  const active = await orFinding(evaluation, async () => {
    const token = await identifyToken(domain, request, evaluation);
    noteOwner(token, client, evaluation);
    await checkTokenLive(domain, token);
    pass(evaluation, 'credential_live');
    return describe(domain, token);
  });
  return active ?? { active: false };
}
