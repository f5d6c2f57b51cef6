// Sends a deliberate mistake and checks whether the actual response matches the expected one.

import type { Exchange } from '../../../../control/schemas.ts';
import { problemOf } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { apiOutcome } from '../api-outcome.ts';
import { newState } from '../authorize.ts';
import { credentialsOf } from '../../../../oauth/client-authentication.ts';
import { currentChoice, deviceFields, mayUse, NOBODY, type Choice } from '../choice.ts';
import type { FlowInputs } from '../flow-inputs.ts';
import { withStep, withVerdict, type StepOutcome } from '../flow-state.ts';
import { changeFlow, flow } from '../flow-store.ts';
import type { Material, Mistake } from './mistake.ts';
import { expectationOf, verdictOf, type Verdict } from './verdict.ts';
import type { BreakableStep } from './by-step.ts';
import { NOBODYS_AUDIENCE } from './request.ts';
import { authorizeFields, DEVICE_AUTHORIZATION_PATH } from '../../../../oauth/endpoint-requests.ts';
import {
  deviceCodeFields,
  exchangeFields,
  jwtBearerFields,
  passwordFields,
  refreshFields,
  TOKEN_PATH,
  tokenExchangeFields,
} from '../../../../oauth/token-request.ts';
import type { BodyFormat, Fields, HttpRequest } from '../../../../oauth/fields.ts';
import type { PkceChallenge } from '../../../../oauth/pkce.ts';
import {
  alone,
  ensureAccessToken,
  ensureApproved,
  ensureAssertion,
  ensureCode,
  ensureDevice,
  ensureSubject,
  ensureTokens,
} from '../run.ts';
import { holdTokens, outcomeOf, refused, send } from '../send-step.ts';
import { prepared } from './spoil.ts';

/** Of RFC 7636 appendix B: nobody redeems what a mistake brings. */
const CHALLENGE: PkceChallenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

function otherAudience(): string {
  const named = flow.getState().code?.audience ?? null;
  const other = page.getState().audiences.find(({ uri }) => uri !== named);
  return (named === null ? undefined : other?.uri) ?? NOBODYS_AUDIENCE;
}

function fieldsOf(step: BreakableStep, choice: Choice): Fields {
  const { authorize, exchange, refresh, device, poll, password, swap, bearer } = choice;
  if (step === 'device') return deviceFields(device);
  if (step === 'decide') return [['user_code', flow.getState().device?.user_code ?? '']];
  if (step === 'poll') return deviceCodeFields(poll);
  if (step === 'password') return passwordFields(password);
  if (step === 'swap') return tokenExchangeFields(swap);
  if (step === 'bearer') return jwtBearerFields(bearer);
  if (step === 'exchange') return exchangeFields(exchange);
  if (step === 'refresh') return refreshFields(refresh);
  if (step === 'api') return [];
  return authorizeFields({ ...authorize, state: newState(), challenge: CHALLENGE });
}

function formatOf(step: BreakableStep, inputs: FlowInputs): BodyFormat {
  if (step === 'refresh') return inputs.refresh_format;
  return step === 'exchange' ? inputs.exchange_format : 'form';
}

/** What the request is made of as things stand. */
export function materialOf(step: BreakableStep): Material {
  const { inputs, code, tokens, former_token } = flow.getState();
  const choice = currentChoice();
  const { client, mode, access_token } = choice;
  const { clients, clock } = page.getState();
  return {
    fields: fieldsOf(step, choice),
    credentials: client === null ? NOBODY : credentialsOf(client, null),
    format: formatOf(step, inputs),
    path: step === 'device' ? DEVICE_AUTHORIZATION_PATH : TOKEN_PATH,
    other_client:
      clients.find(
        (other) =>
          other.client_id !== client?.client_id &&
          other.client_secret !== null &&
          (inputs.grant === 'authorization_code' || mayUse(inputs.grant)(other)),
      ) ?? null,
    other_audience: otherAudience(),
    access_token: access_token === '' ? null : access_token,
    refresh_token: tokens?.refresh_token ?? null,
    former_token,
    spoilt: null,
    device: null,
    form: null,
    user_has_password: choice.user?.has_password === true,
    dpop: {
      on: choice.dpop,
      code_bound: code?.bound ?? false,
      token_bound: choice.scheme === 'DPoP',
      public_client: client?.client_secret === null,
      required: client?.dpop_bound_access_tokens === true,
    },
    frozen: clock?.frozen ?? false,
    mode,
  };
}

/** What a step needs before it can go wrong. */
const READY: Record<BreakableStep, () => Promise<boolean>> = {
  code: () => Promise.resolve(currentChoice().client !== null),
  exchange: ensureCode,
  device: () => Promise.resolve(currentChoice().client !== null),
  decide: ensureDevice,
  poll: ensureApproved,
  password: () => Promise.resolve(currentChoice().client !== null),
  swap: ensureSubject,
  bearer: ensureAssertion,
  refresh: ensureTokens,
  api: ensureAccessToken,
};

const outcomeAt = (step: BreakableStep, exchange: Exchange): StepOutcome =>
  step === 'api' ? apiOutcome(exchange) : outcomeOf(exchange);

/** @returns null when what the mistake needs could not be had: the steps before say why */
export async function makeMistake(step: BreakableStep, mistake: Mistake): Promise<Verdict | null> {
  if (!(await READY[step]())) return null;
  changeFlow((state) => withStep(state, step, { status: 'running', badge: null, text: null }));
  const choice = currentChoice();
  const expected = expectationOf(mistake, choice);
  const material = materialOf(step);
  const ready = await prepared(mistake, {
    choice,
    material,
    send: (request: HttpRequest) => send(step, request),
  });
  const exchange = await send(step, mistake.build({ ...material, ...ready }), mistake.proof);
  holdTokens(exchange, step);
  const verdict = verdictOf(mistake, expected, exchange);
  changeFlow((state) =>
    withVerdict(withStep(state, step, outcomeAt(step, exchange)), step, verdict),
  );
  return verdict;
}

/** A fault is shown in the step. */
export const runMistake = (step: BreakableStep, mistake: Mistake): Promise<void> =>
  alone(step, () =>
    makeMistake(step, mistake).catch((error: unknown) =>
      changeFlow((state) => withStep(state, step, refused(problemOf(error).message))),
    ),
  );
