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
  logout: 'The app accepted the logout token.',
};

/** What an app did not do, in the cases that requests alone decide. */
const REFRAINED: Partial<Record<NonNullable<ClientCase['progress']>, string>> = {
  same_refresh_token: 'The app did not send the rejected refresh token again.',
  early_retry: 'The app did not send the request again before Retry-After.',
  retry_loop: 'The app sent the request at most three times.',
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

/** @param seen what speaks for a refusal, as the beginning of a sentence */
function ofRefusal(seen: string, { good_after }: CaseEvidence): Verdict {
  if (good_after === true) {
    return { result: 'refused', why: `${seen}; a good login afterwards succeeded.` };
  }
  const why =
    good_after === null
      ? `${seen}; no good login has confirmed the refusal yet.`
      : `${seen}, but the good login afterwards failed too.`;
  return { result: 'unclear', why };
}

function ofShown(look_for: string, evidence: CaseEvidence): Verdict {
  switch (evidence.shown) {
    case true:
      return { result: 'accepted', why: `The app shows “${look_for}”.` };
    case false:
      return ofRefusal(`The app does not show “${look_for}”`, evidence);
    case null:
      return { result: 'unclear', why: `Nobody has said whether the app shows “${look_for}”.` };
  }
}

function ofSilence({ good_after, goes_on_when_good }: CaseEvidence): Verdict {
  return good_after !== false && goes_on_when_good === true
    ? { result: 'refused', why: 'The app stopped; in a good login it goes on.' }
    : { result: 'unclear', why: 'Nothing shows whether the app took the response.' };
}

const ofLogout = ({ good_after }: CaseEvidence): Verdict =>
  good_after === true
    ? { result: 'refused', why: 'The app answered 400, and accepted a valid logout token.' }
    : {
        result: 'unclear',
        why: 'The app did not answer the wrong token with 400, or did not accept a valid one either.',
      };

function ofBadCase(one: ClientCase, evidence: CaseEvidence): Verdict {
  const { progress, by_traffic, look_for } = one;
  if (evidence.went_on && progress !== null) return { result: 'accepted', why: WENT_ON[progress] };
  if (one.logout !== null) return ofLogout(evidence);
  const refrained = by_traffic && progress !== null ? REFRAINED[progress] : undefined;
  if (refrained !== undefined) return { result: 'refused', why: refrained };
  switch (ofLogin(evidence)) {
    case 'succeeded':
      return { result: 'accepted', why: 'The login succeeded.' };
    case 'failed':
      return look_for === null
        ? ofRefusal('The login failed', evidence)
        : ofShown(look_for, evidence);
    case 'unknown':
      return look_for === null ? ofSilence(evidence) : ofShown(look_for, evidence);
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
  evidence.good_after === null &&
  (look_for === null
    ? ofLogin(evidence) === 'failed' || evidence.goes_on_when_good === null
    : evidence.shown === false);

export const isFault = ({ expected }: ClientCase, result: CheckResult): boolean =>
  result === (expected === 'accept' ? 'refused' : 'accepted');
