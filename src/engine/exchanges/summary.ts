// Summarizes a captured exchange for a list, without secrets.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { shortCause } from '../../core/checks/describe-cause.ts';
import type { CheckId } from '../../core/checks/refusals/index.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import { describeFault } from '../../core/faults/words.ts';
import { lineageId } from '../../core/model/credentials.ts';
import type { WordRules } from '../../redact/redactor.ts';
import { requesterOf, type CapturedExchange } from '../../server/capture.ts';
import { timeText } from '../format.ts';
import type { ExchangeRedactor } from './exchange-redactor.ts';

/** Checks that name keys by their ids, thumbprints or hashes, which look like credentials. */
const NAMING_KEYS: readonly CheckId[] = [
  'client_secret',
  'credential_client',
  'request_object',
  'dpop_signature',
  'dpop_key',
  'dpop_token',
];

/** Returns the redactor for the texts of this check. */
export const rulesFor = (check: CheckId): WordRules => ({ keys: NAMING_KEYS.includes(check) });

export function lineageIdOf(evaluation: Evaluation | null): string | null {
  if (evaluation === null) return null;
  const { lineage, access_token } = evaluation;
  return lineage === null ? (access_token?.lineage ?? null) : lineageId(lineage);
}

export function exchangeSummary(
  exchange: CapturedExchange,
  redactor: ExchangeRedactor,
): ExchangeSummary {
  const { evaluation, fault, held, problem } = exchange;
  const { words } = redactor;
  const { client_id, grant_type } = requesterOf(exchange);
  const refusal = evaluation?.refusal ?? null;
  const cause = refusal ?? evaluation?.finding ?? null;
  const reason = problem === undefined ? null : words(problem);
  return {
    number: exchange.number,
    at: timeText(exchange.at),
    method: exchange.method,
    path: redactor.targetOf(exchange),
    endpoint: exchange.endpoint,
    ip: exchange.ip,
    sent_by: exchange.sent_by,
    grant_type,
    client_id,
    status: exchange.status,
    error: exchange.error === null ? null : words(exchange.error),
    cause: cause === null ? reason : words(shortCause(cause), rulesFor(cause.check)),
    duration_ms: Math.round(exchange.duration_ms * 1000) / 1000,
    lineage_id: lineageIdOf(evaluation),
    sub: evaluation?.lineage?.user_sub ?? null,
    login: exchange.login,
    retry_of: exchange.retry_of,
    throttled: refusal?.reason === 'throttled',
    fault:
      fault === null
        ? null
        : {
            id: fault.id,
            name: words(fault.name),
            what: words(describeFault(fault, exchange.fault_interrupted)),
          },
    held: held === null ? null : { ...held, what: words(held.what) },
    deviations: evaluation?.deviations.length ?? 0,
    advisories: evaluation?.advisories.length ?? 0,
  };
}
