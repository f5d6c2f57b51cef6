// Turns a recording into a scenario: requests and responses step by step, so that `grantbench run` can repeat them and
// report differences.
//
//   recordScenario({ name, events, sandbox, with_workspace }: Recording): Recorded
//
// `events` are those of the flow, or the exchanges of an app; `sandbox` has the registered records and the fault rules.
// A scenario contains these records, with placeholders for secrets, for its own sandbox, or only names them for the sandbox
// in use. What cannot be a step is omitted and counted by reason. Codes, tokens, secrets and the issuer become variables,
// because they differ in every run. Nothing is sent from here.
// The document is plain JSON: JSON.stringify(scenario, null, 2) is the file.

import { SCENARIO_FORMAT } from '../../control/schemas.ts';
import type { Scenario, ScenarioStep } from '../../scenario/schema.ts';
import { isSentAgain, type Known } from './known.ts';
import {
  type Authorization,
  authorizationsIn,
  authorizationStep,
  codeStep,
  sessionUserOf,
} from './authorization.ts';
import { type DeviceDecision, exchangeOf, type MintedTokens, type Recording } from './recording.ts';
import { createRecorder, type Recorder, timeOf } from './recorder.ts';
import { registered, withoutSecrets } from './registered.ts';

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
  const named = audience === undefined ? null : known.written(audience);
  return {
    issue_tokens: {
      ...known.naming(known.clientOf(client_id)),
      ...(sub === undefined ? {} : { user: sub }),
      ...(named === null ? {} : { audience: named }),
      ...(scope === undefined ? {} : { scope }),
      ...(access_token_expires_in === undefined ? {} : { access_token_expires_in }),
    },
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

function recordEvents(to: Recorder, recording: Recording): void {
  const { events } = recording;
  const { ended, taken } = authorizationsIn(events);
  for (const [index, event] of events.entries()) {
    const at = timeOf(event);
    if (event.kind === 'issue') {
      to.passTime(at);
      to.known.learnIssued(event, to.add(codeStep(event, to.known)));
      continue;
    }
    if (event.kind === 'decision') {
      to.passTime(at);
      to.add(decisionStep(event, to.known));
      continue;
    }
    if (event.kind === 'minted') {
      to.passTime(at);
      const draft = to.add(mintStep(event, to.known));
      to.known.learn('access_token', event.access_token, draft, 'body.access_token');
      if (event.refresh_token === null) continue;
      to.known.learn('refresh_token', event.refresh_token, draft, 'body.refresh_token');
      continue;
    }
    if (event.kind === 'ended') {
      to.passTime(at);
      to.add({ [event.how]: to.known.written(event.value) });
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
      const vague = exchange.path.startsWith('/authorize');
      to.request(exchange, title, to.write, { at, vague, repeat });
    }
  }
}

/** @throws Error when nothing was sent */
export function record(recording: Recording): Recorded {
  const { name, description, events, sandbox, with_workspace } = recording;
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
    ...(description === undefined ? {} : { description }),
    ...(with_workspace ? { workspace: registered(sandbox, events) } : {}),
    steps: withoutSecrets(steps, sandbox.clients, with_workspace),
  };
  return { scenario, ...to.replaced };
}

/** @throws Error when nothing was sent */
export const recordScenario = (recording: Recording): Scenario => record(recording).scenario;
