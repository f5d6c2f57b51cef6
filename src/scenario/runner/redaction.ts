// Redacts the secrets of a run in its results: each known one by its name, and whatever else looks like a
// code or a token. A run learns its secrets step by step.

import { createKnownValues } from '../../redact/known-values.ts';
import { createRedactor } from '../../redact/redactor.ts';
import type { Variables } from './variables.ts';

/** @param more secrets of the workspace */
export function createRunRedactor(
  { secrets }: Pick<Variables, 'secrets'>,
  more: readonly string[],
) {
  const known = createKnownValues();
  const { words } = createRedactor({ known, isIssued: () => false });
  const named = new Set<string>();
  for (const value of more) known.add(value, '[client_secret]');
  return (text: string): string => {
    for (const [value, name] of secrets()) {
      if (!named.has(value)) known.add(value, `[${name}]`);
      named.add(value);
    }
    return words(text);
  };
}
