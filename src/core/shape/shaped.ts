// Claims, responses and errors with what the shape says of them; the exchange says what it changed.

import { type Evaluation, noteShape } from '../checks/trace.ts';
import type { IssuingExchange } from '../model/credentials.ts';
import type { Facts } from './facts.ts';
import type { TemplateName } from './rules.ts';
import type { ErrorRule, ResolvedShape } from './resolve.ts';
import type { FilledTemplate } from './template.ts';
import type { OAuthError } from '../checks/errors.ts';

const CHANGED: Readonly<Record<TemplateName, string>> = {
  access_token: 'claims of the access token',
  id_token: 'claims of the id_token',
  userinfo: 'claims at userinfo',
  refresh_token: 'claims of the refresh token',
  token_response: 'members of the token response',
};

/** What the caller knows; the rest is the shape's. */
type KnownFacts = Omit<Facts, 'parameters'>;

/** A custom claim that is among the members already: the provider's does not replace it. */
const isCustom = (
  name: string,
  own: Readonly<Record<string, unknown>>,
  { user, client }: KnownFacts,
): boolean =>
  Object.hasOwn(own, name) &&
  [user, client].some((record) => record !== undefined && Object.hasOwn(record.claims, name));

/**
 * The members with those of the filled-in template in them.
 * @param isKept whether a member stays as it is, whatever the template says
 */
function withTemplate(
  own: Readonly<Record<string, unknown>>,
  { members, removed }: FilledTemplate,
  isKept: (name: string) => boolean,
): Record<string, unknown> {
  const kept = Object.entries(own).filter(([name]) => !removed.includes(name) || isKept(name));
  const set = Object.entries(members).filter(([name]) => !isKept(name));
  return Object.fromEntries([...kept, ...set]);
}

/**
 * The members with those of the shape's template in them; as they are without a shape.
 * @param by the exchange that is told; null over control
 */
export function shaped<T extends Readonly<Record<string, unknown>>>(
  own: T,
  name: TemplateName,
  shape: ResolvedShape | null,
  facts: KnownFacts,
  by: IssuingExchange | null,
): T | Record<string, unknown> {
  const template = shape?.templates[name];
  if (shape === null || template === undefined || template.names.length === 0) return own;
  const filled = template.fill({ ...facts, parameters: shape.parameters });
  if (by !== null) {
    const more = filled.exceeded ? ', of which some did not fit' : '';
    noteShape(by, shape.name, `${CHANGED[name]}${more}`);
  }
  return withTemplate(own, filled, (claim) => isCustom(claim, own, facts));
}

interface ShapedError {
  /** null: as it is without a shape. */
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>> | null;
}

const fits = (rule: ErrorRule, refusal: OAuthError, { grant_type }: Evaluation): boolean =>
  (rule.reason ?? refusal.reason) === refusal.reason &&
  (rule.error ?? refusal.code) === refusal.code &&
  (rule.grant_type ?? grant_type) === grant_type;

/** How the shape answers a refusal: the first rule that fits decides about status and body. null where none fits. */
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
