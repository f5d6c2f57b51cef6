// Reads a token in a token exchange (RFC 8693 2.1), as subject or as actor: an access token, a refresh token or an ID
// token of this issuer. Returns its content, and how it ended if it is no longer valid.

import { OAuthError } from '../../checks/errors.ts';
import { shortCause } from '../../checks/describe-cause.ts';
import { decodeJws } from '../../issuing/foreign-signatures.ts';
import {
  clientOfIdToken,
  isAccessToken,
  otherThanIdToken,
  verifyIdToken,
} from '../../issuing/read-id-token.ts';
import type { AccessTokenId } from '../../model/access-token-id.ts';
import { type ActClaim, actOf, type RefreshTokenRecord, subOf } from '../../model/credentials.ts';
import type { MaybePromise } from '../../model/ports.ts';
import { customClaims } from '../../registry/lists.ts';
import { isJsonObject } from '../../../json.ts';
import { pass } from '../../checks/trace.ts';
import { countRequest } from '../count-request.ts';
import type { GrantContext } from './grant.ts';
import { endOfRefreshToken } from './refresh-token.ts';

/** The supported token types of RFC 8693 3. */
export const TOKEN_TYPES = {
  access_token: 'urn:ietf:params:oauth:token-type:access_token',
  refresh_token: 'urn:ietf:params:oauth:token-type:refresh_token',
  id_token: 'urn:ietf:params:oauth:token-type:id_token',
} as const;

export type TokenKind = keyof typeof TOKEN_TYPES;

/** The type of any JWT, whatever it is for. */
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';

/** What an exchange needs to know of a token of any kind. */
export interface ExchangedToken {
  readonly sub: string;
  /** null if it represents a client. */
  readonly user_sub: string | null;
  readonly client_id: string;
  /** null for an ID token, whose audience is a client and not an API. */
  readonly audience: string | null;
  readonly scope: string;
  /** Milliseconds of the sandbox clock. */
  readonly expires_at: number;
  /** The current actor (RFC 8693 4.1). */
  readonly act: ActClaim | null;
  /** Who may act (RFC 8693 4.4); undefined without the claim. */
  readonly may_act: unknown;
  /** The record or the identifier by which viewers find it. */
  readonly record: RefreshTokenRecord | null;
  readonly id: AccessTokenId | null;
  /** Returns how it ended; null while it is valid. */
  readonly ended: () => MaybePromise<OAuthError | null>;
}

/** Why a text is not a token of its kind, for the trace. */
interface NoToken {
  readonly problem: string;
}

const text = (claim: unknown): string => (typeof claim === 'string' ? claim : '');

/** Returns the refusal with which the promise is rejected instead of its value. */
async function orRefusal<T>(promise: Promise<T>): Promise<T | OAuthError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

async function readAccessToken(
  { accessTokens }: GrantContext,
  value: string,
): Promise<ExchangedToken | NoToken> {
  const facts = await orRefusal(accessTokens.read(value));
  if (facts instanceof OAuthError) return { problem: shortCause(facts) };
  const { id, sub, user_sub, client_id, audience, scope, act, may_act } = facts;
  return {
    sub,
    user_sub,
    client_id,
    audience,
    scope,
    act,
    may_act,
    expires_at: facts.expires_at * 1000,
    record: null,
    id,
    ended: () => orRefusal(accessTokens.checkLive(facts).then(() => null)),
  };
}

async function readRefreshToken(
  context: GrantContext,
  value: string,
): Promise<ExchangedToken | NoToken> {
  const { stores, clock } = context.ports;
  const record = await stores.findRefreshToken(value, clock.now());
  if (record === undefined) return { problem: 'no refresh token of this issuer matches it' };
  const { lineage, expires_at } = record;
  const { user_sub, registration, audience, scope } = lineage;
  const { client_id } = registration;
  return {
    sub: subOf(lineage),
    user_sub,
    client_id,
    audience,
    scope,
    expires_at,
    act: actOf(lineage),
    may_act: customClaims(context.registry, lineage)['may_act'],
    record,
    id: null,
    ended: () => endOfRefreshToken(record, clock.now()),
  };
}

const PROBLEMS = {
  malformed: 'it is not a signed JWT',
  key_unknown: 'it is signed by a key that this service does not have or that was retired',
  signature_wrong: 'its signature is invalid',
  not_issued: 'it was signed for a test and never issued',
} as const;

async function readIdToken(
  context: GrantContext,
  value: string,
): Promise<ExchangedToken | NoToken> {
  const verified = await verifyIdToken(value, context);
  if ('problem' in verified) return { problem: PROBLEMS[verified.problem] };
  const { claims } = verified;
  const other = otherThanIdToken(claims, context.issuer);
  if (other !== null) return { problem: other };
  if (claims['iss'] !== context.issuer) {
    return { problem: `iss is ${text(claims['iss']) || 'missing'}, not ${context.issuer}` };
  }
  const { sub, exp, act } = claims;
  const client = clientOfIdToken(claims, context);
  if (client === undefined) return { problem: 'its client is no longer registered' };
  const expires_at = typeof exp === 'number' ? exp * 1000 : 0;
  const ended = () => {
    const seconds = Math.floor((context.ports.clock.now() - expires_at) / 1000);
    return seconds < 0 ? null : new OAuthError('access_token_expired', { seconds });
  };
  return {
    sub: text(sub),
    user_sub: text(sub),
    audience: null,
    scope: '',
    client_id: client.client_id,
    expires_at,
    act: isJsonObject(act) ? act : null,
    may_act: claims['may_act'],
    record: null,
    id: null,
    ended,
  };
}

const READERS: Readonly<
  Record<TokenKind, (context: GrantContext, value: string) => Promise<ExchangedToken | NoToken>>
> = {
  access_token: readAccessToken,
  refresh_token: readRefreshToken,
  id_token: readIdToken,
};

/** Returns what a JWT is for: one whose claims identify an access token of this service is one. */
export function kindOfJwt(value: string): TokenKind {
  const decoded = decodeJws(value);
  return decoded !== null && isAccessToken(decoded.claims) ? 'access_token' : 'id_token';
}

/** Reads a token of the type that the client declares. */
export const readExchangedToken = (context: GrantContext, value: string, kind: TokenKind) =>
  READERS[kind](context, value);

/**
 * Counts the request for the token that it presents, and notes what the token represents.
 * @throws OAuthError with this reason for a text that is no token of the kind
 */
export async function checkPresented(
  context: GrantContext,
  value: string,
  kind: TokenKind,
  reason: 'subject_token_unknown' | 'on_behalf_of_unknown',
): Promise<ExchangedToken> {
  const { evaluation, epoch } = context;
  const token = await readExchangedToken(context, value, kind);
  const known = kind === 'refresh_token' ? kind : 'subject_token';
  countRequest(context, value, 'problem' in token ? 'unknown' : known);
  if ('problem' in token) throw new OAuthError(reason, { got: token.problem });
  const { record, id } = token;
  if (record !== null) {
    evaluation.credential = record;
    evaluation.lineage = record.lineage;
  }
  // The numbers of a token from an earlier run would identify a different token now.
  evaluation.access_token = id?.epoch === epoch.name ? id : null;
  pass(evaluation, 'credential_known', { note: `it represents ${token.sub}` });
  return token;
}
