// Token exchange (RFC 8693): exchanges a token of this issuer for an access token of the same subject for
// another API. With an actor token, the new token says who acts for the subject (delegation); without one it does not
// (impersonation, 1.1). The new token has its own lineage, which is not linked to the subject token (2.1).

import { decideAudience } from '../../registry/audiences.ts';
import { beyond, knownScope, scopesOf, unknownScopes } from '../../registry/scopes.ts';
import { OAuthError } from '../../checks/errors.ts';
import { shortCause } from '../../checks/describe-cause.ts';
import type { ActClaim } from '../../model/credentials.ts';
import { checkOwner } from '../../registry/lists.ts';
import { type TokenResponse, valueOf } from '../../model/request.ts';
import { isJsonObject } from '../../../json.ts';
import { accessTokenFormat } from '../../issuing/access-tokens.ts';
import { pass } from '../../checks/trace.ts';
import {
  checkPresented,
  type ExchangedToken,
  JWT_TYPE,
  kindOfJwt,
  readExchangedToken,
  TOKEN_TYPES,
  type TokenKind,
} from './exchanged-token.ts';
import type { GrantContext } from './grant.ts';
import {
  issueAccess,
  lifetimeWithin,
  openOwnLineage,
  requestedScopes,
  responseOf,
  sentScope,
} from './issue.ts';

/** Redeems a subject token. @throws OAuthError for every refusal */
export async function exchangeToken(context: GrantContext): Promise<TokenResponse> {
  const types = checkTypes(context);
  const value = valueOf(context.request, 'subject_token') ?? '';
  const subject = await checkPresented(context, value, types.subject, 'subject_token_unknown');
  await checkSubject(context, subject, types.subject);
  const act = await decideActor(context, subject, types.actor);
  const audience = decideAudience(context, subject.audience ?? undefined);
  const scope = decideScope(context, subject, audience);
  const { sub, user_sub, expires_at } = subject;
  const lineage = openOwnLineage(context, { user_sub, audience, scope, delegation: { sub, act } });
  const expires_in = lifetimeWithin(context, expires_at);
  const access = await issueAccess(context, { lineage, audience, scope, expires_in });
  return responseOf(context, access, sentScope(context), { issued_token_type: types.issued });
}

const KINDS = Object.keys(TOKEN_TYPES) as readonly TokenKind[];

function rejectType(field: string, got: string, known: readonly string[]): never {
  throw new OAuthError('token_type_unsupported', { field, expected: known.join(', '), got });
}

/** Returns the kind of a token of this type. A JWT says itself whether it is an access token or an ID token. */
function checkedKind(field: string, type: string, token: string): TokenKind {
  if (type === JWT_TYPE) return kindOfJwt(token);
  const known = [...Object.values(TOKEN_TYPES), JWT_TYPE];
  return KINDS.find((one) => TOKEN_TYPES[one] === type) ?? rejectType(field, type, known);
}

/** Returns the type of the token to issue: an access token, which may be asked for as a JWT if it is one. */
function requestedType({ request, client, settings }: GrantContext): string {
  const field = 'requested_token_type';
  const type = valueOf(request, field) ?? TOKEN_TYPES.access_token;
  const isOpaque = accessTokenFormat(client, settings) === 'opaque';
  const known = [TOKEN_TYPES.access_token, ...(isOpaque ? [] : [JWT_TYPE])];
  return known.find((one) => one === type) ?? rejectType(field, type, known);
}

function checkTypes(context: GrantContext) {
  const { request, evaluation } = context;
  const type = valueOf(request, 'subject_token_type') ?? '';
  const token = valueOf(request, 'subject_token') ?? '';
  const subject = checkedKind('subject_token_type', type, token);
  const actorType = valueOf(request, 'actor_token_type');
  if ((valueOf(request, 'actor_token') === undefined) !== (actorType === undefined)) {
    const got = actorType === undefined ? 'actor_token' : 'actor_token_type';
    throw new OAuthError('actor_token_incomplete', { got });
  }
  const actorToken = valueOf(request, 'actor_token') ?? '';
  const actor =
    actorType === undefined ? null : checkedKind('actor_token_type', actorType, actorToken);
  const issued = requestedType(context);
  pass(evaluation, 'token_type', { got: type });
  return { subject, actor, issued };
}

/** Any client may present an access token, but only the client that other tokens were issued to. */
function checkPresenter(
  { client, registry }: GrantContext,
  { client_id }: ExchangedToken,
  kind: TokenKind,
  reason: 'subject_token_of_other_client' | 'actor_token_not_valid',
): void {
  if (kind !== 'access_token') checkOwner(client_id, client, registry, reason);
}

const ENDS = {
  access_token_revoked: 'subject_token_revoked',
  refresh_token_revoked: 'subject_token_revoked',
  token_rotated: 'subject_token_rotated',
} as const;

const hasEnd = (reason: string): reason is keyof typeof ENDS => Object.hasOwn(ENDS, reason);

/** Every problem with a subject token is `invalid_request` (RFC 8693 2.2.2). Only the trace says how it ended. */
async function checkSubject(
  context: GrantContext,
  subject: ExchangedToken,
  kind: TokenKind,
): Promise<void> {
  const { evaluation, registry } = context;
  checkPresenter(context, subject, kind, 'subject_token_of_other_client');
  pass(evaluation, 'credential_client', { got: subject.client_id });
  const end = await subject.ended();
  if (end !== null) {
    const reason = hasEnd(end.reason) ? ENDS[end.reason] : 'subject_token_expired';
    throw new OAuthError(reason, end.facts);
  }
  pass(evaluation, 'credential_live');
  const { user_sub } = subject;
  if (user_sub !== null && registry.users.get(user_sub) === undefined) {
    throw new OAuthError('subject_user_unknown', { got: user_sub });
  }
  pass(evaluation, 'user', user_sub === null ? { note: 'a client' } : { got: user_sub });
}

/** The claims with which `may_act` is compared (RFC 8693 4.4). */
type Party = Readonly<Record<'sub' | 'iss' | 'client_id', string>>;

/** @throws OAuthError if the subject token has `may_act`, and it does not match this party */
function checkMayAct(may_act: unknown, party: Party): void {
  if (may_act === undefined) return;
  const claims: Readonly<Record<string, unknown>> = { ...party };
  const members = isJsonObject(may_act) ? Object.entries(may_act) : [];
  if (members.length > 0 && members.every(([name, value]) => claims[name] === value)) return;
  const expected = JSON.stringify(may_act);
  throw new OAuthError('actor_not_allowed', { expected, got: JSON.stringify(party) });
}

/** The maximum number of nested actors. Each exchange may add one, which makes the token longer. */
const MOST_ACTORS = 10;

function checkDepth(act: ActClaim): void {
  let count = 0;
  for (let one: unknown = act; isJsonObject(one); one = one['act']) count += 1;
  if (count > MOST_ACTORS)
    throw new OAuthError('actors_too_many', { expected: String(MOST_ACTORS) });
}

/** @throws OAuthError if it is invalid for any reason */
async function readActor(context: GrantContext, kind: TokenKind): Promise<ExchangedToken> {
  const value = valueOf(context.request, 'actor_token') ?? '';
  const actor = await readExchangedToken(context, value, kind);
  if ('problem' in actor) throw new OAuthError('actor_token_not_valid', { got: actor.problem });
  checkPresenter(context, actor, kind, 'actor_token_not_valid');
  const end = await actor.ended();
  if (end !== null) throw new OAuthError('actor_token_not_valid', { got: shortCause(end) });
  return actor;
}

/**
 * Returns the actor of the new token, with earlier actors nested (RFC 8693 4.1); without an actor token, that of the
 * subject token.
 */
async function decideActor(
  context: GrantContext,
  subject: ExchangedToken,
  kind: TokenKind | null,
): Promise<ActClaim | null> {
  const { client, issuer, evaluation } = context;
  const { act, may_act } = subject;
  if (kind === null) {
    const { client_id } = client;
    checkMayAct(may_act, { sub: client_id, iss: issuer, client_id });
    pass(evaluation, 'actor', { note: 'no actor_token: the new token names no new actor' });
    return act;
  }
  const { sub, client_id } = await readActor(context, kind);
  checkMayAct(may_act, { sub, iss: issuer, client_id });
  const next: ActClaim = { sub, ...(act === null ? {} : { act }) };
  checkDepth(next);
  pass(evaluation, 'actor', { got: sub });
  return next;
}

/**
 * Returns the requested scopes that the audience defines. Scopes that the subject token's audience defines as well
 * are granted only if the subject token has them. Without `scope`, returns the subject token's scopes that the
 * audience defines.
 */
function decideScope(context: GrantContext, subject: ExchangedToken, audience: string): string {
  const { request, registry } = context;
  const has = scopesOf(subject.scope);
  if (valueOf(request, 'scope') === undefined) {
    return knownScope(context, beyond(has, unknownScopes(has, audience, registry)), audience);
  }
  const asked = requestedScopes(context);
  const { audience: former } = subject;
  const comparable = former === null ? [] : beyond(asked, unknownScopes(asked, former, registry));
  const more = beyond(comparable, has);
  if (more.length > 0) {
    const expected = subject.scope || 'no scope';
    throw new OAuthError('scope_beyond_subject', { expected, got: more.join(' ') });
  }
  return knownScope(context, asked, audience);
}
