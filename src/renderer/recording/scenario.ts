// A walk through the flow as a scenario: what was sent and what came, step by step, so that
// `grantbench run` does it again and tells where it comes out differently.
//
//   recordScenario({ name, events, sandbox, takes_along }: RecordedWalk): Scenario
//
// `events` are those of the flow's state; `sandbox` is what is registered now, and the faults armed.
// Codes, tokens and secrets become variables, and so does the issuer, since every run has its own.
// The document is plain JSON: JSON.stringify(scenario, null, 2) is the file.

import { SCENARIO_FORMAT, type Scenario, type ScenarioStep } from '../../scenario/schema.ts';
import type { Exchange } from '../../control/schemas.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { deviceOf } from '../exchange/device-answer.ts';
import type { RecordedEvent } from './recorded-event.ts';
import { tokenAnswerOf } from '../exchange/answer.ts';
import { isPush, requestUriOf } from './asked-parameters.ts';
import { authorizationStep, codeStep, signInOf } from './authorization.ts';
import type { Draft } from './credentials.ts';
import { decisionStep, deviceStep } from './device-step.ts';
import { createKnown, type Known } from './known.ts';
import { outcomeOf } from './outcome.ts';
import { clockWasMoved, createPassingTime, deviceWaited, RUNNING_TIME } from './passing-time.ts';
import { clientsOf, registered, type Sandbox } from './registered.ts';
import { isSentAgain } from './proof-member.ts';
import { requestStep } from './request-step.ts';
import { unissuedIn } from './unissued.ts';
import { tokenStep } from './token-step.ts';
import { faultStep } from './fault-step.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface RecordedWalk {
  readonly name: string;
  readonly description?: string;
  /** Oldest first, with secrets. */
  readonly events: readonly RecordedEvent[];
  readonly sandbox: Sandbox;
  /**
   * Whether what is registered, with its secrets, is part of the scenario, which then needs no other
   * sandbox than one of its own. Otherwise it only names clients and users, for the sandbox in use, and
   * holds no secret.
   */
  readonly takes_along: boolean;
  /** The public key of the DPoP proofs of the walk; null: that of its first proof. */
  readonly proof_key?: JsonObject | null;
}

const timeOf = (event: RecordedEvent): number =>
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

function recorder({ events, sandbox: whole, takes_along, proof_key = null }: RecordedWalk) {
  const drafts: Draft[] = [];
  const sandbox = { ...whole, clients: clientsOf(whole, events) };
  const known = createKnown(sandbox, !takes_along, proof_key);
  const timed = takes_along || clockWasMoved(events) || deviceWaited(events);
  const time = timed ? createPassingTime(events.map(timeOf)) : RUNNING_TIME;
  const add = (step: ScenarioStep): Draft => {
    const draft = { step, save: {} };
    drafts.push(draft);
    return draft;
  };

  /** Credentials from elsewhere are issued again before time passes: one of them may be what expires. */
  const adopt = (exchange: Exchange): boolean => {
    const unissued = unissuedIn(exchange, known);
    for (const { step, value } of unissued.issued_again) {
      known.learn('access_token', value, add(step), 'body.access_token');
    }
    for (const step of unissued.ended) add(step);
    return unissued.vague;
  };

  const request = (
    exchange: Exchange,
    title: string | undefined,
    write: (exchange: Exchange) => ScenarioStep,
    more: { at: number; vague?: boolean; repeat?: number },
  ): Draft => {
    const vague = adopt(exchange) || more.vague === true;
    for (const step of time.until(more.at)) add(step);
    if (exchange.fault !== null) add(faultStep(exchange, sandbox));
    const draft = add({
      ...(title === undefined ? {} : { name: title }),
      ...write(exchange),
      ...(more.repeat === undefined || more.repeat === 1 ? {} : { repeat: more.repeat }),
      expect: outcomeOf(exchange, known, { vague, repeatable: takes_along }),
    });
    learnIssued(known, exchange, draft);
    return draft;
  };

  const write = (exchange: Exchange): ScenarioStep =>
    tokenStep(exchange, known) ?? deviceStep(exchange, known) ?? requestStep(exchange, known);

  return { add, drafts, known, request, time, write };
}

type Recorder = ReturnType<typeof recorder>;

const isAuthorizeLink = ({ method, path }: Exchange) =>
  method === 'GET' && path.startsWith('/authorize');

/** Whether the browser brought the request_uri of this push next. */
function isPushOf(pushed: Exchange, events: readonly RecordedEvent[], index: number): boolean {
  const next = events[index + 1];
  if (!isPush(pushed) || next?.kind !== 'exchange' || !isAuthorizeLink(next.exchange)) return false;
  const brought = new URLSearchParams(next.exchange.path.split('?', 2)[1]).get('request_uri');
  return brought !== null && brought === requestUriOf(pushed);
}

/**
 * The request at /authorize, and the form of its page when that was sent next.
 * @param pushed the push whose request_uri it has; null when it has its parameters
 * @returns events taken
 */
function recordAuthorization(
  to: Recorder,
  events: readonly RecordedEvent[],
  index: number,
  pushed: Exchange | null,
): number {
  const event = events[index];
  if (event?.kind !== 'exchange') return 1;
  const asked = pushed ?? event.exchange;
  const next = events[index + 1];
  const following = next?.kind === 'exchange' ? next : null;
  const sign_in = signInOf(event.exchange, following?.exchange ?? null);
  const merged = sign_in !== null && sign_in.decision !== 'stop' && following !== null;
  const last = merged ? following : event;
  const draft = to.request(
    last.exchange,
    last.verdict?.title,
    () => authorizationStep(asked, sign_in, to.known),
    { at: timeOf(event) },
  );
  to.known.learnAuthorization(asked, last.exchange, draft);
  return merged ? 2 : 1;
}

function recordOne(to: Recorder, events: readonly RecordedEvent[], index: number): number {
  const event = events[index];
  if (event === undefined) return 1;
  const at = timeOf(event);
  if (event.kind === 'issue') {
    for (const step of to.time.until(at)) to.add(step);
    to.known.learnIssued(event, to.add(codeStep(event, to.known)));
    return 1;
  }
  if (event.kind === 'decision') {
    for (const step of to.time.until(at)) to.add(step);
    to.add(decisionStep(event, to.known));
    return 1;
  }
  const { exchange } = event;
  const next = events[index + 1];
  if (isSentAgain(exchange, next?.kind === 'exchange' ? next.exchange : null)) return 1;
  if (event.kind === 'burst') {
    to.request(exchange, undefined, to.write, { at, repeat: event.count });
    return 1;
  }
  if (isAuthorizeLink(exchange)) return recordAuthorization(to, events, index, null);
  if (isPushOf(exchange, events, index)) {
    return 1 + recordAuthorization(to, events, index + 1, exchange);
  }
  const vague = exchange.path.startsWith('/authorize');
  to.request(exchange, event.verdict?.title, to.write, { at, vague });
  return 1;
}

/** @throws Error when nothing was sent yet */
export function recordScenario(walk: RecordedWalk): Scenario {
  const { name, description, events, sandbox, takes_along } = walk;
  if (events.length === 0) throw new Error('No requests yet: there is nothing to record.');
  const to = recorder(walk);
  for (const step of to.time.begin()) to.add(step);
  for (let index = 0; index < events.length;) index += recordOne(to, events, index);
  const steps = to.drafts.map(({ step, save }) =>
    Object.keys(save).length === 0 ? step : { ...step, save },
  );
  return {
    format: SCENARIO_FORMAT,
    version: 1,
    name,
    ...(description === undefined ? {} : { description }),
    ...(takes_along ? { workspace: registered(sandbox, events) } : {}),
    steps: takes_along ? steps : withoutSecrets(steps, sandbox.clients),
  };
}
