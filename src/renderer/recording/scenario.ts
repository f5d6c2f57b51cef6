// Turns a recording into a scenario: requests and responses step by step, so that `grantbench run` can repeat them and
// report differences.
//
//   recordScenario({ name, events, sandbox, with_workspace }: Recording): Scenario
//
// `events` are those of the flow, or the exchanges of an app; `sandbox` has the registered records and the fault rules.
// A scenario contains these records, with placeholders for secrets, for its own sandbox, or only names them for the sandbox
// in use. Codes, tokens, secrets and the issuer become variables, because they differ in every run. Nothing is sent from
// here.

import { isScripted } from '../../control/names.ts';
import { type Exchange, SCENARIO_FORMAT } from '../../control/schemas.ts';
import { given } from '../../scenario/actions/action.ts';
import type { Scenario, ScenarioStep, Expectation } from '../../scenario/schema.ts';
import { isSentAgain, type Known, createKnown, type Draft } from './known.ts';
import {
  type Authorization,
  authorizationsIn,
  authorizationStep,
  codeStep,
  sessionUserOf,
} from './authorization.ts';
import {
  type DeviceDecision,
  exchangeOf,
  type MintedTokens,
  type Recording,
  type RecordedEvent,
  type Sandbox,
} from './recording.ts';
import { registered, withoutSecrets, clientsOf } from './scenario-workspace.ts';
import {
  bodyFields,
  bodyText,
  redirectAnswerOf,
  tokenAnswerOf,
  deviceOf,
  claimsOf,
} from '../exchange/answer.ts';
import { deviceStep, requestStep, tokenStep } from './request-steps.ts';
import { unissuedIn } from './unissued.ts';
import { type JsonObject, parseJsonObject } from '../../json.ts';
import { KEPT_MEMBERS } from '../../scenario/defaults.ts';
import { DEVICE_CODE_GRANT } from '../../oauth/token-request.ts';
import type { FaultDraft } from '../../control/fault-schemas.ts';

// Writes the steps of a scenario one after the other, and tracks what earlier steps issue.

const timeOf = (event: RecordedEvent): number =>
  Date.parse('exchange' in event ? event.exchange.clock.now : event.at);

function learnIssued(known: Known, exchange: Exchange, draft: Draft): void {
  const device = deviceOf(exchange);
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

interface RecordOptions {
  /** The time of the request, in ms. */
  readonly at: number;
  /** Whether a run cannot send exactly the same request. */
  readonly inexact?: boolean;
  readonly any_status?: boolean;
  readonly repeat?: number;
}

function createRecorder(recording: Recording) {
  const { events, sandbox: whole, with_workspace, proof_key = null } = recording;
  const drafts: Draft[] = [];
  const replaced = { issued_again: 0, invalid: 0 };
  const sandbox = { ...whole, clients: clientsOf(whole, events) };
  const known = createKnown(sandbox, !with_workspace, proof_key);
  // Otherwise the clock runs, and the scenario does not change it.
  const timed = with_workspace || clockWasMoved(events) || deviceWaited(events);
  const time = timed ? createPassingTime(events.map(timeOf)) : null;
  const add = (step: ScenarioStep): Draft => {
    const draft = { step, save: {} };
    drafts.push(draft);
    return draft;
  };
  const passTime = (at: number): void => time?.until(at).forEach(add);

  /** Adds steps that issue credentials from elsewhere. They run before time passes, because one may then expire. */
  const adopt = (exchange: Exchange): boolean => {
    const unissued = unissuedIn(exchange, known);
    for (const { step, learn } of unissued.issued_again) learn(add(step));
    unissued.ended.forEach(add);
    replaced.issued_again += unissued.issued_again.length;
    replaced.invalid += unissued.invalid;
    return unissued.inexact;
  };

  const request = (
    exchange: Exchange,
    title: string | undefined,
    write: (exchange: Exchange) => ScenarioStep,
    { at, inexact = false, any_status = false, repeat = 1 }: RecordOptions,
  ): Draft => {
    const isInexact = adopt(exchange) || inexact || any_status;
    passTime(at);
    if (isScripted(exchange)) add(faultStep(exchange, sandbox));
    // A credential that an added step issues has a different age than the recorded one.
    const exact = with_workspace && replaced.issued_again === 0;
    const { status, ...expected } = outcomeOf(exchange, known, {
      inexact: isInexact,
      exact,
      advice: with_workspace && recording.whole !== false,
    });
    const draft = add(
      given({
        name: title,
        ...write(exchange),
        repeat: repeat === 1 ? undefined : repeat,
        expect: any_status ? expected : { status, ...expected },
      }),
    );
    learnIssued(known, exchange, draft);
    return draft;
  };

  return {
    add,
    begin: () => time?.begin().forEach(add),
    drafts,
    known,
    passTime,
    replaced,
    request,
    write: (exchange: Exchange): ScenarioStep =>
      tokenStep(exchange, known) ?? deviceStep(exchange, known) ?? requestStep(exchange, known),
  };
}

type Recorder = ReturnType<typeof createRecorder>;

const TEXT = { $type: 'string' } as const;
const NUMBER = { $type: 'number' } as const;

const isSecret = (name: string) => (KEPT_MEMBERS as readonly string[]).includes(name);

/** How exactly another run can repeat the recording. */
interface Repeating {
  /** Whether a request cannot be sent exactly the same way. */
  readonly inexact: boolean;
  /** Whether the run has its own sandbox, in which time passes as recorded. */
  readonly exact: boolean;
  /** Whether its clients did nothing before the recording. */
  readonly advice: boolean;
}

const SECOND = 1000;
/** What a provider shape makes of a session or a request, which another run has not. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ$/;

function momentOf(value: unknown): number {
  if (typeof value === 'number') return value * SECOND;
  const isMoment = typeof value === 'string' && MOMENT.test(value);
  return isMoment ? Date.parse(value.replace(' ', 'T')) : NaN;
}

/** Whether a value is the time of the response, as a provider shape may write it: a text, or a number of seconds. */
function isItsTime(value: unknown, { clock, duration_ms }: Exchange): boolean {
  const time = momentOf(value);
  const asked = Date.parse(clock.now);
  return time >= asked - SECOND && time <= asked + duration_ms + SECOND;
}

/** The recorded values, except those that another run cannot repeat. */
const shape = (exchange: Exchange, members: JsonObject, known: Known, { exact }: Repeating) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (isSecret(name) || UUID.test(String(value))) return [name, TEXT];
      if (isItsTime(value, exchange)) return [name, typeof value === 'number' ? NUMBER : TEXT];
      // Lifetimes depend on elapsed time, that of an exchanged token on its subject token, and users change.
      const isInexact = !exact || 'issued_token_type' in members;
      if (typeof value === 'number' && isInexact) return [name, NUMBER];
      return [name, typeof value === 'string' ? known.written(value) : value];
    }),
  );

/** The address with the user code differs in every run. */
const deviceShape = (exchange: Exchange, known: Known, how: Repeating) => ({
  ...shape(exchange, parseJsonObject(bodyText(exchange.response)) ?? {}, known, how),
  verification_uri_complete: TEXT,
});

function responseOf(exchange: Exchange, known: Known, how: Repeating): Expectation {
  if (isScripted(exchange)) return {};
  if (tokenAnswerOf(exchange) !== null) {
    const members = parseJsonObject(bodyText(exchange.response)) ?? {};
    return { body: { $only: shape(exchange, members, known, how) } };
  }
  if (deviceOf(exchange) !== null) return { body: { $only: deviceShape(exchange, known, how) } };
  const claims = claimsOf(exchange);
  if (claims !== null) {
    // The claims at an API have times, which differ in every run; a scenario does not read a signed response.
    const isInexact =
      exchange.endpoint === 'api' || parseJsonObject(bodyText(exchange.response)) === null;
    return isInexact ? {} : { body: shape(exchange, claims, known, how) };
  }
  const redirect = redirectAnswerOf(exchange);
  return redirect?.has('code') === true ? { redirect: { code: TEXT, iss: '{{issuer}}' } } : {};
}

/** The checks and notes of a request; empty when a fault rule answered before its evaluation. */
function evaluation(
  { trace, why, deviation_notes, advisory_notes }: Exchange,
  { inexact, advice }: Repeating,
): Expectation {
  if (inexact || trace.length === 0) return {};
  return {
    ...(why === null ? {} : { failed_check: why.check }),
    deviations: deviation_notes.map(({ id }) => id),
    // Advisories depend on what the client did before.
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

/** Shorter times are added up until they reach this. */
const LEAST_MS = 1000;

/** @param times the times of the events, in ms */
function createPassingTime(times: readonly number[]) {
  const [first = 0] = times;
  // A clock can be advanced by seconds, but moved back only to a date, so the steps then need the first date.
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

/** Whether the clock was moved, frozen or resumed between requests. */
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

/** Whether a device waited between polls, since the wait decides the response to a poll (RFC 8628 3.5). */
function deviceWaited(events: readonly RecordedEvent[]): boolean {
  const polls = events
    .flatMap((event) => exchangeOf(event) ?? [])
    .filter(({ request }) => bodyFields(request)['grant_type'] === DEVICE_CODE_GRANT);
  const times = polls.map(({ clock }) => Date.parse(clock.now));
  return times.some((time, index) => time - (times[index - 1] ?? time) >= LEAST_MS);
}

/** Headers that the server always sets itself. */
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
    const name = exchange.fault?.name ?? 'Held';
    return { fault: { name, when: 'instead', times: 1, effect: effectOf(exchange) } };
  }
  const { name, when, match, delay_ms, effect } = rule;
  return { fault: { name, when, match, delay_ms, effect, times: 1 } };
}

/** The scenario, and the counts of credentials that nothing in the recording issued. */
export interface Recorded {
  readonly scenario: Scenario;
  /** The number that added steps issue again. */
  readonly issued_again: number;
  /** The number that an invalid placeholder replaces. */
  readonly invalid: number;
}

function recordAuthorization(
  to: Recorder,
  authorization: Authorization,
  title: string | undefined,
  { sandbox }: Recording,
): void {
  const { pushed, link, decided } = authorization;
  const last = decided ?? link;
  const session = sessionUserOf(authorization, sandbox.settings);
  const draft = to.request(last, title, () => authorizationStep(authorization, session, to.known), {
    at: Date.parse(last.clock.now),
    // A run signs in with the form, so the status may differ from that of the recorded redirect.
    any_status: session !== null,
  });
  to.known.learnAuthorization(pushed ?? link, last, draft);
}

function mintStep({ request }: MintedTokens, known: Known): ScenarioStep {
  const { client_id, sub, audience, scope, access_token_expires_in } = request;
  return {
    issue_tokens: given({
      ...known.naming(known.clientOf(client_id)),
      user: sub,
      audience: audience === undefined ? undefined : known.written(audience),
      scope,
      access_token_expires_in,
    }),
  };
}

/** Omits the newest user code, which is the default. */
const userCode = (user_code: string, known: Known): { user_code?: string } =>
  known.newest('user_code') === user_code ? {} : { user_code: known.written(user_code) };

function decisionStep(
  { decision, user_code, sub, scope }: DeviceDecision,
  known: Known,
): ScenarioStep {
  const named = userCode(user_code, known);
  switch (decision) {
    case 'approve':
      return { approve_device: { ...(sub === null ? {} : { user: sub }), ...named, scope } };
    case 'deny':
      return { deny_device: named };
    case 'expire':
      return { expire: known.written(user_code) };
  }
}

/** Records an action over the control API. */
function recordAction(
  { add, known }: Recorder,
  event: Exclude<RecordedEvent, { readonly exchange: Exchange }>,
): void {
  switch (event.kind) {
    case 'issue':
      known.learnIssued(event, add(codeStep(event, known)));
      break;
    case 'decision':
      add(decisionStep(event, known));
      break;
    case 'minted': {
      const { access_token, refresh_token } = event;
      const draft = add(mintStep(event, known));
      known.learn('access_token', access_token, draft, 'body.access_token');
      if (refresh_token !== null) {
        known.learn('refresh_token', refresh_token, draft, 'body.refresh_token');
      }
      break;
    }
    case 'ended':
      add({ [event.how]: known.written(event.value) });
  }
}

function recordEvents(to: Recorder, recording: Recording): void {
  const { events } = recording;
  const { ended, taken } = authorizationsIn(events);
  for (const [index, event] of events.entries()) {
    const at = timeOf(event);
    if (!('exchange' in event)) {
      to.passTime(at);
      recordAction(to, event);
      continue;
    }
    const { exchange } = event;
    const next = events[index + 1];
    if (taken.has(exchange)) continue;
    if (isSentAgain(exchange, next === undefined ? null : exchangeOf(next))) continue;
    const repeat = event.kind === 'burst' ? event.count : 1;
    const title = event.kind === 'burst' ? undefined : event.verdict?.title;
    const authorization = ended.get(exchange);
    if (authorization !== undefined) {
      recordAuthorization(to, authorization, title, recording);
    } else {
      const inexact = exchange.endpoint === 'authorize';
      to.request(exchange, title, to.write, { at, inexact, repeat });
    }
  }
}

/** @throws Error when nothing was sent */
export function record(recording: Recording): Recorded {
  const { name, events, sandbox, with_workspace } = recording;
  if (events.length === 0) throw new Error('No requests yet: there is nothing to record.');
  const to = createRecorder(recording);
  to.begin();
  recordEvents(to, recording);
  const steps = to.drafts.map(({ step, save }) =>
    Object.keys(save).length === 0 ? step : { ...step, save },
  );
  const scenario: Scenario = {
    format: SCENARIO_FORMAT,
    version: 1,
    name,
    ...(with_workspace ? { workspace: registered(sandbox, events) } : {}),
    steps: withoutSecrets(steps, sandbox.clients, with_workspace),
  };
  return { scenario, ...to.replaced };
}

/** @throws Error when nothing was sent */
export const recordScenario = (recording: Recording): Scenario => record(recording).scenario;
