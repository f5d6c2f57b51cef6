// Makes deliberate mistakes and compares each response with the expected one. Each is made in a fork of the run, so
// that mistakes do not share credentials.

import type { Client, Profile, Settings } from '../../control/schemas.ts';
import { isJsonObject } from '../../json.ts';
import { composeStep, performStep, signFor } from '../actions/index.ts';
import { actionOf, withParties } from '../actions/names.ts';
import { assertionMethod } from '../defaults.ts';
import type { Run } from '../actions/action.ts';
import type { Answer } from '../actions/answer.ts';
import { atServer, exactly } from '../actions/request.ts';
import { MissingValueError } from '../actions/variables.ts';
import { saveValues } from '../comparison.ts';
import { forkRun } from '../runner/create-run.ts';
import type { CalledApi } from '../protected-apis.ts';
import type { WireRequest } from '../runner/sandbox.ts';
import type { ScenarioStep } from '../schema.ts';
import {
  API_AUDIENCE,
  API_PATH,
  API_SCOPE,
  expectedIn,
  merged,
  OTHER_AUDIENCE,
  OTHER_CLIENT,
  SIGNING_CLIENT,
  type ExpectedResult,
  type Mistake,
  type Need,
  type Place,
  type RequestChange,
} from './mistake.ts';

/** The client and user that make the mistakes, and the settings that apply. */
export interface Requester {
  readonly client: Client;
  readonly user: { readonly sub: string; readonly has_password: boolean } | null;
  /** Whether correct token requests have a DPoP proof, because the client must bind its tokens. */
  readonly proves: boolean;
  /** Whether correct authorization requests are pushed (RFC 9126). */
  readonly pushes: boolean;
  /** Another client that may use the same grants; null if there is none. */
  readonly other_client: Client | null;
  /** A client that authenticates with assertions and has the same profile; null if there is none. */
  readonly signing_client: Client | null;
  /** A registered audience for which the credentials are not valid; any other audience if there is none. */
  readonly other_audience: string;
  readonly profile: Profile;
  readonly settings: Pick<Settings, 'authorize' | 'access_token_format' | 'registration'>;
  /** An access token from before the last reset; null if there is none. */
  readonly former_token: string | null;
  /** A protected API that needs a scope; null if there is none. */
  readonly api: CalledApi | null;
}

/** Returns the method of a client that authenticates with assertions, in a profile that accepts them. */
const assertionMethodOf = (client: Client | null, profile: Profile) =>
  profile === 'interop' ? assertionMethod(client?.token_endpoint_auth_method) : undefined;

/** Why there is no client that signs by one of these methods. */
const signingObstacle =
  (...methods: readonly Client['token_endpoint_auth_method'][]) =>
  ({ profile, signing_client }: Requester): string | null => {
    if (profile !== 'interop') return 'Only the interop profile accepts client assertions.';
    return signing_client !== null && methods.includes(signing_client.token_endpoint_auth_method)
      ? null
      : `Needs a client that is registered for ${methods.join(' or ')}.`;
  };

const MISSING: Readonly<Record<Need, (requester: Requester) => string | null>> = {
  other_client: ({ other_client }) =>
    other_client === null ? 'Needs a second client that may use the grant.' : null,
  secret: ({ client, profile }) => {
    if (client.client_secret === null) return 'This client has no secret.';
    return assertionMethodOf(client, profile) === undefined
      ? null
      : 'This client signs an assertion instead of sending its secret.';
  },
  client_id: ({ client, profile }) =>
    assertionMethodOf(client, profile) === undefined
      ? null
      : 'The assertion of this client also names the client.',
  client_assertion: signingObstacle('private_key_jwt', 'client_secret_jwt'),
  client_assertion_key: signingObstacle('private_key_jwt'),
  client_assertion_secret: signingObstacle('client_secret_jwt'),
  client_assertion_only: ({ signing_client }) =>
    (signing_client?.client_secret ?? null) === null
      ? null
      : 'This client may send its secret instead.',
  registration: ({ settings }) =>
    settings.registration.mode === 'open'
      ? null
      : `Needs open registration; the setting registration is ${settings.registration.mode}.`,
  sign_in_page: ({ settings }) =>
    settings.authorize === 'consent'
      ? null
      : `Needs the sign-in page; the setting authorize is ${settings.authorize}.`,
  approval: ({ settings }) =>
    settings.authorize === 'deny'
      ? 'Needs an approval of the user; the setting authorize is deny.'
      : null,
  user_password: ({ user }) =>
    user?.has_password === true ? null : 'This user has no password, so any password is accepted.',
  jwt_access_token: ({ client, settings }) =>
    (client.access_token_format ?? settings.access_token_format) === 'opaque'
      ? 'Needs a JWT; the access tokens of this client are opaque.'
      : null,
  refresh_token: ({ client }) =>
    client.grant_types.includes('refresh_token')
      ? null
      : 'This client may not use the grant refresh_token, so it has no refresh token.',
  id_token_response: ({ client, profile }) =>
    profile === 'interop' && client.grant_types.includes('implicit')
      ? null
      : 'Needs a client with the grant implicit, in the interop profile.',
  request_object_key: ({ client: { request_object_signing_alg: alg = 'ES256', jwks_uri } }) =>
    alg === 'ES256' && jwks_uri === undefined
      ? null
      : 'Needs a client whose keys are registered here and whose request objects are signed with ES256.',
  direct_request: ({ pushes }) =>
    pushes ? 'Needs an authorization request that is not pushed.' : null,
  required_proof: ({ proves }) =>
    proves ? null : 'Needs a client that must bind its tokens, in the interop profile.',
  optional_proof: ({ proves }) =>
    proves ? 'This client must always send a proof, even if its code is not bound to a key.' : null,
  bound_refresh_token: ({ client, profile }) =>
    client.client_secret === null &&
    client.token_endpoint_auth_method !== 'private_key_jwt' &&
    profile === 'interop'
      ? null
      : 'Only the refresh token of a public client is bound to a key, in the interop profile.',
  former_token: ({ former_token }) =>
    former_token === null ? 'Needs an access token from before a reset of the sandbox.' : null,
  protected_api: ({ api }) =>
    api === null ? 'Needs a protected API whose first rule for GET requires only a scope.' : null,
  interop: ({ profile }) =>
    profile === 'interop' ? null : 'Only the interop profile binds tokens to a key.',
};

/** Whether the response requires that a user approves. */
const isApproved = ({ prepare, step }: Place, { before = [] }: Mistake): boolean =>
  [...prepare, ...before, step].some((one) => 'approve_device' in one || 'authorize' in one);

/** Returns a sentence why the mistake cannot be made, or null. */
export function obstacleTo(place: Place, mistake: Mistake, requester: Requester): string | null {
  const isAccepted = expectedIn(mistake, requester.profile) === 'accepted';
  const implied: readonly Need[] = isAccepted && isApproved(place, mistake) ? ['approval'] : [];
  const needs = [...(mistake.needs ?? []), ...implied];
  return needs.map((need) => MISSING[need](requester)).find((reason) => reason !== null) ?? null;
}

/** Returns the step with the assertion that its client must send, unless it says how the client authenticates. */
function authenticated(step: ScenarioStep, clients: readonly (Client | null)[], profile: Profile) {
  const { token, authorize, authorize_device } = step;
  const order = token ?? authorize_device ?? authorize;
  const client = clients.find((one) => one?.client_id === order?.client) ?? null;
  const client_auth = assertionMethodOf(client, profile);
  if (client_auth === undefined || order?.client_auth !== undefined) return step;
  if (authorize?.push !== true && authorize !== undefined) return step;
  return { ...step, [actionOf(step)]: { ...order, client_auth } };
}

/** Returns the step for the requester, with placeholders replaced by other parties of the run. */
function asRequester(
  step: ScenarioStep,
  { client, user, proves, pushes, ...other }: Requester,
): ScenarioStep {
  const { other_client, signing_client, other_audience, api, profile } = other;
  const values = [
    [OTHER_CLIENT, other_client?.client_id],
    [SIGNING_CLIENT, signing_client?.client_id],
    [OTHER_AUDIENCE, other_audience],
    [API_PATH, api?.path],
    [API_AUDIENCE, api?.audience],
    [API_SCOPE, api?.scope],
  ] as const;
  const text = values.reduce(
    (written, [placeholder, value = '']) =>
      written.replaceAll(placeholder, () => JSON.stringify(value).slice(1, -1)),
    JSON.stringify(step),
  );
  const named = withParties(JSON.parse(text) as ScenarioStep, client.client_id, user?.sub ?? null);
  if (pushes && named.authorize !== undefined) named.authorize.push ??= true;
  const filled = authenticated(named, [client, signing_client], profile);
  const { token } = filled;
  return proves && token !== undefined && token.dpop === undefined
    ? { ...filled, token: { ...token, dpop: true } }
    : filled;
}

const withoutNulls = (members: unknown): unknown =>
  isJsonObject(members)
    ? Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
    : members;

/** Returns the steps before the mistake, and the mistake's step without the changes to its request. */
export function stepsOf(
  place: Place,
  { before = [], change, instead }: Mistake,
  requester: Requester,
): { readonly before: readonly ScenarioStep[]; readonly main: ScenarioStep } {
  const correct = instead ?? place.step;
  const action = actionOf(correct);
  const main = { ...correct, [action]: withoutNulls(merged(correct[action], change ?? {})) };
  // With this setting, a device authorization is approved or denied as soon as it is requested.
  const isDecided = requester.settings.authorize !== 'consent';
  const all = [...place.prepare, ...before].filter(
    (step) => !(isDecided && 'approve_device' in step),
  );
  return {
    before: all.map((step) => asRequester(step, requester)),
    main: asRequester(main, {
      ...requester,
      proves: requester.proves && change?.['dpop'] !== null,
    }),
  };
}

/** Changes the composed request where members of the step cannot. */
function changedRequest(request: WireRequest, change: RequestChange): WireRequest {
  const { method = request.method, fields_in_query, without_body, cut = 0 } = change;
  const [before, after] = change.around_body ?? ['', ''];
  const text = String(request.body ?? '');
  if (fields_in_query === 'as_well') return { ...request, path: `${request.path}?${text}` };
  if (fields_in_query === 'instead') {
    const { body: _body, headers, ...rest } = request;
    const kept = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
    return { ...rest, method, path: `${request.path}?${text}`, headers: kept };
  }
  const body = without_body === true ? '' : `${before}${text.slice(0, text.length - cut)}${after}`;
  return { ...request, method, body };
}

/** Returns the step as a raw request, once its content is known. */
async function sentAs(
  main: ScenarioStep,
  change: RequestChange | undefined,
  run: Run,
): Promise<ScenarioStep> {
  if (change === undefined) return main;
  await signFor(main, run);
  const composed = composeStep(main, run);
  if (composed === null) throw new Error('The request of this step cannot be changed.');
  return exactly(changedRequest(composed, change), run);
}

export interface MistakeResult {
  readonly id: string;
  /** The id of the place. */
  readonly step: string;
  readonly title: string;
  readonly section: string;
  /** The id of the expected cause, or `accepted`, also where only the imitated provider accepts it. */
  readonly expected: ExpectedResult;
  /** null if nothing was sent. */
  readonly actual: Actual | null;
  readonly passed: boolean;
  /** Why the mistake was not made; null if it was made. */
  readonly skipped: string | null;
}

interface Actual {
  readonly status: number;
  readonly error: string | null;
  /** The id of the cause; null if the request was accepted. */
  readonly reason: string | null;
  /** The number of the exchange; null if none was recorded. */
  readonly exchange: number | null;
}

function actualOf({ status = 0, error, exchange }: Answer): Actual {
  const reason = exchange?.why?.reason ?? null;
  return { status, error, reason, exchange: exchange?.number ?? null };
}

const isAsExpected = (expected: ExpectedResult, { status, error, reason }: Actual): boolean =>
  expected === 'accepted'
    ? status >= 200 && status < 400 && error === null && reason === null
    : reason === expected;

/** Whether a note says that the imitated provider accepts what the standards do not (behaviour 12.21). */
const isOfProvider = (note: string): boolean =>
  ['credentials_twice', 'basic_client_id_alone', 'access_token_in_query'].includes(note);

/** Makes one mistake. @throws errors other than missing values and errors of control */
export async function makeMistake(
  place: Place,
  mistake: Mistake,
  requester: Requester,
  parent: Run,
): Promise<MistakeResult> {
  const { id, title, section } = mistake;
  const expected = expectedIn(mistake, requester.profile);
  const result = { id, step: place.id, title, section, expected };
  const skipped = (reason: string): MistakeResult => ({
    ...result,
    actual: null,
    passed: false,
    skipped: reason,
  });
  const obstacle = obstacleTo(place, mistake, requester);
  if (obstacle !== null) return skipped(obstacle);
  const run = forkRun(parent);
  run.variables.set('former_access_token', requester.former_token);
  const { before, main } = stepsOf(place, mistake, requester);
  try {
    for (const step of before) {
      const answer = await performStep(atServer(step, run), run);
      if (answer !== null) saveValues(step.save ?? {}, answer, run.variables);
    }
    const sent = await sentAs(atServer(main, run), mistake.request, run);
    const answer = await performStep(sent, run);
    if (answer === null) return skipped('The step has no response.');
    const actual = actualOf(answer);
    const wanted = answer.deviations.some(isOfProvider) ? 'accepted' : expected;
    const passed = isAsExpected(wanted, actual);
    return { ...result, expected: wanted, actual, passed, skipped: null };
  } catch (error) {
    if (!(error instanceof MissingValueError) && !isOfControl(error)) throw error;
    return skipped(`${error.message}.`);
  } finally {
    if (place.after !== undefined) {
      await performStep(atServer(place.after, run), run).catch(() => null);
    }
  }
}

const isOfControl = (error: unknown) => error instanceof Error && 'code' in error;
