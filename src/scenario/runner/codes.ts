// The codes that the steps of a run brought, each with what its exchange has to send beside it.

import type { PkcePair } from '../../oauth/pkce.ts';
import type { Variables } from './variables.ts';

export interface CodeFacts {
  readonly redirect_uri: unknown;
  readonly audience: unknown;
  readonly code_verifier: unknown;
}

/** What of a run has to do with its codes. */
interface CodesOfRun {
  readonly variables: Variables;
  readonly sandbox: { readonly issuer: string };
  readonly codes: Map<string, CodeFacts>;
}

function setCode({ set }: Variables, code: string, facts: CodeFacts): void {
  set('code', code);
  for (const [name, value] of Object.entries(facts)) set(name, value);
}

export function rememberCode(
  { variables, sandbox, codes }: CodesOfRun,
  code: unknown,
  about: { redirect_uri: unknown; audience: unknown; pkce: PkcePair | null },
): void {
  if (typeof code !== 'string') return;
  const { redirect_uri, audience, pkce } = about;
  const code_verifier = pkce?.verifier;
  const facts = { redirect_uri, audience: audience ?? sandbox.issuer, code_verifier };
  codes.set(code, facts);
  setCode(variables, code, facts);
}

/** Sends with what belongs to the code that the step names; the variables stay those of the newest one. */
export async function withFactsOf<T>(
  named: unknown,
  { variables, codes }: CodesOfRun,
  send: () => Promise<T>,
): Promise<T> {
  const code = typeof named === 'string' ? variables.filled(named) : '';
  const facts = codes.get(code);
  const newest = [...codes].at(-1);
  if (facts === undefined || newest === undefined) return send();
  setCode(variables, code, facts);
  try {
    return await send();
  } finally {
    setCode(variables, ...newest);
  }
}
