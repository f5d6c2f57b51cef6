// Deliberate mistakes at the cards of the walk: what each needs, making one or all of a card, and the verdicts.

import type { Refusal } from '../../../control/schemas/refusals.ts';
import { expectedAnswer } from '../../../scenario/mistakes/mistake.ts';
import { PLACES } from '../../../scenario/mistakes/index.ts';
import type { Mistake, Place } from '../../../scenario/mistakes/mistake.ts';
import { makeMistake, obstacleTo, type Requester } from '../../../scenario/mistakes/run.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { statusWords } from '../../ui/status.tsx';
import { apiOutcome } from './meaning.ts';
import { credentialPath, mayUse } from './flow-document.ts';
import { withStep, withVerdict } from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { openWalkRun, outcomeOf, refused, RUNNING } from './perform.ts';
import { alone, currentStep, passwordObstacle } from './run.ts';
import {
  type MistakeResult,
  type MistakeRun,
  startingRun,
  type Verdict,
  withEnd,
  withResult,
} from './run-results.ts';

/** null when the step cannot be broken on purpose. */
export const placeOf = (step: WalkStepId): Place | null =>
  PLACES.find(({ id }) => id === step) ?? null;

/** The place with the person's own step as the correct one. */
function ownPlace(place: Place, step: WalkStepId): Place {
  // The page at which a user code is entered, not the approval over control; at the API, a token of the mistake's own.
  if (step === 'decide' || step === 'api') return place;
  const own = currentStep(step);
  if (step === 'code') {
    const { parameters, push } = flow.getState().document.steps.code.authorize ?? {};
    const asked = { sign_in: 'stop', ...(push === true ? { push } : {}) } as const;
    return { ...place, step: { authorize: { ...asked, parameters } } };
  }
  if (own.token === undefined) return { ...place, step: own };
  // The credential and whether a proof is sent are the mistake's own matter.
  const { dpop: _dpop, fields, ...token } = own.token;
  const field = credentialPath(step).at(-1);
  const entered = Object.entries(fields ?? {}).filter(([name]) => name !== field);
  return { ...place, step: { token: { ...token, fields: Object.fromEntries(entered) } } };
}

const NOBODYS_AUDIENCE = 'https://nobody.example/';

/** Who makes the mistakes; null while no client may use the grant. */
function requesterAt(step: WalkStepId): Requester | null {
  const { document, former_token } = flow.getState();
  const { client, user, profile } = currentChoice();
  const { clients, audiences, settings } = page.getState();
  if (client === null || settings === null) return null;
  const grant = step === 'refresh' ? 'refresh_token' : document.grant;
  const isOther = (other: typeof client) =>
    other.client_id !== client.client_id && other.client_secret !== null && mayUse(grant)(other);
  return {
    client,
    user,
    proves: client.dpop_bound_access_tokens && profile === 'interop',
    other_client: clients.find(isOther) ?? null,
    other_audience:
      audiences.find(({ uri }) => uri !== client.default_audience)?.uri ?? NOBODYS_AUDIENCE,
    profile,
    settings,
    former_token,
  };
}

/** Why a mistake cannot be made as things stand, in a sentence; null when it can. */
export function obstacleAt(step: WalkStepId, mistake: Mistake): string | null {
  const place = placeOf(step);
  const requester = requesterAt(step);
  if (place === null) return 'This step cannot be broken.';
  if (requester === null) return 'No client may use this grant.';
  return (step === 'password' ? passwordObstacle() : null) ?? obstacleTo(place, mistake, requester);
}

/** What a mistake must be answered with, in the dialect and shape that are in force. */
export const expectedAt = (
  place: Place,
  mistake: Mistake,
  refusals: readonly Refusal[],
): string | null => expectedAnswer(place, mistake, currentChoice().profile, refusals);

export const loadRefusals = async (): Promise<readonly Refusal[]> =>
  (await control.refusals.list()).items;

const untried = ({ id, title }: Mistake, reason: string): MistakeResult => ({
  ...{ id, title, reason },
  verdict: null,
});

/** Makes one mistake, and draws what it sends. */
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
  const made = await makeMistake(ownPlace(place, step), mistake, requester, run);
  const { id, title, section, actual, passed } = made;
  const event = flow.getState().events.at(-1);
  if (actual === null || event?.kind !== 'exchange') {
    const reason = made.skipped ?? 'There was no response.';
    changeFlow((state) => withStep(state, step, refused(reason)));
    return untried(mistake, reason);
  }
  const answer = statusWords(actual.status);
  const verdict: Verdict = {
    ...{ id, title, section, passed },
    expected: expectedAt(place, mistake, refusals) ?? made.expected,
    actual: actual.error === null ? answer : `${answer} ${actual.error}`,
  };
  const { exchange } = event;
  const outcome = step === 'api' ? apiOutcome(exchange) : outcomeOf(exchange);
  changeFlow((state) => withVerdict(withStep(state, step, outcome), step, verdict));
  // Counted by the user or the client, which no other credential changes.
  if (!passed && actual.status === 429) return untried(mistake, THROTTLED);
  return { id, title, verdict, event: event.id };
}

const THROTTLED =
  'Throttled by the requests before it, so nothing was tested: run it when the counter has reset';

const failureOf = (mistake: Mistake) => (error: unknown) =>
  untried(mistake, problemOf(error).message);

/** What keeps it from being made is shown in the step. */
export const runMistake = (step: WalkStepId, mistake: Mistake): Promise<void> =>
  alone(step, async () => {
    const made = await loadRefusals()
      .then((refusals) => make(step, mistake, refusals))
      .catch(failureOf(mistake));
    if (made.verdict === null) changeFlow((state) => withStep(state, step, refused(made.reason)));
  });

function changeRun(how: (run: MistakeRun) => MistakeRun): void {
  changeFlow((state) =>
    state.mistake_run === null ? state : { ...state, mistake_run: how(state.mistake_run) },
  );
}

/** One after the other, each with its result in the table; what cannot be tried says why. */
export const runMistakes = (step: WalkStepId, mistakes: readonly Mistake[]): Promise<void> =>
  alone(step, async (signal) => {
    changeFlow((state) => ({ ...state, mistake_run: startingRun(step, mistakes.length) }));
    const refusals = await loadRefusals().catch(() => []);
    for (const mistake of mistakes) {
      const result = await make(step, mistake, refusals).catch(failureOf(mistake));
      if (signal.aborted) break;
      changeRun((run) => withResult(run, result));
    }
    changeRun(withEnd);
  });

export const showMistakes = (shown: boolean): void => changeRun((run) => ({ ...run, shown }));
