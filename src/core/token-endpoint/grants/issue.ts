// Issues the tokens of a grant: for an authorization of a user, or in a lineage that the request itself opens.

import { type Lineage, lineageId, type RefreshTokenRecord } from '../../model/credentials.ts';
import { note } from '../../checks/trace.ts';
import { type TokenResponse, valueOf } from '../../model/request.ts';
import type { GrantContext } from './grant.ts';
import { idTokenMember } from '../../issuing/id-token.ts';
import { readScope, withoutBlanks } from '../../registry/scopes.ts';
import {
  accessTokenLifetime,
  type AccessTokenOrder,
  issueAccessToken,
  type IssuedAccessToken,
} from '../../issuing/access-tokens.ts';
import { issueRefreshToken } from '../../issuing/issue-refresh-token.ts';
import { type LineageOrder, openLineage } from '../../issuing/open-lineage.ts';
import { userOf } from '../../model/sign-in-claims.ts';
import type { Settings } from '../../records/schemas.ts';
import { shaped } from '../../shape/shaped.ts';

type AccessOrder = Omit<AccessTokenOrder, 'client' | 'by'>;

export const issueAccess = (
  context: GrantContext,
  { lineage, audience, scope, expires_in }: AccessOrder,
): Promise<IssuedAccessToken> => {
  const { client, evaluation: by } = context;
  return issueAccessToken(context, { client, lineage, audience, scope, expires_in, by });
};

/** The same, and notes an advisory if an access token for the same purpose was still valid (behaviour 5.12). */
export async function issueAndWatch(
  context: GrantContext,
  order: AccessOrder,
): Promise<IssuedAccessToken> {
  const { overFetch, request, evaluation, ports } = context;
  const access = await issueAccess(context, order);
  await overFetch.watch(access, request.ip, evaluation, ports.clock.now());
  return access;
}

/**
 * Returns a token response (RFC 6749 5.1), with the members of the shape.
 * @param asked the requested scope
 * @param more the members that not every response has
 */
export function responseOf(
  { settings, shape, evaluation, client, registry, ports, issuer }: GrantContext,
  access: IssuedAccessToken,
  asked: string,
  more: Partial<TokenResponse> = {},
): TokenResponse {
  const { lineage, audience, scope } = access;
  const expires_in = (access.expires_at - access.issued_at) / 1000;
  const own: TokenResponse = {
    access_token: access.value,
    token_type: access.jkt === null ? 'Bearer' : 'DPoP',
    expires_in,
    ...more,
    ...scopeMember(scope, asked, settings),
  };
  if (shape === null) return own;
  const { newest } = lineage;
  const now = ports.clock.now();
  const refresh_expires_in =
    newest?.kind === 'refresh_token' ? Math.round((newest.expires_at - now) / 1000) : undefined;
  const facts = {
    user: userOf(registry, lineage),
    client,
    scope,
    audience,
    grant_type: evaluation.grant_type,
    lineage: lineageId(lineage),
    sid: lineage.openid?.sid,
    expires_in,
    refresh_expires_in,
    issuer,
    sha256: ports.sha256,
    now,
  };
  return shaped({ ...own }, 'token_response', shape, facts, evaluation) as unknown as TokenResponse;
}

interface Order extends AccessOrder {
  readonly requested_scope: string;
  /** The nonce for the ID token; null if the authorization request had none. */
  readonly nonce: string | null;
}

/**
 * Issues the tokens for a user's authorization: an access token, a refresh token if the client may use one, and an ID
 * token if `openid` was granted.
 */
export async function issueForUser(context: GrantContext, order: Order): Promise<TokenResponse> {
  const { evaluation, client, settings, ports } = context;
  const { lineage, scope, requested_scope, nonce } = order;
  const access = await issueAndWatch(context, order);
  const refresh = client.grant_types.includes('refresh_token')
    ? await issueRefreshToken(context, lineage, evaluation)
    : null;
  if (refresh === null) note(evaluation, 'no_refresh_token');
  const id_token = await idTokenMember(context, { lineage, nonce, access, scope });
  return responseOf(context, access, requested_scope, {
    ...(refresh === null ? {} : { refresh_token: refresh.value }),
    ...(refresh === null ? {} : expiryMembers(refresh, settings, ports.clock.now())),
    ...id_token,
  });
}

/** Returns the scope parameter of the request; empty without one. */
export const sentScope = ({ request }: GrantContext): string => valueOf(request, 'scope') ?? '';

/**
 * Returns the requested scopes, each once, for a grant without a preceding authorization.
 * @throws OAuthError `invalid_scope` if malformed
 */
export const requestedScopes = (context: GrantContext): string[] =>
  readScope(sentScope(context), context.rules, context.evaluation);

type OwnLineage = Omit<LineageOrder, 'client' | 'audience'> & { readonly audience: string };

export function openOwnLineage(context: GrantContext, order: OwnLineage): Lineage {
  const { client, evaluation } = context;
  const lineage = openLineage(context, { client, ...order });
  evaluation.lineage = lineage;
  return lineage;
}

/** Issues only an access token, in a lineage that this request opens. */
export async function issueInOwnLineage(
  context: GrantContext,
  order: OwnLineage,
): Promise<TokenResponse> {
  const { audience, scope } = order;
  const lineage = openOwnLineage(context, order);
  const access = await issueAndWatch(context, { lineage, audience, scope, expires_in: null });
  return responseOf(context, access, sentScope(context));
}

/**
 * Returns the member `scope` (RFC 6749 5.1) if the granted scope differs from the requested one, even if it is empty,
 * or if the settings require it.
 */
const scopeMember = (
  scope: string,
  asked: string,
  { scope_member }: Settings,
): Pick<TokenResponse, 'scope'> =>
  scope_member || scope !== withoutBlanks(asked) ? { scope } : {};

/**
 * Returns the lifetime in seconds: that of the client or the workspace, but no longer than a token that is
 * valid until `expires_at`, in milliseconds of the sandbox clock.
 */
export function lifetimeWithin(
  { client, settings, ports }: GrantContext,
  expires_at: number,
): number {
  const left = Math.ceil((expires_at - ports.clock.now()) / 1000);
  return Math.min(accessTokenLifetime(client, settings), left);
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
