// Finds the requests of a recording that form one authorization: a push, the link with its request_uri, and the form of the
// sign-in page. Other requests may come between them. Also writes the step of an authorization, and that of a code issued
// over the control API.

import { CLAIMS_OF_THE_JWT, SIGN_IN_ERRORS } from '../../control/names.ts';
import { ASSERTION_FIELDS, AUTHORIZE_PARAMETERS } from '../../scenario/defaults.ts';
import { given } from '../../scenario/actions/action.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import type { Client, Exchange, Settings } from '../../control/schemas.ts';
import { bodyText, grantedIn, isFormAccepted, redirectAnswerOf } from '../exchange/answer.ts';
import { type JsonObject, parseJsonObject } from '../../json.ts';
import { headerOf } from '../../oauth/fields.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import {
  askedParameters,
  exchangeOf,
  isPush,
  queryParameters,
  requestUriOf,
  type IssuedCode,
  type RecordedEvent,
} from './recording.ts';
import { FORM_FIELD, isSignInPage } from '../../scenario/sign-in-form.ts';
import type { Known } from './known.ts';
import { assertionAuth, parametersOf } from './request-steps.ts';

export interface Authorization {
  /** The push; null when the link itself has the parameters. */
  readonly pushed: Exchange | null;
  readonly link: Exchange;
  /** The submitted form; null when there was no page, or it was not submitted. */
  readonly decided: Exchange | null;
}

export const isAuthorizeLink = ({ method, endpoint }: Exchange): boolean =>
  method === 'GET' && endpoint === 'authorize';

/** The id of the form that a request submits; null when it submits none. */
export function formIn({ method, endpoint, request }: Exchange): string | null {
  if (method !== 'POST' || endpoint !== 'authorize') return null;
  return new URLSearchParams(bodyText(request)).get(FORM_FIELD);
}

/** Whether the page rejected a form. A form that a fault rule answered was not evaluated. */
export const isRejectedForm = (exchange: Exchange): boolean =>
  formIn(exchange) !== null && exchange.trace.length > 0 && !isFormAccepted(exchange);

/** Without the cookie of the page, a form is a separate request. */
const hasCookie = ({ request }: Exchange): boolean =>
  (headerOf(request.headers, 'cookie') ?? '') !== '';

/** The forms that were submitted, the last of them accepted; each but the last is answered by the page again. */
function decisionsOn(link: Exchange, later: readonly RecordedEvent[]): readonly Exchange[] {
  if (!isSignInPage(link)) return [];
  const sent = later
    .map(exchangeOf)
    .find(
      (exchange) =>
        exchange !== null && formIn(exchange) === link.sign_in?.form && !isRejectedForm(exchange),
    );
  return sent && hasCookie(sent) ? [sent, ...decisionsOn(sent, later)] : [];
}

/**
 * Each authorization by the exchange that ended it. `taken` contains its earlier exchanges.
 * @param events oldest first
 */
export function authorizationsIn(events: readonly RecordedEvent[]) {
  const ended = new Map<Exchange, Authorization>();
  const taken = new Set<Exchange>();
  const pushes = new Map<string, Exchange>();
  for (const [index, event] of events.entries()) {
    const link = event.kind === 'exchange' ? event.exchange : null;
    if (link === null) continue;
    const request_uri = requestUriOf(link);
    if (request_uri !== null) pushes.set(request_uri, link);
    if (!isAuthorizeLink(link)) continue;
    const sent = queryParameters(link).get('request_uri') ?? '';
    const pushed = pushes.get(sent) ?? null;
    if (pushed !== null) taken.add(pushed);
    // A request_uri works once.
    pushes.delete(sent);
    const decisions = decisionsOn(link, events.slice(index + 1));
    const decided = decisions.at(-1) ?? null;
    for (const before of decided === null ? [] : [link, ...decisions.slice(0, -1)])
      taken.add(before);
    ended.set(decided ?? link, { pushed, link, decided });
  }
  return { ended, taken };
}

/**
 * The user of a browser session that made a sign-in page unnecessary (OpenID Connect Core 3.1.2.3): null when no
 * session was needed, empty when the user is unknown.
 */
export function sessionUserOf(
  { link, decided }: Authorization,
  { authorize }: Pick<Settings, 'authorize'>,
): string | null {
  const isAnswered = decided === null && redirectAnswerOf(link)?.has('code') === true;
  if (!isAnswered || authorize !== 'consent') return null;
  return grantedIn(link)?.sub ?? '';
}

/** What was wrong with a form after which the page was shown again. */
const MISTAKES: ReadonlyMap<string | null, 'wrong_password' | 'wrong_code'> = new Map([
  ['sign_in_password_wrong', 'wrong_password'],
  ['sign_in_code_wrong', 'wrong_code'],
]);

interface SignIn {
  readonly decision:
    'approve' | 'deny' | (typeof SIGN_IN_ERRORS)[number] | 'wrong_password' | 'wrong_code' | 'stop';
  readonly sub: string | null;
  /** The claims of this sign-in only. */
  readonly claims: JsonObject | null;
}

/** What the user did on the page; null when there was none. */
function signInOf({ link, decided }: Authorization): SignIn | null {
  if (!isSignInPage(link)) return null;
  if (decided === null) return { decision: 'stop', sub: null, claims: null };
  const form = new URLSearchParams(bodyText(decided.request));
  const sent = form.get('decision');
  const reason = decided.why?.reason ?? null;
  const decision =
    MISTAKES.get(reason) ?? (['deny', ...SIGN_IN_ERRORS] as const).find((one) => one === sent);
  const claims = parseJsonObject(form.get('claims') ?? '');
  // Whoever was typed, or is new, is named by the response.
  const sub = grantedIn(decided)?.sub ?? form.get('sub');
  return { decision: decision ?? 'approve', sub, claims };
}

const isPkce = (method: unknown): method is 'S256' | 'plain' =>
  method === 'S256' || method === 'plain';

const isNamed = (value: unknown): value is string => typeof value === 'string' && value !== '';

function usual(client: Client | undefined): Readonly<Record<string, string>> {
  return {
    ...AUTHORIZE_PARAMETERS,
    client_id: client?.client_id ?? '',
    redirect_uri: client?.redirect_uris[0] ?? '',
    audience: '{{issuer}}',
  };
}

/** A nonce belongs to one request, so any value works in a run. */
const ANY_NONCE = 'scenario';

const SENT_BY_THE_STEP = [
  'state',
  'login_hint',
  'code_challenge',
  'code_challenge_method',
  'dpop_jkt',
  ...Object.keys(ASSERTION_FIELDS),
];

/** The parameters of a request: those in its request object, if it has one that a run can sign again. */
function requestedIn(request: Exchange) {
  const query = askedParameters(request);
  const object = decodeJwt(query.get('request') ?? '');
  if (object === null) return { query, signed: {} };
  const parameters = Object.entries(object.payload)
    .filter(([name]) => !CLAIMS_OF_THE_JWT.some((one) => one === name))
    .flatMap(([name, value]) =>
      [value].flat().map((one) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
    );
  return { query: new URLSearchParams(parameters), signed: { request_object: {} } };
}

const pushedBy = ({ request }: Exchange) =>
  assertionAuth(Object.fromEntries(new URLSearchParams(bodyText(request))));

/** @param session the user of the browser session that made a page unnecessary; null for none */
export function authorizationStep(
  authorization: Authorization,
  session: string | null,
  known: Known,
): ScenarioStep {
  const request = authorization.pushed ?? authorization.link;
  const sign_in = signInOf(authorization);
  const { query, signed } = requestedIn(request);
  const asked = known.clientOf(query.get('client_id')) ?? known.clients[0];
  const sent = parametersOf(query, known.inStepOf(asked));
  const { login_hint, code_challenge_method: method } = sent;
  const user = [session, sign_in?.sub].find(isNamed) ?? login_hint;
  const pkce = isPkce(method) ? method : undefined;
  const parameters: Record<string, string | string[] | null> = {};
  for (const [name, value] of Object.entries(usual(asked))) {
    const now = sent[name];
    if (now === undefined) parameters[name] = null;
    else if (now !== value && name !== 'state') parameters[name] = now;
  }
  for (const [name, value] of Object.entries(sent)) {
    // A run starts without a session.
    if (name === 'prompt' && session !== null) continue;
    const own = SENT_BY_THE_STEP.includes(name) || Object.hasOwn(AUTHORIZE_PARAMETERS, name);
    if (name === 'nonce') parameters[name] = ANY_NONCE;
    else if (!own) parameters[name] = value;
    else if (name.startsWith('code_challenge') && pkce === undefined) parameters[name] = value;
  }
  const decision = sign_in?.decision ?? 'approve';
  const isBound = 'dpop_jkt' in sent || headerOf(request.request.headers, 'dpop') !== null;
  return {
    authorize: given({
      ...known.naming(asked),
      user: isNamed(user) ? user : undefined,
      parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
      pkce,
      ...(isPush(request) ? { push: true, ...pushedBy(request) } : {}),
      ...signed,
      dpop: isBound ? true : undefined,
      sign_in: decision === 'approve' ? undefined : decision,
      claims: decision === 'approve' ? (sign_in?.claims ?? undefined) : undefined,
    }),
  };
}

export function codeStep({ request }: IssuedCode, known: Known): ScenarioStep {
  const { client_id, sub, redirect_uri, audience, scope, nonce } = request;
  const { code_challenge, code_challenge_method = 'plain' } = request;
  const { code_expires_in, access_token_expires_in } = request;
  const client = known.clientOf(client_id) ?? known.clients[0];
  const named = audience === undefined ? null : known.written(audience);
  return {
    issue_code: given({
      ...known.naming(client),
      user: sub,
      redirect_uri: redirect_uri === client?.redirect_uris[0] ? undefined : redirect_uri,
      audience: named === '{{issuer}}' ? undefined : named,
      scope,
      nonce,
      pkce: code_challenge === undefined ? undefined : code_challenge_method,
      code_expires_in,
      access_token_expires_in,
    }),
  };
}
