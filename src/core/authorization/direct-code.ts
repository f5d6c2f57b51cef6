// Issues an authorization code for the control API, after checking which user may authorize which client for what.
// The authorization endpoint validates its own requests and uses only the issuing of the code.

import { isRegisteredAudience } from '../registry/audiences.ts';
import { beyond, parseScope, unknownScopes } from '../registry/scopes.ts';
import { type CodeOrder, issueCode } from '../issuing/codes.ts';
import { openLineage } from '../issuing/open-lineage.ts';
import type { CodeRecord } from '../model/credentials.ts';
import type { Issuing } from '../model/domain.ts';
import { CHALLENGE_RULES, type ChallengeMethod, isChallenge, mustChallenge } from './pkce.ts';
import { PROFILE_RULES } from '../checks/profiles.ts';
import { isOwnRedirectUri } from '../records/redirect-uri.ts';
import type { Registry } from '../registry/lists.ts';
import type { Client, Settings, User } from '../records/schemas.ts';

/** An authorization to grant. Omitted members are not requested. */
export interface AuthorizationOrder {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly sub?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
  readonly nonce?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: ChallengeMethod | undefined;
  /** Thumbprint of the key that the code is bound to (RFC 9449 10). */
  readonly dpop_jkt?: string | undefined;
  readonly code_expires_in?: number | undefined;
  readonly access_token_expires_in?: number | undefined;
}

/** An order that cannot be granted: the member, and the rule that it breaks. */
export class AuthorizationProblem extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'AuthorizationProblem';
    this.field = field;
  }
}

/** What an order is checked against. */
export type OrderBasis = Pick<Issuing, 'registry' | 'settings' | 'issuer'>;

export interface Authorized {
  readonly client: Client;
  readonly user: User;
  readonly audience: string | null;
  readonly scope: string;
}

/**
 * Returns the user with this `sub`, or the first user without one.
 * @throws AuthorizationProblem if there is none
 */
export function findUserOrFirst(sub: string | undefined, { users }: Registry): User {
  const user = sub === undefined ? users.first() : users.get(sub);
  if (user !== undefined) return user;
  throw new AuthorizationProblem(
    'sub',
    sub === undefined ? 'is required: no user is registered' : 'is not a registered user',
  );
}

/** Returns the scopes of a scope parameter. @throws AuthorizationProblem if it is malformed */
export function checkedScopes(text: string): string[] {
  const scopes = parseScope(text);
  if (scopes !== null) return scopes;
  throw new AuthorizationProblem('scope', 'must be scope tokens separated by single spaces');
}

function grantedScope(
  asked: string,
  audience: string | null,
  client: Client,
  registry: Registry,
  settings: Settings,
): string {
  const tokens = checkedScopes(asked);
  const unknown = unknownScopes(tokens, audience, registry);
  const rules = PROFILE_RULES[client.profile ?? settings.profile];
  if (unknown.length > 0 && rules.unknown_scope === 'reject') {
    const where = audience ?? 'any audience';
    throw new AuthorizationProblem(
      'scope',
      `contains "${unknown.join(' ')}", which is not defined for ${where}`,
    );
  }
  return beyond(tokens, unknown).join(' ');
}

/**
 * Checks what can be granted to the client, before the user is known.
 * @throws AuthorizationProblem naming the member and the rule
 */
export function checkGrantable(
  order: Pick<AuthorizationOrder, 'client_id' | 'audience' | 'scope'>,
  { registry, settings, issuer }: OrderBasis,
): Omit<Authorized, 'user'> {
  const client = registry.clients.get(order.client_id);
  if (client === undefined) {
    throw new AuthorizationProblem('client_id', 'is not a registered client');
  }
  const audience = order.audience ?? null;
  if (audience !== null && !isRegisteredAudience(audience, registry, issuer)) {
    throw new AuthorizationProblem('audience', 'is not a registered audience');
  }
  const scope = grantedScope(order.scope ?? '', audience, client, registry, settings);
  return { client, audience, scope };
}

/**
 * Checks client, user, audience and scope, for a code or for tokens issued directly.
 * @throws AuthorizationProblem naming the member and the rule
 */
export function checkAuthorization(
  order: Omit<AuthorizationOrder, 'redirect_uri'>,
  basis: OrderBasis,
): Authorized {
  return { ...checkGrantable(order, basis), user: findUserOrFirst(order.sub, basis.registry) };
}

function checkChallenge(order: AuthorizationOrder, client: Client): void {
  const { code_challenge: challenge, code_challenge_method: method = 'plain' } = order;
  if (challenge === undefined) {
    if (order.code_challenge_method !== undefined) {
      throw new AuthorizationProblem('code_challenge', 'is required with code_challenge_method');
    }
    if (mustChallenge(client)) {
      throw new AuthorizationProblem('code_challenge', 'is required for a client without a secret');
    }
    return;
  }
  if (!isChallenge(challenge, method)) {
    throw new AuthorizationProblem('code_challenge', `must be ${CHALLENGE_RULES[method]}`);
  }
}

/**
 * Issues a code for the order.
 * @throws AuthorizationProblem naming the member and the rule
 */
export async function authorize(issuing: Issuing, order: AuthorizationOrder): Promise<CodeRecord> {
  const { client, user, audience, scope } = checkAuthorization(order, issuing);
  if (!isOwnRedirectUri(client, order.redirect_uri)) {
    throw new AuthorizationProblem('redirect_uri', 'is not one of the redirect_uris of the client');
  }
  if (!client.grant_types.includes('authorization_code')) {
    throw new AuthorizationProblem('client_id', 'may not use the authorization_code grant');
  }
  checkChallenge(order, client);
  const challenged = order.code_challenge !== undefined;
  const details: CodeOrder = {
    redirect_uri: order.redirect_uri,
    redirect_uri_given: true,
    requested_scope: order.scope ?? '',
    code_challenge: order.code_challenge ?? null,
    code_challenge_method: challenged ? (order.code_challenge_method ?? 'plain') : null,
    nonce: order.nonce ?? null,
    access_token_expires_in: order.access_token_expires_in ?? null,
    expires_in: order.code_expires_in ?? issuing.settings.lifetimes.code,
    jkt: order.dpop_jkt ?? null,
    by: null,
  };
  const lineage = openLineage(issuing, { client, user_sub: user.sub, audience, scope });
  return issueCode(issuing, lineage, details);
}
