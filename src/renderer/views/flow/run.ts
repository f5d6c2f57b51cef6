// Runs the steps against the engine and stores the outcome of each. Requests go over real HTTP from the host.

import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { isRefused } from '../../exchange/answer.ts';
import { apiOutcome } from './api-outcome.ts';
import { currentChoice } from './choice.ts';
import {
  restarted,
  withLaterStepsOpen,
  withStep,
  type FlowState,
  type StepOutcome,
} from './flow-state.ts';
import { withTokenShown } from './flow-selection.ts';
import { numberOf, stepsOf, type FlowGrant, type StepId } from './flow-steps.ts';
import { changeFlow, flow } from './flow-store.ts';
import { inspectHeldToken } from './inspect-step.ts';
import {
  DEVICE_CODE_GRANT,
  exchangeFields,
  JWT_BEARER_GRANT,
  refreshFields,
  TOKEN_EXCHANGE_GRANT,
  tokenRequest,
} from '../../../oauth/token-request.ts';
import { userinfoRequest } from '../../../oauth/endpoint-requests.ts';
import { sendAssertion, signForUser } from './assertion/sign.ts';
import { hammerWithRefreshes } from './hammer.ts';
import { issue } from './run-code.ts';
import { approveHeld, decide, pollTokens, requestDevice } from './run-device.ts';
import { sendPassword } from './run-password.ts';
import { exchangeToken, issueSubject } from './run-token-exchange.ts';
import { holdTokens, outcomeOf, refused, RUNNING, send } from './send-step.ts';
import { clientInWords } from './step-words.ts';

async function readClient(): Promise<StepOutcome> {
  const { client } = currentChoice();
  if (client === null) return refused('No client is registered yet.');
  const read = await control.clients.get({ client_id: client.client_id });
  return { status: 'ok', badge: null, text: clientInWords(read) };
}

/** Step 3 needs a code that can still be redeemed, unless one was typed in. */
export async function ensureCode(): Promise<boolean> {
  const { code, inputs } = flow.getState();
  const { client } = currentChoice();
  const good = code !== null && !code.spent && code.client_id === client?.client_id;
  return inputs.exchange_code !== null || good || carryOut('code');
}

async function exchange(): Promise<StepOutcome> {
  if (!(await ensureCode())) return lacking('No code was issued', 'code');
  changeFlow((state) => withStep(state, 'exchange', RUNNING));
  const fields = exchangeFields(currentChoice().exchange);
  const done = await send(
    'exchange',
    tokenRequest(fields, { format: flow.getState().inputs.exchange_format }),
  );
  if (!isRefused(done)) changeFlow((state) => withLaterStepsOpen(state, 'exchange'));
  holdTokens(done, 'exchange');
  return outcomeOf(done);
}

export async function ensureTokens(): Promise<boolean> {
  const { tokens, inputs } = flow.getState();
  return inputs.refresh_token !== null || tokens !== null || tokenSteps().run();
}

/** Whether there is a device that can still get its tokens, unless a code was typed in. */
export async function ensureDevice(): Promise<boolean> {
  const { device, inputs } = flow.getState();
  const { client } = currentChoice();
  const good = device !== null && !device.spent && device.client_id === client?.client_id;
  return inputs.poll_code !== null || good || carryOut('device');
}

/** A device that the next poll gets tokens for; one that was denied or has expired makes way for another. */
export async function ensureApproved(): Promise<boolean> {
  if (!(await ensureDevice())) return false;
  return (await approveHeld()) || ((await carryOut('device')) && approveHeld());
}

const lacking = (what: string, step: StepId) =>
  refused(`${what}; see step ${numberOf(flow.getState().inputs.grant, step)}.`);

async function decideDevice(): Promise<StepOutcome> {
  if (!(await ensureDevice())) return lacking('No device waits for a user', 'device');
  changeFlow((state) => withStep(state, 'decide', RUNNING));
  return decide();
}

async function poll(): Promise<StepOutcome> {
  if (!(await ensureDevice())) return lacking('There is no device code', 'device');
  changeFlow((state) => withStep(state, 'poll', RUNNING));
  return pollTokens();
}

/** Whether there is a token to exchange, unless one was typed in. */
export async function ensureSubject(): Promise<boolean> {
  const { subject, inputs } = flow.getState();
  const { client } = currentChoice();
  const good = subject !== null && subject.client_id === client?.client_id;
  return inputs.subject_token !== null || good || carryOut('subject');
}

async function swap(): Promise<StepOutcome> {
  if (!(await ensureSubject())) return lacking('There is no subject token', 'subject');
  changeFlow((state) => withStep(state, 'swap', RUNNING));
  return exchangeToken();
}

/** Whether there is an assertion that was not accepted yet, unless one was typed in. */
export async function ensureAssertion(): Promise<boolean> {
  const { assertion, inputs } = flow.getState();
  const { client, user } = currentChoice();
  const isFor = assertion?.client_id === client?.client_id && assertion?.sub === user?.sub;
  const good = assertion !== null && !assertion.spent && isFor;
  return inputs.assertion !== null || good || carryOut('assertion');
}

async function redeemAssertion(): Promise<StepOutcome> {
  if (!(await ensureAssertion())) return lacking('There is no assertion', 'assertion');
  changeFlow((state) => withStep(state, 'bearer', RUNNING));
  return sendAssertion();
}

/** The steps that bring tokens, as the grant needs them. */
const TOKEN_STEPS: Record<FlowGrant, { readonly last: StepId; run: () => Promise<boolean> }> = {
  authorization_code: { last: 'exchange', run: () => carryOut('exchange') },
  [DEVICE_CODE_GRANT]: {
    last: 'poll',
    run: async () => (await carryOut('decide')) && carryOut('poll'),
  },
  [TOKEN_EXCHANGE_GRANT]: { last: 'swap', run: () => carryOut('swap') },
  [JWT_BEARER_GRANT]: { last: 'bearer', run: () => carryOut('bearer') },
  password: { last: 'password', run: () => carryOut('password') },
};

const tokenSteps = () => TOKEN_STEPS[flow.getState().inputs.grant];
const noTokens = (what: string) => lacking(what, tokenSteps().last);

async function readToken(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return noTokens('There is no token to read');
  changeFlow((state) => withStep(state, 'token', RUNNING));
  await send('token', { method: 'GET', path: '/.well-known/jwks.json', headers: {} });
  return inspectHeldToken();
}

async function refresh(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return noTokens('There is no refresh token');
  changeFlow((state) => withStep(state, 'refresh', RUNNING));
  const fields = refreshFields(currentChoice().refresh);
  const done = await send(
    'refresh',
    tokenRequest(fields, { format: flow.getState().inputs.refresh_format }),
  );
  holdTokens(done, 'refresh');
  return outcomeOf(done);
}

export async function ensureAccessToken(): Promise<boolean> {
  const { tokens, inputs } = flow.getState();
  return inputs.api_token !== null || tokens !== null || tokenSteps().run();
}

async function callApi(): Promise<StepOutcome> {
  if (!(await ensureAccessToken())) return noTokens('There is no access token');
  changeFlow((state) => withStep(state, 'api', RUNNING));
  const place = flow.getState().inputs.api_token_in;
  const { access_token, scheme } = currentChoice();
  return apiOutcome(await send('api', userinfoRequest(access_token, place, scheme)));
}

async function hammerTokens(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return noTokens('There is no refresh token');
  changeFlow((state) => withStep(state, 'hammer', RUNNING));
  return hammerWithRefreshes(currentChoice(), page.getState().settings?.throttle);
}

const STEPS: Record<StepId, () => Promise<StepOutcome>> = {
  client: readClient,
  code: issue,
  exchange,
  device: requestDevice,
  decide: decideDevice,
  poll,
  password: sendPassword,
  subject: issueSubject,
  swap,
  assertion: signForUser,
  bearer: redeemAssertion,
  token: readToken,
  refresh,
  api: callApi,
  hammer: hammerTokens,
};

/** Runs one step and answers whether it went well; a fault is shown in the step. */
async function carryOut(id: StepId): Promise<boolean> {
  changeFlow((state) => withStep(state, id, RUNNING));
  const outcome = await STEPS[id]().catch((error: unknown) => refused(problemOf(error).message));
  changeFlow((state) => withStep(state, id, outcome));
  return outcome.status === 'ok';
}

/** One run at a time: a second one would mix its messages into the first one's diagram. */
export async function alone(
  what: FlowState['running'],
  run: () => Promise<unknown>,
): Promise<void> {
  if (flow.getState().running !== null) return;
  changeFlow((state) => ({ ...state, running: what, editing: null }));
  await run().finally(() => changeFlow((state) => ({ ...state, running: null })));
}

export const runStep = (id: StepId): Promise<void> => alone(id, () => carryOut(id));

/** A client that may not refresh has nothing to do it with. */
const isSkipped = (id: StepId): boolean =>
  id === 'hammer' ||
  (id === 'refresh' && currentChoice().client?.grant_types.includes('refresh_token') !== true);

/** The steps in order up to the call of the API, in a fresh diagram, up to the first refusal; then the token is shown. */
export const runAll = (): Promise<void> =>
  alone('all', async () => {
    changeFlow(restarted);
    const steps = stepsOf(flow.getState().inputs.grant).filter((id) => !isSkipped(id));
    for (const id of steps) if (!(await carryOut(id))) return;
    changeFlow(withTokenShown);
  });
