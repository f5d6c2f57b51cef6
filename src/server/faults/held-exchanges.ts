// Exchanges of an app that are held: before they are evaluated, or before their response is sent (behaviour 8.8). The
// rules of a session exist only while someone follows it. Whatever ends a hold without a decision releases the exchange
// unchanged.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { textBytes } from '../../core/collections/weight.ts';
import { type FaultTarget, fits } from '../../core/faults/rules.ts';
import { HOLD_BOUNDS } from '../../core/records/bounds.ts';
import type { Edit } from '../../core/records/edit.ts';
import type { HoldRule } from '../../core/records/hold.ts';
import type { Destination } from '../dispatch.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import type { Answer } from '../reply.ts';

/** How a held exchange goes on. */
export type Decision =
  | {
      readonly kind: 'release';
      /** Edits of the request's fields, before it is evaluated. */
      readonly request: readonly Edit[];
      /** The response to send instead of the held one. */
      readonly response: Answer | null;
      /** Whether the response of a released request is held as well. */
      readonly hold_response: boolean;
      /** What was edited; empty for nothing. */
      readonly edited: readonly string[];
    }
  /** `reason` is the chosen refusal. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly reason: string }
  | { readonly kind: 'drop' };

/** Goes on as if it had not been held. */
export const UNCHANGED: Decision = {
  kind: 'release',
  request: [],
  response: null,
  hold_response: false,
  edited: [],
};

/** Why an exchange is no longer held. */
type EndOfHold = 'decided' | 'time_limit' | 'unattended' | 'reset' | 'stop';

export interface Ended {
  readonly decision: Decision;
  readonly by: EndOfHold;
  readonly held_ms: number;
}

/** What may be held. */
export interface Candidate {
  readonly pending: PendingExchange;
  readonly destination: Destination;
  readonly headers: IncomingHttpHeaders;
  /** The response that would be sent; null before the evaluation. */
  readonly answer: Answer | null;
  readonly target: FaultTarget;
  readonly socket: Socket;
}

/** An exchange that is held. Times are ms since the epoch, by machine time. */
export interface Held extends Candidate {
  readonly at: HoldRule['at'];
  readonly since: number;
  readonly ends_at: number;
  /** Whether the client has closed the connection. */
  readonly gone: boolean;
}

/** The rules of someone who follows what they hold. */
export interface HoldSession {
  readonly held: () => readonly Held[];
  /** Whether it is over: ended, or its rules are used up and it holds nothing. */
  readonly isOver: () => boolean;
  /** Resolves after the next change of what is held. */
  readonly changed: () => Promise<void>;
  /** Releases what is held unchanged. */
  readonly end: () => void;
}

interface ActiveRule {
  readonly rule: HoldRule;
  remaining: number | null;
  /** The only exchange that it holds; null for any. */
  readonly number: number | null;
}

interface Session {
  rules: ActiveRule[];
  over: boolean;
  readonly waiters: (() => void)[];
}

/** A rule of a session. */
export interface Holder {
  readonly session: Session;
  readonly rule: HoldRule;
}

type Entry = { -readonly [Member in keyof Held]: Held[Member] } & {
  readonly session: Session;
  readonly settle: (decision: Decision, by: EndOfHold, step?: boolean) => void;
};

export type Holds = ReturnType<typeof createHolds>;

const bytesOf = ({ pending, answer }: Candidate): number =>
  pending.request_body.length +
  textBytes(pending.target + pending.request_headers.join('')) +
  (answer === null ? 0 : textBytes(answer.body + answer.headers.join('')));

const applies = (
  { rule, number }: ActiveRule,
  at: HoldRule['at'],
  { target, pending }: Candidate,
  rejected: boolean,
): boolean =>
  (number === null || number === pending.number) &&
  rule.at === at &&
  rule.sent_by === pending.sent_by &&
  (rejected || !rule.rejected_only) &&
  fits(rule.match, target);

/** Holds the next exchange, whatever it is. */
const NEXT = {
  match: { path: null, method: null, grant_type: null, client_id: null },
  rejected_only: false,
  times: 1,
} as const;

const nextOf = (rule: HoldRule, at: HoldRule['at'], number: number | null) => ({
  rule: { ...rule, ...NEXT, at },
  remaining: 1,
  number,
});

/** Uses the first rule that applies; null if none does. */
function takeFrom(
  sessions: readonly Session[],
  at: HoldRule['at'],
  candidate: Candidate,
  rejected: boolean,
): Holder | null {
  for (const session of sessions) {
    const matching = session.rules.find((one) => applies(one, at, candidate, rejected));
    if (matching === undefined) continue;
    if (matching.remaining !== null) matching.remaining -= 1;
    session.rules = session.rules.filter(({ remaining }) => remaining !== 0);
    return { session, rule: matching.rule };
  }
  return null;
}

/** @param onChange called when something is held, decided, or left by its client */
export function createHolds(onChange: () => void) {
  let sessions: Session[] = [];
  let entries: Entry[] = [];
  let closed = false;

  const heldBy = (session: Session) => entries.filter((entry) => entry.session === session);
  const isUsedUp = (session: Session) => session.rules.length === 0 && heldBy(session).length === 0;
  const notify = () => {
    for (const session of sessions) {
      session.over ||= isUsedUp(session);
      for (const wake of session.waiters.splice(0)) wake();
    }
    sessions = sessions.filter(({ over }) => !over);
    onChange();
  };
  const release = (held: readonly Entry[], by: EndOfHold) => {
    for (const { settle } of held) settle(UNCHANGED, by);
  };
  const end = (session: Session, by: EndOfHold) => {
    if (session.over) return;
    session.over = true;
    session.rules = [];
    release(heldBy(session), by);
    notify();
  };
  const hold = ({ session, rule }: Holder, candidate: Candidate): Promise<Ended> => {
    const { socket, pending } = candidate;
    return new Promise((resolve) => {
      const since = Date.now();
      const onGone = () => {
        entry.gone = true;
        notify();
      };
      const settle: Entry['settle'] = (decision, by, step = false) => {
        clearTimeout(timer);
        socket.off('close', onGone);
        entries = entries.filter((other) => other !== entry);
        if (step) session.rules.push(nextOf(rule, 'request', null));
        if (decision.kind === 'release' && decision.hold_response)
          session.rules.push(nextOf(rule, 'response', pending.number));
        resolve({ decision, by, held_ms: Date.now() - since });
        notify();
      };
      const timer = setTimeout(() => {
        settle(UNCHANGED, 'time_limit');
      }, rule.release_after_ms);
      const entry: Entry = {
        ...candidate,
        session,
        at: candidate.answer === null ? 'request' : 'response',
        since,
        ends_at: since + rule.release_after_ms,
        gone: socket.destroyed,
        settle,
      };
      // Several pipelined requests of one connection may be held.
      socket.setMaxListeners(0).once('close', onGone);
      entries = [...entries, entry];
      notify();
    });
  };
  return {
    /** Whether any rule could hold an exchange: all that a request pays without rules. */
    get armed() {
      return sessions.length > 0;
    },
    /** Null if there are too many sessions. */
    start: (rule: HoldRule): HoldSession | null => {
      if (sessions.length >= HOLD_BOUNDS.rules) return null;
      const session: Session = {
        rules: [{ rule, remaining: rule.times, number: null }],
        over: false,
        waiters: [],
      };
      sessions = [...sessions, session];
      return {
        held: () => heldBy(session),
        isOver: () => session.over,
        changed: () =>
          new Promise((resolve) => {
            session.waiters.push(resolve);
          }),
        end: () => {
          end(session, 'unattended');
        },
      };
    },
    /** In the order in which they were held. */
    list: () => entries,
    /** @param step whether the session holds the next exchange too. False if the exchange is no longer held. */
    decide: (held: Held, decision: Decision, step: boolean): boolean => {
      const entry = entries.find((one) => one === held);
      entry?.settle(decision, 'decided', step);
      return entry !== undefined;
    },
    /** The rule that holds the exchange, used up once; null if none does. */
    take: (at: HoldRule['at'], candidate: Candidate, rejected: boolean) =>
      closed ? null : takeFrom(sessions, at, candidate, rejected),
    /** Holds the exchange until it is decided; `full` if too much is held already. */
    hold: (holder: Holder, candidate: Candidate): Promise<Ended> | 'full' => {
      const bytes = [...entries, candidate].reduce((sum, one) => sum + bytesOf(one), 0);
      const full = entries.length >= HOLD_BOUNDS.entries || bytes > HOLD_BOUNDS.bytes;
      if (full) notify();
      return full ? 'full' : hold(holder, candidate);
    },
    clear: () => {
      for (const session of sessions) end(session, 'reset');
    },
    /** Releases what is held, and holds nothing until `open`. */
    close: () => {
      closed = true;
      release(entries, 'stop');
    },
    open: () => {
      closed = false;
    },
  };
}
