// What came of a recorded request, as what must come of it again: the shape of tokens, never themselves.

import { parseJsonObject } from '../../../../oauth/json-object.ts';
import { KEPT_MEMBERS } from '../../../../scenario/defaults.ts';
import type { Expectation } from '../../../../scenario/schema.ts';
import type { Exchange } from '../../../../control/schemas.ts';
import { bodyText, redirectAnswerOf, tokenAnswerOf } from '../../../exchange/answer.ts';
import { claimsOf } from '../userinfo-claims.ts';
import type { Known } from './known.ts';

const TEXT = { $type: 'string' } as const;

const isSecret = (name: string) => (KEPT_MEMBERS as readonly string[]).includes(name);

/** Values as they came, except those that no second run can repeat. */
const shape = (members: Readonly<Record<string, unknown>>, known: Known) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (isSecret(name)) return [name, TEXT];
      return [name, typeof value === 'string' ? known.written(value) : value];
    }),
  );

function brought(exchange: Exchange, known: Known): Expectation {
  if (exchange.fault !== null) return {};
  if (tokenAnswerOf(exchange) !== null) {
    return { body: { $only: shape(parseJsonObject(bodyText(exchange.response)) ?? {}, known) } };
  }
  const claims = claimsOf(exchange);
  if (claims !== null) return { body: shape(claims, known) };
  const redirect = redirectAnswerOf(exchange);
  return redirect?.has('code') === true ? { redirect: { code: TEXT, iss: '{{issuer}}' } } : {};
}

/** The checks and notes of a judged request; a fault on demand may have kept it from being judged. */
function judged({ trace, why, deviation_notes, advisory_notes }: Exchange): Expectation {
  if (trace.length === 0) return {};
  return {
    ...(why === null ? {} : { failed_check: why.check }),
    deviations: deviation_notes.map(({ id }) => id),
    advisories: advisory_notes.map(({ kind }) => kind),
  };
}

/** @param vague something was sent that a second run cannot send in the very same way */
export function outcomeOf(exchange: Exchange, known: Known, vague: boolean): Expectation {
  const { status, error } = exchange;
  return {
    status,
    ...(error === null ? {} : { error }),
    ...(vague ? {} : judged(exchange)),
    ...brought(exchange, known),
  };
}
