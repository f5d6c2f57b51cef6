// What the next requests will meet: the rules read as queues of scripted answers, one for each kind of
// request that a rule names. Rules are tried in their order, and the first that fits decides.

import type { Fault, FaultState } from '../../../control/fault-schemas.ts';
import { fitsPattern } from '../../../control/fault-schemas.ts';
import { isArmed } from './rule-words.ts';

type Match = Fault['match'];

/** One stop of a queue: so many requests in a row, or some of them by chance, run into the rule. */
export interface Stop {
  readonly rule: FaultState;
  /** null: no end. */
  readonly count: number | null;
}

export interface Queue {
  readonly match: Match;
  readonly stops: readonly Stop[];
  /** Whether requests get through to the truth after, or between, the stops. */
  readonly ends: boolean;
}

/** Whether every request that fits `special` fits `general` too. */
export function covers(general: Match, special: Match): boolean {
  if (general.path !== null) {
    if (special.path === null || !fitsPattern(general.path, special.path)) return false;
  }
  // No method stands for any but OPTIONS.
  if (general.method === null ? special.method === 'OPTIONS' : general.method !== special.method) {
    return false;
  }
  return (['grant_type', 'client_id'] as const).every(
    (claim) => general[claim] === null || general[claim] === special[claim],
  );
}

/** Whether nothing that fits the rule gets past it. */
const isEndless = (rule: FaultState) =>
  isArmed(rule) && rule.remaining === null && rule.probability === 1;

/** The rule before this one that takes every request it is for; null when it has its turn. */
export function shadowOf(rules: readonly FaultState[], index: number): FaultState | null {
  const rule = rules[index];
  if (rule === undefined || !isArmed(rule)) return null;
  return (
    rules.slice(0, index).find((one) => isEndless(one) && covers(one.match, rule.match)) ?? null
  );
}

function queueOf(match: Match, armed: readonly FaultState[]): Queue {
  const fitting = armed.filter((rule) => covers(rule.match, match));
  const last = fitting.findIndex(isEndless);
  const reached = last < 0 ? fitting : fitting.slice(0, last + 1);
  return {
    match,
    stops: reached.map((rule) => ({ rule, count: rule.remaining })),
    ends: last < 0,
  };
}

const sameMatch = (a: Match, b: Match) => covers(a, b) && covers(b, a);

/** A queue for each kind of request that an armed rule names, in the order of the rules. */
export function queuesOf(rules: readonly FaultState[]): Queue[] {
  const armed = rules.filter(isArmed);
  const kinds: Match[] = [];
  for (const { match } of armed) {
    if (!kinds.some((known) => sameMatch(known, match))) kinds.push(match);
  }
  return kinds.map((match) => queueOf(match, armed));
}

/** Rules of a folded list. */
const FOLDED = 50;

/** A rule, and its place in the order, from 0. */
type Placed = readonly [index: number, rule: FaultState];

/**
 * The rules that a list shows: it is unfolded by a person alone, however many come and in however many parts.
 * @param added the rule that was added last here; it is shown wherever it stands
 */
export const shownOf = (
  rules: readonly FaultState[],
  unfolded: boolean,
  added: string | null,
): Placed[] =>
  [...rules.entries()].filter(([index, { id }]) => unfolded || index < FOLDED || id === added);
