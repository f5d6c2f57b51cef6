// Runs the steps of the flow against the sandbox and stores the outcome of each. A step that lacks a credential first runs
// the nearest earlier step that provides it.

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
import { apiOutcome, clientInWords, noClientInWords } from './meaning.ts';
import { hasKey, pageKey } from './page-key.ts';
import { type Choice, isPossible, memberAt, neededFrom, sentStep } from './flow-document.ts';
import {
  type FlowState,
  isUsable,
  restarted,
  type StepOutcome,
  valueOf,
  withStep,
  withTokenShown,
} from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { drawDecision, outcomeOf, perform, rejected, RUNNING } from './perform.ts';
import { signInAsPerson } from './sign-in.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { keysOfServer, verifySignature } from '../../inspector/signature.ts';

/** Why no client can send requests. */
export const noClient = (): string =>
  noClientInWords(flow.getState().document.grant, page.getState().clients.length);

/** The step that a card sends now. */
export function currentStep(id: WalkStepId) {
  const { document, held } = flow.getState();
  return sentStep(id, document, currentChoice(), held.access_token?.bound);
}

async function readClient(): Promise<StepOutcome> {
  const { client } = currentChoice();
  if (client === null) return rejected(noClient());
  const read = await control.clients.get({ client_id: client.client_id });
  return { status: 'ok', badge: null, text: clientInWords(read) };
}

/** Looks up the user and the expiry of the code, which the redirect does not contain. */
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
  if (client === null) return rejected(noClient());
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
    ? { ...outcomeOf(answer.exchange), status: 'rejected' }
    : rejected('There was no response.');

async function requestDevice(): Promise<StepOutcome> {
  const answer = await perform('device', currentStep('device'));
  const user_code = valueOf(flow.getState(), 'user_code');
  if (answer?.error !== null || user_code === null) return failed(answer);
  return { status: 'ok', badge: statusWords(answer.status ?? 0), text: `user code ${user_code}` };
}

const PLACES = {
  page: 'at /device',
  control: 'over the control API',
  setting: 'by the authorize setting',
};

/** The outcome for a device that was already decided. A decision on the page is drawn. */
async function decided(device: Device): Promise<StepOutcome> {
  const { state, sub, decided_on } = device;
  const where = decided_on === null ? '' : ` ${PLACES[decided_on]}`;
  if (state === 'expired') return rejected(`${device.user_code} has expired.`, state);
  if (decided_on === 'page') await drawDecision(sub === null ? 'deny' : 'approve', device);
  const by = sub === null ? '' : `, as ${sub}`;
  return { status: 'ok', badge: state, text: `already decided${where}${by}` };
}

/** Approves or denies over the control API, unless the device was already decided. */
async function decide(): Promise<StepOutcome> {
  const id = valueOf(flow.getState(), 'user_code');
  if (id === null) return rejected('The user code of a typed device code is not known.');
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
  if (client === null) return rejected(noClient());
  if (user === null) return rejected('Add a user first: an assertion names one.');
  if (!hasKey(client, await pageKey())) {
    return rejected(`${client.client_id} does not have this page’s key.`);
  }
  await perform('assertion', currentStep('assertion'));
  return { status: 'ok', badge: 'signed', text: `for ${user.sub}, as ${client.client_id}` };
}

/** Why the password cannot be sent; null when it can. */
export function passwordObstacle(): string | null {
  const { user } = currentChoice();
  const typed = memberAt(flow.getState().document.steps.password, ['token', 'fields', 'password']);
  return user?.has_password === true && typed === undefined
    ? `${user.sub} has a password that this page does not know. Enter it.`
    : null;
}

async function send(id: WalkStepId): Promise<StepOutcome> {
  if (currentChoice().client === null) return rejected(noClient());
  const obstacle = id === 'password' ? passwordObstacle() : null;
  if (obstacle !== null) return rejected(obstacle);
  const answer = await perform(id, currentStep(id));
  if (answer?.exchange === undefined || answer.exchange === null) return failed(answer);
  return id === 'api' ? apiOutcome(answer.exchange) : outcomeOf(answer.exchange);
}

async function readToken(): Promise<StepOutcome> {
  await perform('token', currentStep('token'));
  return inspectHeldToken();
}

const SPECIAL_STEPS: Partial<Readonly<Record<WalkStepId, () => Promise<StepOutcome>>>> = {
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
  return (SPECIAL_STEPS[id] ?? (() => send(id)))();
}

const STOPPED: StepOutcome = { status: 'todo', badge: null, text: 'Stopped before it finished.' };

const isStopped = () => flow.getState().stopping?.signal.aborted === true;

function outcomeOfError(error: unknown): StepOutcome {
  if (isStopped()) return STOPPED;
  return obstacleTo('connection') === null ? rejected(problemOf(error).message) : CONNECTION_LOST;
}

/** Runs one step. The step shows a failure. @returns whether it succeeded */
async function carryOut(id: WalkStepId): Promise<boolean> {
  changeFlow((state) => withStep(state, id, RUNNING));
  const outcome = await outcomeAt(id).catch(outcomeOfError);
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

/** Runs the steps in order until one fails. When all succeed, the token is shown. */
async function carryOutAll(steps: readonly WalkStepId[]): Promise<void> {
  const choice = currentChoice();
  const possible = steps.filter((id) => isPossible(id, choice));
  for (const id of possible) if (isStopped() || !(await carryOut(id))) return;
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

export async function inspectHeldToken(): Promise<StepOutcome> {
  const token = valueOf(flow.getState(), 'access_token');
  if (token === null)
    return { status: 'rejected', badge: null, text: 'There is no token to read.' };
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
  if (state === 'broken') return { status: 'rejected', badge: 'invalid', text };
  const badge = state === 'verified' ? 'verified' : 'unverified';
  return { status: 'ok', badge, text };
}
