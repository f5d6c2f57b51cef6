// What a step expects: JSON values as they must be, and where not one value but a kind of value is meant,
// matchers: objects of members that begin with $. Only the members of an expected object are compared, so
// that an answer may have more.

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
export const expectedSchema = z.unknown().check(
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
