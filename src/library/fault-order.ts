// Converts the argument of `fail` to a fault rule: a status, the id of a preset, or a whole rule.

import type { FaultDraft } from '../control/fault-schemas.ts';

/** The next token requests get this status; they are not evaluated and consume nothing. */
export interface FaultShorthand {
  /** From 400 to 599. */
  readonly status: number;
  /** The number of requests; 1 by default, null for all. */
  readonly times?: number | null | undefined;
  /** Seconds for `Retry-After`; sent with 429 and 503, 1 by default. */
  readonly retry_after?: number | undefined;
  /** Only requests of this client. */
  readonly client_id?: string | undefined;
}

/**
 * A fault: a preset such as `'throttled_twice'`, `{ status: 429, times: 2 }`, or a rule for `POST /faults` (`{ when,
 * match, times, effect }`, or `{ preset, ... }`).
 */
export type FaultOrder = string | FaultShorthand | FaultDraft;

const ERRORS: Readonly<Record<number, string>> = {
  401: 'invalid_client',
  429: 'too_many_requests',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

const errorOf = (status: number) =>
  ERRORS[status] ?? (status >= 500 ? 'server_error' : 'invalid_request');

function ruleOf(order: FaultShorthand): FaultDraft {
  const { status, times = 1, retry_after = 1, client_id, ...others } = order;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const rule = 'is not a known member; beside status there are times, retry_after and client_id';
    throw new TypeError(`fail: ${unknown} ${rule}`);
  }
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new TypeError('fail: status must be a whole number from 400 to 599');
  }
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ];
  if (status === 429 || status === 503) headers.push(['Retry-After', String(retry_after)]);
  const body = JSON.stringify({
    error: errorOf(status),
    error_description: 'scripted by the test',
  });
  return {
    name: `scripted ${status}`,
    when: 'instead',
    match: { path: '/oauth/token', method: 'POST', client_id: client_id ?? null },
    times,
    effect: { kind: 'answer', status, headers, body },
  };
}

const NEEDED = 'fail: needs the id of a preset, {status, times}, or a rule with effect or preset';

const isShorthand = (order: FaultShorthand | FaultDraft): order is FaultShorthand =>
  'status' in order;

/** Returns the rule to add. @throws TypeError for an invalid fault */
export function faultOf(order: FaultOrder): FaultDraft {
  if (typeof order === 'string') return { preset: order };
  if (typeof order !== 'object' || (order as unknown) === null) throw new TypeError(NEEDED);
  if (isShorthand(order)) return ruleOf(order);
  if ('effect' in order || 'preset' in order) return order;
  throw new TypeError(NEEDED);
}
