// Codes and tokens in a recorded request that nothing in the walk brought: minted beside it, spoilt on
// purpose, or of before a reset. What can be had again is; for the rest, something as worthless stands in.

import { parseJsonObject } from '../../../../oauth/json-object.ts';
import type { ScenarioStep } from '../../../../scenario/schema.ts';
import type { Exchange } from '../../../../control/schemas.ts';
import { decodeBase64url } from '../../../../oauth/base64.ts';
import { bodyText, headerOf, isRefused } from '../../../exchange/answer.ts';
import type { Known } from './known.ts';

interface Strangers {
  readonly minted: readonly { readonly step: ScenarioStep; readonly value: string }[];
  /** To be done to what was minted last. */
  readonly ended: readonly ScenarioStep[];
  readonly vague: boolean;
}

const NOBODY: Strangers = { minted: [], ended: [], vague: false };

type Claims = Readonly<Record<string, unknown>>;

/** Values of 256 bits or JWTs where credentials stand. */
const CREDENTIAL =
  /(?:\bBearer |\bBasic |"(?:code|token|access_token|refresh_token)":\s*"|(?:^|[?&])(?:code|token|access_token|refresh_token)=)([\w.~-]{43,})/;

function credentialIn(exchange: Exchange): string | null {
  const header = headerOf(exchange.request.headers, 'authorization') ?? '';
  const places = [header, exchange.path, bodyText(exchange.request)];
  return places.flatMap((text) => CREDENTIAL.exec(text)?.[1] ?? [])[0] ?? null;
}

function claimsOf(token: string): Claims | null {
  const { bytes } = decodeBase64url(token.split('.')[1] ?? '');
  return bytes === null ? null : parseJsonObject(new TextDecoder().decode(bytes));
}

/** Claims are signed over as they are: the same ones, so another token was changed on purpose. */
const originalOf = (token: string, known: Known) =>
  known.values().find((value) => value.split('.')[1] === token.split('.')[1]);

/** The first of these claims that is a text. */
const textOf = (claims: Claims | null, ...names: readonly string[]): string =>
  names.map((name) => claims?.[name]).find((value) => typeof value === 'string') ?? '';

const epochOf = (claims: Claims | null) => textOf(claims, 'jti', 'sid').split('.')[0] ?? '';

/** Whether it is of before a reset, as far as this walk can tell. */
function isOfAnotherEpoch(claims: Claims, known: Known): boolean {
  const token = known.newest('access_token');
  const now = token === undefined ? '' : epochOf(claimsOf(token));
  return now !== '' && epochOf(claims) !== now;
}

function mintStep(claims: Claims, known: Known): ScenarioStep {
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

export function strangersIn(exchange: Exchange, known: Known): Strangers {
  const value = credentialIn(exchange);
  if (value === null || known.has(value)) return NOBODY;
  const claims = claimsOf(value);
  const original = originalOf(value, known);
  if (claims === null || original !== undefined || isOfAnotherEpoch(claims, known)) {
    known.standIn(
      value,
      original === undefined ? 'nobody-issued-this' : `${known.written(original)}x`,
    );
    return { ...NOBODY, vague: true };
  }
  const alive = Number(claims['exp']) * 1000 > Date.parse(exchange.clock.now);
  const byHand = alive && isRefused(exchange) && exchange.status === 401;
  return {
    minted: [{ step: mintStep(claims, known), value }],
    ended: byHand ? [{ expire: '{{access_token}}' }] : [],
    vague: false,
  };
}
