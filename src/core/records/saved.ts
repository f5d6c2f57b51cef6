// Flows (as scenarios) and requests that a user has saved by name, and what client checks have shown. None contains
// secrets. Core does not know the steps of scenarios, so it checks only the outer structure; a scenario is validated
// completely when it is run.

import { described, z } from './zod.ts';
import { LOGINS } from './client-checks.ts';
import { atMostEntries, oneOf, text, withinSize, withJsonMembers } from './members.ts';

const LONGEST_SAVED_NAME = 80;

export const SCENARIO_FORMAT = 'grantbench-scenario';
const MOST_STEPS = 1000;

const MOST_HEADERS = 100;
const LONGEST_PATH = 8192;
const LONGEST_VALUE = 8192;
const LONGEST_BODY = 65_536;

const savedName = text(LONGEST_SAVED_NAME).check(
  z.minLength(1, 'must not be empty'),
  z.regex(/^\S(?:[^\r\n]*\S)?$/, 'must be one line that neither begins nor ends with a space'),
);

const timeInUtc = z.iso.datetime('must be a time in UTC, as 2026-01-31T12:00:00Z (RFC 3339)');

const savedAt = described(timeInUtc, 'When it was saved, in machine time.');

const scenarioSchema = z
  .looseObject(
    {
      format: described(
        z.literal(SCENARIO_FORMAT, `must be "${SCENARIO_FORMAT}"`),
        'Type of the document.',
      ),
      version: described(
        z.literal(1, 'must be 1: the only scenario format that this release supports'),
        'Version of the format: 1.',
      ),
      name: described(savedName, 'The name under which it is saved.'),
      steps: described(
        z
          .array(z.record(z.string(), z.unknown(), 'must be a JSON object'), 'must be an array')
          .check(z.minLength(1, 'must have at least one step'), atMostEntries(MOST_STEPS)),
        'The steps, which are checked when the scenario is run.',
      ),
    },
    'must be a JSON object',
  )
  .check(withJsonMembers);

/** A flow, saved under the name of its scenario. */
export const savedFlowSchema = z
  .strictObject(
    { saved_at: savedAt, scenario: described(scenarioSchema, 'The flow as a scenario.') },
    'must be a JSON object',
  )
  .check(withinSize);

/** A request without its credentials, which are filled in when it is opened. */
export const savedRequestSchema = z
  .strictObject(
    {
      name: described(savedName, 'The name under which it is saved.'),
      saved_at: savedAt,
      template: described(
        z._default(z.nullable(text(100)), null),
        'The template of the Requests view that it was started from; null for none.',
      ),
      client_id: described(
        z._default(z.nullable(text(200)), null),
        'The client whose credentials are filled in; null for none.',
      ),
      method: described(
        text(20).check(z.regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'must be an HTTP method')),
        'HTTP method.',
      ),
      path: described(
        text(LONGEST_PATH).check(z.regex(/^[^\s\0-\x1f]*$/, 'must not contain white space')),
        'Path and query on this server, such as /oauth/token.',
      ),
      headers: described(
        z._default(
          z
            .array(
              z.tuple([text(200), text(LONGEST_VALUE)], 'must be a pair of name and value'),
              'must be an array of pairs of name and value',
            )
            .check(atMostEntries(MOST_HEADERS)),
          [],
        ),
        'Headers as pairs of name and value.',
      ),
      format: described(
        z._default(oneOf(['form', 'json']), 'form'),
        'The format of the fields of the body.',
      ),
      body: described(z._default(text(LONGEST_BODY), ''), 'The body as text.'),
    },
    'must be a JSON object',
  )
  .check(withinSize);

const known = z.nullable(z.boolean('must be true, false or null'));

/** What a run of a case showed, as it is kept in the workspace. The result follows from it. */
export const checkRecordSchema = z.strictObject(
  {
    case: described(text(100), 'Identifier of the case.'),
    client_id: described(z.nullable(text(200)), 'The client that was checked; null for any.'),
    reached: described(z.boolean(), 'Whether the misbehaviour was sent to the app.'),
    went_on: described(
      z.boolean(),
      'Whether the app then sent the request that shows that it went on.',
    ),
    login: described(z.enum(LOGINS), 'How the login ended.'),
    login_tells: described(
      z.boolean(),
      'Whether login is meaningful: false if a login that cannot succeed was reported as successful.',
    ),
    shown: described(
      z._default(known, null),
      'Whether the app showed the text that it must not show; null where nobody looked.',
    ),
    good_after: described(
      known,
      'Whether a good login succeeded afterwards; null where none was tried.',
    ),
    goes_on_when_good: described(
      known,
      'Whether the app goes on in the same way in a good login; null where that is not known.',
    ),
    ended_at: described(timeInUtc, 'When it ended, on the sandbox clock.'),
  },
  'must be a JSON object',
);
