// Runs the steps of the flow against the sandbox and stores the outcome of each. A step that lacks a credential first runs
// the nearest earlier step that provides it.

import {
  type Credential,
  numberOf,
  stepsOf,
  WALK_STEPS,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { problemOf } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { type Choice, isPossible, neededFrom } from './flow-document.ts';
import {
  type FlowState,
  isUsable,
  rejected,
  restarted,
  RUNNING,
  type StepOutcome,
  withStep,
  withTokenShown,
} from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';

export const loadSteps = () => import('./step-procedures.ts');

const MISSING: Readonly<Record<Credential, string>> = {
  code: 'No code was issued',
  device_code: 'There is no device code',
  user_code: 'No device waits for a user',
  subject_token: 'There is no subject token',
  assertion: 'There is no assertion',
  access_token: 'There is no access token',
  refresh_token: 'There is no refresh token',
};

/** Runs earlier steps if the step lacks its credential. @returns what is still missing, in a sentence, or null */
async function obtainNeeded(id: WalkStepId): Promise<string | null> {
  const { document } = flow.getState();
  const need = neededFrom(id, document);
  if (need === null) return null;
  const { credential, step } = need;
  const isThere = () => isUsable(flow.getState(), credential, currentChoice());
  const { after } = WALK_STEPS[step];
  // The sign-in page is never opened in the user's browser unless they ask for it.
  const isAsked = step !== 'code' || document.way !== 'person';
  const obtained =
    isThere() ||
    (isAsked &&
      (after === undefined || (await carryOut(after))) &&
      (await carryOut(step)) &&
      isThere());
  return obtained
    ? null
    : `${MISSING[credential]}. Run step ${numberOf(document.grant, step)} first.`;
}

/** The step counts as not run, because its outcome is unknown. */
const CONNECTION_LOST: StepOutcome = {
  status: 'todo',
  badge: null,
  text: 'The connection was lost before this step finished.',
};

async function outcomeAt(id: WalkStepId): Promise<StepOutcome> {
  const missing = await obtainNeeded(id);
  if (missing !== null) return rejected(missing);
  changeFlow((state) => withStep(state, id, RUNNING));
  const { outcomeOfStep } = await loadSteps();
  return outcomeOfStep(id);
}

const STOPPED: StepOutcome = { status: 'todo', badge: null, text: 'Stopped before it finished.' };

const isStopped = () => flow.getState().stopping?.signal.aborted === true;

/** Returns the outcome of a step that has no response. @param reason why, in a sentence */
export function outcomeWithoutResponse(reason: string): StepOutcome {
  if (isStopped()) return STOPPED;
  return obstacleTo('connection') === null ? rejected(reason) : CONNECTION_LOST;
}

/** Runs one step. The step shows a failure. @returns whether it succeeded */
async function carryOut(id: WalkStepId): Promise<boolean> {
  changeFlow((state) => withStep(state, id, RUNNING));
  const outcome = await outcomeAt(id).catch((error: unknown) =>
    outcomeWithoutResponse(problemOf(error).message),
  );
  changeFlow((state) => withStep(state, id, outcome));
  return outcome.status === 'ok';
}

/** Allows one run at a time, because a second run would add its messages to the same diagram. */
export async function runExclusive(
  what: FlowState['running'],
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (flow.getState().running !== null || obstacleTo('server') !== null) return;
  const stopping = new AbortController();
  changeFlow((state) => ({ ...state, running: what, stopping, editing: null }));
  await run(stopping.signal).finally(() =>
    changeFlow((state) => ({ ...state, running: null, stopping: null })),
  );
}

/** Stops the run. No further request is sent, and the pending one is abandoned. */
export const stopRun = (): void => flow.getState().stopping?.abort();

export const runStep = (id: WalkStepId): Promise<void> => runExclusive(id, () => carryOut(id));

/** The first step that is not done since the last change. Never the client step, which sends nothing. */
export function nextStep(
  { document, steps, running }: FlowState,
  choice: Choice,
): WalkStepId | null {
  if (running !== null) return null;
  const isNext = (id: WalkStepId) =>
    id !== 'client' && steps[id].status !== 'ok' && isPossible(id, choice);
  return stepsOf(document.grant).find(isNext) ?? null;
}

const partiesOf = ({ client, user }: Choice) => [client?.client_id, user?.sub];

/** Whom the run is for but no longer can be; undefined while it is for the client and the user that it began with. */
function lostParty(choice: Choice): string | undefined {
  const now = partiesOf(currentChoice());
  return partiesOf(choice).find((id, index) => id !== undefined && id !== now[index]);
}

/** Runs the steps in order until one fails. When all succeed, the token is shown. */
async function carryOutAll(steps: readonly WalkStepId[]): Promise<void> {
  const choice = currentChoice();
  for (const id of steps.filter((one) => isPossible(one, choice))) {
    if (isStopped()) return;
    // For another party the earlier steps would run again.
    const lost = lostParty(choice);
    if (lost !== undefined) {
      const why = rejected(`${lost} was deleted, or another was chosen, during the run.`);
      changeFlow((state) => withStep(state, id, why));
      return;
    }
    if (!(await carryOut(id))) return;
  }
  changeFlow(withTokenShown);
}

const walkSteps = () => stepsOf(flow.getState().document.grant);

/** Runs all steps in an empty diagram. */
export const runAll = (): Promise<void> =>
  runExclusive('all', () => {
    changeFlow(restarted);
    return carryOutAll(walkSteps());
  });

/** Runs a step and all later ones with what earlier steps have provided. */
export const runFrom = (id: WalkStepId): Promise<void> =>
  runExclusive('all', () => carryOutAll(walkSteps().slice(walkSteps().indexOf(id))));
