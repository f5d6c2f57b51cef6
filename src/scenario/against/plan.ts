// Which steps of a scenario are sent to a provider. Of each other one it says why not, before anything is sent.

import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import type { ParsedScenario } from '../reader/parse.ts';
import { actionOf, variablesOf, type ActionName } from '../actions/index.ts';
import type { ScenarioStep } from '../schema.ts';
import { harmOf } from './destructive.ts';
import { containsSecret } from './secrets.ts';

/** What can be done at the provider. */
export interface Provider {
  /** Why no request can be sent to the endpoint; null where one can. */
  readonly unavailable: (endpoint: EndpointName) => string | null;
  /** Why nobody can sign in; null where somebody can. */
  readonly no_sign_in: string | null;
  /** Variables that the run has a value for, of those that every scenario can use. */
  readonly has: ReadonlySet<string>;
  readonly allow_destructive: boolean;
}

export interface Plan {
  /** The places of the steps that are sent, from 0. */
  readonly sent: readonly number[];
  /** Of each step that is not sent, why. */
  readonly skipped: ReadonlyMap<number, string>;
}

const SANDBOX_ONLY: Readonly<Partial<Record<ActionName, string>>> = {
  issue_code: 'only a sandbox issues codes without a sign-in',
  issue_tokens: 'only a sandbox issues tokens without a grant',
  approve_device: 'only a sandbox approves devices over control',
  deny_device: 'only a sandbox denies devices over control',
  clock: 'only a sandbox has a clock that can be moved',
  fault: 'only a sandbox has fault rules',
  revoke: 'only a sandbox revokes over control',
  expire: 'only a sandbox expires what it has issued',
};

/** Those that a run has only if the user gives them. */
const OF_THE_RUN: readonly string[] = [
  'client.client_secret',
  'client.basic',
  'client.redirect_uri',
  'user.sub',
  'user.password',
];

/** The endpoint that has this path in the sandbox. */
export function endpointAt(path: string): EndpointName | undefined {
  const [plain = ''] = path.split('?', 1);
  return ENDPOINT_NAMES.find((name) => ENDPOINTS[name].path === plain);
}

function endpointsOf(step: ScenarioStep): readonly EndpointName[] | null {
  if (step.token) return ['token'];
  if (step.authorize_device) return ['device_authorization'];
  if (step.authorize) {
    return step.authorize.push === true
      ? ['pushed_authorization_request', 'authorization']
      : ['authorization'];
  }
  const endpoint = endpointAt(step.request?.path ?? '');
  return endpoint === undefined ? null : [endpoint];
}

/** Somebody signs in who is asked to approve; nobody is asked to do anything else. */
function obstacleToSignIn({ authorize }: ScenarioStep, { no_sign_in }: Provider): string | null {
  if (authorize === undefined) return null;
  const { sign_in = 'approve' } = authorize;
  return sign_in === 'approve' ? no_sign_in : `only a sandbox decides on sign-in: ${sign_in}`;
}

const clientOf = ({ token, authorize, authorize_device, request }: ScenarioStep) =>
  (token ?? authorize ?? authorize_device ?? request)?.client;

/** The client whose steps the credentials of the run stand for: that of the first step that sends something. */
function mainClient({ scenario, workspace }: ParsedScenario): string | undefined {
  const first = scenario.steps.find((step) => SANDBOX_ONLY[actionOf(step)] === undefined);
  return (first && clientOf(first)) ?? workspace.clients[0]?.client_id;
}

/** Why the step cannot be sent, or must not be, whatever came before it. */
function obstacleTo(step: ScenarioStep, parsed: ParsedScenario, provider: Provider): string | null {
  const sandboxOnly = SANDBOX_ONLY[actionOf(step)];
  if (sandboxOnly !== undefined) return sandboxOnly;
  const endpoints = endpointsOf(step);
  const [endpoint] = endpoints ?? [];
  if (endpoints === null || endpoint === undefined) return 'only a sandbox has this path';
  const main = mainClient(parsed);
  const client = clientOf(step) ?? parsed.workspace.clients[0]?.client_id;
  if (client !== main) return `is of the client ${client}; the credentials stand for ${main}`;
  const noSignIn = obstacleToSignIn(step, provider);
  if (noSignIn !== null) return noSignIn;
  const unavailable = endpoints.map(provider.unavailable).find((why) => why !== null);
  if (unavailable !== undefined) return unavailable;
  const { expect: _expect, ...sends } = step;
  if (containsSecret(sends, parsed.workspace)) return 'contains a secret of the scenario';
  if (provider.allow_destructive) return null;
  const harm = harmOf(step, endpoint, provider.has.has('client.client_secret'));
  return harm === null ? null : `${harm}; allow it with --allow-destructive`;
}

/** What a password grant sends by default has to be the user's own. */
function usesOfPassword({ token }: ScenarioStep): readonly string[] {
  if (token?.grant !== 'password') return [];
  const { fields = {} } = token;
  const usual = [
    ['username', 'user.sub'],
    ['password', 'user.password'],
  ] as const;
  return usual.flatMap(([field, name]) => (Object.hasOwn(fields, field) ? [] : name));
}

/** The variables that the step sends, and those that its answer is expected to have the values of. */
function usesOf(step: ScenarioStep): readonly string[] {
  const { uses, expects, provides } = variablesOf(step);
  const ofEarlier = expects.filter((name) => !provides.includes(name));
  return [...uses, ...usesOfPassword(step), ...ofEarlier];
}

/** Whether the step sends the newest code. */
const redeems = (step: ScenarioStep): boolean => variablesOf(step).uses.includes('code');

const REPEATED = 'redeems a code again; allow it with --allow-destructive';

/** @param parsed with the expectations that count at a provider */
export function planFor(parsed: ParsedScenario, provider: Provider): Plan {
  const skipped = new Map<number, string>();
  const sent: number[] = [];
  /** Variables without a value, or with one that is not the newest that the scenario means. */
  const lost = new Set(OF_THE_RUN.filter((name) => !provider.has.has(name)));
  let isSpent = false;
  for (const [index, step] of parsed.scenario.steps.entries()) {
    const { provides } = variablesOf(step);
    const missing = usesOf(step).find((name) => lost.has(name));
    const isRedemption = redeems(step);
    const again = isRedemption && isSpent && !provider.allow_destructive;
    const why =
      obstacleTo(step, parsed, provider) ??
      (missing === undefined ? null : `needs {{${missing}}}, which the run does not have`) ??
      (again ? REPEATED : null);
    if (why === null) sent.push(index);
    else skipped.set(index, why);
    for (const name of provides) {
      if (why === null) lost.delete(name);
      else lost.add(name);
      if (name === 'code') isSpent = false;
    }
    if (why === null && isRedemption) isSpent = true;
  }
  return { sent, skipped };
}
