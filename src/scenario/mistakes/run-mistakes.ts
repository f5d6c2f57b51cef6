// Makes deliberate mistakes and compares each response with the expected one. Each is made in a fork of the run, so
// that mistakes do not share credentials.

import type { Client, Profile } from '../../control/schemas.ts';
import { isJsonObject } from '../../json.ts';
import { composeStep, performStep, signFor } from '../actions/index.ts';
import { actionOf, withParties } from '../actions/names.ts';
import type { Run } from '../actions/action.ts';
import type { Answer } from '../actions/answer.ts';
import { atServer, exactly } from '../actions/request.ts';
import { MissingValueError } from '../actions/variables.ts';
import { saveValues } from '../comparison.ts';
import { forkRun } from '../runner/create-run.ts';
import type { WireRequest } from '../runner/scenario-sandbox.ts';
import type { ScenarioStep } from '../schema.ts';
import {
  API_AUDIENCE,
  API_PATH,
  API_SCOPE,
  expectedIn,
  merged,
  OTHER_AUDIENCE,
  OTHER_CLIENT,
  SIGNING_CLIENT,
  type ExpectedResult,
  type Mistake,
  type Place,
  type RequestChange,
} from './mistake.ts';
import { assertionMethodOf, MISSING, type Need, type Requester } from './needs.ts';

/** Whether the response requires that a user approves. */
const isApproved = ({ prepare, step }: Place, { before = [] }: Mistake): boolean =>
  [...prepare, ...before, step].some((one) => 'approve_device' in one || 'authorize' in one);

/** Returns a sentence why the mistake cannot be made, or null. */
export function obstacleTo(place: Place, mistake: Mistake, requester: Requester): string | null {
  const isAccepted = expectedIn(mistake, requester.profile) === 'accepted';
  const implied: readonly Need[] = isAccepted && isApproved(place, mistake) ? ['approval'] : [];
  const needs = [...(mistake.needs ?? []), ...implied];
  return needs.map((need) => MISSING[need](requester)).find((reason) => reason !== null) ?? null;
}

/** Returns the step with the assertion that its client must send, unless it says how the client authenticates. */
function authenticated(step: ScenarioStep, clients: readonly (Client | null)[], profile: Profile) {
  const { token, authorize, authorize_device } = step;
  const order = token ?? authorize_device ?? authorize;
  const client = clients.find((one) => one?.client_id === order?.client) ?? null;
  const client_auth = assertionMethodOf(client, profile);
  if (client_auth === undefined || order?.client_auth !== undefined) return step;
  if (authorize?.push !== true && authorize !== undefined) return step;
  return { ...step, [actionOf(step)]: { ...order, client_auth } };
}

/** Returns the step for the requester, with placeholders replaced by other parties of the run. */
function asRequester(
  step: ScenarioStep,
  { client, user, proves, pushes, ...other }: Requester,
): ScenarioStep {
  const { other_client, signing_client, other_audience, api, profile } = other;
  const values = [
    [OTHER_CLIENT, other_client?.client_id],
    [SIGNING_CLIENT, signing_client?.client_id],
    [OTHER_AUDIENCE, other_audience],
    [API_PATH, api?.path],
    [API_AUDIENCE, api?.audience],
    [API_SCOPE, api?.scope],
  ] as const;
  const text = values.reduce(
    (written, [placeholder, value = '']) =>
      written.replaceAll(placeholder, () => JSON.stringify(value).slice(1, -1)),
    JSON.stringify(step),
  );
  const named = withParties(JSON.parse(text) as ScenarioStep, client.client_id, user?.sub ?? null);
  if (pushes && named.authorize !== undefined) named.authorize.push ??= true;
  const filled = authenticated(named, [client, signing_client], profile);
  const { token } = filled;
  return proves && token !== undefined && token.dpop === undefined
    ? { ...filled, token: { ...token, dpop: true } }
    : filled;
}

const withoutNulls = (members: unknown): unknown =>
  isJsonObject(members)
    ? Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
    : members;

/** Returns the steps before the mistake, and the mistake's step without the changes to its request. */
export function stepsOf(
  place: Place,
  { before = [], change, instead }: Mistake,
  requester: Requester,
): { readonly before: readonly ScenarioStep[]; readonly main: ScenarioStep } {
  const correct = instead ?? place.step;
  const action = actionOf(correct);
  const main = { ...correct, [action]: withoutNulls(merged(correct[action], change ?? {})) };
  // With this setting, a device authorization is approved or denied as soon as it is requested.
  const isDecided = requester.settings.authorize !== 'consent';
  const all = [...place.prepare, ...before].filter(
    (step) => !(isDecided && 'approve_device' in step),
  );
  return {
    before: all.map((step) => asRequester(step, requester)),
    main: asRequester(main, {
      ...requester,
      proves: requester.proves && change?.['dpop'] !== null,
    }),
  };
}

/** Changes the composed request where members of the step cannot. */
function changedRequest(request: WireRequest, change: RequestChange): WireRequest {
  const { method = request.method, fields_in_query, without_body, cut = 0 } = change;
  const [before, after] = change.around_body ?? ['', ''];
  const text = String(request.body ?? '');
  if (fields_in_query === 'as_well') return { ...request, path: `${request.path}?${text}` };
  if (fields_in_query === 'instead') {
    const { body: _body, headers, ...rest } = request;
    const kept = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    return { ...rest, method, path: `${request.path}?${text}`, headers: kept };
  }
  const body = without_body === true ? '' : `${before}${text.slice(0, text.length - cut)}${after}`;
  return { ...request, method, body };
}

/** Returns the step as a raw request, once its content is known. */
async function sentAs(
  main: ScenarioStep,
  change: RequestChange | undefined,
  run: Run,
): Promise<ScenarioStep> {
  if (change === undefined) return main;
  await signFor(main, run);
  const composed = composeStep(main, run);
  if (composed === null) throw new Error('The request of this step cannot be changed.');
  return exactly(changedRequest(composed, change), run);
}

export interface MistakeResult {
  readonly id: string;
  /** The id of the place. */
  readonly step: string;
  readonly title: string;
  readonly section: string;
  /** The id of the expected cause, or `accepted`, also where only the imitated provider accepts it. */
  readonly expected: ExpectedResult;
  /** null if nothing was sent. */
  readonly actual: Actual | null;
  readonly passed: boolean;
  /** Why the mistake was not made; null if it was made. */
  readonly skipped: string | null;
}

interface Actual {
  readonly status: number;
  readonly error: string | null;
  /** The id of the cause; null if the request was accepted. */
  readonly reason: string | null;
  /** The number of the exchange; null if none was recorded. */
  readonly exchange: number | null;
}

function actualOf({ status = 0, error, exchange }: Answer): Actual {
  const reason = exchange?.why?.reason ?? null;
  return { status, error, reason, exchange: exchange?.number ?? null };
}

const isAsExpected = (expected: ExpectedResult, { status, error, reason }: Actual): boolean =>
  expected === 'accepted'
    ? status >= 200 && status < 400 && error === null && reason === null
    : reason === expected;

/** Whether a note says that the imitated provider accepts what the standards do not (behaviour 12.21). */
const isOfProvider = (note: string): boolean =>
  ['credentials_twice', 'basic_client_id_alone', 'access_token_in_query'].includes(note);

/** Makes one mistake. @throws errors other than missing values and errors of control */
export async function makeMistake(
  place: Place,
  mistake: Mistake,
  requester: Requester,
  parent: Run,
): Promise<MistakeResult> {
  const { id, title, section } = mistake;
  const expected = expectedIn(mistake, requester.profile);
  const result = { id, step: place.id, title, section, expected };
  const skipped = (reason: string): MistakeResult => ({
    ...result,
    actual: null,
    passed: false,
    skipped: reason,
  });
  const obstacle = obstacleTo(place, mistake, requester);
  if (obstacle !== null) return skipped(obstacle);
  const run = forkRun(parent);
  run.variables.set('former_access_token', requester.former_token);
  const { before, main } = stepsOf(place, mistake, requester);
  try {
    for (const step of before) {
      const answer = await performStep(atServer(step, run), run);
      if (answer !== null) saveValues(step.save ?? {}, answer, run.variables);
    }
    const sent = await sentAs(atServer(main, run), mistake.request, run);
    const answer = await performStep(sent, run);
    if (answer === null) return skipped('The step has no response.');
    const actual = actualOf(answer);
    const wanted = answer.deviations.some(isOfProvider) ? 'accepted' : expected;
    const passed = isAsExpected(wanted, actual);
    return { ...result, expected: wanted, actual, passed, skipped: null };
  } catch (error) {
    if (!(error instanceof MissingValueError) && !isOfControl(error)) throw error;
    return skipped(`${error.message}.`);
  } finally {
    if (place.after !== undefined) {
      await performStep(atServer(place.after, run), run).catch(() => null);
    }
  }
}

const isOfControl = (error: unknown) => error instanceof Error && 'code' in error;
