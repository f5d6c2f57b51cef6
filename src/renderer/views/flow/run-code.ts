// The step that has a code issued: at /authorize, as a browser or a person would, or over control in place of both.

import type { Client, IssueCode } from '../../../control/schemas.ts';
import { createPkcePair, type PkcePair } from '../../../oauth/pkce.ts';
import { control } from '../../connection/control.ts';
import { statusWords } from '../../ui/status.ts';
import { authorizeInBrowser } from './authorize.ts';
import { currentChoice, type Choice } from './choice.ts';
import { withEvent, withLaterStepsOpen, type HeldCode, type StepOutcome } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { signInAsPerson } from './person/sign-in.ts';
import { NO_CLIENT, outcomeOf, send } from './send-step.ts';

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
  return { code, ...of, expires_at, verifier, bound: false, spent: false };
}

function holdCode(code: HeldCode): void {
  changeFlow((state) => ({
    ...withLaterStepsOpen(state, 'code'),
    code,
    inputs: { ...state.inputs, exchange_code: null },
  }));
}

/** Over HTTP as a browser would, or by a person in a browser. */
async function issueAtEndpoint(
  choice: Choice,
  authorize: typeof authorizeInBrowser,
): Promise<StepOutcome> {
  const { client } = choice;
  if (client === null) throw new Error(NO_CLIENT);
  const pkce = await challengeFor(client);
  const { exchange, code } = await authorize(choice, pkce, (request) => send('code', request));
  if (code === null) return { ...outcomeOf(exchange), status: 'refused' };
  holdCode(code);
  return { status: 'ok', badge: statusWords(exchange.status), text: `for ${code.sub}` };
}

export async function issue(): Promise<StepOutcome> {
  const choice = currentChoice();
  const { authorize } = flow.getState().inputs;
  if (authorize === 'browser') return issueAtEndpoint(choice, authorizeInBrowser);
  if (authorize === 'person') return issueAtEndpoint(choice, signInAsPerson);
  const code = await issueCode(choice);
  holdCode(code);
  return { status: 'ok', badge: 'issued', text: `for ${code.sub}` };
}
