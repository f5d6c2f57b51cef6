// A deliberate mistake: what it changes in the request, the expected response and the rule behind it
// (behaviour 1 and 3), and whether the actual response matched.

import type { Client, Dialect, Exchange, Profile, Settings } from '../../../control/schemas.ts';
import { redirectAnswerOf, tokenAnswerOf } from '../../exchange/answer.ts';
import { deviceOf, type HeldDevice } from './device-answer.ts';
import { claimsOf } from './userinfo-claims.ts';
import { statusWords } from '../../ui/status.ts';
import type { Credentials } from '../../../oauth/client-authentication.ts';
import type { BodyFormat, Fields, HttpRequest } from '../../../oauth/fields.ts';
import type { ProofOrder } from '../../../oauth/prover.ts';
import { isSignInPage, type SignInForm } from '../../../scenario/sign-in-form.ts';

export type AuthorizeMode = Settings['authorize'];

/** Kinds of responses, independent of the dialect. */
export type AnswerKind =
  | 'tokens'
  | 'malformed'
  | 'method'
  | 'grant_unknown'
  | 'bad_client'
  | 'bad_code'
  | 'bad_refresh_token'
  | 'bad_redirect'
  | 'bad_pkce'
  | 'bad_audience'
  | 'bad_scope'
  | 'device'
  | 'device_pending'
  | 'device_slow_down'
  | 'device_expired'
  | 'device_denied'
  | 'bad_device_code'
  | 'bad_password'
  | 'bad_grant'
  | 'code'
  | 'claims'
  | 'page'
  | 'page_unknown_client'
  | 'page_request_uri'
  | 'redirect_malformed'
  | 'redirect_type'
  | 'redirect_audience'
  | 'redirect_scope'
  | 'redirect_login'
  | 'sign_in_page'
  | 'denied'
  | 'denied_by_setting'
  | 'bad_token'
  | 'bad_proof'
  | 'bad_proof_at_api'
  | 'no_openid';

export interface Answer {
  status: number;
  error: string | null;
  /** What a response without an error contains: "tokens". */
  brings?: string;
}

const RFC_6749: Record<AnswerKind, Answer> = {
  tokens: { status: 200, error: null, brings: 'tokens' },
  malformed: { status: 400, error: 'invalid_request' },
  method: { status: 405, error: 'method_not_allowed' },
  grant_unknown: { status: 400, error: 'unsupported_grant_type' },
  bad_client: { status: 401, error: 'invalid_client' },
  bad_code: { status: 400, error: 'invalid_grant' },
  bad_refresh_token: { status: 400, error: 'invalid_grant' },
  bad_redirect: { status: 400, error: 'invalid_grant' },
  bad_pkce: { status: 400, error: 'invalid_grant' },
  bad_audience: { status: 400, error: 'invalid_target' },
  bad_scope: { status: 400, error: 'invalid_scope' },
  device: { status: 200, error: null, brings: 'a device code' },
  device_pending: { status: 400, error: 'authorization_pending' },
  device_slow_down: { status: 400, error: 'slow_down' },
  device_expired: { status: 400, error: 'expired_token' },
  device_denied: { status: 400, error: 'access_denied' },
  bad_device_code: { status: 400, error: 'invalid_grant' },
  bad_password: { status: 400, error: 'invalid_grant' },
  bad_grant: { status: 400, error: 'unauthorized_client' },
  code: { status: 302, error: null, brings: 'a code' },
  claims: { status: 200, error: null, brings: 'claims' },
  page: { status: 400, error: 'invalid_request' },
  page_unknown_client: { status: 400, error: 'invalid_client' },
  page_request_uri: { status: 400, error: 'invalid_request_uri' },
  redirect_malformed: { status: 302, error: 'invalid_request' },
  redirect_type: { status: 302, error: 'unsupported_response_type' },
  redirect_audience: { status: 302, error: 'invalid_target' },
  redirect_scope: { status: 302, error: 'invalid_scope' },
  redirect_login: { status: 302, error: 'login_required' },
  sign_in_page: { status: 200, error: null, brings: 'the sign-in page' },
  denied: { status: 303, error: 'access_denied' },
  denied_by_setting: { status: 302, error: 'access_denied' },
  bad_token: { status: 401, error: 'invalid_token' },
  bad_proof: { status: 400, error: 'invalid_dpop_proof' },
  bad_proof_at_api: { status: 401, error: 'invalid_dpop_proof' },
  no_openid: { status: 403, error: 'insufficient_scope' },
};

const AUTH0: Partial<Record<AnswerKind, Answer>> = {
  bad_client: { status: 401, error: 'access_denied' },
  bad_code: { status: 403, error: 'invalid_grant' },
  bad_refresh_token: { status: 403, error: 'invalid_grant' },
  bad_redirect: { status: 403, error: 'unauthorized_client' },
  bad_pkce: { status: 403, error: 'invalid_grant' },
  device_pending: { status: 403, error: 'authorization_pending' },
  device_slow_down: { status: 429, error: 'slow_down' },
  device_expired: { status: 403, error: 'expired_token' },
  device_denied: { status: 403, error: 'access_denied' },
  bad_device_code: { status: 403, error: 'invalid_grant' },
  bad_password: { status: 403, error: 'invalid_grant' },
};

export function answerOf(kind: AnswerKind, dialect: Dialect): Answer {
  const ofAuth0 = dialect === 'auth0' ? AUTH0[kind] : undefined;
  return ofAuth0 ?? RFC_6749[kind];
}

/** Nothing is bound to a key, and no proof is sent. */
export const WITHOUT_PROOFS: Material['dpop'] = {
  on: false,
  code_bound: false,
  token_bound: false,
  public_client: false,
  required: false,
};

/** The correct request, and the values that a mistake may put into it. */
export interface Material {
  fields: Fields;
  /** Of the flow's client. */
  credentials: Credentials;
  format: BodyFormat;
  /** Where the request goes. */
  path: string;
  /** A client other than the flow's own, which may use the same grant; null when there is none. */
  other_client: Client | null;
  /** An audience other than the code's: a registered one when there is one. */
  other_audience: string;
  access_token: string | null;
  refresh_token: string | null;
  /** An access token from before the last reset; null when there was none. */
  former_token: string | null;
  /** A credential that is no longer valid, for a mistake that needs one. */
  spoilt: string | null;
  /** A device that was requested for the mistake. */
  device: Pick<HeldDevice, 'device_code' | 'user_code'> | null;
  /** The form of the sign-in page, for a mistake that needs it. */
  form: SignInForm | null;
  user_has_password: boolean;
  /** What is bound to a key, and has to be sent with a proof of it (RFC 9449). */
  dpop: {
    readonly on: boolean;
    readonly code_bound: boolean;
    readonly token_bound: boolean;
    readonly public_client: boolean;
    /** Whether the client has to send a proof with every token request. */
    readonly required: boolean;
  };
  frozen: boolean;
  mode: AuthorizeMode;
}

/** What the runner prepares before the request is sent. */
export type Preparation =
  | 'code_redeemed'
  | 'code_expired'
  | 'token_expired'
  | 'token_expired_by_hand'
  | 'token_revoked'
  | 'token_without_openid'
  | 'device_requested'
  | 'device_polled'
  | 'device_denied'
  | 'device_expired'
  | 'device_approved'
  | 'device_redeemed'
  | 'sign_in_page'
  | 'sign_in_form_sent'
  | 'proof_used';

export interface Mistake {
  id: string;
  title: string;
  /** What is sent instead, in a few words. */
  sends: string;
  answer: (profile: Profile, mode: AuthorizeMode) => AnswerKind;
  section: string;
  prepare?: Preparation;
  /** Why it cannot be tried now, or null. */
  blocked?: (material: Material) => string | null;
  build: (material: Material) => HttpRequest;
  /** What is wrong with its DPoP proof; `none` leaves it out. */
  proof?: ProofOrder | 'none';
}

export interface Expectation extends Answer {
  section: string;
}

/** Whether the actual response matched the expected one. */
export interface Verdict {
  mistake: string;
  title: string;
  expected: Expectation;
  got: Answer;
  came: boolean;
}

/** The rules under which the request is validated. */
export interface Rules {
  profile: Profile;
  dialect: Dialect;
  mode: AuthorizeMode;
}

export function expectationOf(mistake: Mistake, { profile, dialect, mode }: Rules): Expectation {
  const { section } = mistake;
  return { ...answerOf(mistake.answer(profile, mode), dialect), section };
}

function broughtBy(exchange: Exchange): Pick<Answer, 'brings'> {
  if (tokenAnswerOf(exchange) !== null) return { brings: 'tokens' };
  if (claimsOf(exchange) !== null) return { brings: 'claims' };
  if (deviceOf(exchange, '') !== null) return { brings: 'a device code' };
  if (redirectAnswerOf(exchange)?.has('code') === true) return { brings: 'a code' };
  return isSignInPage(exchange) ? { brings: 'the sign-in page' } : {};
}

export function verdictOf(mistake: Mistake, expected: Expectation, exchange: Exchange): Verdict {
  const { status, error } = exchange;
  const got = { status, error, ...broughtBy(exchange) };
  const came = got.status === expected.status && got.error === expected.error;
  return { mistake: mistake.id, title: mistake.title, expected, got, came };
}

export function answerInWords({ status, error, brings }: Answer): string {
  if (error !== null) return `${status} ${error}`;
  return brings === undefined ? statusWords(status) : `${status} with ${brings}`;
}
