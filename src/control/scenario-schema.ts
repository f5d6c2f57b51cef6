// The scenario document: what is registered, what is done step by step, and what must come of it. A test
// of an app's token handling without code: recorded in the Flow view or written by hand, run by
// `grantbench run`. Every member is named for what it does; what is left out takes the plain default.

import { z } from './zod.ts';
import type { FaultDraft } from './fault-schemas.ts';
import { checkStep } from './scenario-rules.ts';
import { expectedSchema, MATCHERS_DEFINITION } from './scenario-values.ts';
import {
  audienceSchema,
  clientSchema,
  clockPatchSchema,
  settingsSchema,
  userSchema,
} from './schemas.ts';

export const SCENARIO_FORMAT = 'grantbench-scenario';
const MOST_STEPS = 1000;

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const text = z.string('must be a string');
const whole = (min: number, max: number) =>
  z
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
const object = 'must be a JSON object';
const record = <T extends z.core.SomeType>(value: T) => z.record(z.string(), value, object);
const method = z.string('must be a string').regex(/^[A-Z]+$/, 'must be an HTTP method in capitals');

/** Members to send instead of those that the step would send; null leaves one out. */
const parameters = record(
  z.union([text, z.array(text), z.null()], 'must be a string, an array of strings, or null'),
);
const headers = record(text).describe('Headers to send, by name.');

const client = text.describe(
  'A client of this workspace, by its client_id; the first one if left out.',
);
const user = text.describe('Who signs in, by their sub; the first user if left out.');
const pkce = oneOf(['S256', 'plain']).describe(
  'Makes a code_verifier and sends its challenge (RFC 7636); the next exchange then brings {{code_verifier}}.',
);

const codeOrder = z
  .strictObject(
    {
      client: client.optional(),
      user: user.optional(),
      redirect_uri: text.optional().describe("The client's first one if left out."),
      audience: text.nullable().optional().describe('null names none; the issuer if left out.'),
      scope: text.optional(),
      nonce: text.optional(),
      pkce: pkce.optional(),
      code_expires_in: whole(1, 86_400).optional(),
      access_token_expires_in: whole(1, 315_360_000).optional(),
    },
    object,
  )
  .describe('Issues an authorization code over control, as if a user had just agreed: {{code}}.');

const tokenOrder = z
  .strictObject(
    {
      client: client.optional(),
      user: user.optional(),
      audience: text.optional(),
      scope: text.optional(),
      access_token_expires_in: whole(1, 315_360_000).optional(),
    },
    object,
  )
  .describe('Issues tokens over control, without a code: {{access_token}}, {{refresh_token}}.');

const authorization = z
  .strictObject(
    {
      client: client.optional(),
      user: user.optional(),
      parameters: parameters
        .optional()
        .describe(
          'Instead of response_type=code, client_id, redirect_uri, audience, state and login_hint; null leaves one out.',
        ),
      pkce: pkce.optional(),
      sign_in: oneOf(['approve', 'deny', 'stop'])
        .optional()
        .describe('What is done on the sign-in page, if there is one; approve if left out.'),
    },
    object,
  )
  .describe('Goes to GET /authorize as a browser would, signs in and agrees: {{code}}.');

const tokenRequest = z
  .strictObject(
    {
      grant: text.describe('authorization_code, refresh_token, or any other.'),
      client: client.optional(),
      client_auth: oneOf(['body', 'basic', 'none'])
        .optional()
        .describe('Where client_id and client_secret go: body if left out.'),
      format: oneOf(['json', 'form'])
        .optional()
        .describe('json for authorization_code and form for all else if left out (spec 4.1).'),
      fields: record(z.unknown())
        .optional()
        .describe(
          'Instead of the fields that the grant needs; null leaves one out, an array repeats it in a form.',
        ),
      query: parameters.optional(),
      headers: headers.optional(),
    },
    object,
  )
  .describe('POST /oauth/token with the fields that the grant needs: {{access_token}} and so on.');

const anyRequest = z
  .strictObject(
    {
      method: method.optional().describe('GET, or POST when there is a body, if left out.'),
      path: text.regex(/^\//, 'must begin with /'),
      query: parameters.optional(),
      headers: headers.optional(),
      form: parameters.optional().describe('The body, as application/x-www-form-urlencoded.'),
      json: z.unknown().optional().describe('The body, as application/json.'),
      text: text.optional().describe('The body, as it is.'),
    },
    object,
  )
  .describe('Any request to the service.');

const faultOrder = z
  .union([text, z.looseObject({ preset: z.string().optional() })], {
    error: "must be a preset's id or a fault rule",
  })
  .describe('Arms a fault as POST /faults takes it: the id of a preset, or a rule.');

const clockMove = clockPatchSchema.describe('Moves, freezes, sets or resets the sandbox clock.');

/** What a step can do; it does exactly one of these. */
const ACTIONS = {
  issue_code: codeOrder,
  issue_tokens: tokenOrder,
  authorize: authorization,
  token: tokenRequest,
  request: anyRequest,
  clock: clockMove,
  fault: faultOrder,
  revoke: text.describe('Revokes a code or token over control: "{{refresh_token}}".'),
  expire: text.describe('Ends a code or token now, over control: "{{access_token}}".'),
} as const;

const expected = (description: string) => expectedSchema.optional().describe(description);
const words = z.array(text, 'must be an array');

const expectation = z
  .strictObject(
    {
      status: expected('HTTP status; 0 when the connection ended without an answer.'),
      error: expected('`error` of the body, or of the redirect; null for none.'),
      body: expected('The answer as JSON, or as text when it is none.'),
      headers: record(expectedSchema).optional().describe('By name, each as one text.'),
      redirect: expected('The parameters that the Location header carries back to the app.'),
      claims: expected('The claims of the access_token of this answer.'),
      retry_after: expected('Seconds of Retry-After, as a number.'),
      failed_check: expected('`id` of the check that failed in the trace; null for none.'),
      cause: expected('Why it was refused, in the words of the trace.'),
      deviations: words.optional().describe('`id`s of the deviation notes: these and no others.'),
      advisories: words.optional().describe('Kinds of the advisories: these and no others.'),
    },
    object,
  )
  .describe('What must come of the step. Only what is named here is looked at.');

const NAME_RULE = 'must be a name of letters, digits and _';

const saved = z
  .record(
    z.string().regex(/^[A-Za-z_]\w*$/),
    text.regex(
      /^(status|(body|headers|redirect|claims)(\.[^.]+)*)$/,
      'must be status, or a path below body, headers, redirect or claims: body.access_token',
    ),
    { error: ({ code }) => (code === 'invalid_key' ? NAME_RULE : object) },
  )
  .describe('Keeps parts of the answer for later steps: {"first": "body.access_token"}.');

const step = z
  .strictObject(
    {
      name: text.max(200, 'must be at most 200 characters').optional(),
      issue_code: ACTIONS.issue_code.optional(),
      issue_tokens: ACTIONS.issue_tokens.optional(),
      authorize: ACTIONS.authorize.optional(),
      token: ACTIONS.token.optional(),
      request: ACTIONS.request.optional(),
      clock: ACTIONS.clock.optional(),
      fault: ACTIONS.fault.optional(),
      revoke: ACTIONS.revoke.optional(),
      expire: ACTIONS.expire.optional(),
      repeat: whole(1, 10_000).optional().describe('How often it is done; every time must fit.'),
      expect: expectation.optional(),
      save: saved.optional(),
    },
    object,
  )
  .superRefine(checkStep, { when: () => true })
  .meta({ oneOf: Object.keys(ACTIONS).map((action) => ({ required: [action] })) });

/** What is registered, as in a workspace file. */
const workspacePart = z
  .strictObject(
    {
      clients: z.array(clientSchema, 'must be an array').optional(),
      users: z.array(userSchema, 'must be an array').optional(),
      audiences: z.array(audienceSchema, 'must be an array').optional(),
      settings: z.optional(settingsSchema),
    },
    object,
  )
  .describe("Members in the place of the demo workspace's; settings are merged into its own.");

export const scenarioSchema = z
  .strictObject(
    {
      $schema: text.optional(),
      format: z.literal(SCENARIO_FORMAT, `must be "${SCENARIO_FORMAT}"`),
      version: z.literal(1, 'must be 1: the only scenario format this release reads'),
      name: text.min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
      description: text.optional(),
      workspace: workspacePart.optional(),
      steps: z
        .array(step, 'must be an array')
        .min(1, 'must have a step')
        .max(MOST_STEPS, `must have at most ${MOST_STEPS} steps`),
    },
    object,
  )
  .meta({ $defs: MATCHERS_DEFINITION });

/** As it is written: what is left out is left out. */
type Written = z.input<typeof scenarioSchema>;
type WrittenStep = Written['steps'][number];

export type ScenarioStep = Omit<WrittenStep, 'fault'> & {
  readonly fault?: string | FaultDraft | undefined;
};
export type Scenario = Omit<Written, 'steps'> & { readonly steps: readonly ScenarioStep[] };
export type ScenarioWorkspace = NonNullable<Scenario['workspace']>;
export type Expectation = NonNullable<ScenarioStep['expect']>;
