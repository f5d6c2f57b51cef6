// The demo scenarios: each runs green over real HTTP, and together they touch every clause
// of the specification and every section of the behaviour page.

import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  readScenario,
  runInOwnSandbox as runScenario,
} from '../../src/cli/commands/run/own-sandbox.ts';

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

async function expectGreen(name: string, text: string): Promise<void> {
  const read = await readScenario(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems, null, 2));
  const { steps } = await runScenario(name, read, 'test');
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
}

test('the example of docs/scenarios.md runs green', async () => {
  const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  await expectGreen('docs/scenarios.md', text);
});

describe.each(names)('%s', (name) => {
  test('runs green', () => expectGreen(name, textOf(name)));

  test('is valid by the published JSON Schema', () => {
    expect(isValid(documentOf(name)), JSON.stringify(isValid.errors)).toBe(true);
  });

  test('names the clauses it covers, and they are there', () => {
    expect(coveredBy(name).filter((clause) => !CLAUSES.has(clause))).toEqual([]);
  });
});

/** Clauses of the specification, and sections of the behaviour page, as test/clauses.md has them. */
const CLAUSES = new Set(
  [...readFileSync(new URL('../clauses.md', import.meta.url), 'utf8').matchAll(/^\| (.+?) \|/gm)]
    .map(([, clause = '']) => clause)
    .flatMap((clause) => {
      const section = /^behaviour (\d+)\./.exec(clause)?.[1];
      if (section !== undefined) return [`behaviour ${section}`];
      return clause.startsWith('spec ') ? [clause] : [];
    }),
);

function coveredBy(name: string): string[] {
  const [, list = ''] = /Covers (.*)\.$/.exec(documentOf(name).description) ?? [];
  return list.split('; ');
}

/** Tokens signed for a test, moving the server, what is saved by name: control alone does these, and no step. */
const OF_CONTROL_ALONE = ['behaviour 14', 'behaviour 15', 'behaviour 16'];

test('all clauses of the specification, and all sections of the behaviour page, are covered', () => {
  const covered = new Set([...names.flatMap(coveredBy), ...OF_CONTROL_ALONE]);
  expect(CLAUSES.size).toBeGreaterThan(40);
  expect([...CLAUSES].filter((clause) => !covered.has(clause))).toEqual([]);
});

test('behaviour 7: of an issuer with a path, the steps find the endpoints below it', async () => {
  const document = {
    format: 'grantbench-scenario',
    version: 1,
    name: 'An issuer with a path',
    workspace: { settings: { issuer: 'http://localhost:4999/tenant' } },
    steps: [
      { authorize: { user: 'ada' }, expect: { status: 303 } },
      {
        token: { grant: 'authorization_code' },
        expect: { status: 200, body: { token_type: 'Bearer' } },
      },
    ],
  };
  await expectGreen('path', JSON.stringify(document));
});
