// The answer to a step compared with what the scenario expects, and the values saved for later steps.

import type { Answer } from '../actions/answer.ts';
import type { Variables } from '../actions/variables.ts';
import type { Expectation, ScenarioStep } from '../schema.ts';
import { compare, compareSets, type Difference } from './values.ts';

const LISTS = ['deviations', 'advisories'] as const;

function lowered(headers: NonNullable<Expectation['headers']>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** One difference for each value that does not fit. @throws MissingValueError */
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

/** Saves the values that the step names. @returns a difference for each that the answer does not have */
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
