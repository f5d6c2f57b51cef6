// Fault rules (behaviour 8): which requests a rule applies to, how often, and its effect on the response.

import { isJsonObject } from '../../json.ts';
import { described, z } from './zod.ts';
import { editsSchema, SIGNATURE_WORDS } from './edit.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import { UNTOUCHED_PATHS } from './enumerations.ts';
import {
  ALWAYS,
  flag,
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
  z.regex(/^[^?#]*$/, 'must not contain ? or #: only the path of a request is matched'),
  z.regex(/^[\x21-\x7e]*$/, 'must be visible ASCII: percent-encode other characters'),
  z.refine(
    (pattern) => !UNTOUCHED_PATHS.includes(pattern),
    `must not be one of ${UNTOUCHED_PATHS.join(', ')}: faults do not apply to these`,
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
      z.regex(
        /^[\t\x20-\x7e\x80-\xff]*$/,
        'must contain only characters that a header may contain (RFC 9110 5.5)',
      ),
    ),
  ],
  'must be a pair of name and value',
);

/** Statuses whose answers have no content (RFC 9110 6.4.1). */
export const BODILESS: readonly number[] = [204, 205, 304];

const kindOf = <const K extends string>(kind: K) =>
  described(z.literal(kind), 'What is done to the response.');

export const matchSchema = described(
  orEmpty(
    z.strictObject(
      {
        path: described(
          orNull(patternSchema),
          'Path below the issuer, with * for any characters; null for any path.',
        ),
        method: described(
          orNull(visible(20).check(z.regex(/^[A-Z]+$/, 'must be an HTTP method in capitals'))),
          'HTTP method in capitals; null for any except OPTIONS, so that CORS preflights do not use up a rule.',
        ),
        grant_type: described(orNull(visible(200)), 'The grant_type of the request; null for any.'),
        client_id: described(orNull(visible(200)), 'The client_id of the request; null for any.'),
      },
      'must be a JSON object',
    ),
  ),
  'The requests that the rule applies to. Every member given must match; null matches any.',
);

export const answerSchema = z
  .strictObject({
    kind: kindOf('answer'),
    status: described(
      z
        .int('must be a whole number')
        .check(
          z.minimum(
            200,
            'must be at least 200: a lower one is not a final response (RFC 9110 15.2)',
          ),
          z.maximum(599, 'must be at most 599'),
        ),
      { title: 'Status', description: 'HTTP status of the response, 200 to 599.' },
    ),
    headers: described(
      z._default(z.array(headerSchema, 'must be an array of pairs').check(z.maxLength(50)), []),
      'Pairs of name and value, sent as they are. Only Date, framing and Grantbench-Exchange are added.',
    ),
    body: described(z._default(text(65_536), ''), 'The body, sent as it is, in UTF-8.'),
  })
  .check(
    z.superRefine((answer, ctx) => {
      if (!isJsonObject(answer) || !BODILESS.includes(answer.status) || answer.body === '') return;
      const message = `must be empty with status ${answer.status} (RFC 9110 6.4.1)`;
      ctx.addIssue({ code: 'custom', path: ['body'], message });
    }, ALWAYS),
  );

const EDITS = { title: 'Edits', description: 'Changes, made in their order.' };

const EFFECTS = [
  described(answerSchema, {
    title: 'Send a scripted response',
    description: 'A scripted response, sent as it is.',
  }),
  described(z.strictObject({ kind: kindOf('drop') }), {
    title: 'Close the connection without a response',
    description: 'The connection is closed without a response.',
  }),
  described(z.strictObject({ kind: kindOf('truth') }), {
    title: 'Send the normal response after the delay',
    description:
      'The normal response, `delay_ms` late. Use it for a pause, or to skip requests between rules.',
  }),
  described(
    z.strictObject({
      kind: kindOf('cut'),
      after_bytes: described(orNull(whole(0, 16_777_216)), {
        title: 'After bytes',
        description:
          'Bytes of the body to send before the connection is closed; null for half of it.',
      }),
    }),
    {
      title: 'Cut the body off',
      description: 'The connection is closed in the middle of the body.',
    },
  ),
  described(
    z.strictObject({
      kind: kindOf('dribble'),
      duration_ms: described(z._default(milliseconds(1, LONGEST_MS), 10_000), {
        title: 'Duration in milliseconds',
        description: 'Milliseconds it takes to send the body.',
      }),
    }),
    {
      title: 'Send the body slowly',
      description: 'A slow response: the body is sent in small pieces.',
    },
  ),
  described(z.strictObject({ kind: kindOf('broken_json') }), {
    title: 'Break the JSON',
    description: 'The last brace is missing; Content-Length is right.',
  }),
  described(
    z.strictObject({
      kind: kindOf('wrong_content_type'),
      content_type: described(z._default(visible(200), 'text/html'), {
        title: 'Content type',
        description: 'The content type to send.',
      }),
    }),
    {
      title: 'Send another content type',
      description: 'The response is sent with another content type.',
    },
  ),
  described(
    z.strictObject({
      kind: kindOf('expires_in'),
      as: described(
        oneOf({ absent: 'Absent', negative: 'Negative', huge: 'Huge', string: 'A string' }),
        {
          title: 'expires_in is',
          description: 'What expires_in becomes: absent, negative, huge, or a string.',
        },
      ),
    }),
    { title: 'Change expires_in', description: '`expires_in` is absent or has an unusual value.' },
  ),
  described(z.strictObject({ kind: kindOf('expired_token') }), {
    title: 'Send expired tokens',
    description: 'The access token and the ID token, if they are JWTs, expired six minutes ago.',
  }),
  described(z.strictObject({ kind: kindOf('unpublished_key') }), {
    title: 'Sign tokens with an unpublished key',
    description:
      'The access token and the ID token, if they are JWTs, are signed with a key that is not in the JWK Set.',
  }),
  described(
    z.strictObject({
      kind: kindOf('edit_json'),
      edits: described(editsSchema(1), EDITS),
    }),
    {
      title: 'Edit members of the JSON',
      description:
        'Members of a successful JSON response (tokens, metadata, JWK Set, userinfo) are changed.',
    },
  ),
  described(
    z.strictObject({
      kind: kindOf('edit_id_token'),
      claims: described(z._default(editsSchema(0), []), {
        title: 'Edits of the claims',
        description: 'Changes of the claims, in their order.',
      }),
      header: described(z._default(editsSchema(0), []), {
        title: 'Edits of the header',
        description: 'Changes of the JOSE header, in their order.',
      }),
      sign: described(z._default(oneOf(SIGNATURE_WORDS), 'published_key'), {
        title: 'Signed with',
        description: 'What the edited ID token is signed with.',
      }),
    }),
    {
      title: 'Edit the ID token',
      description: 'Claims, header or signature of the ID token are changed. Nothing else is.',
    },
  ),
  described(
    z.strictObject({
      kind: kindOf('edit_authorization_response'),
      edits: described(editsSchema(1), EDITS),
    }),
    {
      title: 'Edit the authorization response',
      description:
        'Parameters of the authorization response (state, iss, code, error …) are changed, in every response mode.',
    },
  ),
] as const;

const KINDS = EFFECTS.map((effect) => effect.shape.kind.def.values[0]);

/** The effects that need no response of the service; all others change one. */
const INSTEAD_KINDS: readonly unknown[] = ['answer', 'drop'];

/** A fault rule. Rules are tried in their order; the first that fits decides. */
export const faultSchema = z
  .strictObject({
    id: described(visible(100), 'Identifier of the rule, safe in a path.'),
    name: described(z._default(text(200), ''), { title: 'Name', description: 'Display name.' }),
    enabled: described(z._default(flag(), true), {
      title: 'On',
      description: 'Whether the rule is enabled.',
    }),
    when: described(oneOf({ instead: 'Before validation', after: 'After validation' }), {
      title: 'When',
      description:
        'instead: the request is not evaluated and nothing is consumed. after: the request is evaluated first, and credentials are consumed as usual.',
    }),
    match: matchSchema,
    times: described(orNull(whole(1, 1_000_000)), {
      title: 'Times',
      description: 'The number of matching requests that the rule applies to; null for all.',
    }),
    probability: described(
      z._default(
        z
          .number('must be a number')
          .check(z.minimum(0, 'must be at least 0'), z.maximum(1, 'must be at most 1')),
        1,
      ),
      {
        title: 'Probability',
        description: 'The probability that the rule applies to a matching request, 0 to 1.',
      },
    ),
    seed: described(z._default(whole(0, 4_294_967_295), 1), {
      title: 'Seed',
      description: 'Seed of the random choices: the same seed makes the same choices.',
    }),
    delay_ms: described(z._default(milliseconds(0, LONGEST_MS), 0), {
      title: 'Delay in milliseconds',
      description:
        'Milliseconds (machine time) to wait before anything is sent or the connection is closed.',
    }),
    effect: described(
      z.discriminatedUnion('kind', EFFECTS, {
        error: ({ input }) =>
          isJsonObject(input) ? `must be one of ${KINDS.join(', ')}` : 'must be a JSON object',
      }),
      { title: 'Effect', description: 'What is done to the response.' },
    ),
  })
  .check(
    z.superRefine((fault, ctx) => {
      if (!isJsonObject(fault) || !isJsonObject(fault.effect) || fault.when !== 'instead') return;
      const { kind } = fault.effect;
      if (!KINDS.includes(kind) || INSTEAD_KINDS.includes(kind)) return;
      const message = `must be after: ${kind} changes the normal response`;
      ctx.addIssue({ code: 'custom', path: ['when'], message });
    }, ALWAYS),
  );
