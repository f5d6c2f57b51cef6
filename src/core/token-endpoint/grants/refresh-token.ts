// The refresh_token grant (spec 4.1.2, RFC 6749 6): issues a new access token for a refresh token. With rotation, the
// refresh token is replaced; without it, it stays valid, and the response does not contain one.

import { durationInWords } from '../../../words.ts';
import { checkResource, checkSentAudience } from '../../registry/audiences.ts';
import { beyond, scopesOf, unknownScopes, withoutBlanks } from '../../registry/scopes.ts';
import { endOf, type RefreshTokenRecord, revokedAt, stateOf } from '../../model/credentials.ts';
import { OAuthError } from '../../checks/errors.ts';
import { checkBoundKey } from '../../dpop/bound-key.ts';
import { checkOwner } from '../../registry/lists.ts';
import type { TokenResponse } from '../../model/request.ts';
import { note, pass } from '../../checks/trace.ts';
import { countRequest } from '../count-request.ts';
import { expiryMembers, issueAndWatch, requestedScopes, responseOf, sentScope } from './issue.ts';
import type { Grant, GrantContext } from './grant.ts';
import { checkIdToken, idTokenMember } from '../../issuing/id-token.ts';
import { issueRefreshToken, renewRefreshToken } from '../../issuing/issue-refresh-token.ts';

export const refreshToken: Grant = {
  grant_type: 'refresh_token',
  content_type: 'form',
  parameters: ['refresh_token', 'scope'],
  required: () => ['refresh_token'],
  redeem: async (context) => {
    const token = await checkTokenKnown(context);
    await checkLive(context, token);
    checkBoundKey(token, context.evaluation);
    const audience = decideAudience(context, token);
    const scope = decideScope(context, token, audience);
    if (includesIdToken(context)) checkIdToken(context, scope);
    const rotated = isRotated(context, audience);
    if (rotated) await consume(context, token);
    return issue(context, token, audience, scope, rotated);
  },
};

/** MCP demands rotation for public clients, as OAuth 2.1 4.3.1 does. */
const isRotated = ({ client, registry, settings }: GrantContext, audience: string): boolean =>
  settings.refresh_rotation.enabled ||
  (client.token_endpoint_auth_method === 'none' && registry.servesMcp(audience));

/** The response in the specification has no ID token (spec 4.1.2). */
const includesIdToken = ({ rules }: GrantContext) => rules.id_token_on_refresh === 'issued';

async function checkTokenKnown(context: GrantContext): Promise<RefreshTokenRecord> {
  const { ports, request, evaluation, client, registry } = context;
  const value = request.parameters.get('refresh_token') ?? '';
  const now = ports.clock.now();
  const token = await ports.stores.findRefreshToken(value, now);
  countRequest(context, value, token === undefined ? 'unknown' : 'refresh_token');
  if (token === undefined) {
    const other = await otherKind(context, value, now);
    if (other !== null) throw new OAuthError('refresh_token_is_other_credential', { got: other });
    throw new OAuthError('refresh_token_unknown');
  }
  pass(evaluation, 'credential_known');
  const { lineage } = token;
  checkOwner(lineage.registration.client_id, client, registry, 'refresh_token_of_other_client');
  evaluation.credential = token;
  evaluation.lineage = lineage;
  pass(evaluation, 'credential_client');
  return token;
}

async function otherKind(
  { ports }: GrantContext,
  value: string,
  now: number,
): Promise<string | null> {
  if ((await ports.stores.findCode(value, now)) !== undefined) return 'an authorization code';
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value) ? 'a JWT, possibly an access token' : null;
}

/** A replaced token is valid within the rotation grace. Presenting it later revokes the lineage. */
async function checkRotated(context: GrantContext, token: RefreshTokenRecord, now: number) {
  const { ports, evaluation, settings } = context;
  const replaced = token.end?.at ?? now;
  const grace = settings.refresh_rotation.grace_seconds;
  const alive = revokedAt(token.lineage) === null && token.expires_at > now;
  if (alive && now >= replaced && now < replaced + grace * 1000) {
    pass(evaluation, 'credential_live', {
      note: `already replaced, but within the rotation grace of ${durationInWords(grace)}`,
    });
    return;
  }
  await ports.stores.revokeLineage(token.lineage, now, evaluation.exchange);
  ports.emit({ type: 'credentials' });
  throw new OAuthError('refresh_token_rotated', endOf(token, now));
}

/**
 * Returns how a refresh token ended; null while it is valid. A replaced one is invalid even within the rotation grace,
 * which is only for retries of a refresh.
 */
export function endOfRefreshToken(token: RefreshTokenRecord, now: number): OAuthError | null {
  switch (stateOf(token, now)) {
    case 'rotated':
      return new OAuthError('token_rotated', endOf(token, now));
    case 'expired':
      return new OAuthError('refresh_token_expired', endOf(token, now));
    case 'revoked':
      return new OAuthError('refresh_token_revoked', endOf(token, now));
    default:
      return null;
  }
}

async function checkLive(context: GrantContext, token: RefreshTokenRecord): Promise<void> {
  const now = context.ports.clock.now();
  if (stateOf(token, now) === 'rotated') return checkRotated(context, token, now);
  const end = endOfRefreshToken(token, now);
  if (end !== null) throw end;
  pass(context.evaluation, 'credential_live');
}

/** A refresh keeps the audience of its lineage; `interop` accepts it as a parameter. */
function decideAudience(context: GrantContext, token: RefreshTokenRecord): string {
  const { request, evaluation, rules, issuer } = context;
  const audience = token.lineage.audience ?? issuer;
  if (rules.audience === 'optional') checkSentAudience(request, audience, issuer);
  else checkResource(request);
  pass(evaluation, 'audience');
  return audience;
}

/** Limits the requested scope to the granted one. Unknown scopes are dropped if the profile says so. */
function decideScope(context: GrantContext, token: RefreshTokenRecord, audience: string): string {
  const { evaluation, rules, registry } = context;
  const { scope } = token.lineage;
  const named = requestedScopes(context);
  const asked = named.length > 0 ? named : scopesOf(scope);
  const more = beyond(asked, scopesOf(scope));
  const dropped = rules.unknown_scope === 'drop' ? unknownScopes(more, audience, registry) : [];
  if (dropped.length > 0) note(evaluation, 'unknown_scope_dropped', dropped.join(' '));
  if (more.length > dropped.length) {
    throw new OAuthError('scope_beyond_grant', {
      expected: scope === '' ? 'no scope' : scope,
      got: beyond(more, dropped).join(' '),
    });
  }
  const granted = beyond(asked, dropped).join(' ');
  if (granted === scope) pass(evaluation, 'scope');
  else pass(evaluation, 'scope', { got: granted === '' ? 'none' : granted });
  return granted;
}

async function consume(context: GrantContext, token: RefreshTokenRecord): Promise<void> {
  const { ports, evaluation } = context;
  const now = ports.clock.now();
  const replaced = await ports.stores.rotateRefreshToken(token, now, evaluation.exchange);
  if (!replaced && token.state !== 'rotated') {
    await checkLive(context, token);
    throw new OAuthError('refresh_token_unknown');
  }
  if (!replaced && context.settings.refresh_rotation.grace_seconds === 0) {
    await checkRotated(context, token, now);
  }
  pass(evaluation, 'consume', { note: 'the refresh token was replaced' });
}

async function issue(
  context: GrantContext,
  token: RefreshTokenRecord,
  audience: string,
  scope: string,
  rotated: boolean,
): Promise<TokenResponse> {
  const { evaluation, settings, ports } = context;
  const { lineage } = token;
  const access = await issueAndWatch(context, { lineage, audience, scope, expires_in: null });
  if (!rotated && settings.lifetimes.refresh_token_idle !== null)
    await renewRefreshToken(context, token);
  const next = rotated ? await issueRefreshToken(context, lineage, evaluation) : null;
  const id_token = includesIdToken(context)
    ? await idTokenMember(context, { lineage, nonce: null, access, scope })
    : {};
  const asked = withoutBlanks(sentScope(context)) || lineage.scope;
  return responseOf(context, access, asked, {
    ...(next === null ? {} : { refresh_token: next.value }),
    ...expiryMembers(next ?? token, settings, ports.clock.now()),
    ...id_token,
  });
}
