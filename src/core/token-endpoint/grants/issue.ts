// Issues the tokens of a grant: for an authorization of a user, or in a lineage that the request itself opens.

import type { Lineage, RefreshTokenRecord } from '../../model/credentials.ts';
import { note } from '../../checks/trace.ts';
import { type TokenResponse, valueOf } from '../../model/request.ts';
import type { GrantContext } from './grant.ts';
import { idTokenMember } from '../../issuing/id-token.ts';
import { readScope, withoutBlanks } from '../../registry/scopes.ts';
import { issueAccessToken, type IssuedAccessToken } from '../../issuing/access-tokens.ts';
import { issueRefreshToken } from '../../issuing/issue-refresh-token.ts';
import { type LineageOrder, openLineage } from '../../issuing/lineages.ts';
import type { Settings } from '../../records/schemas.ts';

interface Order {
  readonly lineage: Lineage;
  readonly audience: string;
  /** The granted scope. */
  readonly scope: string;
  /** The scope of the authorization request. */
  readonly requested_scope: string;
  /** Lifetime of the access token in seconds; null for that of the client or the workspace. */
  readonly expires_in: number | null;
  /** The nonce for the ID token; null if the authorization request had none. */
  readonly nonce: string | null;
}

/**
 * Issues the tokens for a user's authorization (RFC 6749 5.1): an access token, a refresh token if the client may use
 * one, and an ID token if `openid` was granted. An advisory is noted if an access token for the same purpose was
 * still valid (behaviour 5.12).
 */
export async function issueForUser(context: GrantContext, order: Order): Promise<TokenResponse> {
  const { evaluation, client, settings, overFetch, request, ports } = context;
  const { lineage, audience, scope, requested_scope, expires_in, nonce } = order;
  const access = await issueAccessToken(context, {
    client,
    lineage,
    audience,
    scope,
    expires_in,
    by: evaluation,
  });
  await overFetch.watch(access, request.ip, evaluation, ports.clock.now());
  const refresh = client.grant_types.includes('refresh_token')
    ? await issueRefreshToken(context, lineage, evaluation)
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
    ...scopeMember(scope, requested_scope, settings),
  };
}

/**
 * Returns the requested scopes, each once, for a grant without a preceding authorization.
 * @throws OAuthError `invalid_scope` if malformed
 */
export const requestedScopes = ({ request, rules, evaluation }: GrantContext): string[] =>
  readScope(valueOf(request, 'scope') ?? '', rules, evaluation);

type OwnLineage = Omit<LineageOrder, 'client' | 'audience'> & { readonly audience: string };

/** Opens the lineage of this request. */
export function openOwnLineage(context: GrantContext, order: OwnLineage): Lineage {
  const { client, evaluation } = context;
  const lineage = openLineage(context, { client, ...order });
  evaluation.lineage = lineage;
  return lineage;
}

interface Issued {
  readonly lineage: Lineage;
  readonly access: IssuedAccessToken;
  /** Returns the members that every token response has (RFC 6749 5.1). */
  readonly response: TokenResponse;
}

/**
 * Opens the lineage of this request and issues its access token.
 * @param expires_in seconds; null for the lifetime of the client or the workspace
 */
export async function issueInOwnLineage(
  context: GrantContext,
  order: OwnLineage,
  expires_in: number | null = null,
): Promise<Issued> {
  const { client, evaluation, request, settings } = context;
  const lineage = openOwnLineage(context, order);
  const { audience, scope } = order;
  const access = await issueAccessToken(context, {
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

/** The same, and notes an advisory if an access token for the same purpose was still valid (behaviour 5.12). */
export async function issueAndWatch(context: GrantContext, order: OwnLineage): Promise<Issued> {
  const issued = await issueInOwnLineage(context, order);
  const { overFetch, request, evaluation, ports } = context;
  await overFetch.watch(issued.access, request.ip, evaluation, ports.clock.now());
  return issued;
}

/**
 * Returns the member `scope` (RFC 6749 5.1) if the granted scope differs from the requested one, even if it is empty,
 * or if the settings require it.
 */
export function scopeMember(
  scope: string,
  asked: string,
  { scope_member }: Pick<Settings, 'scope_member'>,
): Pick<TokenResponse, 'scope'> {
  return scope_member || scope !== withoutBlanks(asked) ? { scope } : {};
}

/**
 * Returns the lifetime in seconds: that of the client or the workspace, but no longer than a token that is
 * valid until `expires_at`, in milliseconds of the sandbox clock.
 */
export function lifetimeWithin(
  { client, settings, ports }: GrantContext,
  expires_at: number,
): number {
  const usual = client.access_token_expires_in ?? settings.lifetimes.access_token;
  return Math.min(usual, Math.ceil((expires_at - ports.clock.now()) / 1000));
}

type ExpiryMembers = Pick<TokenResponse, 'refresh_token_timeout' | 'authorization_expires_in'>;

/**
 * Returns the remaining lifetimes of the refresh token and its authorization, if the settings require them
 * (draft-ietf-oauth-refresh-token-expiration-03).
 * @param now milliseconds of the sandbox clock
 */
export function expiryMembers(
  { expires_at, lineage }: RefreshTokenRecord,
  { expiry_members }: Settings,
  now: number,
): ExpiryMembers {
  if (!expiry_members) return {};
  // The result is rounded, because signing took a few milliseconds since the token was issued.
  const left = (until: number) => Math.max(0, Math.round((until - now) / 1000));
  return {
    refresh_token_timeout: left(expires_at),
    authorization_expires_in: left(lineage.refresh_until),
  };
}
