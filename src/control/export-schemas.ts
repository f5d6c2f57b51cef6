// The documents that export exchanges: HAR 1.2 (softwareishard.com/blog/har-12-spec) for other tools, or JSON with
// all details.

import { described, z } from '../core/records/zod.ts';
import { exchangeFilterSchema, exchangeSchema, secretsSchema } from './schemas.ts';
import { SENDERS } from './names.ts';
import { boolean, string } from './schemas/values.ts';

const { client_id, error, status, sent_by } = exchangeFilterSchema.shape;

/** Maximum number of characters of a list of numbers. */
const MAX_NUMBERS = 100_000;
const RANGE = /^\d{1,15}(-\d{1,15})?$/;

const runsUp = (range: string) => {
  const [from, to = from] = range.split('-').map(Number);
  return RANGE.test(range) && Number(from) <= Number(to);
};

export const exchangeExportSchema = z.extend(
  z.object({
    format: described(
      z._default(z.enum(['har', 'json']), 'json'),
      'HAR 1.2 for other tools, or JSON with all details.',
    ),
    numbers: described(
      z.optional(
        z.string().check(
          z.refine(
            (text) => text.length <= MAX_NUMBERS,
            `must be at most ${MAX_NUMBERS} characters`,
          ),
          z.refine(
            (text) => text.length > MAX_NUMBERS || text.split(',').every(runsUp),
            'must be exchange numbers and ranges, such as 41,50-60',
          ),
        ),
      ),
      'Exchange numbers and ranges, such as 41,50-60; all kept exchanges by default.',
    ),
    client_id,
    error,
    status,
    sent_by,
  }),
  secretsSchema.shape,
);

const named = z.object({ name: z.string(), value: z.string() });

const cookieSchema = z.extend(named, {
  path: z.optional(z.string()),
  expires: z.optional(z.string()),
  httpOnly: z.optional(z.boolean()),
  secure: z.optional(z.boolean()),
});

const messageShape = {
  httpVersion: z.string(),
  cookies: z.array(cookieSchema),
  headers: z.array(named),
  /** -1 if unknown. */
  headersSize: z.literal(-1),
  bodySize: z.int(),
};

const harRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  ...messageShape,
  queryString: z.array(named),
  /** Absent without a body. `params` for forms only. */
  postData: z.optional(
    z.object({
      mimeType: z.string(),
      text: z.string(),
      params: z.optional(z.array(named)),
      comment: z.optional(z.string()),
    }),
  ),
});

const harResponseSchema = z.object({
  status: z.int(),
  statusText: z.string(),
  ...messageShape,
  content: z.object({
    size: z.int(),
    mimeType: z.string(),
    text: z.string(),
    encoding: z.optional(z.literal('base64')),
  }),
  redirectURL: z.string(),
});

/** Members that HAR does not define; their names begin with an underscore (HAR 1.2, custom fields). */
const harExtraSchema = z.object({
  number: z.int(),
  client_ip: z.string(),
  sent_by: z.enum(SENDERS),
  client_id: z.nullable(z.string()),
  grant_type: z.nullable(z.string()),
  error: z.nullable(z.string()),
  cause: z.nullable(z.string()),
  lineage_id: z.nullable(z.string()),
  throttled: z.boolean(),
  fault: z.nullable(z.string()),
});

const harEntrySchema = z.object({
  /** On the sandbox clock. */
  startedDateTime: z.string(),
  /** In milliseconds of monotonic time. */
  time: z.number(),
  request: harRequestSchema,
  response: harResponseSchema,
  cache: z.object({}),
  timings: z.object({
    blocked: z.literal(-1),
    dns: z.literal(-1),
    connect: z.literal(-1),
    ssl: z.literal(-1),
    send: z.literal(0),
    wait: z.number(),
    receive: z.literal(0),
  }),
  comment: z.optional(z.string()),
  _grantbench: harExtraSchema,
});

export const harSchema = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    pages: z.array(z.never()),
    /** Oldest first. */
    entries: z.array(harEntrySchema),
  }),
});

export const exchangeDocumentSchema = z.object({
  grantbench: described(
    z.object({
      version: string('Version of Grantbench.'),
      exported_at: string('When the document was created.'),
      issuer: string('The issuer identifier, as in tokens and metadata.'),
      secrets: boolean('Whether the document contains secrets.'),
    }),
    'The program that created the document.',
  ),
  exchanges: described(z.array(exchangeSchema), 'Exchanges, oldest first.'),
});

export type Har = z.infer<typeof harSchema>;
export type HarEntry = z.infer<typeof harEntrySchema>;
export type HarMessage = Pick<HarEntry['request'], 'httpVersion' | 'cookies' | 'headers'>;
export type ExchangeDocument = z.infer<typeof exchangeDocumentSchema>;
