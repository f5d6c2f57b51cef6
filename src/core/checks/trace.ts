// The trace of one evaluation (behaviour 3): small records on the hot path, words when someone looks.

import type { Credential, IssuingExchange, Lineage } from '../model/credentials.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import { MAX_SHOWN, type OAuthError } from './errors.ts';
import { keptExcerpt } from '../collections/kept-text.ts';
import type { CheckId } from './refusals/index.ts';
import type { GrantType, Profile, Sender } from '../records/schemas.ts';
import type { DeviationId } from '../records/trace-ids.ts';
import type { ThrottleDecision } from '../throttle/throttle.ts';

/** A check that was made; one that passed and compared nothing worth showing is its id alone. */
type CheckRecord = CheckId | CheckDetail;

export interface CheckDetail {
  readonly id: CheckId;
  readonly passed: boolean;
  readonly expected?: string;
  readonly got?: string;
  readonly note?: string;
}

export type { DeviationId };

export interface DeviationRecord {
  readonly id: DeviationId;
  /** What it was about: names of parameters or scopes the protocol or the registry knows. */
  readonly about?: string;
}

export interface AdvisoryRecord {
  readonly kind: 'over_fetch' | 'repeated_authorization';
  readonly seconds_left: number;
}

/** The form that a person was asked to sign in with: its token, and the scopes to be agreed to. */
interface SignInForm {
  readonly form: string;
  readonly scopes: readonly string[];
}

/** The endpoints that evaluate requests. */
export type Endpoint =
  | 'authorize'
  | 'device'
  | 'device_authorization'
  | 'introspect'
  | 'logout'
  | 'par'
  | 'register'
  | 'revoke'
  | 'token'
  | 'userinfo';

/** Everything one request's evaluation leaves behind. Filled as it goes, read by those who look. */
export interface Evaluation extends IssuingExchange {
  readonly sent_by: Sender;
  /** null while none of them was reached. */
  endpoint: Endpoint | null;
  profile: Profile | null;
  content_type: 'json' | 'form' | null;
  grant_type: GrantType | null;
  /** Once known; before, the one the request claims, if it is registered. */
  client_id: string | null;
  readonly checks: CheckRecord[];
  deviations: readonly DeviationRecord[];
  advisories: readonly AdvisoryRecord[];
  throttle: ThrottleDecision | null;
  credential: Credential | null;
  lineage: Lineage | null;
  /** null where nobody was asked. */
  sign_in: SignInForm | null;
  /** Of an access token that was presented; its record may be gone. */
  access_token: AccessTokenId | null;
  refusal: OAuthError | null;
  /** Why a token was found unknown or inactive where that is an answer, no refusal. */
  finding: OAuthError | null;
}

// Most requests have neither: they share one empty list, as thousands of evaluations are kept.
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

/** What a request brought is cut, and the texts that it was taken out of let go: traces are kept. */
function keptOperands({ expected, got, note }: Operands): Operands {
  return {
    ...(expected === undefined ? {} : { expected: keptExcerpt(expected, MAX_SHOWN) }),
    ...(got === undefined ? {} : { got: keptExcerpt(got, MAX_SHOWN) }),
    ...(note === undefined ? {} : { note: keptExcerpt(note, MAX_SHOWN) }),
  };
}

/** Records a check that was passed, with what it compared where that is worth showing. */
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

/** Records the refusal as the evaluation's end. */
export function fail(evaluation: Evaluation, refusal: OAuthError): void {
  evaluation.refusal = refusal;
  evaluation.checks.push(failedCheck(refusal));
}

/** Records what is wrong with a token though the request for it is in order (RFC 7009 2.2, RFC 7662 2.2). */
export function find(evaluation: Evaluation, finding: OAuthError): void {
  evaluation.finding = finding;
  evaluation.checks.push(failedCheck(finding));
}

export function note(evaluation: Evaluation, id: DeviationId, about?: string): void {
  const record = about === undefined ? { id } : { id, about: keptExcerpt(about, MAX_SHOWN) };
  evaluation.deviations = [...evaluation.deviations, record];
}

/** Notes what the provider's shape changed of the response: one note, to which more is added. */
export function noteShape(by: IssuingExchange, shape: string, what: string): void {
  const former = by.deviations.find(({ id }) => id === 'shape_applied');
  const about = former?.about === undefined ? `${shape}: ${what}` : `${former.about}, ${what}`;
  const others = by.deviations.filter((one) => one !== former);
  by.deviations = [...others, { id: 'shape_applied', about: keptExcerpt(about, MAX_SHOWN) }];
}

export function advise(evaluation: Evaluation, advisory: AdvisoryRecord): void {
  evaluation.advisories = [...evaluation.advisories, advisory];
}
