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
  z.describe('The client_id of a client of this workspace; the first client by default.'),
);
const user = text.check(z.describe('The sub of the user who signs in; the first user by default.'));
const pkce = oneOf(['S256', 'plain']).check(
  z.describe(
    'Creates a code_verifier and sends its challenge (RFC 7636); the next code exchange then sends {{code_verifier}}.',
  ),
);

const codeOrder = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      redirect_uri: z.optional(text).check(z.describe('By default the first one of the client.')),
      audience: z
        .optional(z.nullable(text))
        .check(z.describe('null for none; the issuer by default.')),
      scope: z.optional(text),
      nonce: z.optional(text),
      pkce: z.optional(pkce),
      code_expires_in: z.optional(whole(1, 86_400)),
      access_token_expires_in: z.optional(whole(1, 315_360_000)),
    },
    object,
  )
  .check(
    z.describe('Issues an authorization code directly, as if a user had just consented: {{code}}.'),
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
    z.describe('Issues tokens directly, without a code: {{access_token}}, {{refresh_token}}.'),
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
            'Parameters that replace response_type=code, client_id, redirect_uri, audience, state and login_hint; null omits one.',
          ),
        ),
      pkce: z.optional(pkce),
      sign_in: z
        .optional(oneOf(['approve', 'deny', 'stop']))
        .check(
          z.describe('The decision on the sign-in page, if there is one; approve by default.'),
        ),
    },
    object,
  )
  .check(z.describe('Sends GET /authorize as a browser would, signs in and consents: {{code}}.'));

const tokenRequest = z
  .strictObject(
    {
      grant: text.check(z.describe('authorization_code, refresh_token, or any other grant type.')),
      client: z.optional(client),
      client_auth: z
        .optional(oneOf(['body', 'basic', 'none']))
        .check(z.describe('Where client_id and client_secret are sent; body by default.')),
      format: z
        .optional(oneOf(['json', 'form']))
        .check(
          z.describe(
            'By default json for authorization_code, and form for all other grant types (spec 4.1).',
          ),
        ),
      fields: z
        .optional(record(z.unknown()))
        .check(
          z.describe(
            'Fields that replace those of the grant; null omits one, an array repeats it in a form.',
          ),
        ),
      query: z.optional(parameters),
      headers: z.optional(headers),
    },
    object,
  )
  .check(
    z.describe('Sends POST /oauth/token with the fields of the grant: {{access_token}} and so on.'),
  );

const anyRequest = z
  .strictObject(
    {
      client: z
        .optional(text)
        .check(
          z.describe(
            'The client of this workspace that {{client.client_secret}} refers to; the first client by default.',
          ),
        ),
      method: z.optional(method).check(z.describe('By default GET, or POST if there is a body.')),
      path: text.check(z.regex(/^\//, 'must begin with /')),
      query: z.optional(parameters),
      headers: z.optional(headers),
      form: z
        .optional(parameters)
        .check(z.describe('The body, as application/x-www-form-urlencoded.')),
      json: z.optional(z.unknown()).check(z.describe('The body, as application/json.')),
      text: z.optional(text).check(z.describe('The body, sent as it is.')),
    },
    object,
  )
  .check(z.describe('Sends any request to the service.'));

const faultOrder = z
  .union([text, z.looseObject({ preset: z.optional(z.string()) })], {
    error: 'must be the id of a preset, or a fault rule',
  })
  .check(z.describe('Adds a fault rule, like POST /faults: the id of a preset, or a rule.'));

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
  revoke: text.check(z.describe('Revokes a code or token directly: "{{refresh_token}}".')),
  expire: text.check(z.describe('Expires a code or token now: "{{access_token}}".')),
} as const;

const expected = (description: string) => z.optional(expectedSchema).check(z.describe(description));
const words = z.array(text, 'must be an array');

const expectation = z
  .strictObject(
    {
      status: expected('HTTP status; 0 if the connection was closed without a response.'),
      error: expected(
        'The member `error` of the body or the parameter of the redirect; null for none.',
      ),
      body: expected('The body as JSON, or as text if it is not JSON.'),
      headers: z
        .optional(record(expectedSchema))
        .check(z.describe('Headers by name, each as one string.')),
      redirect: expected('The parameters of the redirect URI in the Location header.'),
      claims: expected('The claims of the access_token in this response.'),
      retry_after: expected('The seconds in Retry-After, as a number.'),
      failed_check: expected('`id` of the check that failed in the trace; null for none.'),
      cause: expected('The cause of the rejection, as in the trace.'),
      deviations: z
        .optional(words)
        .check(z.describe('The `id`s of the deviations: exactly these.')),
      advisories: z
        .optional(words)
        .check(z.describe('The kinds of the advisories: exactly these.')),
    },
    object,
  )
  .check(z.describe('The expected result of the step. Only the members given are compared.'));

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
  .check(
    z.describe('Saves values of the response for later steps: {"first": "body.access_token"}.'),
  );

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
        .check(z.describe('How many times the step is repeated. Every repetition must match.')),
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
  .check(z.describe('Members that replace those of the demo workspace; settings are merged.'));

export const scenarioSchema = z
  .strictObject(
    {
      $schema: z.optional(text),
      format: z.literal(SCENARIO_FORMAT, `must be "${SCENARIO_FORMAT}"`),
      version: z.literal(1, 'must be 1: the only scenario format that this release supports'),
      name: text.check(
        z.minLength(1, 'must not be empty'),
        z.maxLength(200, 'must be at most 200 characters'),
      ),
      description: z.optional(text),
      workspace: z.optional(workspacePart),
      steps: z
        .array(step, 'must be an array')
        .check(
          z.minLength(1, 'must have at least one step'),
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
