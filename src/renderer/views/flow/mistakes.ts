// The deliberate mistakes of a step: what each needs, making one or all of them, and the verdicts.

import type { Refusal } from '../../../control/schemas/refusals.ts';
import { expectedAnswer, type Mistake, type Place } from '../../../scenario/mistakes/mistake.ts';
import { PLACES } from '../../../scenario/mistakes/index.ts';
import { makeMistake, obstacleTo } from '../../../scenario/mistakes/run-mistakes.ts';
import type { Need, Requester } from '../../../scenario/mistakes/needs.ts';
import { apiForMistakes } from '../../../scenario/protected-apis.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { statusWords } from '../../ui/status.tsx';
import { credentialPath, mayUse } from './flow-document.ts';
import { RUNNING, withStep, withVerdict } from './flow-state.ts';
import { changeFlow, changeMistakeRun, currentChoice, flow } from './flow-store.ts';
import { openWalkRun, outcomeOf } from './perform-step.ts';
import { outcomeWithoutResponse, runExclusive } from './run-flow.ts';
import { currentStep, passwordObstacle } from './step-procedures.ts';
import { hasPageKey } from './page-key.ts';
import type { MistakeResult, MistakeRun, Verdict } from './run-results.ts';

/** Returns null when the step has no deliberate mistakes. */
export const placeOf = (step: WalkStepId): Place | null =>
  PLACES.find(({ id }) => id === step) ?? null;

/** The place, with the step as the user edited it as the correct one. */
function ownPlace(place: Place, step: WalkStepId): Place {
  // Mistakes at `decide` use the page for user codes, not the control API; those at `api` bring their own token.
  if (step === 'decide' || step === 'api') return place;
  const own = currentStep(step);
  if (step === 'code') {
    const { parameters } = flow.getState().document.steps.code.authorize ?? {};
    return { ...place, step: { authorize: { sign_in: 'stop', parameters } } };
  }
  if (own.token === undefined) return { ...place, step: own };
  // The mistake itself chooses the credential, and whether a proof is sent.
  const { dpop: _dpop, fields, ...token } = own.token;
  const field = credentialPath(step).at(-1);
  const entered = Object.entries(fields ?? {}).filter(([name]) => name !== field);
  return { ...place, step: { token: { ...token, fields: Object.fromEntries(entered) } } };
}

const UNREGISTERED_AUDIENCE = 'https://nobody.example/';

/** The client and the user for the mistakes; null while no client may use the grant. */
function requesterAt(step: WalkStepId): Requester | null {
  const { document, former_token } = flow.getState();
  const { client, user, profile, issuer, requires } = currentChoice();
  const { clients, audiences, apis, settings } = page.getState();
  if (client === null || settings === null) return null;
  const grant = step === 'refresh' ? 'refresh_token' : document.grant;
  const isOther = (other: typeof client) =>
    other.client_id !== client.client_id && other.client_secret !== null && mayUse(grant)(other);
  return {
    client,
    user,
    proves: client.dpop_bound_access_tokens && profile === 'interop',
    pushes: requires.push || document.steps.code.authorize?.push === true,
    other_client: clients.find(isOther) ?? null,
    signing_client: client,
    other_audience:
      audiences.find(({ uri }) => uri !== client.default_audience)?.uri ?? UNREGISTERED_AUDIENCE,
    profile,
    settings,
    former_token,
    api: apiForMistakes(apis, issuer),
  };
}

const ASSERTING = ['client_assertion', 'client_assertion_key'] as const;

/** Why a mistake cannot be made now, in a sentence; null when it can. */
export function obstacleAt(step: WalkStepId, mistake: Mistake): string | null {
  const place = placeOf(step);
  const requester = requesterAt(step);
  if (place === null) return 'This step cannot be broken.';
  if (requester === null) return 'No client may use this grant.';
  const lacksKey = !hasPageKey(requester.client);
  const needs = (need: Need) => mistake.needs?.includes(need) === true;
  const isKeyed =
    ASSERTING.some(needs) && requester.client.token_endpoint_auth_method === 'private_key_jwt';
  return (
    (step === 'password' ? passwordObstacle() : null) ??
    obstacleTo(place, mistake, requester) ??
    (step === 'code' && currentChoice().requires.request_object && !needs('request_object_key')
      ? 'This client must sign its requests, and this mistake is made without a signature.'
      : null) ??
    (needs('request_object_key') && lacksKey
      ? 'Needs a key of this page: switch on “Sign the request”, and add it.'
      : null) ??
    (isKeyed && lacksKey ? 'Needs a key of this page: add it at this step.' : null)
  );
}

/** The response expected for a mistake, in the current dialect and shape. */
export const expectedAt = (
  place: Place,
  mistake: Mistake,
  refusals: readonly Refusal[],
): string | null => expectedAnswer(place, mistake, currentChoice().profile, refusals);

export const loadRefusals = async (): Promise<readonly Refusal[]> =>
  (await control.refusals.list()).items;

const untried = ({ id, title }: Mistake, reason: string): MistakeResult => ({
  id,
  title,
  reason,
  verdict: null,
});

/** Makes one mistake, and adds its messages to the diagram. If there is no response, the step shows why. */
async function make(
  step: WalkStepId,
  mistake: Mistake,
  refusals: readonly Refusal[],
): Promise<MistakeResult> {
  const place = placeOf(step);
  const requester = requesterAt(step);
  const obstacle = obstacleAt(step, mistake);
  if (place === null || requester === null || obstacle !== null) {
    return untried(mistake, obstacle ?? 'No client may use this grant.');
  }
  changeFlow((state) => withStep(state, step, RUNNING));
  const { run } = openWalkRun(step);
  const unmade = (reason: string) => {
    changeFlow((state) => withStep(state, step, outcomeWithoutResponse(reason)));
    return untried(mistake, reason);
  };
  const made = await makeMistake(ownPlace(place, step), mistake, requester, run).catch(
    (error: unknown) => problemOf(error).message,
  );
  if (typeof made === 'string') return unmade(made);
  const { id, title, section, actual, passed } = made;
  const event = flow.getState().events.at(-1);
  if (actual === null || event?.kind !== 'exchange')
    return unmade(made.skipped ?? 'There was no response.');
  const status = statusWords(actual.status);
  const answer = actual.error === null ? status : `${status} ${actual.error}`;
  const expected = expectedAt(place, mistake, refusals) ?? made.expected;
  const verdict: Verdict = {
    id,
    title,
    section,
    passed,
    expected,
    actual: !passed && answer === expected ? `${answer}, for another reason` : answer,
  };
  const outcome = outcomeOf(event.exchange, step);
  changeFlow((state) => withVerdict(withStep(state, step, outcome), step, verdict));
  // The limit is per user or client, so the mistake's own credential does not avoid it.
  if (!passed && actual.status === 429) return untried(mistake, THROTTLED);
  return { id, title, verdict, event: event.id };
}

const THROTTLED =
  'The throttle rejected it, so nothing was tested. Reset the counter or raise the limit, and run it again.';

/** Makes one mistake. If it cannot be made, the step shows why. */
export const runMistake = (step: WalkStepId, mistake: Mistake): Promise<void> =>
  runExclusive(step, async () => {
    const made = await make(step, mistake, await loadRefusals().catch(() => []));
    if (made.verdict === null)
      changeFlow((state) => withStep(state, step, outcomeWithoutResponse(made.reason)));
  });

/** Makes mistakes one after the other. The table shows each result, or why a mistake was not tried. */
export const runMistakes = (step: WalkStepId, mistakes: readonly Mistake[]): Promise<void> =>
  runExclusive(step, async (signal) => {
    const { length: total } = mistakes;
    const mistake_run: MistakeRun = { step, total, results: [], state: 'running', shown: true };
    changeFlow((state) => ({ ...state, mistake_run }));
    const refusals = await loadRefusals().catch(() => []);
    for (const mistake of mistakes) {
      const result = await make(step, mistake, refusals);
      if (signal.aborted) break;
      changeMistakeRun((run) => ({ ...run, results: [...run.results, result] }));
    }
    changeMistakeRun((run) => ({
      ...run,
      state: run.results.length < total ? 'stopped' : 'done',
    }));
  });
