// Applies the shape to claims, responses and errors, and notes its changes in the exchange.

import { type Evaluation, noteShape } from '../checks/trace.ts';
import type { IssuingExchange } from '../model/credentials.ts';
import type { Facts } from './facts.ts';
import { CLIENT_CLAIMS, ID_CLAIMS, type TemplateName } from './template-rules.ts';
import type { ErrorRule, ResolvedShape } from './resolve.ts';
import type { FilledTemplate } from './template.ts';
import type { OAuthError } from '../checks/errors.ts';

const CHANGED: Readonly<Record<TemplateName, string>> = {
  access_token: 'claims of the access token',
  id_token: 'claims of the id_token',
  userinfo: 'claims at userinfo',
  refresh_token: 'claims of the refresh token',
  token_response: 'members of the token response',
  device_response: 'members of the device authorization response',
};

/** The values that the caller knows; the shape adds its own. */
type KnownFacts = Omit<Facts, 'parameters'>;

/** The service reads its access tokens by these claims, so no custom claim replaces them. */
const IDENTIFYING = new Set<string>([...ID_CLAIMS, ...CLIENT_CLAIMS]);

/** Whether a custom claim is already among the members, so that the provider's does not replace it. */
const isCustom = (
  name: string,
  own: Readonly<Record<string, unknown>>,
  { user, client }: KnownFacts,
): boolean =>
  Object.hasOwn(own, name) &&
  [user, client].some((record) => record !== undefined && Object.hasOwn(record.claims, name));

/**
 * Returns the members with those of the filled-in template.
 * @param isKept whether a member is kept, whatever the template says
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
 * Returns the members with those of the shape's template; unchanged without a shape.
 * @param by the exchange that notes the changes; null for the control API
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
  const mayBeCustom = (claim: string) => name !== 'access_token' || !IDENTIFYING.has(claim);
  return withTemplate(own, filled, (claim) => mayBeCustom(claim) && isCustom(claim, own, facts));
}

interface ShapedError {
  /** null to leave it as without a shape. */
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>> | null;
}

const fits = (rule: ErrorRule, refusal: OAuthError, { grant_type }: Evaluation): boolean =>
  (rule.reason ?? refusal.reason) === refusal.reason &&
  (rule.error ?? refusal.code) === refusal.code &&
  (rule.grant_type ?? grant_type) === grant_type;

/** Returns status and body for a refusal, from the first rule of the shape that matches; null if none does. */
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
