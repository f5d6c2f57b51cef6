// Decides an authorization request that can be granted (behaviour 7). Depending on the setting it is denied, granted
// immediately, or shown to the user at the browser, who may already be signed in and have consented. Errors thrown
// here are sent to the client (RFC 6749 4.1.2.1). Loaded with the first such request.

import type { SignInClaims } from '../model/credentials.ts';
import type { RequestedAuthorization } from './authorization-request.ts';
import type { AuthorizationRequest } from './request-parameters.ts';
import { type ResponseParameters, responseParameters, type ResponseTarget } from './response.ts';
import type { ConsentForms } from './consent-forms.ts';
import {
  authenticate,
  authenticationOf,
  type AuthenticationShown,
  type Credentials,
  isAskedAgain,
} from './authentication.ts';
import { keptText } from '../collections/kept-text.ts';
import { issueCode } from '../issuing/codes.ts';
import { idTokenOfResponse } from '../issuing/id-token.ts';
import { openLineage } from '../issuing/open-lineage.ts';
import { supportedAcrs } from '../registry/apis.ts';
import { type Domain, issuingNow } from '../model/domain.ts';
import { type PushedRequests, spend } from './pushed-requests.ts';
import { OAuthError } from '../checks/errors.ts';
import { uuidOf } from '../shape/facts.ts';
import type { Audience, Client, User } from '../records/schemas.ts';
import {
  hasConsent,
  type Session,
  type Sessions,
  signedIn,
  type SignedIn,
  type Visitor,
} from './sessions.ts';
import { type Evaluation, fail, pass } from '../checks/trace.ts';
import type { RefusalReason } from '../checks/refusals/index.ts';

/** The question that the page shows to the user. */
export interface Question extends AuthenticationShown {
  /** Token of the form with which the decision is submitted. */
  readonly form: string;
  readonly client: Client;
  readonly redirect_uri: string;
  /** null if it is decided when the code is exchanged. */
  readonly audience: Pick<Audience, 'uri' | 'name'> | null;
  readonly scopes: readonly string[];
  /** The scopes among them that the user cannot leave out. */
  readonly required_scopes: readonly string[];
  /** The scopes among them that are selected at first. */
  readonly selected_scopes: readonly string[];
  readonly users: readonly User[];
  readonly claims: SignInClaims | null;
  /** `sub` of the user to preselect; null for none. */
  readonly suggested: string | null;
  /** The requested acr values that are supported, of which the sign-in gets the first that the user has. */
  readonly acr_values: readonly string[];
  /** Why the current sign-in is not sufficient; null if only consent is needed. */
  readonly reason: SignInReason | null;
  /** What was wrong with the form that the user submitted before; null if nothing was. */
  readonly refusal: OAuthError | null;
}

export type AuthorizationOutcome =
  | { readonly kind: 'question'; readonly question: Question }
  /** The response to the client, with a code or an error. */
  | {
      readonly kind: 'answer';
      readonly target: ResponseTarget;
      readonly parameters: ResponseParameters;
      /** The new session of the browser; null if it does not change. */
      readonly session: Session | null;
      readonly refusal: OAuthError | null;
    };

/** A request, and everything that the decision depends on. */
export interface AuthorizationContext {
  readonly domain: Domain;
  readonly sessions: Sessions;
  readonly forms: ConsentForms;
  readonly pushed: PushedRequests;
  readonly request: AuthorizationRequest;
  readonly visitor: Visitor;
  readonly evaluation: Evaluation;
}

interface Granted {
  readonly user: User;
  readonly scopes: readonly string[];
  /** Milliseconds of the sandbox clock. */
  readonly auth_time: number;
  readonly acr: string | null;
  readonly claims: SignInClaims | null;
  /** The session in which the user is signed in; null without one. */
  readonly within: Session | null;
  /** The new session of the browser; null if it does not change. */
  readonly session: Session | null;
}

/** An ID token in the response requires openid; otherwise, every scope is the user's choice. */
const requiredScopes = ({ response_type }: RequestedAuthorization): readonly string[] =>
  response_type === 'code' ? [] : ['openid'];

const listed = (scopes: readonly string[]) => scopes.join(' ') || 'none';

/** Claims that userinfo otherwise has by scope only. */
const OF_USERINFO = ['name', 'email'];

/**
 * Checks that the user is the one whom the request names, and that the sign-in has a class that it requires.
 * @throws OAuthError `login_required` or `unmet_authentication_requirements`
 */
function checkSignIn(
  { acr_values, acr_essential, required_subs }: RequestedAuthorization,
  { user, acr }: Pick<Granted, 'user' | 'acr'>,
  evaluation: Evaluation,
): void {
  if (required_subs.length > 0 && !required_subs.includes(user.sub)) {
    const expected = required_subs.join(' or ');
    throw new OAuthError('sign_in_sub_differs', { expected, got: user.sub });
  }
  if (acr_values.length === 0) return;
  const operands = { expected: acr_values.join(' or '), got: acr ?? 'none' };
  if (acr_essential && !acr_values.includes(operands.got))
    throw new OAuthError('acr_unmet', operands);
  pass(evaluation, 'acr', { ...operands, note: acr_essential ? 'essential' : 'voluntary' });
}

async function grant(
  context: AuthorizationContext,
  requested: RequestedAuthorization,
  { user, scopes, auth_time, acr, claims, within, session }: Granted,
): Promise<AuthorizationOutcome> {
  const { domain, evaluation } = context;
  const before = spend(context);
  if (before !== null) throw new OAuthError('request_uri_used', { ...before });
  const { client, target, audience, response_type, nonce } = requested;
  const issuing = issuingNow(domain);
  const scope = scopes.join(' ');
  // The identifier of the session itself is a secret of the browser.
  const sid = uuidOf(within === null ? undefined : `sid\n${within.id}`, domain.ports) ?? null;
  if (within !== null && sid !== null && scopes.includes('openid')) {
    context.sessions.enter(within, { client_id: client.client_id, sid });
  }
  const openid = {
    acr,
    sid,
    claims,
    id_token: requested.claims.id_token,
    userinfo: OF_USERINFO.filter((name) => requested.claims.userinfo.includes(name)),
  };
  const about = { client, user_sub: user.sub, audience, scope, auth_time, openid };
  const lineage = openLineage(issuing, about);
  evaluation.lineage = lineage;
  const order = {
    redirect_uri: target.redirect_uri,
    redirect_uri_given: requested.redirect_uri_given,
    requested_scope: requested.requested_scope,
    code_challenge: requested.code_challenge,
    code_challenge_method: requested.code_challenge_method,
    nonce,
    access_token_expires_in: null,
    expires_in: domain.settings().lifetimes.code,
    jkt: requested.jkt,
    by: evaluation,
  };
  const code =
    response_type === 'id_token' ? null : (await issueCode(issuing, lineage, order)).value;
  const identity = { client, lineage, nonce, code, scope, by: evaluation };
  const issued = {
    ...(code === null ? {} : { code }),
    ...(response_type === 'code' ? {} : { id_token: await idTokenOfResponse(issuing, identity) }),
  };
  const parameters = responseParameters(issued, target.state, domain.issuer());
  return { kind: 'answer', target, parameters, session, refusal: null };
}

/** Returns the claims of the present sign-in; null for another user, to whom they are not offered. */
const claimsOf = (present: SignedIn | undefined, sub: string | null): SignInClaims | null =>
  present?.user.sub === sub ? present.session.claims : null;

/** A submitted form that is shown again, as the user filled it in. */
interface Again extends Pick<Approval, 'user' | 'ticked' | 'claims'> {
  readonly refusal: OAuthError;
}

function ask(
  { domain, sessions, forms, request, visitor, evaluation }: AuthorizationContext,
  requested: RequestedAuthorization,
  reason: SignInReason | null,
  again?: Again,
): AuthorizationOutcome {
  const { client, target, audience: uri, scopes, hinted_sub } = requested;
  const { ports, registry } = domain;
  const { users } = registry;
  const present = signedIn(domain, sessions, visitor);
  const suggested = again?.user.sub ?? hinted_sub ?? (present?.user ?? users.first())?.sub ?? null;
  const form = forms.open(request, visitor.browser, ports.clock.now());
  const required = authenticationOf(domain, form);
  evaluation.sign_in = { form, scopes: scopes.map(keptText), ...required };
  const question: Question = {
    form,
    client,
    redirect_uri: target.redirect_uri,
    audience: uri === null ? null : (registry.audience(uri) ?? { uri, name: '' }),
    scopes,
    required_scopes: requiredScopes(requested),
    selected_scopes: again?.ticked ?? scopes,
    users: users.list(),
    claims: again === undefined ? claimsOf(present, suggested) : again.claims,
    suggested,
    acr_values: supportedAmong(requested, domain),
    reason,
    refusal: again?.refusal ?? null,
    ...required,
    signed_in: present !== undefined && reason === null,
  };
  return { kind: 'question', question };
}

function consentOrAsk(
  context: AuthorizationContext,
  requested: RequestedAuthorization,
): AuthorizationOutcome | Promise<AuthorizationOutcome> {
  const { domain, sessions, visitor, evaluation } = context;
  const present = signedIn(domain, sessions, visitor);
  const reason = signInNeeded(requested, present, domain);
  const silent = requested.prompts.has('none');
  if (reason !== null || present === undefined) {
    if (silent) throw new OAuthError(reason ?? 'sign_in_missing');
    return ask(context, requested, reason);
  }
  const { session, user } = present;
  const { auth_time, acr, claims } = session;
  pass(evaluation, 'user', { got: user.sub, note: 'already signed in' });
  checkSignIn(requested, { user, acr }, evaluation);
  if (consentNeeded(requested, session)) {
    if (silent) throw new OAuthError('consent_missing');
    return ask(context, requested, null);
  }
  const { scopes } = requested;
  pass(evaluation, 'consent', { got: listed(scopes), note: 'already given' });
  const granted = { user, scopes, auth_time, acr, claims, within: session, session: null };
  return grant(context, requested, granted);
}

/** Returns the user for whom requests are granted automatically: the one in the hint, or the first user. */
function automaticUser({ hinted_sub }: RequestedAuthorization, { registry }: Domain): User {
  if (hinted_sub === null) throw new OAuthError('sign_in_hint_unknown');
  const { users } = registry;
  const user = hinted_sub === undefined ? users.first() : users.get(hinted_sub);
  if (user === undefined) throw new OAuthError('sign_in_without_users');
  if (user.locked === true) throw new OAuthError('sign_in_user_locked', { got: user.sub });
  return user;
}

function grantImmediately(context: AuthorizationContext, requested: RequestedAuthorization) {
  const { domain, evaluation } = context;
  const user = automaticUser(requested, domain);
  const { scopes } = requested;
  const note = 'granted automatically: authorize is auto';
  const acr = acrFor(requested, user, domain);
  pass(evaluation, 'user', { got: user.sub, note });
  checkSignIn(requested, { user, acr }, evaluation);
  pass(evaluation, 'consent', { got: listed(scopes), note });
  const auth_time = domain.ports.clock.now();
  const granted = { user, scopes, auth_time, acr, claims: null, within: null, session: null };
  return grant(context, requested, granted);
}

/** @throws OAuthError if the setting denies it, or `prompt=none` cannot be satisfied */
export function settle(
  context: AuthorizationContext,
  requested: RequestedAuthorization,
): AuthorizationOutcome | Promise<AuthorizationOutcome> {
  const { domain } = context;
  const { authorize: mode } = domain.settings();
  const { acr_values, acr_essential } = requested;
  if (mode !== 'deny' && acr_essential && supportedAmong(requested, domain).length === 0) {
    throw new OAuthError('acr_unmet', { expected: acr_values.join(' or '), got: 'none' });
  }
  switch (mode) {
    case 'deny':
      throw new OAuthError('authorization_denied_by_setting');
    case 'auto':
      return grantImmediately(context, requested);
    case 'consent':
      return consentOrAsk(context, requested);
  }
}

/** What a user decided on the page. */
interface Approval {
  readonly user: User;
  /** The scopes that the user left selected. */
  readonly ticked: readonly string[];
  readonly claims: SignInClaims | null;
  readonly credentials: Credentials;
  readonly form: string;
}

/**
 * Grants the scopes that the user left selected, or asks again if the user could not sign in.
 * @throws OAuthError if the setting now denies it
 */
export function approve(
  context: AuthorizationContext,
  requested: RequestedAuthorization,
  approval: Approval,
): AuthorizationOutcome | Promise<AuthorizationOutcome> {
  const { domain, evaluation } = context;
  const { user, ticked, claims, credentials, form } = approval;
  if (domain.settings().authorize === 'deny') {
    throw new OAuthError('authorization_denied_by_setting');
  }
  const { client, audience } = requested;
  const chosen = [...ticked, ...requiredScopes(requested)];
  const scopes = requested.scopes.filter((scope) => chosen.includes(scope));
  const present = signedIn(domain, context.sessions, context.visitor);
  // The session is kept if it satisfies the request.
  const reason = signInNeeded(requested, present, domain);
  const keeps = present?.user.sub === user.sub && reason === null;
  let how = 'selected on the page, already signed in';
  try {
    if (!keeps) how = authenticate(user, credentials, domain, form);
  } catch (error) {
    if (!(error instanceof OAuthError) || !isAskedAgain(error)) throw error;
    fail(evaluation, error);
    return ask(context, requested, reason, { ...approval, refusal: error });
  }
  const isSame = JSON.stringify(claims) === JSON.stringify(present?.session.claims ?? null);
  const kept = keeps && isSame ? present.session : null;
  const acr = kept === null ? acrFor(requested, user, domain) : kept.acr;
  const named = Object.keys(claims ?? {}).join(', ');
  const note = `${how}${named === '' ? '' : `, with claims of this sign-in: ${named}`}`;
  pass(evaluation, 'user', { got: user.sub, note });
  checkSignIn(requested, { user, acr }, evaluation);
  pass(evaluation, 'consent', {
    expected: listed(requested.scopes),
    got: listed(scopes),
    note: 'approved on the page',
  });
  const now = domain.ports.clock.now();
  const facts = { acr, claims };
  const session = kept ?? context.sessions.begin(user.sub, present?.session, now, facts);
  const subject = { client_id: client.client_id, audience };
  context.sessions.agree(session, subject, requested.scopes, scopes);
  const { auth_time } = session;
  return grant(context, requested, { user, scopes, auth_time, ...facts, within: session, session });
}

type SignInReason = Extract<RefusalReason, `sign_in_${string}`>;

/** Returns why the sign-in is not sufficient for the request; null if it is. */
function signInNeeded(
  requested: RequestedAuthorization,
  present: SignedIn | undefined,
  domain: Domain,
): SignInReason | null {
  const { prompts, max_age, hinted_sub, required_subs } = requested;
  if (hinted_sub === null) return 'sign_in_hint_unknown';
  if (present === undefined || prompts.has('login')) return 'sign_in_missing';
  const { session } = present;
  const isHinted = hinted_sub === session.sub || required_subs.includes(session.sub);
  if (hinted_sub !== undefined && !isHinted) return 'sign_in_of_other_user';
  // max_age=0 requires a new sign-in, so even one of this very moment is too old.
  const age = domain.ports.clock.now() - session.auth_time;
  if (max_age !== null && age >= max_age * 1000) return 'sign_in_too_old';
  return acrNeeded(requested, present, domain) ? 'sign_in_acr' : null;
}

/** The requested acr values that are supported, in the order of preference. */
function supportedAmong({ acr_values }: RequestedAuthorization, { settings, registry }: Domain) {
  if (acr_values.length === 0) return [];
  const supported = supportedAcrs(settings(), registry.apis.list());
  return acr_values.filter((acr) => supported.includes(acr));
}

/** Returns the acr that a new sign-in of the user has: the first that is requested and supported, and the user has. */
const acrFor = (
  requested: RequestedAuthorization,
  { acr_values: own }: User,
  domain: Domain,
): string | null =>
  supportedAmong(requested, domain).find((acr) => own?.includes(acr) ?? true) ?? null;

/**
 * Whether a new sign-in could have a requested acr, or must have one. A silent request that can do without one is not
 * rejected.
 */
function acrNeeded(
  requested: RequestedAuthorization,
  { session, user }: SignedIn,
  domain: Domain,
): boolean {
  const { acr_values, acr_essential, prompts } = requested;
  if (acr_values.length === 0 || acr_values.includes(session.acr ?? '')) return false;
  return acr_essential || (!prompts.has('none') && acrFor(requested, user, domain) !== null);
}

/** Whether the signed-in user must consent, or select an account. */
function consentNeeded(requested: RequestedAuthorization, session: Session): boolean {
  const { client, audience, scopes, prompts } = requested;
  if (prompts.has('consent') || prompts.has('select_account')) return true;
  return !hasConsent(session, { client_id: client.client_id, audience }, scopes);
}
