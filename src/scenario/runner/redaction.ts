// Redacts the secrets of a run in its results: each known one by its name, and whatever else looks like a
// code or a token. A run learns its secrets step by step.

import { createKnownValues } from '../../redact/known-values.ts';
import { createRedactor } from '../../redact/redactor.ts';
import type { ScenarioSandbox } from './sandbox.ts';
import type { Variables } from '../actions/variables.ts';

export function createRunRedactor(
  { secrets }: Pick<Variables, 'secrets'>,
  { clients, users }: Pick<ScenarioSandbox, 'clients' | 'users'>,
) {
  const known = createKnownValues();
  const { words } = createRedactor({ known, isIssued: () => false });
  const named = new Set<string>();
  for (const { client_secret } of clients) {
    if (client_secret !== null) known.add(client_secret, '[client_secret]');
  }
  for (const { password } of users) {
    if (password !== null) known.add(password, '[password]');
  }
  return (text: string): string => {
    for (const [value, name] of secrets()) {
      if (!named.has(value)) known.add(value, `[${name}]`);
      named.add(value);
    }
    return words(text);
  };
}
