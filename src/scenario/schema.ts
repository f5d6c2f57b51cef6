// The scenario document: what is registered, what is done step by step, and which answers are expected. A
// test of an app's token handling without code: recorded in the Flow view or written by hand, run by
// `grantbench run`. Every member is named for what it does; what is left out takes the plain default.

import type { FaultDraft } from '../control/fault-schemas.ts';
import {
  audienceSchema,
  clientSchema,
  clockPatchSchema,
  settingsSchema,
  userSchema,
} from '../control/schemas.ts';
import { z } from '../control/zod.ts';
import { expectedSchema, MATCHERS_DEFINITION } from './matchers.ts';
import { checkStep } from './step-rules.ts';

export const SCENARIO_FORMAT = 'grantbench-scenario';
const MOST_STEPS = 1000;

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const text = z.string('must be a string');
const whole = (min: number, max: number) =>
  z
    .int('must be a whole number')
    .check(z.minimum(min, `must be at least ${min}`), z.maximum(max, `must be at most ${max}`));
const object = 'must be a JSON object';
const record = <T extends z.core.SomeType>(value: T) => z.record(z.string(), value, object);
const method = z
  .string('must be a string')
  .check(z.regex(/^[A-Z]+$/, 'must be an HTTP method in capitals'));

/** Members to send instead of those that the step would send; null leaves one out. */
const parameters = record(
  z.union([text, z.array(text), z.null()], 'must be a string, an array of strings, or null'),
);
const headers = record(text).check(z.describe('Headers to send, by name.'));

const client = text.check(
  z.describe('A client of this workspace, by its client_id; the first one if left out.'),
);
const user = text.check(z.describe('Who signs in, by their sub; the first user if left out.'));
const pkce = oneOf(['S256', 'plain']).check(
  z.describe(
    'Makes a code_verifier and sends its challenge (RFC 7636); the next exchange then brings {{code_verifier}}.',
  ),
);

const codeOrder = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      redirect_uri: z.optional(text).check(z.describe("The client's first one if left out.")),
      audience: z
        .optional(z.nullable(text))
        .check(z.describe('null names none; the issuer if left out.')),
      scope: z.optional(text),
      nonce: z.optional(text),
      pkce: z.optional(pkce),
      code_expires_in: z.optional(whole(1, 86_400)),
      access_token_expires_in: z.optional(whole(1, 315_360_000)),
    },
    object,
  )
  .check(
    z.describe(
      'Issues an authorization code over control, as if a user had just agreed: {{code}}.',
    ),
  );

const tokenOrder = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      audience: z.optional(text),
      scope: z.optional(text),
      access_token_expires_in: z.optional(whole(1, 315_360_000)),
    },
    object,
  )
  .check(
    z.describe('Issues tokens over control, without a code: {{access_token}}, {{refresh_token}}.'),
  );

const authorization = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      parameters: z
        .optional(parameters)
        .check(
          z.describe(
            'Instead of response_type=code, client_id, redirect_uri, audience, state and login_hint; null leaves one out.',
          ),
        ),
      pkce: z.optional(pkce),
      sign_in: z
        .optional(oneOf(['approve', 'deny', 'stop']))
        .check(
          z.describe('What is done on the sign-in page, if there is one; approve if left out.'),
        ),
    },
    object,
  )
  .check(z.describe('Goes to GET /authorize as a browser would, signs in and agrees: {{code}}.'));

const tokenRequest = z
  .strictObject(
    {
      grant: text.check(z.describe('authorization_code, refresh_token, or any other.')),
      client: z.optional(client),
      client_auth: z
        .optional(oneOf(['body', 'basic', 'none']))
        .check(z.describe('Where client_id and client_secret go: body if left out.')),
      format: z
        .optional(oneOf(['json', 'form']))
        .check(
          z.describe('json for authorization_code and form for all else if left out (spec 4.1).'),
        ),
      fields: z
        .optional(record(z.unknown()))
        .check(
          z.describe(
            'Instead of the fields that the grant needs; null leaves one out, an array repeats it in a form.',
          ),
        ),
      query: z.optional(parameters),
      headers: z.optional(headers),
    },
    object,
  )
  .check(
    z.describe(
      'POST /oauth/token with the fields that the grant needs: {{access_token}} and so on.',
    ),
  );

const anyRequest = z
  .strictObject(
    {
      client: z
        .optional(text)
        .check(
          z.describe(
            'The client of this workspace that {{client.client_secret}} is of; the first one if left out.',
          ),
        ),
      method: z
        .optional(method)
        .check(z.describe('GET, or POST when there is a body, if left out.')),
      path: text.check(z.regex(/^\//, 'must begin with /')),
      query: z.optional(parameters),
      headers: z.optional(headers),
      form: z
        .optional(parameters)
        .check(z.describe('The body, as application/x-www-form-urlencoded.')),
      json: z.optional(z.unknown()).check(z.describe('The body, as application/json.')),
      text: z.optional(text).check(z.describe('The body, as it is.')),
    },
    object,
  )
  .check(z.describe('Any request to the service.'));

const faultOrder = z
  .union([text, z.looseObject({ preset: z.optional(z.string()) })], {
    error: "must be a preset's id or a fault rule",
  })
  .check(z.describe('Arms a fault as POST /faults takes it: the id of a preset, or a rule.'));

const clockMove = clockPatchSchema.check(
  z.describe('Moves, freezes, sets or resets the sandbox clock.'),
);

/** What a step can do; it does exactly one of these. */
const ACTIONS = {
  issue_code: codeOrder,
  issue_tokens: tokenOrder,
  authorize: authorization,
  token: tokenRequest,
  request: anyRequest,
  clock: clockMove,
  fault: faultOrder,
  revoke: text.check(z.describe('Revokes a code or token over control: "{{refresh_token}}".')),
  expire: text.check(z.describe('Ends a code or token now, over control: "{{access_token}}".')),
} as const;

const expected = (description: string) => z.optional(expectedSchema).check(z.describe(description));
const words = z.array(text, 'must be an array');

const expectation = z
  .strictObject(
    {
      status: expected('HTTP status; 0 when the connection ended without an answer.'),
      error: expected('`error` of the body, or of the redirect; null for none.'),
      body: expected('The answer as JSON, or as text when it is none.'),
      headers: z.optional(record(expectedSchema)).check(z.describe('By name, each as one text.')),
      redirect: expected('The parameters that the Location header carries back to the app.'),
      claims: expected('The claims of the access_token of this answer.'),
      retry_after: expected('Seconds of Retry-After, as a number.'),
      failed_check: expected('`id` of the check that failed in the trace; null for none.'),
      cause: expected('Why it was refused, in the words of the trace.'),
      deviations: z
        .optional(words)
        .check(z.describe('`id`s of the deviation notes: these and no others.')),
      advisories: z
        .optional(words)
        .check(z.describe('Kinds of the advisories: these and no others.')),
    },
    object,
  )
  .check(z.describe('What must come of the step. Only what is named here is looked at.'));

const NAME_RULE = 'must be a name of letters, digits and _';

const saved = z
  .record(
    z.string().check(z.regex(/^[A-Za-z_]\w*$/)),
    text.check(
      z.regex(
        /^(status|(body|headers|redirect|claims)(\.[^.]+){0,32})$/,
        'must be status, or a path below body, headers, redirect or claims: body.access_token',
      ),
    ),
    { error: ({ code }) => (code === 'invalid_key' ? NAME_RULE : object) },
  )
  .check(z.describe('Keeps parts of the answer for later steps: {"first": "body.access_token"}.'));

const step = z
  .strictObject(
    {
      name: z.optional(text.check(z.maxLength(200, 'must be at most 200 characters'))),
      issue_code: z.optional(ACTIONS.issue_code),
      issue_tokens: z.optional(ACTIONS.issue_tokens),
      authorize: z.optional(ACTIONS.authorize),
      token: z.optional(ACTIONS.token),
      request: z.optional(ACTIONS.request),
      clock: z.optional(ACTIONS.clock),
      fault: z.optional(ACTIONS.fault),
      revoke: z.optional(ACTIONS.revoke),
      expire: z.optional(ACTIONS.expire),
      repeat: z
        .optional(whole(1, 10_000))
        .check(z.describe('How often it is done; every time must fit.')),
      expect: z.optional(expectation),
      save: z.optional(saved),
    },
    object,
  )
  .check(
    z.superRefine(checkStep, { when: () => true }),
    z.meta({ oneOf: Object.keys(ACTIONS).map((action) => ({ required: [action] })) }),
  );

/** What is registered, as in a workspace file. */
const workspacePart = z
  .strictObject(
    {
      clients: z.optional(z.array(clientSchema, 'must be an array')),
      users: z.optional(z.array(userSchema, 'must be an array')),
      audiences: z.optional(z.array(audienceSchema, 'must be an array')),
      settings: z.optional(settingsSchema),
    },
    object,
  )
  .check(
    z.describe("Members in the place of the demo workspace's; settings are merged into its own."),
  );

export const scenarioSchema = z
  .strictObject(
    {
      $schema: z.optional(text),
      format: z.literal(SCENARIO_FORMAT, `must be "${SCENARIO_FORMAT}"`),
      version: z.literal(1, 'must be 1: the only scenario format this release reads'),
      name: text.check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(200, 'must be at most 200 characters'),
      ),
      description: z.optional(text),
      workspace: z.optional(workspacePart),
      steps: z
        .array(step, 'must be an array')
        .check(
          z.minLength(1, 'must have a step'),
          z.maxLength(MOST_STEPS, `must have at most ${MOST_STEPS} steps`),
        ),
    },
    object,
  )
  .check(z.meta({ $defs: MATCHERS_DEFINITION }));

/** As it is written, without defaults. */
type Written = z.input<typeof scenarioSchema>;
type WrittenStep = Written['steps'][number];

export type ScenarioStep = Omit<WrittenStep, 'fault'> & {
  readonly fault?: string | FaultDraft | undefined;
};
export type Scenario = Omit<Written, 'steps'> & { readonly steps: readonly ScenarioStep[] };
export type ScenarioWorkspace = NonNullable<Scenario['workspace']>;
export type Expectation = NonNullable<ScenarioStep['expect']>;
