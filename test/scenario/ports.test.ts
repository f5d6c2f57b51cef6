// The runner over its ports, without its own HTTP client: with control alone, whose host sends the requests, every
// shipped scenario has the same result as over real HTTP.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { junitReport } from '../../src/scenario/reports/junit.ts';
import { tapReport } from '../../src/scenario/reports/tap.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import { expectPassed, openSandbox, parsedScenario } from '../support/scenarios.ts';

const FOLDER = new URL('../../resources/scenarios/', import.meta.url);

test.each(readdirSync(FOLDER).sort())('%s passes over control alone', async (name) => {
  const parsed = await parsedScenario(readFileSync(new URL(name, FOLDER), 'utf8'));
  expectPassed(await runScenario(name, parsed, () => openSandbox(parsed)), name);
});

test('cases of scenarios with the same name differ in JUnit, for CI servers that take equal ones for one', async () => {
  const parsed = await parsedScenario({ steps: [{ issue_code: {} }] });
  const run = (file: string) => runScenario(file, parsed, () => openSandbox(parsed));
  const report = junitReport([await run('a.json'), await run('b.json')]);
  const classes = [...report.matchAll(/classname="([^"]*)"/g)].map(([, name]) => name);
  const { name } = parsed.scenario;
  expect(classes).toEqual([`${name} (a.json)`, `${name} (b.json)`]);
});

test('the reports of a rejected step name the entry of its cause in the documentation', async () => {
  const steps = [
    { issue_code: {} },
    {
      token: { grant: 'authorization_code', fields: { code: 'unknown' } },
      expect: { status: 200 },
    },
  ];
  const parsed = await parsedScenario({ steps });
  const result = await runScenario('rejected', parsed, () => openSandbox(parsed));
  const entry = 'docs/reference/causes.md#code_unknown';
  expect(result.steps[1]?.failure).toMatchObject({ about: entry });
  expect(junitReport([result])).toContain(`\nAbout this cause: ${entry}\n`);
  expect(tapReport([result])).toContain(`about: "${entry}"`);
});
