// Carries out the steps of the flow, each in its own way, and returns their outcomes. Loaded after the view is drawn.

import type { Device } from '../../../control/schemas/sign-ins.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import type { Answer } from '../../../scenario/actions/answer.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { keysOfServer, verifySignature } from '../../inspector/signature.ts';
import { randomHex } from '../../ui/random.ts';
import { statusWords } from '../../ui/status.tsx';
import { DECIDED_ON_WORDS } from '../../ui/short-forms.ts';
import { passwordIn, sentStep } from './flow-document.ts';
import { rejected, type StepOutcome, valueOf, withTokenShown } from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { clientInWords, noClientInWords } from './meaning.ts';
import { hasKey, pageKey } from './page-key.ts';
import { drawDecision, outcomeOf, perform } from './perform-step.ts';
import { signInAsPerson } from './sign-in.ts';

/** Why no client can send requests. */
const noClient = (): string =>
  noClientInWords(flow.getState().document.grant, page.getState().clients.length);

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
            parameters: { state: randomHex(12), ...authorize.parameters },
          },
        };
  const answer = await (way === 'person' ? signInAsPerson(asked) : perform('code', asked));
  if (answer?.exchange === null) {
    const { expires_at } = Object(answer.body) as { expires_at: string };
    holdCodeUntil(expires_at);
    return { status: 'ok', badge: 'issued', text: `for ${user?.sub ?? 'the first user'}` };
  }
  if (answer?.redirect?.['code'] === undefined) return failed('code', answer);
  const { sub, expires_at } = await recordOfCode(answer);
  holdCodeUntil(expires_at);
  return { status: 'ok', badge: statusWords(answer.status ?? 0), text: `for ${sub}` };
}

const holdCodeUntil = (expires_at: string): void =>
  changeFlow(({ held, ...state }) => ({
    ...state,
    held: { ...held, code: held.code && { ...held.code, expires_at } },
  }));

const failed = (id: WalkStepId, answer: Answer | null): StepOutcome =>
  answer?.exchange
    ? { ...outcomeOf(answer.exchange, id), status: 'rejected' }
    : rejected('There was no response.');

async function requestDevice(): Promise<StepOutcome> {
  const answer = await perform('device', currentStep('device'));
  const user_code = valueOf(flow.getState(), 'user_code');
  if (answer?.error !== null || user_code === null) return failed('device', answer);
  return { status: 'ok', badge: statusWords(answer.status ?? 0), text: `user code ${user_code}` };
}

/** The outcome for a device that was already decided. A decision on the page is drawn. */
async function decided(device: Device): Promise<StepOutcome> {
  const { state, sub, decided_on } = device;
  const where = decided_on === null ? '' : ` ${DECIDED_ON_WORDS[decided_on]}`;
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
  return user?.has_password === true && passwordIn(flow.getState().document) === undefined
    ? `${user.sub} has a password that this page does not know. Enter it.`
    : null;
}

async function send(id: WalkStepId): Promise<StepOutcome> {
  if (currentChoice().client === null) return rejected(noClient());
  const obstacle = id === 'password' ? passwordObstacle() : null;
  if (obstacle !== null) return rejected(obstacle);
  const answer = await perform(id, currentStep(id));
  if (answer?.exchange === undefined || answer.exchange === null) return failed(id, answer);
  return outcomeOf(answer.exchange, id);
}

async function readToken(): Promise<StepOutcome> {
  await perform('token', currentStep('token'));
  const token = valueOf(flow.getState(), 'access_token');
  if (token === null) return rejected('There is no token to read.');
  changeFlow((state) => withTokenShown({ ...state, read: state.held.access_token?.event ?? null }));
  const jwt = decodeJwt(token);
  if (jwt === null) {
    const text = 'An opaque token; only the server can look it up';
    return { status: 'ok', badge: 'opaque', text };
  }
  const { items } = await control.keys.list();
  const { state, text } = await verifySignature(token, jwt, keysOfServer(items));
  if (state === 'broken') return rejected(text, 'invalid');
  return { status: 'ok', badge: state === 'verified' ? 'verified' : 'unverified', text };
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

/** @throws the error of the control API */
export const outcomeOfStep = (id: WalkStepId): Promise<StepOutcome> =>
  (SPECIAL_STEPS[id] ?? (() => send(id)))();
