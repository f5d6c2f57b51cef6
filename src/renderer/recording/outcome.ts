// The outcome of a recorded request as an expectation: the shape of tokens, never the tokens themselves.

import { parseJsonObject } from '../../oauth/json-object.ts';
import { KEPT_MEMBERS } from '../../scenario/defaults.ts';
import type { Expectation } from '../../scenario/schema.ts';
import type { Exchange } from '../../control/schemas.ts';
import { bodyText, redirectAnswerOf, tokenAnswerOf } from '../exchange/answer.ts';
import { deviceOf } from '../exchange/device-answer.ts';
import { claimsOf } from '../exchange/userinfo-claims.ts';
import type { Known } from './known.ts';

const TEXT = { $type: 'string' } as const;
const NUMBER = { $type: 'number' } as const;

const isSecret = (name: string) => (KEPT_MEMBERS as readonly string[]).includes(name);

/** How much a second run can repeat. */
interface Repeating {
  /** Something was sent that it cannot send in the very same way. */
  readonly vague: boolean;
  /** Whether it has a sandbox of its own, where time passes as it did for all credentials. */
  readonly exact: boolean;
  /** Whether its clients did nothing before. */
  readonly advice: boolean;
}

/** Values as recorded, except those that no second run can repeat. */
const shape = (members: Readonly<Record<string, unknown>>, known: Known, { exact }: Repeating) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (isSecret(name)) return [name, TEXT];
      // Lifetimes count down, that of an exchanged token with its subject token's, and users change.
      const isVague = !exact || 'issued_token_type' in members;
      if (typeof value === 'number' && isVague) return [name, NUMBER];
      return [name, typeof value === 'string' ? known.written(value) : value];
    }),
  );

/** The address with the user code is of one run only. */
const deviceShape = (exchange: Exchange, known: Known, how: Repeating) => ({
  ...shape(parseJsonObject(bodyText(exchange.response)) ?? {}, known, how),
  verification_uri_complete: TEXT,
});

function brought(exchange: Exchange, known: Known, how: Repeating): Expectation {
  if (exchange.fault !== null) return {};
  if (tokenAnswerOf(exchange) !== null) {
    return {
      body: { $only: shape(parseJsonObject(bodyText(exchange.response)) ?? {}, known, how) },
    };
  }
  if (deviceOf(exchange, '') !== null)
    return { body: { $only: deviceShape(exchange, known, how) } };
  const claims = claimsOf(exchange);
  if (claims !== null) return { body: shape(claims, known, how) };
  const redirect = redirectAnswerOf(exchange);
  return redirect?.has('code') === true ? { redirect: { code: TEXT, iss: '{{issuer}}' } } : {};
}

/** The checks and notes of a request; empty when an injected fault kept it from being validated. */
function evaluation(
  { trace, why, deviation_notes, advisory_notes }: Exchange,
  { vague, advice }: Repeating,
): Expectation {
  if (vague || trace.length === 0) return {};
  return {
    ...(why === null ? {} : { failed_check: why.check }),
    deviations: deviation_notes.map(({ id }) => id),
    // They are about what the client did before.
    ...(advice ? { advisories: advisory_notes.map(({ kind }) => kind) } : {}),
  };
}

export function outcomeOf(exchange: Exchange, known: Known, how: Repeating): Expectation {
  const { status, error } = exchange;
  return {
    status,
    ...(error === null ? {} : { error }),
    ...evaluation(exchange, how),
    ...brought(exchange, known, how),
  };
}
