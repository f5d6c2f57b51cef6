// A flow as earlier versions saved it: what was entered, and the steps and mistakes in the page's own words.
// It is only read, to be converted.

import { z } from '../../../../../control/zod.ts';

/** The steps there were. */
const FORMER_STEPS = ['client', 'code', 'exchange', 'token', 'refresh', 'api', 'hammer'] as const;

const text = z.nullable(z.string().check(z.maxLength(2000)));

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
  step: z.enum(FORMER_STEPS),
  /** `id` of the deliberate mistake; null: the step as it should be. */
  mistake: z.nullable(z.string().check(z.maxLength(100))),
  /** The answer it ended with; null for a step that sends nothing. */
  came: z.nullable(z.strictObject({ status: z.int(), error: z.nullable(z.string()) })),
});

export const formerFlowSchema = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Machine time. */
  saved_at: z.iso.datetime(),
  inputs: inputsSchema,
  script: z.array(entrySchema).check(z.maxLength(200)),
});

export type FormerFlow = z.infer<typeof formerFlowSchema>;
export type FormerEntry = FormerFlow['script'][number];
export type FormerStep = FormerEntry['step'];
