// The flow as the user has edited it: its client, its user, and the scenario step that each card sends. Pure.

import type { Client, GrantType, Settings } from '../../../control/schemas.ts';
import { isJsonObject } from '../../../json.ts';
import {
  CONFIDENTIAL_GRANTS,
  TOKEN_EXCHANGE_GRANT,
  USERINFO_PATH,
} from '../../../oauth/token-request.ts';
import { actionOf, withParties } from '../../../scenario/actions/names.ts';
import { assertionMethod } from '../../../scenario/defaults.ts';
import { type CalledApi, calledApis } from '../../../scenario/protected-apis.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import {
  stepProviding,
  WALK_STEP_IDS,
  WALK_STEPS,
  WALKS,
  type Credential,
  type WalkGrant,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import type { State } from '../../connection/state.ts';
import { boundKeyOf } from '../../exchange/answer.ts';
import { partyOf, type Party } from '../../sending/chosen-party.ts';

/** How a code is obtained: from /authorize by simulated browser requests or by a person, or from the control API. */
export type AuthorizeWay = 'browser' | 'person' | 'control';

export interface WalkDocument {
  readonly grant: WalkGrant;
  /** null: no client was picked. */
  readonly client_id: string | null;
  readonly sub: string | null;
  readonly way: AuthorizeWay;
  /** Whether token requests bind tokens to a key (RFC 9449). */
  readonly dpop: boolean;
  readonly steps: Readonly<Record<WalkStepId, ScenarioStep>>;
}

export const startingDocument = (grant: WalkGrant = 'authorization_code'): WalkDocument => ({
  grant,
  client_id: null,
  sub: null,
  way: 'browser',
  dpop: false,
  steps: Object.fromEntries(WALK_STEP_IDS.map((id) => [id, WALK_STEPS[id].step])) as Record<
    WalkStepId,
    ScenarioStep
  >,
});

type Path = readonly string[];

export function fieldsPath(id: WalkStepId): Path {
  const action = actionOf(WALK_STEPS[id].step);
  if (action === 'issue_tokens') return [action];
  return [action, action === 'authorize' ? 'parameters' : 'fields'];
}

/** Returns undefined for a member that the step leaves to the runner. */
export const memberAt = (step: ScenarioStep, path: Path): unknown =>
  path.reduce<unknown>((inside, name) => (isJsonObject(inside) ? inside[name] : undefined), step);

function changed(inside: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const members = isJsonObject(inside) ? inside : {};
  const { [name]: former, ...others } = members;
  const now = changed(former, rest, value);
  return now === undefined ? others : { ...others, [name]: now };
}

/** @param value undefined leaves the member to the runner again */
export function withMember(
  document: WalkDocument,
  id: WalkStepId,
  path: Path,
  value: unknown,
): WalkDocument {
  const step = changed(document.steps[id], path, value) as ScenarioStep;
  return { ...document, steps: { ...document.steps, [id]: step } };
}

const scopePath = (grant: WalkGrant): Path => [...fieldsPath(WALKS[grant].asks), 'scope'];

const scopeOf = ({ grant, steps }: WalkDocument) =>
  memberAt(steps[WALKS[grant].asks], scopePath(grant));

/** Starts over with another grant. Keeps the user, DPoP and an entered scope. */
export function withGrant(document: WalkDocument, grant: WalkGrant): WalkDocument {
  const { sub, dpop } = document;
  const fresh = { ...startingDocument(grant), sub, dpop };
  const scope = scopeOf(document);
  if (scope === scopeOf(startingDocument(document.grant))) return fresh;
  return withMember(fresh, WALKS[grant].asks, scopePath(grant), scope);
}

/** Starts over with another client, because what the user typed belongs to the former one. */
export function withClient(document: WalkDocument, client_id: string): WalkDocument {
  const { grant, sub, way, dpop, steps } = document;
  const { pkce, push, request_object } = steps.code.authorize ?? {};
  const fresh = { ...startingDocument(grant), client_id, sub, way, dpop };
  return Object.entries({ pkce, push, request_object }).reduce<WalkDocument>(
    (document, [name, value]) => withMember(document, 'code', ['authorize', name], value),
    fresh,
  );
}

/** The field in which a step sends the credential of an earlier step. */
const CREDENTIAL_FIELD: Partial<Readonly<Record<WalkStepId, string>>> = {
  exchange: 'code',
  poll: 'device_code',
  swap: 'subject_token',
  bearer: 'assertion',
};

/** The path of the member that holds the credential of an earlier step. */
export const credentialPath = (id: WalkStepId): Path => [
  ...fieldsPath(id),
  CREDENTIAL_FIELD[id] ?? WALK_STEPS[id].needs ?? '',
];

/** Removes typed credentials of which the step has just issued new ones. */
export function withoutTyped(document: WalkDocument, id: WalkStepId): WalkDocument {
  const users = WALK_STEP_IDS.filter((later) => {
    const { needs } = WALK_STEPS[later];
    return needs !== undefined && WALK_STEPS[id].provides?.includes(needs) === true;
  });
  return users.reduce((now, later) => {
    if (CREDENTIAL_FIELD[later] === undefined) return now;
    const path = credentialPath(later);
    return withMember(now, later, path, memberAt(WALK_STEPS[later].step, path));
  }, document);
}

// The client and the user, and what depends on them.

/** Whether the client could use this grant if it were allowed. */
export const couldUse =
  (grant: GrantType) =>
  ({ client_secret }: Client): boolean =>
    client_secret !== null || !CONFIDENTIAL_GRANTS.includes(grant);

export const mayUse =
  (grant: GrantType) =>
  (client: Client): boolean =>
    client.grant_types.includes(grant) && couldUse(grant)(client);

/** Whether the client can run the step: it needs the refresh_token grant to refresh. True while no client is known. */
export const isPossible = (step: WalkStepId, { client }: Pick<Party, 'client'>): boolean =>
  client === null || WALK_STEPS[step].needs !== 'refresh_token' || mayUse('refresh_token')(client);

/** Everything that decides how requests of the flow are evaluated. */
export interface Choice extends Party, Pick<Settings, 'profile'> {
  readonly issuer: string;
  /** Whether token requests have a DPoP proof. */
  readonly dpop: boolean;
  /** The protected APIs that a token can be for. */
  readonly apis: readonly CalledApi[];
  /** What an authorization request of the client must have, whatever the document says. */
  readonly requires: {
    readonly pkce: boolean;
    readonly push: boolean;
    readonly request_object: boolean;
  };
}

type Known = Pick<State, 'clients' | 'users' | 'apis' | 'settings' | 'server'>;

/** The picked client, else the oldest client that may use the grant. */
function partyFor(known: Known, document: WalkDocument): Party {
  const { grant, client_id } = document;
  const party = partyOf(known, document);
  const isPicked = client_id !== null && party.client?.client_id === client_id;
  if (isPicked || grant === 'authorization_code') return party;
  return { ...party, client: known.clients.findLast(mayUse(grant)) ?? null };
}

export function choose(known: Known, document: WalkDocument): Choice {
  const { client, user } = partyFor(known, document);
  const { settings, server } = known;
  const issuer = server?.issuer ?? '';
  return {
    client,
    user,
    issuer,
    apis: calledApis(known.apis, issuer),
    profile: client?.profile ?? settings?.profile ?? 'documented',
    dpop: document.dpop || client?.dpop_bound_access_tokens === true,
    requires: requirementsOf(client, settings),
  };
}

export function requirementsOf(
  client: Client | null,
  settings: Pick<Settings, 'require_pushed_authorization_requests'> | null,
): Choice['requires'] {
  const canAuthenticate =
    client?.client_secret !== null || client.token_endpoint_auth_method === 'private_key_jwt';
  return {
    pkce: !canAuthenticate,
    push: [client, settings].some((one) => one?.require_pushed_authorization_requests === true),
    request_object: client?.require_signed_request_object === true,
  };
}

// What a card sends.

/** Sent for a user without a password, since any password is accepted. */
export const ANY_PASSWORD = 'any-password';

const PASSWORD = [...fieldsPath('password'), 'password'];

/** The password that the user entered; undefined for none. */
export const passwordIn = ({ steps }: WalkDocument): unknown => memberAt(steps.password, PASSWORD);

/** The cards whose requests name an audience. */
const NAMES_AUDIENCE: readonly WalkStepId[] = [
  'code',
  'device',
  'password',
  'client_credentials',
  'swap',
  'bearer',
];

/** The audience that a card names; null for none. */
export function audienceOf(id: WalkStepId, document: WalkDocument, choice: Choice): string | null {
  const named = memberAt(document.steps[id], [...fieldsPath(id), 'audience']);
  if (named === null) return null;
  return typeof named === 'string' ? named : (choice.client?.default_audience ?? choice.issuer);
}

/** How a client authenticates that is registered for assertions. Others may send their secret in the body. */
function assertionOf({ client }: Choice) {
  const client_auth = assertionMethod(client?.token_endpoint_auth_method);
  return client_auth === undefined ? {} : { client_auth };
}

/** The code step as it is sent: over the control API, or with the PKCE challenge and the DPoP proof that it needs. */
function codeStep(step: ScenarioStep, document: WalkDocument, choice: Choice): ScenarioStep {
  const { way } = document;
  const { parameters: all = {}, pkce, push, request_object } = step.authorize ?? {};
  const { requires } = choice;
  const { response_type, nonce, ...others } = all;
  const challenge = pkce ?? (requires.pkce ? ('S256' as const) : undefined);
  const challenged = challenge === undefined ? {} : { pkce: challenge };
  if (way === 'control') {
    const { redirect_uri, audience, scope } = others;
    return {
      issue_code: {
        ...(typeof redirect_uri === 'string' ? { redirect_uri } : {}),
        ...(typeof scope === 'string' ? { scope } : {}),
        audience: typeof audience === 'string' ? audience : null,
        ...challenged,
      },
    };
  }
  const hybrid = response_type === undefined ? {} : { response_type, nonce: nonce ?? null };
  const signed = request_object ?? (requires.request_object ? {} : undefined);
  return {
    authorize: {
      parameters: way === 'browser' ? { ...others, ...hybrid } : others,
      ...challenged,
      ...(push === true || requires.push ? { push: true, ...assertionOf(choice) } : {}),
      // Only this page can sign it, not the user's browser.
      ...(way === 'browser' && signed !== undefined ? { request_object: signed } : {}),
      ...(choice.dpop ? { dpop: true } : {}),
    },
  };
}

/** The step of a card as the runner carries it out. @param isBound whether the newest access token is bound to a key */
export function sentStep(
  id: WalkStepId,
  document: WalkDocument,
  choice: Choice,
  isBound = false,
): ScenarioStep {
  const { client, user, dpop } = choice;
  let walk = document;
  if (NAMES_AUDIENCE.includes(id)) {
    walk = withMember(walk, id, [...fieldsPath(id), 'audience'], audienceOf(id, walk, choice));
  }
  if (id === 'password' && user?.has_password !== true && passwordIn(walk) === undefined) {
    walk = withMember(walk, id, PASSWORD, ANY_PASSWORD);
  }
  if (id === 'api') walk = withMember(walk, id, CALLED, calledBy(walk, choice).path);
  let step = walk.steps[id];
  if (id === 'code') step = codeStep(step, walk, choice);
  const { token, authorize_device } = step;
  if (token !== undefined) {
    const proof = dpop ? { dpop: true as const } : {};
    step = { ...step, token: { ...assertionOf(choice), ...token, ...proof } };
  }
  if (authorize_device !== undefined) {
    step = { ...step, authorize_device: { ...assertionOf(choice), ...authorize_device } };
  }
  if (id === 'api') step = apiStep(step, isBound);
  return withParties(step, client?.client_id ?? null, user?.sub ?? null);
}

/** Whether the step signs something with a key of the client, not with its secret. */
export function signsWithKey(id: WalkStepId, document: WalkDocument, choice: Choice): boolean {
  const { authorize, token, authorize_device, sign_assertion } = sentStep(id, document, choice);
  if (sign_assertion !== undefined) return true;
  const alg = choice.client?.request_object_signing_alg;
  if (authorize?.request_object !== undefined && alg?.startsWith('HS') !== true) return true;
  return (authorize ?? token ?? authorize_device)?.client_auth === 'private_key_jwt';
}

const CALLED = ['request', 'path'];

/** The path that the API card calls: that of the protected API that the token is for, else userinfo, or a typed one. */
export function calledBy(
  document: WalkDocument,
  choice: Choice,
): { readonly path: string; readonly typed: boolean } {
  const path = memberAt(document.steps.api, CALLED);
  if (typeof path === 'string' && path !== USERINFO_PATH) return { path, typed: true };
  const { grant } = document;
  const asks = grant === TOKEN_EXCHANGE_GRANT ? 'swap' : WALKS[grant].asks;
  const audience = audienceOf(asks, document, choice);
  const api = choice.apis.find((one) => one.audience === audience);
  return { path: api?.path ?? USERINFO_PATH, typed: false };
}

/** @param path undefined to follow the audience of the token again */
export function withCalled(document: WalkDocument, path: string | undefined): WalkDocument {
  const wanted = (path ?? '').trim();
  const given = wanted === '' || wanted.startsWith('/') ? wanted : `/${wanted}`;
  return withMember(document, 'api', CALLED, given === '' ? USERINFO_PATH : given);
}

const PRESENTED = ['request', 'headers', 'Authorization'];
const IN_FORM = ['request', 'form', 'access_token'];

/** The access token that the API card presents, with its place; null: the newest one. */
export function presentedBy(step: ScenarioStep): { typed: string | null; in_form: boolean } {
  const inForm = memberAt(step, IN_FORM);
  const header = memberAt(step, PRESENTED);
  const text = [inForm, header].find((one) => typeof one === 'string') ?? '';
  const token = text.replace(/^Bearer /, '');
  return {
    typed: token === '{{access_token}}' ? null : token,
    in_form: typeof inForm === 'string',
  };
}

export function withPresented(
  document: WalkDocument,
  { typed, in_form }: ReturnType<typeof presentedBy>,
): WalkDocument {
  const token = typed ?? '{{access_token}}';
  const header = in_form ? undefined : { Authorization: `Bearer ${token}` };
  const form = in_form ? { access_token: token } : undefined;
  const moved = withMember(document, 'api', ['request', 'headers'], header);
  return withMember(moved, 'api', ['request', 'form'], form);
}

/** Presents a bound token with the DPoP scheme and a proof (RFC 9449 7.1). */
function apiStep(step: ScenarioStep, isNewestBound: boolean): ScenarioStep {
  const { typed, in_form } = presentedBy(step);
  const isBound = typed === null ? isNewestBound : boundKeyOf(typed) !== null;
  if (in_form || !isBound || step.request === undefined) return step;
  const headers = { Authorization: `DPoP ${typed ?? '{{access_token}}'}` };
  return { request: { ...step.request, headers, dpop: true } };
}

/** The credential that a step sends, and the earlier step that provides it; null when the user typed it. */
export function neededFrom(
  id: WalkStepId,
  document: WalkDocument,
): { readonly credential: Credential; readonly step: WalkStepId } | null {
  const credential = WALK_STEPS[id].needs;
  if (credential === undefined) return null;
  const own = memberAt(document.steps[id], credentialPath(id));
  const isTyped =
    id === 'api'
      ? presentedBy(document.steps.api).typed !== null
      : own !== undefined && own !== `{{${credential}}}`;
  if (isTyped) return null;
  const step = stepProviding(document.grant, id, credential);
  return step === null ? null : { credential, step };
}
