// What a step expects of its response, and which values it saves for later steps. Expectations are exact JSON values,
// or matchers for kinds of values: objects whose members begin with $. Only members of an expected object are
// compared; the response may have more.

import { z } from '../control/zod.ts';
import { described } from '../core/records/zod.ts';
import { object, optional, strictRecord, text } from './actions/members.ts';
import { isJsonObject } from '../json.ts';

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

/** Returns null if the operand is valid, else the broken rule. */
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

/** All matchers with the rules of their operands. */
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

/** Whether an expected value consists of matchers rather than members. */
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

/** Returns all problems of an expected value, with matchers at any depth. */
function problemsOfExpected(value: unknown, path: ValueProblem['path'] = []): ValueProblem[] {
  if (path.length > MOST_LEVELS) return [{ path, message: 'is nested too deeply' }];
  if (isMatcher(value)) return problemsOfMatcher(value, path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    problemsOfExpected(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** An exact value, or a matcher. */
const expectedSchema = z.unknown().check(
  z.superRefine((value, ctx) => {
    for (const { path, message } of problemsOfExpected(value)) {
      ctx.addIssue({ code: 'custom', path: [...path], message });
    }
  }),
  z.meta({ $ref: '#/$defs/expected' }),
);

const EXPECTED = { $ref: '#/$defs/expected' };

/** The same rules as JSON Schema, because zod does not convert refinements. */
export const MATCHERS_DEFINITION = {
  expected: {
    description:
      'The expected value, or matchers. For an object, only the given members are compared.',
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

const expected = (description: string) => optional(expectedSchema, description);
const words = z.array(text, 'must be an array');

/** The members that a step can expect. */
export const expectation = strictRecord(
  {
    status: expected('HTTP status; 0 if the connection was closed without a response.'),
    error: expected(
      'The member `error` of the body, or the parameter of the redirect; null for none.',
    ),
    body: expected('The body as JSON, or as text if it is not JSON.'),
    headers: optional(
      z.record(z.string(), expectedSchema, object),
      'Headers by name, each as one string.',
    ),
    redirect: expected(
      'The parameters of the redirect URI in the Location header, or of the form that form_post posts to it.',
    ),
    claims: expected('The claims of the access_token in this response.'),
    retry_after: expected('The seconds in Retry-After, as a number.'),
    failed_check: expected('`id` of the failed check in the trace; null for none.'),
    cause: expected('The cause of the rejection in a few words, such as "used at 10:02:11".'),
    reason: expected('Identifier of the cause of the rejection; see causes.md.'),
    deviations: optional(words, 'The `id`s of all deviations.'),
    advisories: optional(words, 'The kinds of all advisories.'),
    statuses: expected(
      'The number of responses with each HTTP status, if repeat is an object: {"200": 30, "429": 10}.',
    ),
  },
  'The expected response. Only the given members are compared.',
);

const NAME_RULE = 'must be a name of letters, digits and _';

/** The values that a step saves for later steps: paths into its response by variable name. */
export const saved = described(
  z.record(
    z.string().check(z.regex(/^[A-Za-z_]\w*$/)),
    text.check(
      z.regex(
        /^(status|(body|headers|redirect|claims)(\.[^.]+){0,32})$/,
        'must be status, or a path below body, headers, redirect or claims, such as body.access_token',
      ),
    ),
    { error: ({ code }) => (code === 'invalid_key' ? NAME_RULE : object) },
  ),
  'Saves values of the response for later steps: {"first": "body.access_token"}.',
);
