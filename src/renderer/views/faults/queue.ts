// The upcoming responses: the rules as queues of scripted responses, one for each kind of request that a rule names.
// Rules are checked in their order, and the first that matches applies.

import type { Fault, FaultState } from '../../../control/fault-schemas.ts';
import { fitsPattern } from '../../../control/fault-schemas.ts';
import { isActive } from './rule-words.ts';

type Match = Fault['match'];

/** An entry of a queue: the next `count` requests, or some of them by chance, are affected by the rule. */
export interface Stop {
  readonly rule: FaultState;
  /** null for no limit. */
  readonly count: number | null;
}

export interface Queue {
  readonly match: Match;
  readonly stops: readonly Stop[];
  /** Whether requests after or between the stops get a normal response. */
  readonly ends: boolean;
}

/** Whether every request that `special` matches is also matched by `general`. */
export function covers(general: Match, special: Match): boolean {
  if (general.path !== null) {
    if (special.path === null || !fitsPattern(general.path, special.path)) return false;
  }
  // A rule without a method matches all but OPTIONS.
  if (general.method === null ? special.method === 'OPTIONS' : general.method !== special.method) {
    return false;
  }
  return (['grant_type', 'client_id'] as const).every(
    (claim) => general[claim] === null || general[claim] === special[claim],
  );
}

/** Whether the rule affects every request that it matches. */
const isEndless = (rule: FaultState) =>
  isActive(rule) && rule.remaining === null && rule.probability === 1;

/** The earlier rule that affects every request this one matches; null if there is none. */
export function shadowOf(rules: readonly FaultState[], index: number): FaultState | null {
  const rule = rules[index];
  if (rule === undefined || !isActive(rule)) return null;
  return (
    rules.slice(0, index).find((one) => isEndless(one) && covers(one.match, rule.match)) ?? null
  );
}

function queueOf(match: Match, active: readonly FaultState[]): Queue {
  const fitting = active.filter((rule) => covers(rule.match, match));
  const last = fitting.findIndex(isEndless);
  const reached = last < 0 ? fitting : fitting.slice(0, last + 1);
  return {
    match,
    stops: reached.map((rule) => ({ rule, count: rule.remaining })),
    ends: last < 0,
  };
}

const sameMatch = (a: Match, b: Match) => covers(a, b) && covers(b, a);

/** A queue for each kind of request that an active rule names, in the order of the rules. */
export function queuesOf(rules: readonly FaultState[]): Queue[] {
  const active = rules.filter(isActive);
  const kinds: Match[] = [];
  for (const { match } of active) {
    if (!kinds.some((known) => sameMatch(known, match))) kinds.push(match);
  }
  return kinds.map((match) => queueOf(match, active));
}

/** How many rules a folded list shows. */
const FOLDED = 50;

/** A rule with its position, from 0. */
type Placed = readonly [index: number, rule: FaultState];

/**
 * The rules that a list shows. The list stays folded until someone unfolds it, however many rules are added.
 * @param added the rule that was last added here, which is always shown
 */
export const shownOf = (
  rules: readonly FaultState[],
  unfolded: boolean,
  added: string | null,
): Placed[] =>
  [...rules.entries()].filter(([index, { id }]) => unfolded || index < FOLDED || id === added);
