// What each kind of step does: over control, or over HTTP as an app does it.

import type { FaultDraft } from '../../control/fault-schemas.ts';
import { AUTHORIZE_PARAMETERS, KEPT_MEMBERS } from '../../control/scenario-defaults.ts';
import { ACTION_NAMES, type ActionName } from '../../control/scenario-rules.ts';
import type { ScenarioStep } from '../../control/scenario-schema.ts';
import { answerOfControl, type Answer } from './answer.ts';
import type { Bench } from './bench.ts';
import { createPkce, type Pkce } from './pkce.ts';
import { anyRequest, authorizeRequest, together, tokenRequest } from './requests.ts';
import type { Outgoing } from './send.ts';
import { decisionOn } from './sign-in.ts';
import { setPeople, UnmetError } from './variables.ts';

type Order<A extends ActionName> = NonNullable<ScenarioStep[A]>;
/** null for what is not answered. */
type Action<A extends ActionName> = (order: Order<A>, bench: Bench) => Promise<Answer | null>;

/** Members without the undefined ones. */
const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

interface People {
  readonly client?: string | undefined;
  readonly user?: string | undefined;
}

/** Sets whom the step is about. */
function people(bench: Bench, order: People): void {
  const { clients, users } = bench.workspace;
  const client =
    order.client === undefined
      ? clients[0]
      : clients.find(({ client_id }) => client_id === order.client);
  const user = order.user === undefined ? users[0] : users.find(({ sub }) => sub === order.user);
  setPeople(bench.variables, client, user);
}

/** A code with what the next exchange must say of it. */
function keepCode(
  { variables, issuer }: Bench,
  code: unknown,
  about: { redirect_uri: unknown; audience: unknown; pkce: Pkce | null },
): void {
  if (typeof code !== 'string') return;
  variables.set('code', code);
  variables.set('redirect_uri', about.redirect_uri);
  variables.set('audience', about.audience ?? issuer);
  variables.set('code_verifier', about.pkce?.verifier);
}

function keepTokens({ variables }: Bench, { body }: Answer): void {
  const members = Object(body) as Readonly<Record<string, unknown>>;
  for (const name of KEPT_MEMBERS) {
    if (typeof members[name] === 'string') variables.set(name, members[name]);
  }
}

/** At the endpoint, wherever the issuer has it. */
const below = ({ base }: Bench, outgoing: Outgoing): Outgoing => ({
  ...outgoing,
  path: `${base}${outgoing.path}`,
});

const pkceOf = (method: 'S256' | 'plain' | undefined) =>
  method === undefined ? null : createPkce(method);

const issueCode: Action<'issue_code'> = async (order, bench) => {
  const { variables, control } = bench;
  const { client: _client, pkce: method, ...rest } = order;
  const { user, redirect_uri, audience = '{{issuer}}', ...more } = rest;
  const pkce = pkceOf(method);
  const asked = variables.filled({
    ...more,
    client_id: '{{client.client_id}}',
    redirect_uri: redirect_uri ?? '{{client.redirect_uri}}',
    sub: user,
    audience: audience ?? undefined,
    ...pkce?.parameters,
  });
  const issued = await control.codes.create(given(asked));
  keepCode(bench, issued.code, { ...asked, pkce });
  return answerOfControl({ ...issued });
};

const issueTokens: Action<'issue_tokens'> = async (order, bench) => {
  const { client: _client, user, ...more } = order;
  const asked = { ...more, client_id: '{{client.client_id}}', sub: user };
  const minted = await bench.control.tokens.mint(given(bench.variables.filled(asked)));
  const answer = answerOfControl({ ...minted });
  keepTokens(bench, answer);
  return answer;
};

const authorize: Action<'authorize'> = async (order, bench) => {
  const { variables } = bench;
  const pkce = pkceOf(order.pkce);
  const hint = order.user === undefined ? {} : { login_hint: order.user };
  const usual = { ...AUTHORIZE_PARAMETERS, ...hint, ...pkce?.parameters };
  const parameters = together(usual, order.parameters, variables);
  const page = await bench.raw(below(bench, authorizeRequest(parameters)));
  const { sign_in = 'approve' } = order;
  const decision = sign_in === 'stop' ? null : decisionOn(page, sign_in, order.user ?? null);
  const answer = await (decision === null
    ? bench.answered(page)
    : bench.ask(below(bench, decision)));
  const { redirect_uri, audience } = parameters;
  keepCode(bench, answer.redirect?.['code'], { redirect_uri, audience, pkce });
  return answer;
};

const token: Action<'token'> = async (order, bench) => {
  const answer = await bench.ask(below(bench, tokenRequest(order, bench.variables)));
  keepTokens(bench, answer);
  return answer;
};

const request: Action<'request'> = async (order, bench) => {
  const answer = await bench.ask(anyRequest(order, bench.variables));
  keepTokens(bench, answer);
  return answer;
};

/** @param end what is done to the credential that this is the value of */
const ending =
  (end: 'revoke' | 'expire') =>
  async (order: string, { control, variables }: Bench): Promise<null> => {
    const text = variables.filled(order);
    const { items } = await control.tokens.list({ text, limit: 1 });
    const [record] = items;
    if (record === undefined) throw new UnmetError(`there is no such code or token to ${end}`);
    await control.tokens[end]({ id: record.id });
    return null;
  };

const ACTIONS: { readonly [A in ActionName]: Action<A> } = {
  issue_code: issueCode,
  issue_tokens: issueTokens,
  authorize,
  token,
  request,
  clock: async (order, { control }) => {
    await control.clock.update(given(order));
    return null;
  },
  fault: async (order, { control, variables }) => {
    const draft: FaultDraft = typeof order === 'string' ? { preset: order } : order;
    await control.faults.create(variables.filled(draft));
    return null;
  },
  revoke: ending('revoke'),
  expire: ending('expire'),
};

export const actionOf = (step: ScenarioStep): ActionName =>
  ACTION_NAMES.find((name) => step[name] !== undefined) ?? 'request';

/** Does it once. @throws UnmetError, and errors of control */
export function doStep(step: ScenarioStep, bench: Bench): Promise<Answer | null> {
  const action = actionOf(step);
  const order = step[action];
  people(bench, typeof order === 'object' ? (order as People) : {});
  return (ACTIONS[action] as (order: unknown, bench: Bench) => Promise<Answer | null>)(
    order,
    bench,
  );
}
