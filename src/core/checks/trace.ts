// The trace of one evaluation (behaviour 3). Requests record only small data; texts are generated when someone views
// the exchange.

import type { Credential, IssuingExchange, Lineage } from '../model/credentials.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import { MAX_SHOWN, OAuthError } from './errors.ts';
import { keptExcerpt } from '../collections/kept-text.ts';
import type { CheckId } from './refusals/index.ts';
import type { Authentication, GrantType, Profile, Sender } from '../records/schemas.ts';
import type { DeviationId, EVALUATING_ENDPOINTS } from '../records/trace-ids.ts';
import type { ThrottleDecision } from '../throttle/throttle.ts';

/** A check that was made. A check that passed and has no details is represented by its id. */
type CheckRecord = CheckId | CheckDetail;

export interface CheckDetail {
  readonly id: CheckId;
  readonly passed: boolean;
  readonly expected?: string;
  readonly got?: string;
  readonly note?: string;
}

export interface DeviationRecord {
  readonly id: DeviationId;
  /** What the deviation is about: names of parameters or scopes that the protocol or the registry defines. */
  readonly about?: string;
}

export interface AdvisoryRecord {
  readonly kind: 'over_fetch' | 'repeated_authorization';
  readonly seconds_left: number;
}

/** The sign-in form shown to the user: its token, the scopes that require consent, and what else it asks for. */
interface SignInForm {
  readonly form: string;
  readonly scopes: readonly string[];
  readonly authentication: Authentication;
  /** The code that the page shows and expects; null if it asks for none. */
  readonly one_time_code: string | null;
}

export type Endpoint = (typeof EVALUATING_ENDPOINTS)[number];

/** The result of evaluating one request. It is filled in during the evaluation, and read by viewers. */
export interface Evaluation extends IssuingExchange {
  readonly sent_by: Sender;
  /** null until the request reaches one of them. */
  endpoint: Endpoint | null;
  profile: Profile | null;
  content_type: 'json' | 'form' | null;
  grant_type: GrantType | null;
  /** The authenticated client; before that, the client that the request claims to be from, if it is registered. */
  client_id: string | null;
  readonly checks: CheckRecord[];
  deviations: readonly DeviationRecord[];
  advisories: readonly AdvisoryRecord[];
  throttle: ThrottleDecision | null;
  credential: Credential | null;
  lineage: Lineage | null;
  /** null if no form was shown. */
  sign_in: SignInForm | null;
  /** Identifier of the presented access token, whose record may no longer be stored. */
  access_token: AccessTokenId | null;
  refusal: OAuthError | null;
  /** Why a token is unknown or inactive, if the response is not an error. */
  finding: OAuthError | null;
}

// Most requests have neither and share one empty list, because thousands of evaluations are stored.
const NONE: readonly never[] = [];

export function createEvaluation(exchange: number, sent_by: Sender = 'app'): Evaluation {
  return {
    exchange,
    sent_by,
    endpoint: null,
    profile: null,
    content_type: null,
    grant_type: null,
    client_id: null,
    checks: [],
    deviations: NONE,
    advisories: NONE,
    throttle: null,
    credential: null,
    lineage: null,
    issued: NONE,
    dpop: null,
    sign_in: null,
    access_token: null,
    refusal: null,
    finding: null,
  };
}

type Operands = Omit<CheckDetail, 'id' | 'passed'>;

/**
 * Shortens and copies the values of a request, because traces are stored and must not keep whole requests in memory.
 */
function keptOperands({ expected, got, note }: Operands): Operands {
  return {
    ...(expected === undefined ? {} : { expected: keptExcerpt(expected, MAX_SHOWN) }),
    ...(got === undefined ? {} : { got: keptExcerpt(got, MAX_SHOWN) }),
    ...(note === undefined ? {} : { note: keptExcerpt(note, MAX_SHOWN) }),
  };
}

/** Records a check that passed, with the compared values if they should be shown. */
export function pass(evaluation: Evaluation, id: CheckId, operands?: Operands): void {
  evaluation.checks.push(
    operands === undefined ? id : { id, passed: true, ...keptOperands(operands) },
  );
}

function failedCheck({ check, facts: { expected, got } }: OAuthError): CheckDetail {
  return {
    id: check,
    passed: false,
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? {} : { got }),
  };
}

/** Records the refusal that ends the evaluation. */
export function fail(evaluation: Evaluation, refusal: OAuthError): void {
  evaluation.refusal = refusal;
  evaluation.checks.push(failedCheck(refusal));
}

/** Records what is wrong with a request that is answered nevertheless. */
export function recordFinding(evaluation: Evaluation, finding: OAuthError): void {
  evaluation.finding = finding;
  evaluation.checks.push(failedCheck(finding));
}

/**
 * Examines the token of a request that is otherwise correct. What is wrong with the token is no error, but recorded
 * (RFC 7009 2.2, RFC 7662 2.2); the result is then null.
 */
export async function orFinding<T>(
  evaluation: Evaluation,
  examine: () => Promise<T>,
): Promise<T | null> {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    recordFinding(evaluation, error);
    return null;
  }
}

export function note(evaluation: Evaluation, id: DeviationId, about?: string): void {
  const record = about === undefined ? { id } : { id, about: keptExcerpt(about, MAX_SHOWN) };
  evaluation.deviations = [...evaluation.deviations, record];
}

/** Notes what the provider's shape changed in the response. All changes are collected in one note. */
export function noteShape(by: IssuingExchange, shape: string, what: string): void {
  const former = by.deviations.find(({ id }) => id === 'shape_applied');
  const about = former?.about === undefined ? `${shape}: ${what}` : `${former.about}, ${what}`;
  const others = by.deviations.filter((one) => one !== former);
  by.deviations = [...others, { id: 'shape_applied', about: keptExcerpt(about, MAX_SHOWN) }];
}

export function advise(evaluation: Evaluation, advisory: AdvisoryRecord): void {
  evaluation.advisories = [...evaluation.advisories, advisory];
}
