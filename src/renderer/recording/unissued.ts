// Credentials in a recorded request that no recorded step issued: issued elsewhere, altered on purpose, or from
// before a reset. Steps issue again what can be issued again; for the rest there is a placeholder, as invalid.

import { parseJsonObject } from '../../oauth/json-object.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Exchange } from '../../control/schemas.ts';
import { decodeBase64url } from '../../oauth/base64.ts';
import { bodyText, isRefused } from '../exchange/answer.ts';
import { headerOf } from '../../oauth/fields.ts';
import type { Known } from './known.ts';

interface Unissued {
  /** Steps that issue such a credential again, each with the value that was recorded. */
  readonly issued_again: readonly { readonly step: ScenarioStep; readonly value: string }[];
  /** Steps that end what was issued last. */
  readonly ended: readonly ScenarioStep[];
  /** The response may differ in what depends on the credential. */
  readonly vague: boolean;
}

const NONE: Unissued = { issued_again: [], ended: [], vague: false };

type Claims = Readonly<Record<string, unknown>>;

/** Values of 256 bits and JWTs, where requests carry credentials. */
const CREDENTIAL =
  /(?:\b(?:Bearer|DPoP|Basic) |"(?:code|token|access_token|refresh_token|subject_token)":\s*"|(?:^|[?&])(?:code|token|access_token|refresh_token|subject_token)=)([\w.~-]{43,})/;

function credentialIn(exchange: Exchange): string | null {
  const header = headerOf(exchange.request.headers, 'authorization') ?? '';
  const places = [header, exchange.path, bodyText(exchange.request)];
  return places.flatMap((text) => CREDENTIAL.exec(text)?.[1] ?? [])[0] ?? null;
}

function claimsOf(token: string): Claims | null {
  const { bytes } = decodeBase64url(token.split('.')[1] ?? '');
  return bytes === null ? null : parseJsonObject(new TextDecoder().decode(bytes));
}

/** The known token with the same claims: this one is a copy of it with another header or signature. */
const originalOf = (token: string, known: Known) =>
  known.values().find((value) => value.split('.')[1] === token.split('.')[1]);

/** The first of these claims that is a text. */
const textOf = (claims: Claims | null, ...names: readonly string[]): string =>
  names.map((name) => claims?.[name]).find((value) => typeof value === 'string') ?? '';

const epochOf = (claims: Claims | null) => textOf(claims, 'jti', 'sid').split('.')[0] ?? '';

/** Whether it was issued before a reset, as far as the recorded tokens show. */
function isOfAnotherEpoch(claims: Claims, known: Known): boolean {
  const token = known.newest('access_token');
  const now = token === undefined ? '' : epochOf(claimsOf(token));
  return now !== '' && epochOf(claims) !== now;
}

function issueStep(claims: Claims, known: Known): ScenarioStep {
  const { sub, scope, exp, iat } = claims;
  const client = known.clientOf(textOf(claims, 'client_id', 'azp'));
  const [first] = [claims['aud']].flat();
  const audience = typeof first === 'string' ? known.written(first) : '';
  return {
    issue_tokens: {
      ...known.naming(client ?? known.clients[0]),
      ...(typeof sub === 'string' ? { user: sub } : {}),
      ...(audience === '{{issuer}}' || audience === '' ? {} : { audience }),
      ...(typeof scope === 'string' && scope !== '' ? { scope } : {}),
      access_token_expires_in: Number(exp) - Number(iat),
    },
  };
}

export function unissuedIn(exchange: Exchange, known: Known): Unissued {
  const value = credentialIn(exchange);
  if (value === null || known.has(value)) return NONE;
  const claims = claimsOf(value);
  const original = originalOf(value, known);
  if (claims === null || original !== undefined || isOfAnotherEpoch(claims, known)) {
    known.standIn(
      value,
      original === undefined ? 'nobody-issued-this' : `${known.written(original)}x`,
    );
    return { ...NONE, vague: true };
  }
  const alive = Number(claims['exp']) * 1000 > Date.parse(exchange.clock.now);
  const { status, why } = exchange;
  const isEnded = status === 401 || why?.check === 'credential_live';
  const endedByHand = alive && isRefused(exchange) && isEnded;
  return {
    issued_again: [{ step: issueStep(claims, known), value }],
    ended: endedByHand ? [{ expire: '{{access_token}}' }] : [],
    vague: false,
  };
}
