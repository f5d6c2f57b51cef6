// What a request that is wrong on purpose is: what it changes, what the service should answer and
// where that is written (behaviour.md 1 and 3), and whether the answer came.

import type { Client, Dialect, Exchange, Profile, SendRequest } from '../../../control/schemas.ts';
import { statusWords } from '../../status.ts';
import type { BodyFormat, Fields } from './requests.ts';

/** Kinds of answers, apart from how a dialect words them. */
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
  | 'bad_scope';

export interface Answer {
  status: number;
  error: string | null;
}

const RFC_6749: Record<AnswerKind, Answer> = {
  tokens: { status: 200, error: null },
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
};

const AUTH0: Partial<Record<AnswerKind, Answer>> = {
  bad_client: { status: 401, error: 'access_denied' },
  bad_code: { status: 403, error: 'invalid_grant' },
  bad_refresh_token: { status: 403, error: 'invalid_grant' },
  bad_redirect: { status: 403, error: 'unauthorized_client' },
  bad_pkce: { status: 403, error: 'invalid_grant' },
};

export function answerOf(kind: AnswerKind, dialect: Dialect): Answer {
  const bent = dialect === 'auth0' ? AUTH0[kind] : undefined;
  return bent ?? RFC_6749[kind];
}

/** What a mistake is made of: the right request, and what else is at hand to get it wrong with. */
export interface Material {
  fields: Fields;
  format: BodyFormat;
  /** A client other than the flow's own; null when there is none. */
  other_client: Client | null;
  /** An audience other than the code's: a registered one when there is one. */
  other_audience: string;
  access_token: string | null;
  /** A code that was redeemed already, only for a mistake that asked for it. */
  code: string | null;
  frozen: boolean;
}

/** What the runner has to get ready before the request is sent. */
export type Preparation = 'none' | 'redeem_first' | 'let_expire';

export interface Mistake {
  id: string;
  title: string;
  /** What is sent instead, in a few words. */
  sends: string;
  answer: (profile: Profile) => AnswerKind;
  section: string;
  prepare?: Preparation;
  /** Why it cannot be tried now, or null. */
  blocked?: (material: Material) => string | null;
  build: (material: Material) => SendRequest;
}

export interface Expectation extends Answer {
  section: string;
}

/** Whether the answer announced beforehand came. */
export interface Verdict {
  mistake: string;
  title: string;
  expected: Expectation;
  got: Answer;
  came: boolean;
}

export function expectationOf(mistake: Mistake, profile: Profile, dialect: Dialect): Expectation {
  return { ...answerOf(mistake.answer(profile), dialect), section: mistake.section };
}

export function judge(mistake: Mistake, expected: Expectation, exchange: Exchange): Verdict {
  const got = { status: exchange.status, error: exchange.error };
  const came = got.status === expected.status && got.error === expected.error;
  return { mistake: mistake.id, title: mistake.title, expected, got, came };
}

export function answerInWords({ status, error }: Answer): string {
  if (status === 0) return statusWords(status);
  return error === null ? `${status} with tokens` : `${status} ${error}`;
}
