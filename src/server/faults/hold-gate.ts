// Takes requests of apps past the rules that hold exchanges (behaviour 8.8), carries out what was decided, and notes it
// on the exchange. Loaded when a rule exists.

import type { IncomingMessage } from 'node:http';
import { editJson, editParameters } from '../../core/faults/apply-edits.ts';
import { describeHold, type HoldOutcome } from '../../core/faults/words.ts';
import { secondsOf } from '../../core/model/clock.ts';
import type { Edit } from '../../core/records/edit.ts';
import type { TokenService } from '../../core/service.ts';
import { parseJsonObject } from '../../json.ts';
import type { Destination } from '../dispatch.ts';
import type { HoldMark } from '../capture.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { type Answer, NO_ANSWER } from '../reply.ts';
import { claimedBy, targetOf } from './injector.ts';
import type { Candidate, Decision, Ended, Holder, Holds } from './held-exchanges.ts';

function formAfter(form: string, edits: readonly Edit[], now: number): string {
  const edited = editParameters([...new URLSearchParams(form)], edits, now);
  return new URLSearchParams(
    edited.map(([name, value]): [string, string] => [name, value]),
  ).toString();
}

/**
 * Returns the request with other fields: those of its body, which is a form or a JSON object, or without a body those
 * of its query.
 */
export function withFields(
  body: Buffer,
  query: string,
  edits: readonly Edit[],
  { ports }: TokenService,
): { readonly body: Buffer; readonly query: string } {
  if (edits.length === 0) return { body, query };
  const now = secondsOf(ports.clock);
  const text = body.toString();
  if (text === '') return { body, query: formAfter(query, edits, now) };
  const members = parseJsonObject(text);
  const edited =
    members === null ? formAfter(text, edits, now) : JSON.stringify(editJson(members, edits, now));
  return { body: Buffer.from(edited), query };
}

function outcomeOf({ decision, by, held_ms }: Ended, evaluated: boolean): HoldOutcome {
  const ends = { release: 'released', answer: 'answered', drop: 'dropped' } as const;
  return {
    evaluated,
    held_ms,
    end: by === 'decided' ? ends[decision.kind] : by,
    edited: decision.kind === 'release' ? decision.edited : [],
    reason: decision.kind === 'answer' ? decision.reason : null,
  };
}

/** Adds to what was done to the exchange while it was held. */
function note(pending: PendingExchange, { what, changed }: HoldMark): void {
  const { held } = pending;
  pending.held =
    held === null
      ? { what, changed }
      : { what: `${held.what} ${what}`, changed: held.changed || changed };
}

const isChanged = (decision: Decision): boolean =>
  decision.kind !== 'release' || decision.edited.length > 0;

const isRejected = ({ status, error }: Answer, { evaluation }: PendingExchange): boolean =>
  status >= 400 || error !== null || (evaluation?.refusal ?? evaluation?.finding ?? null) !== null;

/** Holds the exchange until its end; null if it is not held. */
async function pass(
  holds: Holds,
  holder: Holder | null,
  candidate: Candidate,
): Promise<Ended | null> {
  if (holder === null) return null;
  const { pending, answer } = candidate;
  const ended = await holds.hold(holder, candidate);
  if (ended === 'full') {
    note(pending, { what: 'Not held: too many exchanges were held already.', changed: false });
    return null;
  }
  note(pending, {
    what: describeHold(outcomeOf(ended, answer !== null)),
    changed: isChanged(ended.decision),
  });
  return ended;
}

function sent(answer: Answer, ended: Ended | null): Answer {
  switch (ended?.decision.kind) {
    case 'release':
      return ended.decision.response ?? answer;
    case 'answer':
      return ended.decision.answer;
    case 'drop':
      return NO_ANSWER;
    case undefined:
      return answer;
  }
}

/** @param evaluate returns the response to the request with this query */
export async function respondUnderHolds(
  request: IncomingMessage,
  pending: PendingExchange,
  destination: Destination,
  evaluate: (query: string) => Promise<Answer>,
  { holds, service }: { readonly holds: Holds; readonly service: TokenService },
): Promise<Answer> {
  const { headers, socket } = request;
  const { query } = destination;
  if (pending.method === 'OPTIONS') return evaluate(query);
  const target = targetOf(headers, pending, destination, service);
  const candidate = { pending, destination, headers, target, socket, answer: null };
  const ended = await pass(holds, holds.take('request', candidate, false), candidate);
  const decision = ended?.decision;
  if (decision !== undefined && decision.kind !== 'release') {
    pending.claimed = claimedBy(target, service);
    return sent(NO_ANSWER, ended);
  }
  const { request_body } = pending;
  const edited = withFields(request_body, query, decision?.request ?? [], service);
  pending.request_body = edited.body;
  let answer: Answer;
  try {
    answer = await evaluate(edited.query);
  } finally {
    // The exchange shows what the app has sent.
    pending.request_body = request_body;
  }
  const after = { ...candidate, answer };
  const holder = holds.take('response', after, isRejected(answer, pending));
  return sent(answer, await pass(holds, holder, after));
}
