// Runs the steps against the engine and tells the store what came of each. Requests go over real HTTP
// from the host; a code can also be had over control, in place of a person at the sign-in page.

import type { Client, Exchange, IssueCode } from '../../../control/schemas.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { isRefused, resultLine, tokenAnswerOf } from '../../exchange/answer.ts';
import { apiOutcome } from './api-outcome.ts';
import { authorizeInBrowser } from './authorize.ts';
import { currentChoice, type Choice } from './choice.ts';
import {
  restarted,
  withEvent,
  withLaterStepsOpen,
  withStep,
  type FlowState,
  type HeldCode,
  type StepId,
  type StepOutcome,
} from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { inspectHeldToken } from './inspect-step.ts';
import { createPkcePair, type PkcePair } from '../../../oauth/pkce.ts';
import { exchangeFields, refreshFields, tokenRequest } from '../../../oauth/token-request.ts';
import { userinfoRequest } from '../../../oauth/endpoint-requests.ts';
import type { HttpRequest } from '../../../oauth/fields.ts';
import { hammerWithRefreshes } from './hammer.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { statusWords } from '../../ui/status.ts';

const NO_CLIENT = 'Register a client first.';
const RUNNING: StepOutcome = { status: 'running', badge: null, text: null };

export const refused = (text: string, badge: string | null = null): StepOutcome => ({
  status: 'refused',
  badge,
  text,
});

/** Sends over real HTTP and draws the exchange into the diagram, credentials and all. */
export async function send(step: StepId, request: HttpRequest): Promise<Exchange> {
  const exchange = await control.requests.send({ ...request, secrets: true });
  changeFlow((state) => withEvent(state, { kind: 'exchange', step, exchange, verdict: null }));
  return exchange;
}

/** A fault may take the tokens out of an answer that reads as a success. */
const isSpoilt = (exchange: Exchange) =>
  exchange.fault !== null && exchange.method === 'POST' && tokenAnswerOf(exchange) === null;

export function outcomeOf(exchange: Exchange): StepOutcome {
  const status = isRefused(exchange) || isSpoilt(exchange) ? 'refused' : 'ok';
  return { status, badge: statusWords(exchange.status), text: resultLine(exchange) };
}

/** A challenge where it is wanted, and where a client without secret must bring one (behaviour 7). */
async function challengeFor(client: Client): Promise<PkcePair | null> {
  const { pkce } = flow.getState().inputs;
  return pkce || client.client_secret === null ? createPkcePair() : null;
}

/** Issues a code over control as the choice says and draws it; the flow does not hold it by that. */
export async function issueCode(choice: Choice, more: Partial<IssueCode> = {}): Promise<HeldCode> {
  const { client, user, redirect_uri, audience } = choice;
  if (client === null) throw new Error(NO_CLIENT);
  const { scope } = choice.authorize;
  const pkce = await challengeFor(client);
  const request: IssueCode = {
    client_id: client.client_id,
    redirect_uri,
    ...(user === null ? {} : { sub: user.sub }),
    ...(audience === '' ? {} : { audience }),
    ...(scope === '' ? {} : { scope }),
    ...pkce?.challenge,
    ...more,
  };
  const { code, expires_at, redirect_to, lineage_id } = await control.codes.create(request);
  const { now } = await control.clock.get();
  const sub = user?.sub ?? 'the first user';
  const issued = { at: now, request, sub, code, expires_at, redirect_to, lineage_id };
  changeFlow((state) => withEvent(state, { kind: 'issue', ...issued }));
  const verifier = pkce?.verifier ?? null;
  const of = { client_id: client.client_id, redirect_uri, audience: audience || null, sub };
  return { code, ...of, expires_at, verifier, spent: false };
}

/** Takes over the tokens of an answer, if it has any; the code it was asked for is spent then. */
export function holdTokens(exchange: Exchange, step: StepId): void {
  const answer = tokenAnswerOf(exchange);
  if (answer === null) return;
  changeFlow((state) => ({
    ...state,
    code: step === 'exchange' && state.code !== null ? { ...state.code, spent: true } : state.code,
    tokens: {
      access_token: answer.access_token,
      refresh_token:
        answer.refresh_token ?? (step === 'refresh' ? (state.tokens?.refresh_token ?? null) : null),
      event: state.events.at(-1)?.id ?? 0,
    },
  }));
}

async function readClient(): Promise<StepOutcome> {
  const { client } = currentChoice();
  if (client === null) return refused('No client is registered yet.');
  const read = await control.clients.get({ client_id: client.client_id });
  const uris = pluralize(read.redirect_uris.length, 'redirect URI');
  return { status: 'ok', badge: null, text: `${read.client_name || read.client_id} · ${uris}` };
}

function holdCode(code: HeldCode): void {
  changeFlow((state) => ({
    ...withLaterStepsOpen(state, 'code'),
    code,
    inputs: { ...state.inputs, exchange_code: null },
  }));
}

async function issueInBrowser(choice: Choice): Promise<StepOutcome> {
  const { client } = choice;
  if (client === null) throw new Error(NO_CLIENT);
  const pkce = await challengeFor(client);
  const { exchange, code } = await authorizeInBrowser(choice, pkce, (request) =>
    send('code', request),
  );
  if (code === null) return { ...outcomeOf(exchange), status: 'refused' };
  holdCode(code);
  return { status: 'ok', badge: statusWords(exchange.status), text: `for ${code.sub}` };
}

async function issue(): Promise<StepOutcome> {
  const choice = currentChoice();
  if (flow.getState().inputs.authorize === 'browser') return issueInBrowser(choice);
  const code = await issueCode(choice);
  holdCode(code);
  return { status: 'ok', badge: 'issued', text: `for ${code.sub}` };
}

/** Step 3 needs a code that can still be redeemed, unless one was typed in. */
export async function ensureCode(): Promise<boolean> {
  const { code, inputs } = flow.getState();
  const { client } = currentChoice();
  const good = code !== null && !code.spent && code.client_id === client?.client_id;
  return inputs.exchange_code !== null || good || carryOut('code');
}

async function exchange(): Promise<StepOutcome> {
  if (!(await ensureCode())) return refused('No code was issued; see step 2.');
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
  return inputs.refresh_token !== null || tokens !== null || carryOut('exchange');
}

async function readToken(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return refused('There is no token to read; see step 3.');
  changeFlow((state) => withStep(state, 'token', RUNNING));
  await send('token', { method: 'GET', path: '/.well-known/jwks.json', headers: {} });
  return inspectHeldToken();
}

async function refresh(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return refused('There is no refresh token; see step 3.');
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
  return inputs.api_token !== null || tokens !== null || carryOut('exchange');
}

async function callApi(): Promise<StepOutcome> {
  if (!(await ensureAccessToken())) return refused('There is no access token; see step 3.');
  changeFlow((state) => withStep(state, 'api', RUNNING));
  const place = flow.getState().inputs.api_token_in;
  return apiOutcome(await send('api', userinfoRequest(currentChoice().access_token, place)));
}

async function hammerTokens(): Promise<StepOutcome> {
  if (!(await ensureTokens())) return refused('There is no refresh token; see step 3.');
  changeFlow((state) => withStep(state, 'hammer', RUNNING));
  return hammerWithRefreshes(currentChoice(), page.getState().settings?.throttle);
}

const STEPS: Record<StepId, () => Promise<StepOutcome>> = {
  client: readClient,
  code: issue,
  exchange,
  token: readToken,
  refresh,
  api: callApi,
  hammer: hammerTokens,
};

/** Runs one step and answers whether it went well; a fault is told in the step. */
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

const RUN_ALL: readonly StepId[] = ['client', 'code', 'exchange', 'token', 'refresh', 'api'];

/** Steps 1 to 6 in order, in a fresh diagram, up to the first refusal. */
export const runAll = (): Promise<void> =>
  alone('all', async () => {
    changeFlow(restarted);
    for (const id of RUN_ALL) if (!(await carryOut(id))) return;
  });
