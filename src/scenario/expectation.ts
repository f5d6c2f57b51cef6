// What a step of a scenario expects of its response, and what it saves of it for later steps. Expected are JSON values as
// they must be, and where not one value but a kind of value is meant, matchers: objects of members that begin with $.
// Only the members of an expected object are compared, so that an answer may have more.

import { z } from '../control/zod.ts';
import { isJsonObject } from '../oauth/json-object.ts';

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** Returns null when the operand is valid, else the rule it breaks. */
type OperandRule = (operand: unknown) => string | null;

const isNumber: OperandRule = (operand) =>
  typeof operand === 'number' ? null : 'must be a number';
const isTrue: OperandRule = (operand) => (operand === true ? null : 'must be true');
const isAnything: OperandRule = () => null;
const isArray: OperandRule = (operand) =>
  Array.isArray(operand) && operand.length > 0 ? null : 'must be an array with at least one entry';

function isPattern(operand: unknown): string | null {
  if (typeof operand !== 'string') return 'must be a regular expression as a string';
  try {
    new RegExp(operand, 'u');
    return null;
  } catch {
    return 'must be a regular expression (JavaScript, with the flag u)';
  }
}

/** Every matcher with the rule for its operand. */
const OPERANDS = {
  $type: (operand) =>
    TYPES.some((type) => type === operand) ? null : `must be one of ${TYPES.join(', ')}`,
  $matches: isPattern,
  $includes: isAnything,
  $at_least: isNumber,
  $at_most: isNumber,
  $any: isArray,
  $not: isAnything,
  $only: (operand) => (isJsonObject(operand) ? null : 'must be a JSON object'),
  $absent: isTrue,
} as const satisfies Record<string, OperandRule>;

export type MatcherName = keyof typeof OPERANDS;
const MATCHER_NAMES = Object.keys(OPERANDS) as MatcherName[];

/** Whether an expected value is made of matchers rather than members. */
export const isMatcher = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isJsonObject(value) && Object.keys(value).some((name) => name.startsWith('$'));

const isKnown = (name: string): name is MatcherName => Object.hasOwn(OPERANDS, name);

interface ValueProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const MOST_LEVELS = 32;

function problemsOfMatcher(matcher: Readonly<Record<string, unknown>>, path: ValueProblem['path']) {
  return Object.entries(matcher).flatMap(([name, operand]): ValueProblem[] => {
    const at = [...path, name];
    if (!name.startsWith('$')) {
      return [{ path: at, message: 'must not be combined with a matcher: use $only for members' }];
    }
    if (!isKnown(name)) {
      return [
        { path: at, message: `is not a matcher; the matchers are ${MATCHER_NAMES.join(', ')}` },
      ];
    }
    const message = OPERANDS[name](operand);
    return message === null ? problemsOfExpected(operand, at) : [{ path: at, message }];
  });
}

/** Every problem of an expected value, with matchers at any depth. */
function problemsOfExpected(value: unknown, path: ValueProblem['path'] = []): ValueProblem[] {
  if (path.length > MOST_LEVELS) return [{ path, message: 'is nested too deeply' }];
  if (isMatcher(value)) return problemsOfMatcher(value, path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    problemsOfExpected(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** A value as it must be, or a matcher. */
const expectedSchema = z.unknown().check(
  z.superRefine((value, ctx) => {
    for (const { path, message } of problemsOfExpected(value)) {
      ctx.addIssue({ code: 'custom', path: [...path], message });
    }
  }),
  z.meta({ $ref: '#/$defs/expected' }),
);

const EXPECTED = { $ref: '#/$defs/expected' };

/** The same rules as JSON Schema, into which zod does not translate refinements. */
export const MATCHERS_DEFINITION = {
  expected: {
    description:
      'The expected value, or matchers. Of an object, only the members given are compared.',
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'array', items: EXPECTED },
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          $type: { description: 'The type of the value.', enum: TYPES },
          $matches: { description: 'Text that matches this regular expression.', type: 'string' },
          $includes: {
            description: 'Text that contains this part, or an array that contains this entry.',
          },
          $at_least: { description: 'A number of at least this.', type: 'number' },
          $at_most: { description: 'A number of at most this.', type: 'number' },
          $any: {
            description: 'At least one of these matches.',
            type: 'array',
            minItems: 1,
            items: EXPECTED,
          },
          $not: { description: 'The value does not match.', ...EXPECTED },
          $only: {
            description: 'An object with exactly these members.',
            type: 'object',
            additionalProperties: EXPECTED,
          },
          $absent: { description: 'The value is absent.', const: true },
        },
      },
      {
        type: 'object',
        propertyNames: { pattern: '^[^$]|^$' },
        additionalProperties: EXPECTED,
      },
    ],
  },
} as const;

const text = z.string('must be a string');
const object = 'must be a JSON object';

const expected = (description: string) => z.optional(expectedSchema).check(z.describe(description));
const words = z.array(text, 'must be an array');

/** What a step compares. */
export const expectation = z
  .strictObject(
    {
      status: expected('HTTP status; 0 if the connection was closed without a response.'),
      error: expected(
        'The member `error` of the body or the parameter of the redirect; null for none.',
      ),
      body: expected('The body as JSON, or as text if it is not JSON.'),
      headers: z
        .optional(z.record(z.string(), expectedSchema, object))
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
      statuses: expected(
        'How many responses had each HTTP status, where repeat is an object: {"200": 30, "429": 10}.',
      ),
    },
    object,
  )
  .check(z.describe('The expected result of the step. Only the members given are compared.'));

const NAME_RULE = 'must be a name of letters, digits and _';

/** What a step saves for later steps: paths into its response by the name of the variable. */
export const saved = z
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
