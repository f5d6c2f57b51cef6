// The demo scenarios: each passes over real HTTP, and together they cover every clause of the specification and every
// section of the behaviour page.

import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { expectPasses } from '../support/scenarios.ts';

const FOLDER = new URL('../../resources/scenarios/', import.meta.url);
const names = readdirSync(FOLDER).sort();
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const documentOf = (name: string) => JSON.parse(textOf(name)) as { readonly description: string };

const schema = JSON.parse(
  readFileSync(new URL('../../resources/scenario.schema.json', import.meta.url), 'utf8'),
) as object;
const isValid = new Ajv2020({
  allowUnionTypes: true,
  strictRequired: false,
  formats: { 'date-time': true },
}).compile(schema);

test('the example of docs/reference/scenarios.md passes', async () => {
  const page = readFileSync(new URL('../../docs/reference/scenarios.md', import.meta.url), 'utf8');
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  await expectPasses(text);
});

describe.each(names)('%s', (name) => {
  test('passes', () => expectPasses(textOf(name)));

  test('is valid against the published JSON Schema', () => {
    expect(isValid(documentOf(name)), JSON.stringify(isValid.errors)).toBe(true);
  });

  test('names the rules that it covers, which exist', () => {
    const rules = coveredBy(name).map((covered) => /^\w+ [\d.]+/.exec(covered)?.[0]);
    expect(rules.filter((rule = '') => !RULES.has(rule))).toEqual([]);
  });
});

interface Rule {
  readonly name: string;
  /** Rules with content, other than headings and open points. */
  readonly says: boolean;
  /** The fields in its tables. */
  readonly fields: readonly string[];
}

function rulesOf(book: string, file: string): Rule[] {
  const text = readFileSync(new URL(`../../docs/${file}.md`, import.meta.url), 'utf8');
  return [...text.matchAll(/^#{2,4} <a id="[\d-]+"><\/a>([\d.]*\d)[^]*?(?=^##|$(?![^]))/gm)].map(
    ([part, number = '']) => ({
      name: `${book} ${number}`,
      says: !/^.*\n\n(?:\*\*Open\*\*\.\s*)?$/.test(part),
      fields: [...part.matchAll(/^\| `(\w+)`/gm)].map(([, field = '']) => field),
    }),
  );
}

const SPECIFICATION = rulesOf('spec', 'specification');
const BEHAVIOUR = rulesOf('behaviour', 'behaviour');
const RULES = new Set([...SPECIFICATION, ...BEHAVIOUR].map(({ name }) => name));

/** Rules of the specification, and the fields in their tables; sections of behaviour. */
const TO_BE_COVERED = [
  ...SPECIFICATION.flatMap(({ name, says, fields }) => [
    ...(says ? [name] : []),
    ...fields.map((field) => `${name} ${field}`),
  ]),
  ...BEHAVIOUR.map(({ name }) => name).filter((name) => !name.includes('.')),
];

/** `spec 4.1.2 client_id, client_secret` covers the rule and both fields. */
function coveredBy(name: string): string[] {
  const [, list = ''] = /Covers (.*)\.$/.exec(documentOf(name).description) ?? [];
  return list.split('; ').flatMap((covered) => {
    const [, rule = covered, words] = /^(\w+ [\d.]+)(?: (.*))?$/.exec(covered) ?? [];
    return [rule, ...(words?.split(', ').map((word) => `${rule} ${word}`) ?? [])];
  });
}

/** Tokens signed for a test, moving the server, what is saved by name, forecasts, client checks: control alone does these, and no step. */
const OF_CONTROL_ALONE = ['14', '15', '16', '17', '18', '21'].map(
  (number) => `behaviour ${number}`,
);

test('the scenarios cover all rules of the specification and all sections of the behaviour page', () => {
  const covered = new Set([...names.flatMap(coveredBy), ...OF_CONTROL_ALONE]);
  expect(TO_BE_COVERED.length).toBeGreaterThan(40);
  expect(TO_BE_COVERED.filter((clause) => !covered.has(clause))).toEqual([]);
});

test('behaviour 7: steps use the endpoints below an issuer with a path', async () => {
  const document = {
    workspace: { settings: { issuer: 'http://localhost:4999/tenant' } },
    steps: [
      { authorize: { user: 'ada' }, expect: { status: 303 } },
      {
        token: { grant: 'authorization_code' },
        expect: { status: 200, body: { token_type: 'Bearer' } },
      },
    ],
  };
  await expectPasses(document);
});
