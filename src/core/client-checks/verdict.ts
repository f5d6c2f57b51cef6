// What a run of a case shows about the app: decided from whether the misbehaviour was sent, what the app did then, and how
// its login ended. The table is in docs/guides/check-your-app.md.

import type { CheckResult, Login } from '../records/client-checks.ts';
import type { CheckRecord } from '../records/schemas.ts';
import type { ClientCase } from './case.ts';

export type CaseEvidence = Omit<CheckRecord, 'case' | 'client_id' | 'ended_at'>;

export interface Verdict {
  readonly result: CheckResult;
  /** In a sentence. */
  readonly why: string;
}

const WENT_ON: Readonly<Record<NonNullable<ClientCase['progress']>, string>> = {
  authorization: 'The app went on with an authorization or token request.',
  code: 'The app redeemed the code.',
  tokens: 'The app used the tokens.',
  same_refresh_token: 'The app sent the rejected refresh token again.',
  early_retry: 'The app sent the request again before Retry-After.',
  retry_loop: 'The app sent the request more than three times.',
};

const ofLogin = (evidence: CaseEvidence): Login =>
  evidence.login_tells ? evidence.login : 'unknown';

function ofGoodCase(evidence: CaseEvidence): Verdict {
  switch (ofLogin(evidence)) {
    case 'succeeded':
      return { result: 'passed', why: 'The login succeeded.' };
    case 'failed':
      return { result: 'refused', why: 'The login failed, although the response is valid.' };
    case 'unknown':
      return evidence.went_on
        ? { result: 'passed', why: 'The app went on after the response.' }
        : { result: 'unclear', why: 'Nothing shows whether the app took the response.' };
  }
}

function ofFailedLogin({ good_after }: CaseEvidence): Verdict {
  if (good_after === true) {
    return { result: 'refused', why: 'The login failed; a good login afterwards succeeded.' };
  }
  const why =
    good_after === null
      ? 'The login failed, and no good login was tried afterwards.'
      : 'The login failed, and so did the good login afterwards.';
  return { result: 'unclear', why };
}

function ofSilence({ good_after, goes_on_when_good }: CaseEvidence): Verdict {
  return good_after !== false && goes_on_when_good === true
    ? { result: 'refused', why: 'The app stopped; in a good login it goes on.' }
    : { result: 'unclear', why: 'Nothing shows whether the app took the response.' };
}

function ofBadCase(one: ClientCase, evidence: CaseEvidence): Verdict {
  const { progress, by_traffic, look_for } = one;
  if (evidence.went_on && progress !== null) return { result: 'accepted', why: WENT_ON[progress] };
  if (by_traffic) return { result: 'refused', why: 'The app did what it must.' };
  switch (ofLogin(evidence)) {
    case 'succeeded':
      return { result: 'accepted', why: 'The login succeeded.' };
    case 'failed':
      return look_for === null ? ofFailedLogin(evidence) : { result: 'unclear', why: look_for };
    case 'unknown':
      return look_for === null ? ofSilence(evidence) : { result: 'unclear', why: look_for };
  }
}

export function verdictOf(one: ClientCase, evidence: CaseEvidence): Verdict {
  if (!evidence.reached) return { result: 'not_reached', why: one.unreached };
  if (one.expected === 'either') return { result: 'passed', why: 'A client may do either.' };
  return one.expected === 'accept' ? ofGoodCase(evidence) : ofBadCase(one, evidence);
}

/** Whether a good login afterwards decides what is unclear now. */
export const awaitsGoodLogin = (
  { expected, look_for }: ClientCase,
  evidence: CaseEvidence,
): boolean =>
  evidence.reached &&
  expected === 'refuse' &&
  look_for === null &&
  evidence.good_after === null &&
  (ofLogin(evidence) === 'failed' || evidence.goes_on_when_good === null);

/** Whether the result is a fault of the app. */
export const isFault = ({ expected }: ClientCase, result: CheckResult): boolean =>
  result === (expected === 'accept' ? 'refused' : 'accepted');
