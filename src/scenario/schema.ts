// The scenario document: what is registered, the steps, and the expected responses. A test of an app's token
// handling without code: recorded in the Flow view or written by hand, run by `grantbench run`.

import type { FaultDraft } from '../control/fault-schemas.ts';
import {
  audienceSchema,
  clientSchema,
  clockPatchSchema,
  SCENARIO_FORMAT,
  settingsSchema,
  shapeSchema,
  userSchema,
} from '../control/schemas.ts';
import { z } from '../control/zod.ts';
import { expectation, saved } from './expectation.ts';
import { MATCHERS_DEFINITION } from './matchers.ts';
import { proofMember } from './proof.ts';
import { checkStep } from './step-rules.ts';

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
const query = parameters.check(z.describe('Parameters to send in the query string.'));

const scope = text.check(z.describe('The scope of the authorization; none by default.'));
const access_token_expires_in = whole(1, 315_360_000).check(
  z.describe('Lifetime of the access token in seconds; that of the client by default.'),
);

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
      redirect_uri: z
        .optional(text)
        .check(z.describe('Registered for the client; the first one by default.')),
      audience: z
        .optional(z.nullable(text))
        .check(z.describe('null for none; the issuer by default.')),
      scope: z.optional(scope),
      nonce: z.optional(text).check(z.describe('The nonce of the id_token; none by default.')),
      pkce: z.optional(pkce),
      code_expires_in: z
        .optional(whole(1, 86_400))
        .check(z.describe('Lifetime of the code in seconds; that of the settings by default.')),
      access_token_expires_in: z.optional(access_token_expires_in),
    },
    object,
  )
  .check(
    z.describe(
      'Issues an authorization code over the control API, as if a user had just consented. It is {{code}} from then on.',
    ),
  );

const tokenOrder = z
  .strictObject(
    {
      client: z.optional(client),
      user: z.optional(user),
      audience: z
        .optional(text)
        .check(z.describe('By default that of the client, else the issuer.')),
      scope: z.optional(scope),
      access_token_expires_in: z.optional(access_token_expires_in),
    },
    object,
  )
  .check(
    z.describe(
      'Issues tokens over the control API, without a code: {{access_token}} and {{refresh_token}}.',
    ),
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
      push: z
        .optional(z.boolean('must be true or false'))
        .check(
          z.describe(
            'Pushes the parameters to /oauth/par first, with the credentials of the client in the form, and sends only client_id and request_uri to /authorize (RFC 9126). If the push is rejected, its response is that of the step.',
          ),
        ),
      dpop: z
        .optional(z.literal(true, 'must be true'))
        .check(
          z.describe(
            'Binds the code to the key of the run: sends dpop_jkt, or with push a DPoP proof (RFC 9449 10).',
          ),
        ),
      sign_in: z
        .optional(oneOf(['approve', 'deny', 'stop']))
        .check(
          z.describe(
            'The decision on the sign-in page, if there is one; approve by default. stop leaves the page open.',
          ),
        ),
    },
    object,
  )
  .check(
    z.describe(
      'Sends GET /authorize as a browser would, signs in and consents, and saves {{code}}.',
    ),
  );

const deviceAuthorization = z
  .strictObject(
    {
      client: z.optional(client),
      client_auth: z
        .optional(oneOf(['body', 'basic', 'none']))
        .check(z.describe('Where client_id and client_secret are sent; body by default.')),
      fields: z
        .optional(parameters)
        .check(
          z.describe('Fields that replace client_id, client_secret and audience; null omits one.'),
        ),
      headers: z.optional(headers),
    },
    object,
  )
  .check(
    z.describe(
      'Sends POST /oauth/device_authorization (RFC 8628), and saves {{device_code}} and {{user_code}}.',
    ),
  );

const user_code = z
  .optional(text)
  .check(z.describe('The user code of the device; {{user_code}} by default.'));

const deviceApproval = z
  .strictObject(
    {
      user: z.optional(user),
      user_code,
      scope: z
        .optional(text)
        .check(z.describe('The scope to grant; all that the device asked for by default.')),
    },
    object,
  )
  .check(
    z.describe('Approves a device over the control API, as if the user had done so at /device.'),
  );

const deviceDenial = z
  .strictObject({ user_code }, object)
  .check(
    z.describe('Denies a device over the control API, as if the user had done so at /device.'),
  );

const tokenRequest = z
  .strictObject(
    {
      grant: text.check(z.describe('authorization_code, refresh_token, or any other grant type.')),
      client: z.optional(client),
      user: z
        .optional(text)
        .check(
          z.describe(
            'The sub of the user whose name and password are sent with the grant password; the first user by default.',
          ),
        ),
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
      query: z.optional(query),
      headers: z.optional(headers),
      dpop: z.optional(proofMember),
    },
    object,
  )
  .check(
    z.describe(
      'Sends POST /oauth/token with the fields of the grant, and saves {{access_token}} and so on.',
    ),
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
      path: text.check(
        z.regex(/^\//, 'must begin with /'),
        z.describe('The path below the issuer, as /userinfo.'),
      ),
      query: z.optional(query),
      headers: z.optional(headers),
      form: z
        .optional(parameters)
        .check(z.describe('The body, as application/x-www-form-urlencoded.')),
      json: z.optional(z.unknown()).check(z.describe('The body, as application/json.')),
      text: z.optional(text).check(z.describe('The body, sent as it is.')),
      dpop: z.optional(proofMember),
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
  authorize_device: deviceAuthorization,
  approve_device: deviceApproval,
  deny_device: deviceDenial,
  token: tokenRequest,
  request: anyRequest,
  clock: clockMove,
  fault: faultOrder,
  revoke: text.check(
    z.describe('Revokes the given code or token over the control API: "{{refresh_token}}".'),
  ),
  expire: text.check(
    z.describe(
      'Expires the given code or token over the control API: "{{access_token}}", or a device: "{{user_code}}".',
    ),
  ),
} as const;

const step = z
  .strictObject(
    {
      name: z.optional(text.check(z.maxLength(200, 'must be at most 200 characters'))),
      issue_code: z.optional(ACTIONS.issue_code),
      issue_tokens: z.optional(ACTIONS.issue_tokens),
      authorize: z.optional(ACTIONS.authorize),
      authorize_device: z.optional(ACTIONS.authorize_device),
      approve_device: z.optional(ACTIONS.approve_device),
      deny_device: z.optional(ACTIONS.deny_device),
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
      shape: z.optional(shapeSchema),
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
