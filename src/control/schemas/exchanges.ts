// Requests and responses, their evaluations, and advisories.

import { described, z } from '../../core/records/zod.ts';
import { PROFILES, SENDERS, SIGN_IN_AUTHENTICATIONS } from '../../core/records/schemas.ts';
import {
  CHECK_IDS,
  DEVIATION_IDS,
  EVALUATING_ENDPOINTS,
  PUBLISHED_DOCUMENTS,
} from '../../core/records/trace-ids.ts';
import { faultMarkSchema, holdMarkSchema } from '../fault-schemas.ts';
import { clockSchema } from './server.ts';
import * as v from './values.ts';

export const VERDICTS = ['passed', 'failed', 'not_reached'] as const;

export const checkSchema = z.object({
  id: described(z.enum(CHECK_IDS), 'Identifier of the check.'),
  rule: v.string('The rule, in one sentence.'),
  section: v.section,
  expected: v.stringOrNull('The expected value; null if there is none to show.'),
  got: v.stringOrNull('The actual value; null if there is none to show.'),
  verdict: described(z.enum(VERDICTS), 'Whether the check passed, failed, or was not reached.'),
  tolerated: v.boolean(
    'Whether the check passed only because the profile accepts what strict rejects; see deviation_notes.',
  ),
  note: v.stringOrNull('A note, such as "3 of 30 in this window".'),
});

/** Why a request was rejected, and what to change. */
export const causeSchema = z.object({
  reason: v.string(
    'Identifier of the cause, such as code_redeemed. docs/reference/causes.md describes each one.',
  ),
  check: described(z.enum(CHECK_IDS), 'Identifier of the failed check.'),
  summary: v.string('Why the request was rejected, in one sentence.'),
  detail: v.stringOrNull('A detail, such as "redirect_uri differs at character 31".'),
  advice: v.stringOrNull('How to fix it.'),
  differs_at: v.integerOrNull(
    'The position, from 0, of the first difference between got and expected; null if not applicable.',
  ),
  accepted_by: described(
    z.nullable(z.enum(PROFILES)),
    'The profile that accepts the request; null if the profile is not the cause.',
  ),
});

/** A deviation: how another profile, usually `strict`, would respond to the request (behaviour 1). */
export const deviationSchema = z.object({
  id: described(z.enum(DEVIATION_IDS), 'Identifier of the deviation.'),
  text: v.string('The deviation, in one sentence.'),
  section: v.section,
  strict_status: v.integerOrNull(
    'The status in the strict profile; null if strict only notes the deviation.',
  ),
  strict_error: v.stringOrNull(
    'The error code in the strict profile; null if strict only notes the deviation.',
  ),
});

/** An advisory, which never changes the response (behaviour 5, redundant token requests). */
export const advisorySchema = z.object({
  kind: described(
    z.enum(['over_fetch', 'repeated_authorization']),
    'What was redundant: the token request or the authorization.',
  ),
  text: v.string('The advice, in one sentence.'),
  section: v.section,
  seconds_left: v.integer('Remaining lifetime of the previous access token, in seconds.'),
});

const sentBy = described(
  z.enum(SENDERS),
  'The sender of the request: the app under test, or Grantbench from its workbench, a command or a scenario.',
);

/** An advisory with the number of its exchange; kept longer than the exchange. */
export const advisoryEntrySchema = z.extend(advisorySchema, {
  exchange: v.integer('Number of the exchange.'),
  at: v.moment('When it happened.'),
  client_id: v.client_id,
  sent_by: sentBy,
});

/** The number of advisories for a client since the start or the last reset. */
export const advisoryCountsSchema = z.object({
  client_id: v.client_id,
  over_fetch: v.integer('Redundant token requests: the previous token was still valid.'),
  repeated_authorization: v.integer(
    'Unnecessary re-authorizations: the previous token was still valid.',
  ),
});

export const advisoryFilterSchema = z.extend(v.pageSchema, {
  client_id: v.optionalString('Only advisories of this client.'),
  sent_by: described(z.optional(z.enum(SENDERS)), 'Only advisories for this sender.'),
});

export const exchangeSummarySchema = z.object({
  number: v.integer('Number of the exchange: the header Grantbench-Exchange of its response.'),
  at: v.moment('When the request arrived, on the sandbox clock.'),
  method: v.string('HTTP method.'),
  path: v.string('Path and query as sent.'),
  endpoint: described(
    z.nullable(z.enum([...EVALUATING_ENDPOINTS, ...PUBLISHED_DOCUMENTS])),
    'The endpoint or document at this path, which a provider shape may have moved; null for any other path.',
  ),
  ip: v.string('The client address that throttling counts.'),
  sent_by: sentBy,
  grant_type: v.stringOrNull('The requested grant type; null for none.'),
  client_id: v.stringOrNull('Identifier of the client (RFC 7591); null for none.'),
  status: v.integer(
    'HTTP status; 0 if a fault rule, or a decision about the held exchange, prevented the response, if the TLS handshake failed, or if the app did not respond to a logout token.',
  ),
  error: v.stringOrNull('Error code of the response (RFC 6749 5.2); null for none.'),
  cause: v.stringOrNull(
    'Why the request was rejected, or why the app did not respond to a logout token, in a few words; null for neither.',
  ),
  duration_ms: described(z.number().check(z.nonnegative()), 'Duration in milliseconds.'),
  lineage_id: v.stringOrNull('The lineage of its credentials; null for none.'),
  sub: v.stringOrNull(
    'The sub of its user; null for none, and where a request only presents an access token.',
  ),
  login: v.integerOrNull(
    'Number of the exchange with which its login began; null if it belongs to none (behaviour 3.14).',
  ),
  retry_of: v.integerOrNull(
    'Number of the failed exchange whose request this one repeats; null if it repeats none (behaviour 3.13).',
  ),
  throttled: v.boolean('Whether the request was throttled.'),
  fault: described(
    z.nullable(faultMarkSchema),
    'The fault rule that applied, and what it did; null for none.',
  ),
  held: described(
    z.nullable(holdMarkSchema),
    'What was done while the exchange was held, or why it was not held; null if no rule was to hold it.',
  ),
  deviations: v.integer('Number of deviations that the strict profile would note or reject.'),
  advisories: v.integer('Number of advisories.'),
});

/** A credential that an exchange issued, without its value. */
const issuedCredentialSchema = z.object({
  kind: described(
    z.enum(['code', 'access_token', 'refresh_token', 'id_token']),
    'What was issued.',
  ),
  id: v.stringOrNull(
    'Identifier of its record under /tokens; null for an ID token, which has no record.',
  ),
  lineage_id: v.string('The lineage it belongs to.'),
});

/** The sign-in form of /authorize, for programs that submit it without parsing HTML. */
const signInFormSchema = z.object({
  form: v.string(
    'Value of the form field grantbench_form; redacted unless secrets were requested.',
  ),
  scopes: described(z.array(z.string()), 'The scopes in the form.'),
  authentication: described(z.enum(SIGN_IN_AUTHENTICATIONS), 'What the form asks of the user.'),
  one_time_code: v.stringOrNull(
    'The code that the page shows and expects; null if it asks for none.',
  ),
});

/** The members of both requests and responses. */
const message = {
  headers: described(
    z.array(z.tuple([z.string(), z.string()])),
    'Headers as pairs of name and value.',
  ),
  body: v.string('The body as text; see body_encoding.'),
  body_encoding: described(
    z.enum(['utf8', 'base64']),
    'How body is encoded: as UTF-8 text, or base64.',
  ),
  body_bytes: v.integer('Length of the body in bytes; the captured body may be shorter.'),
};

export const exchangeSchema = z.extend(exchangeSummarySchema, {
  request: described(
    z.object({
      http_version: v.string('HTTP version of the request.'),
      ...message,
    }),
    'The request.',
  ),
  response: described(
    z.object({
      reason: v.string('Reason phrase.'),
      ...message,
    }),
    'The response.',
  ),
  trace: described(
    z.array(checkSchema),
    'All checks in order; empty for endpoints that do not evaluate requests.',
  ),
  why: described(
    z.nullable(causeSchema),
    'Why the request was rejected and what to change; null if it was accepted.',
  ),
  deviation_notes: described(
    z.array(deviationSchema),
    'Deviations: accepted here, but noted or rejected by another profile, usually strict.',
  ),
  advisory_notes: described(
    z.array(advisorySchema),
    'Advisories, which never change the response.',
  ),
  credential_id: v.stringOrNull(
    'The id under /tokens of the presented credential; null if unknown.',
  ),
  issued: described(
    z.array(issuedCredentialSchema),
    'The issued credentials in order, without their values, even if a fault withheld them.',
  ),
  sign_in: described(
    z.nullable(signInFormSchema),
    'The sign-in form in the response; null without one.',
  ),
  profile: described(
    z.nullable(z.enum(PROFILES)),
    'The profile that applied; null if none applies.',
  ),
  clock: described(z.object(clockSchema.shape), 'The time on the sandbox clock.'),
});

export const exchangeFilterSchema = z.strictObject({
  limit: described(z._default(v.count(1, 1000), 100), 'Maximum number of records to return.'),
  client_id: v.optionalString('Only exchanges of this client.'),
  error: v.optionalString('Only exchanges with this error code.'),
  status: described(z.optional(v.count(100, 599)), 'Only exchanges with this HTTP status.'),
  sent_by: described(z.optional(z.enum(SENDERS)), 'Only exchanges with this sender.'),
  lineage_id: v.optionalString('Only exchanges of this lineage.'),
  after: described(
    z.optional(
      z.union(
        [z.string(), z.number()],
        'must be an exchange number, or next of the previous response',
      ),
    ),
    'An exchange number, for later exchanges only; or next of the previous response, for the page after it.',
  ),
  wait_seconds: described(
    z._default(v.count(0, 60), 0),
    'Long poll: seconds of machine time to wait for the first match, 0 to 60.',
  ),
});

export const sendRequestSchema = z.strictObject({
  method: described(z._default(z.string(), 'POST'), 'HTTP method.'),
  path: v.string('Path and query on this server, such as /oauth/token.'),
  headers: described(
    z._default(
      z.union(
        [z.record(z.string(), z.string()), z.array(z.tuple([z.string(), z.string()]))],
        'must be a JSON object of strings by name, or an array of pairs of name and value',
      ),
      {},
    ),
    'Headers as an object, or as pairs of name and value.',
  ),
  body: described(z._default(z.string(), ''), 'The body as text.'),
  body_base64: described(
    z.optional(z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64'))),
    'The body as base64 bytes, instead of body.',
  ),
  sent_by: described(
    z._default(z.enum(SENDERS), 'workbench'),
    'The sender to record in the exchange.',
  ),
  secrets: described(
    v.flag,
    'Whether to return codes, tokens and secrets instead of redacting them.',
  ),
});

export type Check = z.infer<typeof checkSchema>;
export type Deviation = z.infer<typeof deviationSchema>;
export type AdvisoryCounts = z.infer<typeof advisoryCountsSchema>;
export type AdvisoryEntry = z.infer<typeof advisoryEntrySchema>;
export type ExchangeSummary = z.infer<typeof exchangeSummarySchema>;
export type Exchange = z.infer<typeof exchangeSchema>;
export type SendRequest = z.input<typeof sendRequestSchema>;
