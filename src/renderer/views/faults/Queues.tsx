import { Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FaultState, type Fault, fitsPattern } from '../../../control/fault-schemas.ts';
import { usePage } from '../../connection/state.ts';
import { linkTo } from '../../navigation/route.ts';
import { pluralize } from '../../../words.ts';
import panel from '../../ui/panel.module.css';
import classes from './Faults.module.css';
import {
  chanceInWords,
  delayWords,
  matchInWords,
  titleOf,
  whatInWords,
  isActive,
} from './rule-words.ts';
import { Hint } from '../../ui/panel.tsx';

// The upcoming responses: the rules as queues of scripted responses, one for each kind of request that a rule names.
// Rules are checked in their order, and the first that matches applies.

type Match = Fault['match'];

interface Queue {
  readonly match: Match;
  /** The rules that apply, one after another. */
  readonly stops: readonly FaultState[];
  /** Whether requests after or between the stops get a normal response. */
  readonly ends: boolean;
  /** Whether a rule for other requests applies to some of these first. */
  readonly hasExceptions: boolean;
}

/** Whether a rule for the one method matches all requests that are for the other; null matches all but OPTIONS. */
const methodCovers = (general: Match['method'], special: Match['method']): boolean =>
  general === null ? special !== 'OPTIONS' : general === special;

/** Whether every request that `special` matches is also matched by `general`. */
export function covers(general: Match, special: Match): boolean {
  if (general.path !== null) {
    if (special.path === null || !fitsPattern(general.path, special.path)) return false;
  }
  return (
    methodCovers(general.method, special.method) &&
    (['grant_type', 'client_id'] as const).every(
      (claim) => general[claim] === null || general[claim] === special[claim],
    )
  );
}

/** Whether some path matches both patterns. */
function pathsOverlap(a: string, b: string): boolean {
  const [partsA, partsB] = [a.split('*'), b.split('*')];
  if (partsA.length === 1) return fitsPattern(b, a);
  if (partsB.length === 1) return fitsPattern(a, b);
  // Only the ends can disagree: a `*` of the one matches whatever the other has in its middle.
  const [headA = '', headB = ''] = [partsA[0], partsB[0]];
  const [tailA = '', tailB = ''] = [partsA.at(-1), partsB.at(-1)];
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) &&
    (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  );
}

/** Whether some requests match both. */
const overlap = (a: Match, b: Match): boolean =>
  (a.path === null || b.path === null || pathsOverlap(a.path, b.path)) &&
  (methodCovers(a.method, b.method) || methodCovers(b.method, a.method)) &&
  (['grant_type', 'client_id'] as const).every(
    (name) => a[name] === null || b[name] === null || a[name] === b[name],
  );

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
  const stops = last < 0 ? fitting : fitting.slice(0, last + 1);
  const end = last < 0 ? active.length : active.indexOf(fitting[last] as FaultState);
  const earlier = active.slice(0, end).filter((rule) => !fitting.includes(rule));
  const hasExceptions = earlier.some((rule) => overlap(rule.match, match));
  return { match, stops, ends: last < 0, hasExceptions };
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

/** Beyond this number, kinds of requests are only counted. */
const MOST_SHOWN = 4;

/** A scripted response in short, by its status only; the table shows the rest. */
function brief(rule: FaultState): string {
  const { effect, delay_ms } = rule;
  if (effect.kind !== 'answer') return whatInWords(rule);
  return delay_ms === 0 ? `${effect.status}` : `${effect.status}, after ${delayWords(delay_ms)}`;
}

function how({ remaining, probability }: FaultState, first: boolean): string {
  const often = remaining === null ? (first ? 'every time' : 'from then on') : `${remaining} ×`;
  const chance = chanceInWords(probability);
  if (chance === '') return often;
  return remaining === null ? `${chance}:` : `${often}, ${chance}`;
}

function StopChip({ rule, first }: { readonly rule: FaultState; readonly first: boolean }) {
  return (
    <a className={classes.stop} title={titleOf(rule)} {...linkTo('faults', rule.id)}>
      <Text span inherit c="var(--warn)">
        {how(rule, first)}
      </Text>{' '}
      {brief(rule)}
    </a>
  );
}

function QueueLine({ queue: { match, stops, ends, hasExceptions } }: { readonly queue: Queue }) {
  return (
    <Group gap="var(--s1h) var(--s3)" align="baseline">
      <Text span className="mono" c="dimmed">
        {matchInWords(match)}
        {hasExceptions && ', unless another rule applies first'}
      </Text>
      <Group
        component="ol"
        role="list"
        gap={4}
        className={classes.stops ?? ''}
        aria-label={`Upcoming responses for ${matchInWords(match)}`}
      >
        {stops.map((rule, index) => (
          <li key={rule.id}>
            <StopChip rule={rule} first={index === 0} />
          </li>
        ))}
        {ends && (
          <Group component="li" gap={4} c="var(--ok)">
            <IconCheck size="1.1em" aria-hidden="true" />
            {/* A rule that applies by chance, without a limit, never ends. */}
            {stops.at(-1)?.remaining === null ? 'otherwise' : 'then'} normal responses
          </Group>
        )}
      </Group>
    </Group>
  );
}

export function Queues({ rules }: { readonly rules: readonly FaultState[] }) {
  const queues = queuesOf(rules);
  const checked = usePage((state) => state.client_check !== null);
  const more = queues.length - MOST_SHOWN;
  return (
    <Stack
      component="section"
      className={panel.bar}
      gap={6}
      px="md"
      py="sm"
      fz="xs"
      bg="var(--surface)"
      aria-label="Upcoming responses"
    >
      {queues.length === 0 &&
        (checked ? (
          <Hint>No fault rules active.</Hint>
        ) : (
          <Group component="p" gap={4} c="var(--ok)">
            <IconCheck size="1.1em" aria-hidden="true" /> No faults active: all responses are
            normal.
          </Group>
        ))}
      {queues.slice(0, MOST_SHOWN).map((queue) => (
        <QueueLine key={matchInWords(queue.match)} queue={queue} />
      ))}
      {more > 0 && <Hint>and {pluralize(more, 'more kind', 'more kinds')} of requests</Hint>}
    </Stack>
  );
}
