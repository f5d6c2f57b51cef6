// Fault rules (behaviour 8): which requests run into one, how often, and what becomes of the answer.

import { z } from './zod.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import { UNTOUCHED_PATHS } from './enumerations.ts';
import {
  ALWAYS,
  flag,
  isObject,
  milliseconds,
  oneOf,
  orEmpty,
  orNull,
  text,
  visible,
  whole,
} from './members.ts';

/** As many as a workspace may hold. */
export const MAX_FAULTS = FAULT_BOUNDS.entries;

const LONGEST_MS = 300_000;

/** A path below the issuer's own one; `*` stands for any characters, slashes too. */
const patternSchema = text(200).check(
  z.regex(/^\//, 'must begin with /'),
  z.regex(/^[^?#]*$/, 'must not have ? or #: a request is matched by its path alone'),
  z.regex(/^[\x21-\x7e]*$/, 'must be visible ASCII: percent-encode the rest'),
  z.refine(
    (pattern) => !(UNTOUCHED_PATHS as readonly string[]).includes(pattern),
    `must not be one of ${UNTOUCHED_PATHS.join(', ')}: no fault touches these`,
  ),
);

/** What the server writes itself: a length that lies would poison the next request. */
const OWN_HEADERS = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
  'grantbench-exchange',
];

const headerSchema = z.tuple(
  [
    z.string('must be a string').check(
      z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be a header name (RFC 9110 5.1)'),
      z.refine(
        (name) => !OWN_HEADERS.includes(name.toLowerCase()),
        'must not be a header that the server writes itself (framing, Date, Grantbench-Exchange)',
      ),
    ),
    text(8000).check(
      z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must hold only what a header may (RFC 9110 5.5)'),
    ),
  ],
  'must be a pair of name and value',
);

/** Statuses whose answers have no content (RFC 9110 6.4.1). */
const BODILESS = [204, 205, 304];

const answerSchema = z
  .strictObject({
    kind: z.literal('answer'),
    status: z
      .int('must be a whole number')
      .check(
        z.minimum(200, 'must be at least 200: a lower one is no final answer (RFC 9110 15.2)'),
        z.maximum(599, 'must be at most 599'),
      ),
    /** Pairs of name and value, sent as they are; no others are added but our own. */
    headers: z._default(
      z.array(headerSchema, 'must be an array of pairs').check(z.maxLength(50)),
      [],
    ),
    /** Sent as it is, in UTF-8. */
    body: z._default(text(65_536), ''),
  })
  .check(
    z.superRefine((answer, ctx) => {
      if (!isObject(answer) || !BODILESS.includes(answer.status) || answer.body === '') return;
      const message = `must be empty with status ${answer.status} (RFC 9110 6.4.1)`;
      ctx.addIssue({ code: 'custom', path: ['body'], message });
    }, ALWAYS),
  );

const EFFECTS = [
  /** A scripted answer. */
  answerSchema,
  /** The connection is closed without an answer. */
  z.strictObject({ kind: z.literal('drop') }),
  /** The true answer, late by the rule's delay: a pause, or a gap in a queue. */
  z.strictObject({ kind: z.literal('truth') }),
  /** The connection is closed after so many bytes of the body; null: in its middle. */
  z.strictObject({
    kind: z.literal('cut'),
    after_bytes: orNull(whole(0, 16_777_216)),
  }),
  /** The body comes in small pieces over this time. */
  z.strictObject({
    kind: z.literal('dribble'),
    duration_ms: z._default(milliseconds(1, LONGEST_MS), 10_000),
  }),
  z.strictObject({ kind: z.literal('broken_json') }),
  z.strictObject({
    kind: z.literal('wrong_content_type'),
    content_type: z._default(visible(200), 'text/html'),
  }),
  z.strictObject({
    kind: z.literal('expires_in'),
    as: oneOf(['absent', 'negative', 'huge', 'string']),
  }),
  /** Access token and id_token, where they are JWTs, have expired already. */
  z.strictObject({ kind: z.literal('expired_token') }),
  /** The same are signed by a key that the JWK Set does not have. */
  z.strictObject({ kind: z.literal('unpublished_key') }),
] as const;

const KINDS = EFFECTS.map((effect) => effect.shape.kind.def.values[0]);

/** What needs no true answer to begin with; all else bends one. */
const INSTEAD_KINDS: readonly unknown[] = ['answer', 'drop'];

/** A fault rule. Rules are tried in their order; the first that fits decides. */
export const faultSchema = z
  .strictObject({
    id: visible(100),
    name: z._default(text(200), ''),
    enabled: z._default(flag(), true),
    /** `instead`: never judged, nothing consumed. `after`: judged and consumed truthfully first. */
    when: oneOf(['instead', 'after']),
    /** Everything given must fit; null: any. Grant and client are those that the request claims. */
    match: orEmpty(
      z.strictObject(
        {
          path: orNull(patternSchema),
          /** null: any but OPTIONS, so that a browser's preflights do not use a rule up. */
          method: orNull(
            visible(20).check(z.regex(/^[A-Z]+$/, 'must be an HTTP method in capitals')),
          ),
          grant_type: orNull(visible(200)),
          client_id: orNull(visible(200)),
        },
        'must be a JSON object',
      ),
    ),
    /** The next so many requests that fit; null: all of them. */
    times: orNull(whole(1, 1_000_000)),
    /** How many of those that fit are hit, 0 to 1; the same seed makes the same choices. */
    probability: z._default(
      z
        .number('must be a number')
        .check(z.minimum(0, 'must be at least 0'), z.maximum(1, 'must be at most 1')),
      1,
    ),
    seed: z._default(whole(0, 4_294_967_295), 1),
    /** Milliseconds of machine time before anything is sent or closed. */
    delay_ms: z._default(milliseconds(0, LONGEST_MS), 0),
    effect: z.discriminatedUnion('kind', EFFECTS, {
      error: ({ input }) =>
        isObject(input) ? `must be one of ${KINDS.join(', ')}` : 'must be a JSON object',
    }),
  })
  .check(
    z.superRefine((fault, ctx) => {
      if (!isObject(fault) || !isObject(fault.effect) || fault.when !== 'instead') return;
      const { kind } = fault.effect;
      if (!KINDS.includes(kind) || INSTEAD_KINDS.includes(kind)) return;
      const message = `must be after: ${kind} needs a true answer`;
      ctx.addIssue({ code: 'custom', path: ['when'], message });
    }, ALWAYS),
  );
