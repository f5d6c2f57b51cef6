// Finds credentials in a recorded request that no recorded step issued: from elsewhere, from before the recording, or
// altered deliberately. Added steps issue them again if possible; the others are replaced by an invalid placeholder.

import { parseJsonObject } from '../../json.ts';
import { given } from '../../scenario/actions/action.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Exchange, IssueCode } from '../../control/schemas.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { bodyFields, bodyText, isRejected, tokenAnswerOf } from '../exchange/answer.ts';
import type { Draft, Known } from './known.ts';
import { queryParameters } from './recording.ts';
import { UNKNOWN_CREDENTIAL } from './scenario-workspace.ts';
import { FORM_TYPE, headerOf } from '../../oauth/fields.ts';

interface Again {
  readonly step: ScenarioStep;
  /** Links the recorded value to what the step issues. */
  readonly learn: (draft: Draft) => void;
}

interface Unissued {
  readonly issued_again: readonly Again[];
  /** Steps that expire the credential issued last. */
  readonly ended: readonly ScenarioStep[];
  /** Whether parts of the response that depend on the credential may differ. */
  readonly inexact: boolean;
  /** The number of credentials that an invalid placeholder replaces. */
  readonly invalid: number;
}

const NONE_UNISSUED: Unissued = { issued_again: [], ended: [], inexact: false, invalid: 0 };

type Claims = Readonly<Record<string, unknown>>;

const claimsOf = (token: string): Claims | null => decodeJwt(token)?.payload ?? null;

/** The known token with the same claims, of which this token is a copy with another header or signature. */
const originalOf = (token: string, known: Known) =>
  token.includes('.')
    ? known.values().find((value) => value.split('.')[1] === token.split('.')[1])
    : undefined;

/** The first of these claims that is a string. */
const textOf = (claims: Claims | null, ...names: readonly string[]): string =>
  names.map((name) => claims?.[name]).find((value) => typeof value === 'string') ?? '';

const epochOf = (claims: Claims | null) => textOf(claims, 'jti', 'sid').split('.')[0] ?? '';

/** Whether the token was issued before a reset, as far as the recorded tokens show. */
function isOfAnotherEpoch(claims: Claims, known: Known): boolean {
  const token = known.newest('access_token');
  const now = token === undefined ? '' : epochOf(claimsOf(token));
  return now !== '' && epochOf(claims) !== now;
}

function subjectOf(claims: Claims | null, known: Known) {
  const { sub, scope } = claims ?? {};
  const [first] = [claims?.['aud']].flat();
  const audience = typeof first === 'string' ? known.written(first) : '';
  return {
    ...(typeof sub === 'string' ? { user: sub } : {}),
    ...(audience === '{{issuer}}' || audience === '' ? {} : { audience }),
    ...(typeof scope === 'string' && scope !== '' ? { scope } : {}),
  };
}

/** Issues a token again from its own claims. */
function tokenAgain(value: string, claims: Claims, known: Known): Again {
  const client = known.clientOf(textOf(claims, 'client_id', 'azp'));
  const step: ScenarioStep = {
    issue_tokens: {
      ...known.naming(client ?? known.clients[0]),
      ...subjectOf(claims, known),
      access_token_expires_in: Number(claims['exp']) - Number(claims['iat']),
    },
  };
  return { step, learn: (draft) => known.learn('access_token', value, draft, 'body.access_token') };
}

/** The claims in the response that say what it was issued for. */
function answeredFor(exchange: Exchange): Claims | null {
  const answer = tokenAnswerOf(exchange);
  if (answer === null) return null;
  const { access_token, id_token } = answer;
  const scope = parseJsonObject(bodyText(exchange.response))?.['scope'];
  return {
    ...(id_token === null ? {} : { scope: 'openid', sub: claimsOf(id_token)?.['sub'] }),
    ...(typeof scope === 'string' ? { scope } : {}),
    ...claimsOf(access_token),
  };
}

const clientOf = ({ client_id }: Exchange, known: Known) =>
  known.clientOf(client_id) ?? known.clients[0];

/** Issues a refresh token or an opaque token again, from the client that presents it and the response. */
function refreshAgain({ kind, value }: Presented, exchange: Exchange, known: Known): Again {
  const name = kind === 'refresh_token' ? 'refresh_token' : 'access_token';
  const step: ScenarioStep = {
    issue_tokens: {
      ...known.naming(clientOf(exchange, known)),
      ...subjectOf(answeredFor(exchange), known),
    },
  };
  return { step, learn: (draft) => known.learn(name, value, draft, `body.${name}`) };
}

/** Issues a code again that fits its token request. */
function codeAgain({ value }: Presented, exchange: Exchange, known: Known): Again {
  const fields = bodyFields(exchange.request);
  const client = clientOf(exchange, known);
  const sent = fields['redirect_uri'];
  const isRegistered = typeof sent === 'string' && client?.redirect_uris.includes(sent) === true;
  const redirect_uri = isRegistered ? sent : (client?.redirect_uris[0] ?? '');
  const { user, ...subject } = subjectOf(answeredFor(exchange), known);
  const pkce = typeof fields['code_verifier'] === 'string';
  const request: IssueCode = {
    client_id: client?.client_id ?? '',
    redirect_uri,
    ...(pkce ? { code_challenge: 'any' } : {}),
  };
  const step: ScenarioStep = {
    issue_code: given({
      ...known.naming(client),
      user,
      redirect_uri: redirect_uri === client?.redirect_uris[0] ? undefined : redirect_uri,
      ...subject,
      pkce: pkce ? ('S256' as const) : undefined,
    }),
  };
  return { step, learn: (draft) => known.learnIssued({ code: value, request }, draft) };
}

/** Returns null when only a placeholder is possible. */
function againOf(presented: Presented, exchange: Exchange, known: Known): Again | null {
  const { kind, value } = presented;
  const claims = kind === 'access_token' ? claimsOf(value) : null;
  if (claims !== null) {
    return isOfAnotherEpoch(claims, known) ? null : tokenAgain(value, claims, known);
  }
  // The server did not know the credential either.
  if (exchange.credential_id === null) return null;
  if (kind === 'code') return codeAgain(presented, exchange, known);
  return kind === 'refresh_token' || kind === 'access_token'
    ? refreshAgain(presented, exchange, known)
    : null;
}

/** Whether the presented credential had ended before its expiry. */
function hadEnded({ kind, value }: Presented, exchange: Exchange): boolean {
  const exp = claimsOf(value)?.['exp'];
  if (kind === 'access_token' && Number(exp) * 1000 <= Date.parse(exchange.clock.now)) return false;
  const { status, why } = exchange;
  const dead = why?.check === 'credential_live' || (kind === 'access_token' && status === 401);
  return isRejected(exchange) && dead;
}

/** Replaces a credential by a placeholder that fails the same check. A token has more checks, so its result is inexact. */
function standFor(presented: Presented, { credential_id }: Exchange, known: Known): Unissued {
  const { kind, value } = presented;
  const original = originalOf(value, known);
  const isKnown = credential_id !== null && kind !== 'other';
  const inexact = original !== undefined || isKnown || claimsOf(value) !== null;
  known.standIn(value, original === undefined ? UNKNOWN_CREDENTIAL : `${known.written(original)}x`);
  return { ...NONE_UNISSUED, inexact, invalid: 1 };
}

function ofOne(presented: Presented, exchange: Exchange, known: Known): Unissued {
  const altered = originalOf(presented.value, known) !== undefined;
  const again = altered ? null : againOf(presented, exchange, known);
  if (again === null) return standFor(presented, exchange, known);
  const { kind } = presented;
  const name = kind === 'code' || kind === 'refresh_token' ? kind : 'access_token';
  return {
    issued_again: [again],
    ended: hadEnded(presented, exchange) ? [{ expire: `{{${name}}}` }] : [],
    inexact: kind !== 'access_token',
    invalid: 0,
  };
}

export function unissuedIn(exchange: Exchange, known: Known): Unissued {
  const unknown = presentedIn(exchange).filter(({ value }) => !known.has(value));
  const distinct = unknown.filter(
    ({ value }, index) => unknown.findIndex((other) => other.value === value) === index,
  );
  return distinct
    .map((presented) => ofOne(presented, exchange, known))
    .reduce(
      (all, one) => ({
        issued_again: [...all.issued_again, ...one.issued_again],
        ended: [...all.ended, ...one.ended],
        inexact: all.inexact || one.inexact,
        invalid: all.invalid + one.invalid,
      }),
      NONE_UNISSUED,
    );
}

type PresentedKind = 'code' | 'refresh_token' | 'access_token' | 'device_code' | 'other';

interface Presented {
  readonly kind: PresentedKind;
  readonly value: string;
}

const KINDS: Readonly<Record<string, PresentedKind>> = {
  code: 'code',
  refresh_token: 'refresh_token',
  access_token: 'access_token',
  subject_token: 'access_token',
  actor_token: 'other',
  token: 'access_token',
  device_code: 'device_code',
  id_token_hint: 'other',
};

function parametersOf(exchange: Exchange): (readonly [string, unknown])[] {
  const { request } = exchange;
  const body = bodyText(request);
  const isForm = headerOf(request.headers, 'content-type')?.startsWith(FORM_TYPE) === true;
  const sent = isForm
    ? [...new URLSearchParams(body)]
    : Object.entries(parseJsonObject(body) ?? {});
  return [...queryParameters(exchange), ...sent];
}

/** The hint says which kind of token introspection or revocation gets (RFC 7009 2.1, RFC 7662 2.1). */
function kindOf(name: string, fields: readonly (readonly [string, unknown])[]): PresentedKind {
  const [, hint] = fields.find(([other]) => other === 'token_type_hint') ?? [];
  return name === 'token' && hint === 'refresh_token' ? 'refresh_token' : (KINDS[name] ?? 'other');
}

export function presentedIn(exchange: Exchange): Presented[] {
  const header = headerOf(exchange.request.headers, 'authorization') ?? '';
  const [, bearer] = /^(?:Bearer|DPoP) +(\S+)$/i.exec(header) ?? [];
  const fields = parametersOf(exchange);
  const named = fields.flatMap(([name, value]): Presented[] =>
    Object.hasOwn(KINDS, name) && typeof value === 'string' && value !== ''
      ? [{ kind: kindOf(name, fields), value }]
      : [],
  );
  return bearer === undefined ? named : [{ kind: 'access_token', value: bearer }, ...named];
}
