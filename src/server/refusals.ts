// Lists every reason for a rejection with the places where it can happen and the responses there. The functions that
// answer requests make the responses; nothing is evaluated.

import {
  describeInGeneral,
  GeneralRefusal,
  type PlaceOfRefusal,
  PLACES,
} from '../core/checks/refusals/places.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import { type CheckId, type RefusalReason, REFUSALS } from '../core/checks/refusals/index.ts';
import { USUAL_CAUSES } from '../core/checks/refusals/usual-causes.ts';
import { ruleAt } from '../core/checks/rules.ts';
import { createEvaluation, type Endpoint } from '../core/checks/trace.ts';
import { GRANT_TYPES } from '../core/records/enumerations.ts';
import type { Dialect, GrantType } from '../core/records/schemas.ts';
import type { ResolvedShape } from '../core/shape/resolve.ts';
import type { TokenService } from '../core/service.ts';
import { redirectStatus } from './html.ts';
import { statusOf } from './dialects.ts';
import { errorAnswer, NO_ANSWER, PREFLIGHT_STATUS } from './reply.ts';

interface Wire {
  readonly status: number;
  readonly error: string | null;
  readonly description: string | null;
}

/** One endpoint, and one grant if the check depends on the grant. */
interface Spot {
  readonly endpoint: Endpoint | null;
  readonly grant_type: GrantType | null;
}

/** The grants whose requests run the check; only null for a check that runs before the grant is known. */
function grantsAt({ endpoint, grants = GRANT_TYPES }: PlaceOfRefusal, check: CheckId) {
  const isBefore = ruleAt({ endpoint, grant_type: null }, check) !== undefined;
  if (endpoint !== 'token' || isBefore) return [null];
  return grants.filter((grant_type) => ruleAt({ endpoint, grant_type }, check) !== undefined);
}

/** The status of a response that does not show the error (RFC 7009 2.2, RFC 7662 2.2); 0 without a response. */
function silentStatus(reason: RefusalReason): number {
  if (reason === 'tls_failed') return NO_ANSWER.status;
  return reason === 'preflight_method' ? PREFLIGHT_STATUS : 200;
}

function wireAt(
  refusal: OAuthError,
  { delivery, by_form }: PlaceOfRefusal,
  { endpoint, grant_type }: Spot,
  service: TokenService,
  dialect: Dialect,
  shape: ResolvedShape | null = null,
): Wire {
  const { reason, code, description } = refusal;
  switch (delivery) {
    case 'json': {
      const evaluation = { ...createEvaluation(0), endpoint, grant_type };
      const { status, error, body } = errorAnswer(refusal, evaluation, service, dialect, shape);
      const { error_description: text } = body;
      return { status, error, description: typeof text === 'string' ? text : null };
    }
    case 'page':
      return { status: statusOf(reason, code), error: code, description };
    case 'redirect':
      return { status: redirectStatus(by_form ? 'POST' : 'GET'), error: code, description };
    case 'none':
      return { status: silentStatus(reason), error: null, description: null };
  }
}

/** The status and error with the dialect and shape of the sandbox. */
function wireNow(refusal: OAuthError, place: PlaceOfRefusal, spot: Spot, service: TokenService) {
  const { dialect } = service.settings();
  const { status, error } = wireAt(refusal, place, spot, service, dialect, service.shape());
  return { status, error };
}

function refusalAtSpot(
  refusal: OAuthError,
  place: PlaceOfRefusal,
  spot: Spot,
  service: TokenService,
) {
  const { rule = '', section = '' } = ruleAt(spot, refusal.check) ?? {};
  return {
    delivery: place.delivery,
    rule,
    section,
    rfc6749: wireAt(refusal, place, spot, service, 'rfc6749'),
    auth0: wireAt(refusal, place, spot, service, 'auth0'),
    now: wireNow(refusal, place, spot, service),
  };
}

/** A place where the error can happen, and the response there. */
interface PlacedRefusal extends ReturnType<typeof refusalAtSpot> {
  readonly endpoint: Endpoint | null;
  /** null for all grants. */
  readonly grants: GrantType[] | null;
}

/** Returns the response for a rejected request with the dialect and shape of the sandbox. */
export function answerAt(
  reason: RefusalReason,
  { endpoint, grant_type }: Spot,
  method: string,
  service: TokenService,
): Omit<Wire, 'description'> {
  const { delivery } = PLACES[reason].find((place) => place.endpoint === endpoint) ?? {
    delivery: 'json',
  };
  const place = { endpoint, delivery, ...(method === 'POST' ? { by_form: true as const } : {}) };
  return wireNow(new GeneralRefusal(reason), place, { endpoint, grant_type }, service);
}

/** Merges places that differ only in their grant. */
function refusalsAtPlace(refusal: OAuthError, place: PlaceOfRefusal, service: TokenService) {
  const merged = new Map<string, PlacedRefusal>();
  for (const grant_type of grantsAt(place, refusal.check)) {
    const spot = { endpoint: place.endpoint, grant_type };
    const placed = refusalAtSpot(refusal, place, spot, service);
    const key = JSON.stringify(placed);
    const former = merged.get(key)?.grants ?? [];
    const grants = grant_type === null ? null : [...former, grant_type];
    merged.set(key, { endpoint: place.endpoint, grants, ...placed });
  }
  return [...merged.values()];
}

/** Returns all reasons in the order of evaluation. Texts that depend on the request are in general words. */
export function listRefusals(service: TokenService) {
  return (Object.keys(REFUSALS) as readonly RefusalReason[]).map((id) => {
    const refusal = new GeneralRefusal(id);
    const { check, summary, advice } = describeInGeneral(refusal);
    return {
      id,
      check,
      summary,
      usual_cause: USUAL_CAUSES[id],
      advice,
      places: PLACES[id].flatMap((place) => refusalsAtPlace(refusal, place, service)),
    };
  });
}
