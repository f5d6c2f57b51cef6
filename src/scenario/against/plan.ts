// Decides which steps of a scenario are sent to a provider, before anything is sent, and says why others are not: for
// example, because a step could do harm or would send a secret of the sandbox. Nothing in this folder sends a request.

import { ENDPOINTS, type EndpointName } from '../../core/records/endpoints.ts';
import { endpointAt } from '../server-paths.ts';
import type { ParsedScenario } from '../parse.ts';
import type { Members } from '../actions/action.ts';
import { variablesOf } from '../actions/index.ts';
import { actionOf, type ActionName } from '../actions/names.ts';
import { WHOLE_VARIABLE } from '../actions/variables.ts';
import type { ScenarioStep } from '../schema.ts';
import { readBasic } from '../../oauth/client-authentication.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import { isJsonObject, membersOf } from '../../json.ts';

/** Endpoints at which even a correct request changes the provider's state. */
const CHANGING: readonly EndpointName[] = ['revocation', 'end_session', 'registration'];

/**
 * Fields whose value the provider compares with issued or registered values, with the variable that holds the correct
 * value; null if any variable of the run may hold it. Codes and refresh tokens under other names may be outdated.
 */
const CREDENTIALS: ReadonlyMap<string, string | null> = new Map([
  ['client_id', 'client.client_id'],
  ['client_secret', 'client.client_secret'],
  ['username', 'user.sub'],
  ['password', 'user.password'],
  ['code', 'code'],
  ['code_verifier', 'code_verifier'],
  ['device_code', 'device_code'],
  ['refresh_token', 'refresh_token'],
  ...['access_token', 'subject_token', 'actor_token', 'assertion', 'client_assertion'].map(
    (name) => [name, null] as const,
  ),
]);

/** A client that omits one of these fields does not authenticate. */
const OF_THE_CLIENT: readonly string[] = ['client_id', 'client_secret'];

const AUTHORIZATION = /^(?:(?:Bearer|DPoP)\s+\{\{\s*[\w.-]+\s*\}\}|\{\{client\.basic\}\})$/i;

/** Whether a field keeps the value that the run sets. */
function isOwn(name: string, right: string | null, value: unknown): boolean {
  if (value === null) return !OF_THE_CLIENT.includes(name);
  const [, variable] = (typeof value === 'string' && WHOLE_VARIABLE.exec(value)) || [];
  return variable !== undefined && (right === null || variable === right);
}

function wrongField(fields: Members): string | undefined {
  const wrong = [...CREDENTIALS].find(
    ([name, right]) => Object.hasOwn(fields, name) && !isOwn(name, right, fields[name]),
  );
  return wrong?.[0];
}

/** Returns values by name, from an object or from pairs; a repeated name has an array. */
function valuesOf(part: unknown): Members {
  if (!Array.isArray(part)) return membersOf(part);
  const pairs = part as readonly (readonly [name: string, value: string])[];
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );
}

function queryOf(path: unknown): Members {
  const query = typeof path === 'string' ? path.split('?').slice(1).join('?') : '';
  return valuesOf([...new URLSearchParams(query)]);
}

const isHeaderOfTheRun = (value: unknown) => typeof value === 'string' && AUTHORIZATION.test(value);

function wrongCredential(order: Members): string | null {
  const headers = Object.entries(valuesOf(order['headers']));
  const authorizations = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  if (!authorizations.every(([, value]) => isHeaderOfTheRun(value))) {
    return 'an Authorization header of its own';
  }
  if (order['text'] !== undefined) return 'a body as text, whose credentials are not known';
  if (order['body_base64'] !== undefined) return 'a body as bytes, whose credentials are not known';
  const parts = ['fields', 'query', 'form', 'json', 'parameters'].map((part) =>
    valuesOf(order[part]),
  );
  const field = [...parts, queryOf(order['path'])]
    .map(wrongField)
    .find((name) => name !== undefined);
  return field === undefined ? null : `a ${field} of its own`;
}

/** Returns why the step could do harm, or null. */
function harmOf(step: ScenarioStep, endpoint: EndpointName, hasSecret: boolean): string | null {
  if (typeof step.repeat === 'object' || (step.repeat ?? 1) > 1) return 'is repeated';
  if (CHANGING.includes(endpoint)) return `uses the ${ENDPOINTS[endpoint].words}`;
  const order = membersOf(step.token ?? step.authorize ?? step.authorize_device ?? step.request);
  if (order['client_auth'] === 'none' && hasSecret) return 'sends no client authentication';
  const wrong = wrongCredential(order);
  if (wrong !== null) return `sends ${wrong}`;
  if (isJsonObject(order['dpop'])) return 'sends a DPoP proof with deliberate mistakes';
  if (isJsonObject(order['client_assertion']))
    return 'sends a client assertion with deliberate mistakes';
  const method = step.request?.method ?? 'GET';
  return ['GET', 'HEAD', 'OPTIONS', 'POST'].includes(method) ? null : `is sent with ${method}`;
}

/** Shorter secrets must be the whole text, because they could be part of any word. */
const SHORTEST_PART = 6;

const secretsOf = ({ clients, users }: Workspace): readonly string[] =>
  [
    ...clients.map(({ client_secret }) => client_secret),
    ...users.map(({ password }) => password),
  ].filter((secret): secret is string => secret !== null);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Returns a text unchanged, percent-decoded, and decoded as HTTP Basic. */
function readings(text: string): readonly string[] {
  const basic = readBasic(text);
  return [text, decoded(text), ...(basic === null ? [] : [basic.client_secret ?? ''])];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return readings(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Whether a value of the scenario contains a secret of its workspace, at any depth. */
function containsSecret(value: unknown, workspace: Workspace): boolean {
  const secrets = secretsOf(workspace);
  return textsIn(value).some((text) =>
    secrets.some((secret) =>
      secret.length < SHORTEST_PART ? text === secret : text.includes(secret),
    ),
  );
}

/** What the run can do at the provider. */
export interface Provider {
  /** Returns why no request can be sent to the endpoint, or null. */
  readonly unavailable: (endpoint: EndpointName) => string | null;
  /** Why sign-in is impossible, or null. */
  readonly no_sign_in: string | null;
  /** The variables available to every scenario that have a value in this run. */
  readonly has: ReadonlySet<string>;
  readonly allow_destructive: boolean;
}

export interface Plan {
  /** The indexes of the steps that are sent, from 0. */
  readonly sent: readonly number[];
  /** The reason for each step that is not sent. */
  readonly skipped: ReadonlyMap<number, string>;
}

const NO_KEY = 'only a sandbox registers the key that signs it';

const SANDBOX_ONLY: Readonly<Partial<Record<ActionName, string>>> = {
  issue_code: 'only a sandbox issues codes without a sign-in',
  issue_tokens: 'only a sandbox issues tokens without a grant',
  approve_device: 'only a sandbox approves devices over control',
  deny_device: 'only a sandbox denies devices over control',
  clock: 'only a sandbox has a clock that can be moved',
  fault: 'only a sandbox has fault rules',
  hold: 'only a sandbox holds requests',
  revoke: 'only a sandbox revokes over control',
  expire: 'only a sandbox expires what it has issued',
  sign_assertion: NO_KEY,
};

/** Variables that a run has only if the user sets them. */
const OF_THE_RUN: readonly string[] = [
  'client.client_secret',
  'client.basic',
  'client.redirect_uri',
  'user.sub',
  'user.password',
];

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

/** A user can only approve at a provider, and is asked for nothing else. */
function obstacleToSignIn({ authorize }: ScenarioStep, { no_sign_in }: Provider): string | null {
  if (authorize === undefined) return null;
  const { sign_in = 'approve' } = authorize;
  return sign_in === 'approve' ? no_sign_in : `only a sandbox decides on sign-in: ${sign_in}`;
}

/** Whether the step signs with a key, not with the secret of the client. */
function signsWithKey(step: ScenarioStep, { workspace }: ParsedScenario): boolean {
  const order = step.token ?? step.authorize ?? step.authorize_device;
  if (order?.client_auth === 'private_key_jwt') return true;
  if (step.authorize?.request_object === undefined) return false;
  const client = workspace.clients.find(({ client_id }) => client_id === clientOf(step));
  const { request_object_signing_alg: alg } = client ?? workspace.clients[0] ?? {};
  return alg?.startsWith('HS') !== true;
}

const clientOf = ({ token, authorize, authorize_device, request }: ScenarioStep) =>
  (token ?? authorize ?? authorize_device ?? request)?.client;

/** Returns the client that the run's credentials replace: that of the first step that sends a request. */
function mainClient({ scenario, workspace }: ParsedScenario): string | undefined {
  const first = scenario.steps.find((step) => SANDBOX_ONLY[actionOf(step)] === undefined);
  return (first && clientOf(first)) ?? workspace.clients[0]?.client_id;
}

/** Returns why the step cannot or must not be sent, regardless of earlier steps. */
function obstacleTo(step: ScenarioStep, parsed: ParsedScenario, provider: Provider): string | null {
  const sandboxOnly = SANDBOX_ONLY[actionOf(step)];
  if (sandboxOnly !== undefined) return sandboxOnly;
  const endpoints = endpointsOf(step);
  const [endpoint] = endpoints ?? [];
  if (endpoints === null || endpoint === undefined) return 'only a sandbox has this path';
  const main = mainClient(parsed);
  const client = clientOf(step) ?? parsed.workspace.clients[0]?.client_id;
  if (client !== main)
    return `is for the client ${client}, but the credentials of the run replace ${main}`;
  const noSignIn = obstacleToSignIn(step, provider);
  if (noSignIn !== null) return noSignIn;
  const unavailable = endpoints.map(provider.unavailable).find((why) => why !== null);
  if (unavailable !== undefined) return unavailable;
  if (signsWithKey(step, parsed)) return NO_KEY;
  const { expect: _expect, ...sends } = step;
  if (containsSecret(sends, parsed.workspace)) return 'contains a secret of the scenario';
  if (provider.allow_destructive) return null;
  const harm = harmOf(step, endpoint, provider.has.has('client.client_secret'));
  return harm === null ? null : `${harm}; allow it with --allow-destructive`;
}

/** The default username and password of the password grant must be those of the run's user. */
function usesOfPassword({ token }: ScenarioStep): readonly string[] {
  if (token?.grant !== 'password') return [];
  const { fields = {} } = token;
  const usual = [
    ['username', 'user.sub'],
    ['password', 'user.password'],
  ] as const;
  return usual.flatMap(([field, name]) => (Object.hasOwn(fields, field) ? [] : name));
}

function usesOf(step: ScenarioStep): readonly string[] {
  const { uses, expects, provides } = variablesOf(step);
  const ofEarlier = expects.filter((name) => !provides.includes(name));
  return [...uses, ...usesOfPassword(step), ...ofEarlier];
}

/** Whether the step sends the newest code. */
const redeems = (step: ScenarioStep): boolean => variablesOf(step).uses.includes('code');

const REPEATED = 'redeems a code again; allow it with --allow-destructive';

/** @param parsed the scenario with the expectations that apply at a provider */
export function planFor(parsed: ParsedScenario, provider: Provider): Plan {
  const skipped = new Map<number, string>();
  const sent: number[] = [];
  /** Variables without a value, or with an outdated value. */
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
