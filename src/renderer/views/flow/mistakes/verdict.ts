// What a deliberate mistake should meet, and whether the actual response was that (behaviour 1 and 3).

import type { Dialect, Exchange, Profile } from '../../../../control/schemas.ts';
import { redirectAnswerOf, tokenAnswerOf } from '../../../exchange/answer.ts';
import { isSignInPage } from '../../../../scenario/sign-in-form.ts';
import { deviceOf } from '../../../exchange/device-answer.ts';
import { claimsOf } from '../../../exchange/userinfo-claims.ts';
import { answerOf, type Answer } from './answers.ts';
import type { AuthorizeMode, Mistake } from './mistake.ts';

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
