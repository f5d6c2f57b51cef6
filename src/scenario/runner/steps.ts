// What each kind of step does: over control, or over HTTP as an app does it.

import type { FaultDraft } from '../../control/fault-schemas.ts';
import type { HttpRequest } from '../../oauth/fields.ts';
import { createPkcePair, type ChallengeMethod, type PkcePair } from '../../oauth/pkce.ts';
import { AUTHORIZE_PARAMETERS, CREDENTIAL_FIELDS, KEPT_MEMBERS } from '../defaults.ts';
import type { ScenarioStep } from '../schema.ts';
import { approval, denial, signInFormOf } from '../sign-in-form.ts';
import { ACTION_NAMES, type ActionName } from '../step-rules.ts';
import { answerOfControl, type Answer } from './answer.ts';
import { rememberCode, withFactsOf } from './codes.ts';
import {
  anyRequest,
  authorizeRequest,
  deviceRequest,
  mergedFields,
  pushRequest,
  tokenRequest,
} from './requests.ts';
import type { RunState } from './state.ts';
import { MissingValueError, setSubjects } from './variables.ts';

type Parameters<A extends ActionName> = NonNullable<ScenarioStep[A]>;
/** null when the action has no answer. */
type Action<A extends ActionName> = (
  parameters: Parameters<A>,
  run: RunState,
) => Promise<Answer | null>;
/** Members without the undefined ones. */
const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

interface Subjects {
  readonly client?: string | undefined;
  readonly user?: string | undefined;
}

/** Sets the client and the user that the step names, or the first of each. */
function chooseSubjects({ sandbox, variables }: RunState, named: Subjects): void {
  const { clients, users } = sandbox;
  const client =
    named.client === undefined
      ? clients[0]
      : clients.find(({ client_id }) => client_id === named.client);
  const user = named.user === undefined ? users[0] : users.find(({ sub }) => sub === named.user);
  setSubjects(variables, client, user);
}

function rememberCredentials({ variables }: RunState, { body }: Answer): void {
  const members = Object(body) as Readonly<Record<string, unknown>>;
  for (const name of KEPT_MEMBERS) {
    if (typeof members[name] === 'string') variables.set(name, members[name]);
  }
}

/** At the endpoint, which is below the path of the issuer. */
const below = ({ base }: RunState, request: HttpRequest): HttpRequest => ({
  ...request,
  path: `${base}${request.path}`,
});

const pkceOf = async (method: ChallengeMethod | undefined): Promise<PkcePair | null> =>
  method === undefined ? null : createPkcePair(method);

const issueCode: Action<'issue_code'> = async (parameters, run) => {
  const { variables, sandbox } = run;
  const { client: _client, pkce: method, ...rest } = parameters;
  const { user, redirect_uri, audience = '{{issuer}}', ...more } = rest;
  const pkce = await pkceOf(method);
  const asked = variables.filled({
    ...more,
    client_id: '{{client.client_id}}',
    redirect_uri: redirect_uri ?? '{{client.redirect_uri}}',
    sub: user,
    audience: audience ?? undefined,
    ...pkce?.challenge,
  });
  const issued = await sandbox.control.codes.create(given(asked));
  rememberCode(run, issued.code, { ...asked, pkce });
  return answerOfControl({ ...issued });
};

const issueTokens: Action<'issue_tokens'> = async (parameters, run) => {
  const { client: _client, user, ...more } = parameters;
  const asked = { ...more, client_id: '{{client.client_id}}', sub: user };
  const minted = await run.sandbox.control.tokens.mint(given(run.variables.filled(asked)));
  const answer = answerOfControl({ ...minted });
  rememberCredentials(run, answer);
  return answer;
};

/** The form of the sign-in page as the browser sends it; null when nobody was asked. */
async function decisionOn(
  { exchange: answered }: Answer,
  decision: 'approve' | 'deny',
  sub: string,
  { sandbox }: RunState,
): Promise<HttpRequest | null> {
  if (answered === null || answered.sign_in === null) return null;
  const { number } = answered;
  const form = signInFormOf(await sandbox.control.exchanges.get({ number, secrets: true }));
  if (form === null) return null;
  return decision === 'approve' ? approval(form, sub) : denial(form);
}

/**
 * The answer to a push, and what the browser brings of it; null when the push was rejected.
 * @param proof sent with it, to bind the code
 */
async function push(
  query: Readonly<Record<string, unknown>>,
  proof: true | undefined,
  run: RunState,
) {
  const { client_secret } = mergedFields(CREDENTIAL_FIELDS, undefined, run.variables);
  const parameters = { ...query, ...(client_secret === undefined ? {} : { client_secret }) };
  const answer = await run.proofs.send(below(run, pushRequest(parameters)), proof);
  const { request_uri } = Object(answer.body) as { request_uri?: unknown };
  const brought =
    answer.status === 201 && typeof request_uri === 'string'
      ? { client_id: query['client_id'], request_uri }
      : null;
  return { answer, brought };
}

const authorize: Action<'authorize'> = async (parameters, run) => {
  const { variables, sandbox } = run;
  const { user, sign_in = 'approve' } = parameters;
  const pkce = await pkceOf(parameters.pkce);
  const hint = user === undefined ? {} : { login_hint: user };
  const { dpop, push: isPushed = false } = parameters;
  const bound = dpop === true && !isPushed ? { dpop_jkt: await run.proofs.thumbprint() } : {};
  const usual = { ...AUTHORIZE_PARAMETERS, ...hint, ...pkce?.challenge, ...bound };
  const query = mergedFields(usual, parameters.parameters, variables);
  const pushed = isPushed ? await push(query, dpop, run) : null;
  if (pushed !== null && pushed.brought === null) return pushed.answer;
  const page = await run.request(below(run, authorizeRequest(pushed?.brought ?? query)));
  const sub = user ?? sandbox.users[0]?.sub ?? '';
  const decision = sign_in === 'stop' ? null : await decisionOn(page, sign_in, sub, run);
  const answer = decision === null ? page : await run.request(below(run, decision));
  const { redirect_uri, audience } = query;
  rememberCode(run, answer.redirect?.['code'], { redirect_uri, audience, pkce });
  return answer;
};

const authorizeDevice: Action<'authorize_device'> = async (parameters, run) => {
  const answer = await run.request(below(run, deviceRequest(parameters, run.variables)));
  rememberCredentials(run, answer);
  return answer;
};

const userCode = ({ user_code = '{{user_code}}' }: { user_code?: string | undefined }) => user_code;

const approveDevice: Action<'approve_device'> = async (parameters, { sandbox, variables }) => {
  const { user: sub, scope } = parameters;
  const order = { id: userCode(parameters), sub, scope };
  await sandbox.control.devices.approve(given(variables.filled(order)));
  return null;
};

const denyDevice: Action<'deny_device'> = async (parameters, { sandbox, variables }) => {
  await sandbox.control.devices.deny({ id: variables.filled(userCode(parameters)) });
  return null;
};

const token: Action<'token'> = async (parameters, run) => {
  const answer = await withFactsOf(parameters.fields?.['code'], run, () =>
    run.proofs.send(below(run, tokenRequest(parameters, run.variables)), parameters.dpop),
  );
  rememberCredentials(run, answer);
  return answer;
};

const request: Action<'request'> = async (parameters, run) => {
  const answer = await run.proofs.send(anyRequest(parameters, run.variables), parameters.dpop);
  rememberCredentials(run, answer);
  return answer;
};

async function findIssued(text: string, { sandbox }: RunState): Promise<string | undefined> {
  const { items } = await sandbox.control.tokens.list({ text, limit: 1 });
  return items[0]?.id;
}

const nothingTo = (end: string) =>
  new MissingValueError(`there is no such code or token to ${end}`);

const revoke: Action<'revoke'> = async (value, run) => {
  const id = await findIssued(run.variables.filled(value), run);
  if (id === undefined) throw nothingTo('revoke');
  await run.sandbox.control.tokens.revoke({ id });
  return null;
};

const isUnknown = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'not_found';

const expire: Action<'expire'> = async (value, run) => {
  const { tokens, devices } = run.sandbox.control;
  const text = run.variables.filled(value);
  const id = await findIssued(text, run);
  if (id !== undefined) {
    await tokens.expire({ id });
    return null;
  }
  await devices.expire({ id: text }).catch((error: unknown) => {
    throw isUnknown(error) ? nothingTo('expire') : error;
  });
  return null;
};

const ACTIONS: { readonly [A in ActionName]: Action<A> } = {
  issue_code: issueCode,
  issue_tokens: issueTokens,
  authorize,
  authorize_device: authorizeDevice,
  approve_device: approveDevice,
  deny_device: denyDevice,
  token,
  request,
  clock: async (change, { sandbox }) => {
    await sandbox.control.clock.update(given(change));
    return null;
  },
  fault: async (rule, { sandbox, variables }) => {
    const draft: FaultDraft = typeof rule === 'string' ? { preset: rule } : rule;
    await sandbox.control.faults.create(variables.filled(draft));
    return null;
  },
  revoke,
  expire,
};

export const actionOf = (step: ScenarioStep): ActionName =>
  ACTION_NAMES.find((name) => step[name] !== undefined) ?? 'request';

/** Performs a step once. @throws MissingValueError, and errors of control */
export function performStep(step: ScenarioStep, run: RunState): Promise<Answer | null> {
  const action = actionOf(step);
  const parameters = step[action];
  chooseSubjects(run, typeof parameters === 'object' ? (parameters as Subjects) : {});
  return (ACTIONS[action] as (parameters: unknown, run: RunState) => Promise<Answer | null>)(
    parameters,
    run,
  );
}
