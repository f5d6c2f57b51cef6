// What the grants issue: for an authorization of a user, and for grants that have none before them and open a lineage
// with the request.

import type { Lineage, RefreshTokenRecord } from '../../model/credentials.ts';
import { note } from '../../checks/trace.ts';
import { type TokenResponse, valueOf } from '../../model/request.ts';
import type { GrantContext } from './grant.ts';
import { idTokenMember } from '../../issuing/id-token.ts';
import { readScope, withoutBlanks } from '../../registry/scopes.ts';
import type { IssuedAccessToken } from '../../issuing/access-tokens.ts';
import type { LineageOrder } from '../../issuing/lineages.ts';
import type { Settings } from '../../records/schemas.ts';

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

/**
 * What a user's authorization yields once (RFC 6749 5.1): an access token, a refresh token where the client may use one,
 * and an id_token where `openid` was granted. An access token for the same purpose that was still valid is noted
 * (behaviour 5.12).
 */
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

/** The scopes that are asked for where no authorization came before, each once. @throws OAuthError `invalid_scope` when malformed */
export const askedScopes = ({ request, rules, evaluation }: GrantContext): string[] =>
  readScope(valueOf(request, 'scope') ?? '', rules, evaluation);

type OwnLineage = Omit<LineageOrder, 'client' | 'audience'> & { readonly audience: string };

/** Opens the lineage that begins with this request. */
export function openOwnLineage(context: GrantContext, order: OwnLineage): Lineage {
  const { tokens, client, evaluation } = context;
  const lineage = tokens.openLineage({ client, ...order });
  evaluation.lineage = lineage;
  return lineage;
}

interface Issued {
  readonly lineage: Lineage;
  readonly access: IssuedAccessToken;
  /** The members that every token response has (RFC 6749 5.1). */
  readonly response: TokenResponse;
}

/**
 * Opens the lineage of this request with its access token.
 * @param expires_in seconds; null for the lifetime of the client or the workspace
 */
export async function issueInOwnLineage(
  context: GrantContext,
  order: OwnLineage,
  expires_in: number | null = null,
): Promise<Issued> {
  const { tokens, client, evaluation, request, settings } = context;
  const lineage = openOwnLineage(context, order);
  const { audience, scope } = order;
  const access = await tokens.issueAccessToken({
    client,
    lineage,
    audience,
    scope,
    expires_in,
    by: evaluation,
  });
  const response: TokenResponse = {
    access_token: access.value,
    token_type: 'Bearer',
    expires_in: (access.expires_at - access.issued_at) / 1000,
    ...scopeMember(scope, valueOf(request, 'scope') ?? '', settings),
  };
  return { lineage, access, response };
}

/** The same; an access token for the same purpose that was still valid is noted (behaviour 5.12). */
export async function issueAndWatch(context: GrantContext, order: OwnLineage): Promise<Issued> {
  const issued = await issueInOwnLineage(context, order);
  const { overFetch, request, evaluation, ports } = context;
  await overFetch.watch(issued.access, request.ip, evaluation, ports.clock.now());
  return issued;
}

/**
 * The member `scope` (RFC 6749 5.1): when it differs from the scope that was asked for, also when nothing of that is left,
 * and always where the settings say so.
 */
export function scopeMember(
  scope: string,
  asked: string,
  { scope_member }: Pick<Settings, 'scope_member'>,
): Pick<TokenResponse, 'scope'> {
  return scope_member || scope !== withoutBlanks(asked) ? { scope } : {};
}

type ExpiryMembers = Pick<TokenResponse, 'refresh_token_timeout' | 'authorization_expires_in'>;

/**
 * How long the refresh token and its authorization have left, where that is switched on
 * (draft-ietf-oauth-refresh-token-expiration-03).
 * @param now milliseconds of the sandbox clock
 */
export function expiryMembers(
  { expires_at, lineage }: RefreshTokenRecord,
  { expiry_members }: Settings,
  now: number,
): ExpiryMembers {
  if (!expiry_members) return {};
  // Rounded: signing took a few milliseconds since the token was issued.
  const left = (until: number) => Math.max(0, Math.round((until - now) / 1000));
  return {
    refresh_token_timeout: left(expires_at),
    authorization_expires_in: left(lineage.refresh_until),
  };
}
