// The steps of a scenario as they are written one after the other, with what earlier ones issue.

import type { Exchange } from '../../control/schemas/exchanges.ts';
import type { Expectation, ScenarioStep } from '../../scenario/schema.ts';
import {
  bodyText,
  redirectAnswerOf,
  tokenAnswerOf,
  deviceOf,
  claimsOf,
} from '../exchange/answer.ts';
import { createKnown, type Draft, type Known } from './known.ts';
import { deviceStep, requestStep, tokenStep } from './request-steps.ts';
import { exchangeOf, type RecordedEvent, type Recording, type Sandbox } from './recording.ts';
import { clientsOf } from './registered.ts';
import { unissuedIn } from './unissued.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import { KEPT_MEMBERS } from '../../scenario/defaults.ts';
import { DEVICE_CODE_GRANT } from '../../oauth/token-request.ts';
import type { FaultDraft } from '../../control/fault-schemas.ts';

export const timeOf = (event: RecordedEvent): number =>
  Date.parse('exchange' in event ? event.exchange.clock.now : event.at);

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
  const { events, sandbox: whole, with_workspace, proof_key = null } = recording;
  const drafts: Draft[] = [];
  const replaced = { issued_again: 0, invalid: 0 };
  const sandbox = { ...whole, clients: clientsOf(whole, events) };
  const known = createKnown(sandbox, !with_workspace, proof_key);
  const timed = with_workspace || clockWasMoved(events) || deviceWaited(events);
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
    const exact = with_workspace && replaced.issued_again === 0;
    const { status, ...expected } = outcomeOf(exchange, known, {
      vague: isVague,
      exact,
      advice: with_workspace && recording.whole !== false,
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

function responseOf(exchange: Exchange, known: Known, how: Repeating): Expectation {
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

function outcomeOf(exchange: Exchange, known: Known, how: Repeating): Expectation {
  const { status, error } = exchange;
  return {
    status,
    ...(error === null ? {} : { error }),
    ...evaluation(exchange, how),
    ...responseOf(exchange, known, how),
  };
}

/** Less than this is left to add up. */
const LEAST_MS = 1000;

/** @param times of the walk's events, in ms */
function createPassingTime(times: readonly number[]) {
  const [first = 0] = times;
  // Only then does the date matter: a clock can be moved forward by so much, but back only to a date.
  const setBack = times.some((time, index) => time - (times[index - 1] ?? time) <= -LEAST_MS);
  let clock = first;
  const at = (time: number): ScenarioStep => ({ clock: { now: new Date(time).toISOString() } });
  return {
    begin: (): ScenarioStep[] => [
      { name: 'Freeze the clock; later steps move it', clock: { frozen: true } },
      ...(setBack ? [at(first)] : []),
    ],
    until: (time: number): ScenarioStep[] => {
      const passed = time - clock;
      if (Math.abs(passed) < LEAST_MS) return [];
      clock = time;
      return [passed > 0 ? { clock: { advance_seconds: passed / 1000 } } : at(time)];
    },
  };
}

/** A clock that nobody changes: the scenario leaves it alone. */
const RUNNING_TIME: ReturnType<typeof createPassingTime> = {
  begin: () => [],
  until: () => [],
};

/** Whether the clock was moved, frozen or let run between the requests of a walk. */
function clockWasMoved(events: readonly RecordedEvent[]): boolean {
  const clocks = events.flatMap((event) => exchangeOf(event)?.clock ?? []);
  return clocks.some((clock, index) => {
    const before = clocks[index - 1] ?? clock;
    if (clock.frozen !== before.frozen) return true;
    const moved = clock.frozen
      ? Date.parse(clock.now) - Date.parse(before.now)
      : (clock.offset_seconds - before.offset_seconds) * 1000;
    return Math.abs(moved) >= LEAST_MS;
  });
}

/** Whether a device waited between polls: how long decides what a poll is answered with (RFC 8628 3.5). */
function deviceWaited(events: readonly RecordedEvent[]): boolean {
  const grant = encodeURIComponent(DEVICE_CODE_GRANT);
  const polls = events.flatMap((event) => {
    const exchange = exchangeOf(event);
    return exchange !== null && bodyText(exchange.request).includes(grant)
      ? [exchange.clock.now]
      : [];
  });
  const times = polls.map(Date.parse);
  return times.some((time, index) => time - (times[index - 1] ?? time) >= LEAST_MS);
}

/** Written by the server itself, whatever a rule says. */
const OF_THE_SERVER =
  /^(content-length|transfer-encoding|connection|keep-alive|date|grantbench-exchange)$/i;

function effectOf({ status, response }: Exchange): NonNullable<FaultDraft['effect']> {
  if (status === 0) return { kind: 'drop' };
  const headers = response.headers.filter(([name]) => !OF_THE_SERVER.test(name));
  return { kind: 'answer', status, headers, body: bodyText(response) };
}

function faultStep(exchange: Exchange, { faults }: Sandbox): ScenarioStep {
  const rule = faults.find(({ id }) => id === exchange.fault?.id);
  if (rule === undefined) {
    const name = exchange.fault?.name ?? '';
    return { fault: { name, when: 'instead', times: 1, effect: effectOf(exchange) } };
  }
  const { name, when, match, delay_ms, effect } = rule;
  return { fault: { name, when, match, delay_ms, effect, times: 1 } };
}
