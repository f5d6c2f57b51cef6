// Compares the response to a step with the expectations, including matchers, with one difference for each value that
// does not match; and saves values for later steps.

import type { Members } from './actions/action.ts';
import type { Answer } from './actions/answer.ts';
import type { Variables } from './actions/variables.ts';
import type { Expectation, ScenarioStep } from './schema.ts';
import { isJsonObject } from '../json.ts';
import { isMatcher, type MatcherName } from './expectation.ts';

export interface Difference {
  /** `status`, `body.expires_in`, `headers.retry-after`. */
  readonly what: string;
  /** The expected value in words or as JSON. */
  readonly expected: string;
  readonly got: string;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const json = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const OPERAND_WORDS: Readonly<Record<MatcherName, (operand: unknown) => string>> = {
  $type: (type) => KINDS[String(type)] ?? String(type),
  $matches: (pattern) => `text that matches /${String(pattern)}/`,
  $includes: (part) => `a value that includes ${inWords(part)}`,
  $at_least: (least) => `at least ${String(least)}`,
  $at_most: (most) => `at most ${String(most)}`,
  $any: (ones) => (ones as unknown[]).map(inWords).join(', or '),
  $not: (other) => `not ${inWords(other)}`,
  $only: (members) => `only the members ${Object.keys(members as object).join(', ')}`,
  $absent: () => 'nothing',
};

function inWords(expected: unknown): string {
  if (!isMatcher(expected)) return json(expected);
  return Object.entries(expected)
    .map(([name, operand]) => OPERAND_WORDS[name as MatcherName](operand))
    .join(' and ');
}

function isOfType(type: unknown, got: unknown): boolean {
  if (type === 'integer') return Number.isInteger(got);
  if (type === 'array') return Array.isArray(got);
  if (type === 'object') return isJsonObject(got);
  return typeof got === type;
}

function includes(got: unknown, part: unknown): boolean {
  if (typeof got === 'string') return typeof part === 'string' && got.includes(part);
  return Array.isArray(got) && got.some((entry) => fits(part, entry));
}

const TESTS: Readonly<
  Record<Exclude<MatcherName, '$only'>, (operand: unknown, got: unknown) => boolean>
> = {
  $type: isOfType,
  $matches: (pattern, got) => typeof got === 'string' && new RegExp(String(pattern), 'u').test(got),
  $includes: (part, got) => includes(got, part),
  $at_least: (least, got) => typeof got === 'number' && got >= Number(least),
  $at_most: (most, got) => typeof got === 'number' && got <= Number(most),
  $any: (ones, got) => (ones as unknown[]).some((one) => fits(one, got)),
  $not: (other, got) => !fits(other, got),
  $absent: (_, got) => got === undefined,
};

const fits = (expected: unknown, got: unknown): boolean => compare('', expected, got).length === 0;

const below = (what: string, name: string) => (what === '' ? name : `${what}.${name}`);

function compareMembers(what: string, expected: Members, got: unknown): Difference[] {
  if (!isJsonObject(got)) return [{ what, expected: inWords(expected), got: json(got) }];
  return Object.entries(expected).flatMap(([name, member]) =>
    compare(below(what, name), member, Object.hasOwn(got, name) ? got[name] : undefined),
  );
}

function compareOnly(what: string, members: Members, got: unknown): Difference[] {
  const more = isJsonObject(got)
    ? Object.keys(got).filter((name) => !Object.hasOwn(members, name))
    : [];
  return [
    ...compareMembers(what, members, got),
    ...more.map((name) => ({
      what: below(what, name),
      expected: 'nothing',
      got: json((got as Members)[name]),
    })),
  ];
}

function compareMatcher(what: string, matcher: Members, got: unknown): Difference[] {
  const { $only, ...rest } = matcher;
  const tested = Object.entries(rest) as [Exclude<MatcherName, '$only'>, unknown][];
  const fit = tested.every(([name, operand]) => TESTS[name](operand, got));
  const only = isJsonObject($only) ? compareOnly(what, $only, got) : [];
  return fit ? only : [{ what, expected: inWords(rest), got: json(got) }, ...only];
}

function compareArrays(what: string, expected: readonly unknown[], got: unknown): Difference[] {
  if (!Array.isArray(got) || got.length !== expected.length) {
    return [{ what, expected: json(expected), got: json(got) }];
  }
  return expected.flatMap((entry, index) => compare(`${what}[${index}]`, entry, got[index]));
}

/** @param what the path of the compared value */
function compare(what: string, expected: unknown, got: unknown): Difference[] {
  if (isMatcher(expected)) return compareMatcher(what, expected, got);
  if (Array.isArray(expected)) return compareArrays(what, expected, got);
  if (isJsonObject(expected)) return compareMembers(what, expected, got);
  return expected === got ? [] : [{ what, expected: json(expected), got: json(got) }];
}

/** Compares lists regardless of order. */
function compareSets(what: string, expected: readonly string[], got: readonly string[]) {
  return compare(what, [...expected].sort(), [...got].sort()).length === 0
    ? []
    : [{ what, expected: json(expected), got: json(got) }];
}

const LISTS = ['deviations', 'advisories'] as const;

function lowered(headers: NonNullable<Expectation['headers']>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Returns a difference for each value that does not match. @throws MissingValueError */
export function differencesOf(
  expect: Expectation,
  answer: Answer,
  { filled }: Variables,
): Difference[] {
  const { headers, deviations: _deviations, advisories: _advisories, ...plain } = filled(expect);
  const lists = LISTS.flatMap((name) => {
    const expected = expect[name];
    return expected === undefined ? [] : compareSets(name, expected, answer[name]);
  });
  return [
    ...Object.entries(plain).flatMap(([name, value]) =>
      compare(name, value, answer[name as keyof typeof plain]),
    ),
    ...(headers === undefined ? [] : compare('headers', lowered(headers), answer.headers)),
    ...lists,
  ];
}

function valueAt(answer: Answer, path: string): unknown {
  const [first = '', ...rest] = path.split('.');
  let value: unknown = answer[first as keyof Answer];
  for (const name of rest) {
    const key = first === 'headers' ? name.toLowerCase() : name;
    value = Object.hasOwn(Object(value) as object, key)
      ? Reflect.get(Object(value) as object, key)
      : undefined;
  }
  return value;
}

/** Saves the values that the step names. @returns a difference for each value that the response does not have */
export function saveValues(
  save: NonNullable<ScenarioStep['save']>,
  answer: Answer,
  { set }: Variables,
): Difference[] {
  return Object.entries(save).flatMap(([name, path]) => {
    const value = valueAt(answer, path);
    set(name, value);
    return value === undefined
      ? [{ what: path, expected: `a value to save as {{${name}}}`, got: 'nothing' }]
      : [];
  });
}
