// A walk through the flow kept by name: what was entered, without secrets, codes and tokens, and what was
// done. Kept by the browser or the window, as it is the page's own: a workspace holds what the service is.

import { z } from '../../../control/zod.ts';
import type { Choice } from './choice.ts';
import { startingInputs, STEP_IDS, type FlowInputs, type FlowState } from './flow-state.ts';

export const MOST_FLOWS = 50;
export const LONGEST_NAME = 80;

const text = z.nullable(z.string().check(z.maxLength(2000)));

/** No secret, no code, no token: those are of one walk only. */
const inputsSchema = z.strictObject({
  client_id: text,
  sub: text,
  redirect_uri: text,
  audience: text,
  scope: z.string().check(z.maxLength(2000)),
  pkce: z.boolean(),
  authorize: z.enum(['browser', 'control']),
  exchange_format: z.enum(['json', 'form']),
  exchange_redirect_uri: text,
  exchange_audience: text,
  refresh_format: z.enum(['json', 'form']),
  refresh_scope: z.string().check(z.maxLength(2000)),
  api_token_in: z.enum(['header', 'body']),
});

const entrySchema = z.strictObject({
  step: z.enum(STEP_IDS),
  mistake: z.nullable(z.string().check(z.maxLength(100))),
  came: z.nullable(z.strictObject({ status: z.int(), error: z.nullable(z.string()) })),
});

const savedFlowSchema = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
  /** Machine time. */
  saved_at: z.iso.datetime(),
  inputs: inputsSchema,
  script: z.array(entrySchema).check(z.maxLength(200)),
});

export type SavedFlow = z.infer<typeof savedFlowSchema>;

/** The flow as it stands, with the client and user that were meant though nobody picked them. */
export function savedFlow(
  name: string,
  { inputs, script }: FlowState,
  { client, user }: Pick<Choice, 'client' | 'user'>,
  saved_at: string,
): SavedFlow {
  const { shape } = inputsSchema;
  const kept = Object.fromEntries(
    Object.entries(inputs).filter(([member]) => Object.hasOwn(shape, member)),
  );
  const meant = { client_id: client?.client_id ?? null, sub: user?.sub ?? null };
  return savedFlowSchema.parse({
    name: name.trim(),
    saved_at,
    inputs: { ...kept, ...meant },
    script: script.map((entry) => ({ ...entry })),
  });
}

/** What a replay begins with. */
export const inputsOf = ({ inputs }: SavedFlow): FlowInputs => ({ ...startingInputs(), ...inputs });

/** Those of the text that can be read; another version may have written others. */
export function readFlows(stored: string | null): SavedFlow[] {
  let found: unknown;
  try {
    found = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  return found.flatMap((one) => savedFlowSchema.safeParse(one).data ?? []).slice(0, MOST_FLOWS);
}

/** The newest first; one of the same name makes way. */
export const withFlow = (flows: readonly SavedFlow[], saved: SavedFlow): SavedFlow[] =>
  [saved, ...flows.filter(({ name }) => name !== saved.name)].toSorted((a, b) =>
    b.saved_at.localeCompare(a.saved_at),
  );

export const isSavedAs = (flows: readonly SavedFlow[], name: string): boolean =>
  flows.some((saved) => saved.name === name.trim());

/** Why the flow cannot be saved under this name, or null. */
export function nameProblem(name: string, flows: readonly SavedFlow[]): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'Give it a name.';
  if (trimmed.length > LONGEST_NAME) return `At most ${LONGEST_NAME} characters.`;
  return flows.length >= MOST_FLOWS && !isSavedAs(flows, name)
    ? `${MOST_FLOWS} flows are kept already: delete one first.`
    : null;
}
