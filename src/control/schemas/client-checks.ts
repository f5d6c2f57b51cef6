// Client checks: the cases, the one that is active, and what was found.

import { described, z } from '../../core/records/zod.ts';
import { CASE_GROUPS, LOGINS, PROGRESS, RESULTS } from '../../core/records/client-checks.ts';
import * as v from './values.ts';

const caseId = v.string('Identifier of the case.');
const title = v.string('The case in a few words.');
const level = described(
  z.enum(['must', 'should']),
  'Whether a client must behave as expected, or only should.',
);
const expected = described(
  z.enum(['refuse', 'accept', 'either']),
  'How a correct client treats the response.',
);

const advice = v.string('What to look for in an app that gets it wrong.');
const libraries = described(
  z.array(
    z.object({
      library: v.string('Name of a client library.'),
      text: v.string('How it makes the check, or that it does not.'),
    }),
  ),
  'How common client libraries make the check.',
);

const look_for = v.stringOrNull(
  'A text that the app must not show to its user, if neither its requests nor the end of its login decide the case; otherwise null.',
);

export const clientCaseSchema = z.object({
  id: caseId,
  group: described(
    z.enum(Object.keys(CASE_GROUPS) as [keyof typeof CASE_GROUPS]),
    'The part of the login that the case is about.',
  ),
  title,
  text: v.string('What the server does, in a sentence.'),
  expected,
  level,
  section: v.string('Where that is written.'),
  advice,
  libraries,
  unreached: v.string('Why a login may not reach it.'),
  by_traffic: v.boolean('Whether the requests of the app decide, however its login ends.'),
  look_for,
  shared: v.boolean(
    'Whether the misbehaviour affects every client, because requests for metadata, keys and UserInfo name no client.',
  ),
});

export const clientCheckSchema = z.object({
  case: caseId,
  title,
  client_id: v.stringOrNull('The client that is checked; null for any.'),
  started_at: v.moment('When it was started, on the sandbox clock.'),
  after_exchange: v.integer('The last exchange before it was started; 0 for none.'),
  seconds_left: v.integer('Seconds of machine time until it ends by itself.'),
  reached_exchange: v.integerOrNull(
    'The exchange in which the misbehaviour was first sent; null until then.',
  ),
  seen: described(z.array(z.enum(PROGRESS)), 'What the app has done since then.'),
  seen_exchange: v.integerOrNull(
    'The exchange that shows that the app went on although it should have stopped; null if there is none.',
  ),
  shown: described(
    z.nullable(z.boolean()),
    'Whether the app shows the text of look_for; null if nobody has said so.',
  ),
});

export const lookedSchema = z.strictObject({
  shown: v.boolean('Whether the app shows the text of look_for.'),
});

export const activeCheckSchema = z.object({
  active: described(z.nullable(clientCheckSchema), 'The active case; null when there is none.'),
});

export const startCheckSchema = z.strictObject({
  case: v.string(
    'A case of GET /client-checks/cases, or good-login for a login without misbehaviour.',
  ),
  client_id: v.optionalString(
    'The misbehaviour affects only this client, where requests name their client; any client by default.',
  ),
  time_limit_seconds: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(3600))),
    'Seconds of machine time after which it ends by itself; 300 by default.',
  ),
});

export const endCheckSchema = z.strictObject({
  login: described(z.enum(LOGINS), 'How the login ended, as far as is known.'),
  login_tells: described(
    z._default(z.boolean(), true),
    'Whether login is meaningful: false if a login that cannot succeed is reported as successful.',
  ),
});

export const checkResultSchema = z.object({
  id: caseId,
  title,
  level,
  expected,
  client_id: v.stringOrNull('The client that was checked; null for any.'),
  result: described(
    z.enum(RESULTS),
    'passed: the app behaves like a correct client; refused: it refused the response; accepted: it accepted the response; not_reached: the misbehaviour was not sent; unclear: nothing decides.',
  ),
  why: v.string('The reason, in a sentence.'),
  fault: v.boolean('Whether the app behaves as no correct client does.'),
  awaits_good_login: v.boolean(
    'Whether it is unclear only until a good login follows: start and end good-login.',
  ),
  section: v.string('Where that is written.'),
  advice,
  libraries,
  reached_exchange: clientCheckSchema.shape.reached_exchange,
  seen_exchange: clientCheckSchema.shape.seen_exchange,
  ended_at: v.moment('When it ended, on the sandbox clock.'),
});

export type ClientCase = z.infer<typeof clientCaseSchema>;
export type ClientCheck = z.infer<typeof clientCheckSchema>;
export type CheckResult = z.infer<typeof checkResultSchema>;
