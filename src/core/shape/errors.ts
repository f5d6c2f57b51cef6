// How the shape answers a refusal: the first rule that fits decides about status and body.

import type { OAuthError } from '../checks/errors.ts';
import type { Evaluation } from '../checks/trace.ts';
import type { KnownFacts } from './claims.ts';
import type { ErrorRule, ResolvedShape } from './shape.ts';

export interface ShapedError {
  /** null: as it is without a shape. */
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>> | null;
}

const fits = (rule: ErrorRule, refusal: OAuthError, { grant_type }: Evaluation): boolean =>
  (rule.reason ?? refusal.reason) === refusal.reason &&
  (rule.error ?? refusal.code) === refusal.code &&
  (rule.grant_type ?? grant_type) === grant_type;

/** null where no rule fits. */
export function shapedError(
  shape: ResolvedShape,
  refusal: OAuthError,
  evaluation: Evaluation,
  facts: Pick<KnownFacts, 'sha256' | 'issuer' | 'now'>,
): ShapedError | null {
  const rule = shape.errors.find((one) => fits(one, refusal, evaluation));
  if (rule === undefined) return null;
  const known = {
    ...facts,
    parameters: shape.parameters,
    error: refusal.code,
    error_description: refusal.description,
    exchange: evaluation.exchange,
  };
  return { status: rule.status ?? null, body: rule.body?.fill(known).members ?? null };
}
