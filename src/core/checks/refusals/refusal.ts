// The parts of a refusal: the check that failed, the error code, and the texts for the response and for people.

import { durationInWords } from '../../../words.ts';
import { keptExcerpt } from '../../collections/kept-text.ts';
import type { CheckId } from '../../records/trace-ids.ts';
import type { Profile } from '../../records/schemas.ts';

export type { CheckId };

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'invalid_target'
  | 'unsupported_response_type'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'invalid_request_uri'
  | 'invalid_request_object'
  | 'registration_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_user_authentication'
  | 'too_many_requests'
  | 'method_not_allowed'
  | 'not_found'
  | 'server_error'
  | 'temporarily_unavailable';

/** The values of a refusal that its texts mention. They are never secrets. */
export interface RefusalFacts {
  /** The name of a parameter that the protocol defines. */
  readonly field?: string;
  readonly expected?: string;
  readonly got?: string;
  /** Milliseconds of the sandbox clock. */
  readonly at?: number;
  readonly exchange?: number;
  readonly seconds?: number;
  /** The length of a secret. */
  readonly bytes?: number;
  readonly client?: string;
  readonly other_client?: string;
}

export type Words = string | ((facts: RefusalFacts) => string);

export interface Refusal {
  readonly check: CheckId;
  readonly error: ErrorCode;
  readonly description: Words;
  /** The cause in one sentence, for people. */
  readonly summary: Words;
  /** A detail that only the trace shows. */
  readonly detail?: (facts: RefusalFacts) => string | undefined;
  /** What to change. */
  readonly advice?: Words;
  /** The profile that accepts such a request, if the current profile is the cause. */
  readonly accepted_by?: Profile | ((facts: RefusalFacts) => Profile | null);
  /**
   * The value with which `got` is compared, character by character: the expected value, or the nearest registered
   * one.
   */
  readonly compared_with?: 'expected' | 'nearest';
}

export type RefusalTexts = Omit<Refusal, 'check' | 'error'>;

/** Returns refusals of one check, all with the same error code, by their reasons. */
export function failing<Reason extends string>(
  check: CheckId,
  error: ErrorCode,
  refusals: Readonly<Record<Reason, RefusalTexts>>,
): Readonly<Record<Reason, Refusal>> {
  const all = Object.entries<RefusalTexts>(refusals).map(([reason, texts]) => [
    reason,
    { check, error, ...texts },
  ]);
  return Object.fromEntries(all) as Record<Reason, Refusal>;
}

export const field = (facts: RefusalFacts): string => facts.field ?? 'a parameter';

/** Returns the moment on the sandbox clock as an RFC 3339 instant in UTC, which the page shows in its time zone. */
export const instant = (at = 0): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Returns how long ago a credential expired. It stays expired when the clock is set back (behaviour 4). */
export const since = ({ seconds = 0 }: RefusalFacts): string =>
  seconds < 0 ? 'expired before the clock was set back' : `expired ${durationInWords(seconds)} ago`;

/** Returns when and by which exchange it was done, such as `used at … by exchange 3`. */
export const done =
  (what: string) =>
  ({ at, exchange }: RefusalFacts): string =>
    `${what} at ${instant(at)}${exchange === undefined ? '' : ` by exchange ${exchange}`}`;

/** Returns how a token was revoked: by itself, or with its client. */
export const revoked = (facts: RefusalFacts): string =>
  facts.at === undefined
    ? 'its client is no longer registered'
    : `${done('revoked')(facts)}${facts.client === undefined ? '' : ', because its client was deleted'}`;

/** Returns when a token expired, by itself or over the control API. */
export const expired = (facts: RefusalFacts): string =>
  facts.seconds === undefined ? `expired manually at ${instant(facts.at)}` : since(facts);

export const claim = (facts: RefusalFacts): string => facts.field ?? 'a claim';

/** Says which value was expected instead. */
export const compared = (name: string) => ({
  compared_with: 'expected' as const,
  detail: ({ got = 'missing', expected = 'another' }: RefusalFacts) =>
    `${name} is ${got}, expected ${expected}`,
});

export const SANDBOX_CLOCK =
  'Times are compared with the sandbox clock: check the clock of the client against it.';

export const owner = (facts: RefusalFacts): string =>
  `issued to client ${facts.client ?? '?'}, presented by client ${facts.other_client ?? '?'}`;

const SHOWN_ID = 100;

/** Returns a detail about an unknown client_id, which is quoted to make a blank or a line break at its end visible. */
export const unknownClient = ({ got = '' }: RefusalFacts): string =>
  `client_id ${JSON.stringify(keptExcerpt(got, SHOWN_ID))} is not registered`;
