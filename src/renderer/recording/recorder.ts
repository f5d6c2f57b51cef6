// The steps of a scenario as they are written one after the other, with what earlier ones issue.

import type { Exchange } from '../../control/schemas.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { tokenAnswerOf } from '../exchange/answer.ts';
import { deviceOf } from '../exchange/device-answer.ts';
import type { Draft } from './credentials.ts';
import { deviceStep } from './device-step.ts';
import { faultStep } from './fault-step.ts';
import { createKnown, type Known } from './known.ts';
import { outcomeOf } from './outcome.ts';
import { clockWasMoved, createPassingTime, deviceWaited, RUNNING_TIME } from './passing-time.ts';
import type { RecordedEvent } from './recorded-event.ts';
import { clientsOf } from './registered.ts';
import { requestStep } from './request-step.ts';
import type { Recording } from './recording.ts';
import { tokenStep } from './token-step.ts';
import { unissuedIn } from './unissued.ts';

export const timeOf = (event: RecordedEvent): number =>
  Date.parse(
    event.kind === 'exchange' || event.kind === 'burst' ? event.exchange.clock.now : event.at,
  );

function learnIssued(known: Known, exchange: Exchange, draft: Draft): void {
  const device = deviceOf(exchange, '');
  if (device !== null) {
    known.learn('device_code', device.device_code, draft, 'body.device_code');
    known.learn('user_code', device.user_code, draft, 'body.user_code');
  }
  const answer = tokenAnswerOf(exchange);
  if (answer === null) return;
  for (const name of ['access_token', 'refresh_token', 'id_token'] as const) {
    const value = answer[name];
    if (value !== null) known.learn(name, value, draft, `body.${name}`);
  }
}

/** How a request is recorded. */
interface Manner {
  /** Its moment, in ms. */
  readonly at: number;
  /** Whether a run cannot send it in the very same way. */
  readonly vague?: boolean;
  readonly any_status?: boolean;
  readonly repeat?: number;
}

export function createRecorder(recording: Recording) {
  const { events, sandbox: whole, takes_along, proof_key = null } = recording;
  const drafts: Draft[] = [];
  const replaced = { issued_again: 0, invalid: 0 };
  const sandbox = { ...whole, clients: clientsOf(whole, events) };
  const known = createKnown(sandbox, !takes_along, proof_key);
  const timed = takes_along || clockWasMoved(events) || deviceWaited(events);
  const time = timed ? createPassingTime(events.map(timeOf)) : RUNNING_TIME;
  const add = (step: ScenarioStep): Draft => {
    const draft = { step, save: {} };
    drafts.push(draft);
    return draft;
  };
  const passTime = (at: number): void => time.until(at).forEach(add);

  /** Credentials from elsewhere are issued again before time passes: one of them may be what expires. */
  const adopt = (exchange: Exchange): boolean => {
    const unissued = unissuedIn(exchange, known);
    for (const { step, learn } of unissued.issued_again) learn(add(step));
    unissued.ended.forEach(add);
    replaced.issued_again += unissued.issued_again.length;
    replaced.invalid += unissued.invalid;
    return unissued.vague;
  };

  const request = (
    exchange: Exchange,
    title: string | undefined,
    write: (exchange: Exchange) => ScenarioStep,
    { at, vague = false, any_status = false, repeat = 1 }: Manner,
  ): Draft => {
    const isVague = adopt(exchange) || vague || any_status;
    passTime(at);
    if (exchange.fault !== null) add(faultStep(exchange, sandbox));
    // What a step of its own issued has another age than what was recorded.
    const exact = takes_along && replaced.issued_again === 0;
    const { status, ...expected } = outcomeOf(exchange, known, {
      vague: isVague,
      exact,
      advice: takes_along && recording.whole !== false,
    });
    const draft = add({
      ...(title === undefined ? {} : { name: title }),
      ...write(exchange),
      ...(repeat === 1 ? {} : { repeat }),
      expect: any_status ? expected : { status, ...expected },
    });
    learnIssued(known, exchange, draft);
    return draft;
  };

  return {
    add,
    begin: () => time.begin().forEach(add),
    drafts,
    known,
    passTime,
    replaced,
    request,
    write: (exchange: Exchange): ScenarioStep =>
      tokenStep(exchange, known) ?? deviceStep(exchange, known) ?? requestStep(exchange, known),
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
