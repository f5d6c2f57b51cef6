// Runs the steps of the walk against the sandbox and stores the outcome of each. A step that lacks what it needs first runs
// the nearest earlier one that provides it.

import type { Device } from '../../../control/schemas/sign-ins.ts';
import type { Answer } from '../../../scenario/actions/answer.ts';
import {
  type Credential,
  numberOf,
  stepsOf,
  WALK_STEPS,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { control, problemOf } from '../../connection/control.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { page } from '../../connection/state.ts';
import { statusWords } from '../../ui/status.tsx';
import { apiOutcome } from './meaning.ts';
import { hasKey, pageKey } from './page-key.ts';
import { type Choice, isPossible, memberAt, neededFrom, sentStep } from './flow-document.ts';
import { withTokenShown } from './flow-selection.ts';
import {
  type FlowState,
  isUsable,
  restarted,
  type StepOutcome,
  valueOf,
  withStep,
} from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { drawDecision, outcomeOf, perform, refused, RUNNING } from './perform.ts';
import { signInAsPerson } from './sign-in.ts';
import { clientInWords, noClientInWords } from './step-words.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { keysOfServer, verifySignature } from '../../inspector/signature.ts';

/** Why there is nobody to send requests for. */
export const noClient = (): string =>
  noClientInWords(flow.getState().document.grant, page.getState().clients.length);

/** What a card sends now. */
export function currentStep(id: WalkStepId) {
  const { document, held } = flow.getState();
  return sentStep(id, document, currentChoice(), held.access_token?.bound);
}

async function readClient(): Promise<StepOutcome> {
  const { client } = currentChoice();
  if (client === null) return refused(noClient());
  const read = await control.clients.get({ client_id: client.client_id });
  return { status: 'ok', badge: null, text: clientInWords(read) };
}

/** When the code expires, and for whom it is: the redirect does not say. */
async function recordOfCode({ exchange }: Answer) {
  const id = exchange?.issued.find(({ kind }) => kind === 'code')?.id;
  if (id === undefined || id === null)
    throw new Error('The code of the redirect was not issued by this request.');
  return control.tokens.get({ id });
}

function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function issueCode(): Promise<StepOutcome> {
  const { client, user } = currentChoice();
  if (client === null) return refused(noClient());
  const { way } = flow.getState().document;
  const { authorize, ...step } = currentStep('code');
  const asked =
    authorize === undefined
      ? step
      : {
          authorize: {
            ...authorize,
            parameters: { state: newState(), ...authorize.parameters },
          },
        };
  const answer = await (way === 'person' ? signInAsPerson(asked) : perform('code', asked));
  if (answer?.exchange === null) {
    const { expires_at } = Object(answer.body) as { expires_at: string };
    holdUntil('code', expires_at);
    return { status: 'ok', badge: 'issued', text: `for ${user?.sub ?? 'the first user'}` };
  }
  if (answer?.redirect?.['code'] === undefined) return failed(answer);
  const { sub, expires_at } = await recordOfCode(answer);
  holdUntil('code', expires_at);
  return { status: 'ok', badge: statusWords(answer.status ?? 0), text: `for ${sub}` };
}

const holdUntil = (credential: Credential, expires_at: string): void =>
  changeFlow(({ held, ...state }) => {
    const known = held[credential];
    const changed = known === undefined ? {} : { [credential]: { ...known, expires_at } };
    return { ...state, held: { ...held, ...changed } };
  });

const failed = (answer: Answer | null): StepOutcome =>
  answer?.exchange
    ? { ...outcomeOf(answer.exchange), status: 'refused' }
    : refused('There was no response.');

async function requestDevice(): Promise<StepOutcome> {
  const answer = await perform('device', currentStep('device'));
  const user_code = valueOf(flow.getState(), 'user_code');
  if (answer?.error !== null || user_code === null) return failed(answer);
  return { status: 'ok', badge: statusWords(answer.status ?? 0), text: `user code ${user_code}` };
}

const PLACES = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the setting authorize',
};

/** What was decided elsewhere meanwhile, or by the setting; what the user decided at /device is drawn. */
async function decided(device: Device): Promise<StepOutcome> {
  const { state, sub, decided_on } = device;
  const where = decided_on === null ? '' : ` ${PLACES[decided_on]}`;
  if (state === 'expired') return refused(`${device.user_code} has expired.`, state);
  if (decided_on === 'page') await drawDecision(sub === null ? 'deny' : 'approve', device);
  const by = sub === null ? '' : `, as ${sub}`;
  return { status: 'ok', badge: state, text: `already decided${where}${by}` };
}

/** Approves or denies over control, unless that was done elsewhere. */
async function decide(): Promise<StepOutcome> {
  const id = valueOf(flow.getState(), 'user_code');
  if (id === null) return refused('A code that was typed in has no user code here.');
  const current = await control.devices.get({ id });
  if (current.state !== 'pending') return decided(current);
  await perform('decide', currentStep('decide'));
  const { state, sub } = await control.devices.get({ id });
  return { status: 'ok', badge: state, text: sub === null ? null : `as ${sub}` };
}

async function issueSubject(): Promise<StepOutcome> {
  const { user } = currentChoice();
  await perform('subject', currentStep('subject'));
  return { status: 'ok', badge: 'issued', text: `for ${user?.sub ?? 'the first user'}` };
}

async function signAssertion(): Promise<StepOutcome> {
  const { client, user } = currentChoice();
  if (client === null) return refused(noClient());
  if (user === null) return refused('Add a user first: an assertion names one.');
  if (!hasKey(client, await pageKey())) {
    return refused(`${client.client_id} does not have the key of this page.`);
  }
  await perform('assertion', currentStep('assertion'));
  return { status: 'ok', badge: 'signed', text: `for ${user.sub}, as ${client.client_id}` };
}

/** Why the password cannot be sent; null when it can. */
export function passwordObstacle(): string | null {
  const { user } = currentChoice();
  const typed = memberAt(flow.getState().document.steps.password, ['token', 'fields', 'password']);
  return user?.has_password === true && typed === undefined
    ? `${user.sub} has a password, which is not known here: enter it.`
    : null;
}

async function send(id: WalkStepId): Promise<StepOutcome> {
  if (currentChoice().client === null) return refused(noClient());
  const obstacle = id === 'password' ? passwordObstacle() : null;
  if (obstacle !== null) return refused(obstacle);
  const answer = await perform(id, currentStep(id));
  if (answer?.exchange === undefined || answer.exchange === null) return failed(answer);
  return id === 'api' ? apiOutcome(answer.exchange) : outcomeOf(answer.exchange);
}

async function readToken(): Promise<StepOutcome> {
  await perform('token', currentStep('token'));
  return inspectHeldToken();
}

const OWN_WAYS: Partial<Readonly<Record<WalkStepId, () => Promise<StepOutcome>>>> = {
  client: readClient,
  code: issueCode,
  device: requestDevice,
  decide,
  subject: issueSubject,
  assertion: signAssertion,
  token: readToken,
};

const MISSING: Readonly<Record<Credential, string>> = {
  code: 'No code was issued',
  device_code: 'There is no device code',
  user_code: 'No device waits for a user',
  subject_token: 'There is no subject token',
  assertion: 'There is no assertion',
  access_token: 'There is no access token',
  refresh_token: 'There is no refresh token',
};

/** Sees to it that the step has the credential that it needs. @returns what is missing, in a sentence; null for nothing */
async function obtainNeeded(id: WalkStepId): Promise<string | null> {
  const { document } = flow.getState();
  const need = neededFrom(id, document);
  if (need === null) return null;
  const { credential, step } = need;
  const isThere = () => isUsable(flow.getState(), credential, currentChoice());
  const { after } = WALK_STEPS[step];
  // A person is not sent to a sign-in page unasked.
  const isAsked = step !== 'code' || document.way !== 'person';
  const obtained =
    isThere() ||
    (isAsked &&
      (after === undefined || (await carryOut(after))) &&
      (await carryOut(step)) &&
      isThere());
  return obtained ? null : `${MISSING[credential]}; see step ${numberOf(document.grant, step)}.`;
}

/** Nothing was rejected: what became of the step is not known. */
const CUT_OFF: StepOutcome = {
  status: 'todo',
  badge: null,
  text: 'The connection was lost before this step ended.',
};

async function outcomeAt(id: WalkStepId): Promise<StepOutcome> {
  const missing = await obtainNeeded(id);
  if (missing !== null) return refused(missing);
  changeFlow((state) => withStep(state, id, RUNNING));
  return (OWN_WAYS[id] ?? (() => send(id)))();
}

const STOPPED: StepOutcome = { status: 'todo', badge: null, text: 'Stopped before it ended.' };

const isStopped = () => flow.getState().stopping?.signal.aborted === true;

function cutShort(error: unknown): StepOutcome {
  if (isStopped()) return STOPPED;
  return obstacleTo('connection') === null ? refused(problemOf(error).message) : CUT_OFF;
}

/** Runs one step and answers whether it went well; a fault is shown in the step. */
async function carryOut(id: WalkStepId): Promise<boolean> {
  changeFlow((state) => withStep(state, id, RUNNING));
  const outcome = await outcomeAt(id).catch(cutShort);
  changeFlow((state) => withStep(state, id, outcome));
  return outcome.status === 'ok';
}

/** One run at a time: a second one would mix its messages into the first one's diagram. */
export async function alone(
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

/** Ends whatever runs: no further request is sent, and nobody waits for the one under way. */
export const stopRun = (): void => flow.getState().stopping?.abort();

export const runStep = (id: WalkStepId): Promise<void> => alone(id, () => carryOut(id));

/** The first step not done since the last change; the client is no message of its own. */
export function nextStep(
  { document, steps, running }: FlowState,
  choice: Choice,
): WalkStepId | null {
  if (running !== null) return null;
  const isNext = (id: WalkStepId) =>
    id !== 'client' && steps[id].status !== 'ok' && isPossible(id, choice);
  return stepsOf(document.grant).find(isNext) ?? null;
}

/** Steps in order, up to the first that does not go well; then the token is shown. */
async function carryOutAll(steps: readonly WalkStepId[]): Promise<void> {
  const choice = currentChoice();
  const possible = steps.filter((id) => isPossible(id, choice));
  for (const id of possible) if (isStopped() || !(await carryOut(id))) return;
  changeFlow(withTokenShown);
}

const walkSteps = () => stepsOf(flow.getState().document.grant);

/** All steps, in a fresh diagram. */
export const runAll = (): Promise<void> =>
  alone('all', () => {
    changeFlow(restarted);
    return carryOutAll(walkSteps());
  });

/** A step and those after it, with what the ones before provided. */
export const runFrom = (id: WalkStepId): Promise<void> =>
  alone('all', () => carryOutAll(walkSteps().slice(walkSteps().indexOf(id))));

export async function inspectHeldToken(): Promise<StepOutcome> {
  const token = valueOf(flow.getState(), 'access_token');
  if (token === null) return { status: 'refused', badge: null, text: 'There is no token to read.' };
  changeFlow((state) => withTokenShown({ ...state, read: state.held.access_token?.event ?? null }));
  const jwt = decodeJwt(token);
  if (jwt === null) {
    return {
      status: 'ok',
      badge: 'opaque',
      text: 'An opaque token; only the server can look it up',
    };
  }
  const { items } = await control.keys.list();
  const { state, text } = await verifySignature(token, jwt, keysOfServer(items));
  if (state === 'broken') return { status: 'refused', badge: 'invalid', text };
  const badge = state === 'verified' ? 'verified' : 'unverified';
  return { status: 'ok', badge, text };
}
