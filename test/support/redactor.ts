// A redactor that knows these secrets, in a sandbox that has issued nothing.

import { createKnownValues } from '../../src/redact/known-values.ts';
import { createRedactor } from '../../src/redact/redactor.ts';

export function redactorOf(...secrets: readonly string[]) {
  const known = createKnownValues();
  for (const secret of secrets) known.add(secret);
  return { known, ...createRedactor({ known, isIssued: () => false }) };
}
