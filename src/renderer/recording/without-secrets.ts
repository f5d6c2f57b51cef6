// The last look at the steps of a scenario that holds no secret: whatever is known as one, or looks like a
// code or a token, is redacted. What was typed in by hand may be a credential of anywhere.

import { isJsonObject } from '../../oauth/json-object.ts';
import { createKnownValues } from '../../redact/known-values.ts';
import { createRedactor } from '../../redact/redactor.ts';
import { REDACTED } from '../../redact/spans.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { isBasic, readBasic } from '../../oauth/client-authentication.ts';
import type { Client } from '../../control/schemas.ts';
import { WRONG_SECRET } from './stand-ins.ts';

/** Encoded, it looks like a credential. */
const isStandIn = (value: string): boolean =>
  isBasic(value) && readBasic(value)?.client_secret === WRONG_SECRET;

/** As long as a credential, and of one run only (RFC 7636 4.1, 4.2). */
const OPEN = ['code_challenge', 'code_verifier'];

/** @param has_stand_ins whether passwords are stand-ins, which its own workspace registers */
export function withoutSecrets(
  steps: readonly ScenarioStep[],
  clients: readonly Client[],
  has_stand_ins: boolean,
): ScenarioStep[] {
  const known = createKnownValues();
  for (const { client_secret } of clients) known.add(client_secret ?? '');
  const { words } = createRedactor({ known, isIssued: () => false });
  const member = (name: string, value: unknown): unknown => {
    if (name === 'password' && typeof value === 'string') return has_stand_ins ? value : REDACTED;
    return OPEN.includes(name) ? value : hidden(value);
  };
  const hidden = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return isStandIn(value) ? value : (known.whole(value) ?? words(value));
    }
    if (Array.isArray(value)) return value.map(hidden);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, member(name, inner)]),
    );
  };
  return steps.map((step) => hidden(step) as ScenarioStep);
}
