// The runner over its ports, without its own HTTP client: with control alone, whose host sends the requests, every
// shipped scenario has the same result as over real HTTP.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readScenario } from '../../src/cli/commands/run/own-sandbox.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { ParsedScenario } from '../../src/scenario/parse.ts';
import { junitReport } from '../../src/scenario/reports/junit.ts';
import { tapReport } from '../../src/scenario/reports/tap.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import { createAssertionKeys } from '../../src/scenario/runner/assertion-keys.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';
import type { ScenarioSandbox } from '../../src/scenario/runner/sandbox.ts';

const FOLDER = new URL('../../resources/scenarios/', import.meta.url);

async function openSandbox({ workspace }: ParsedScenario): Promise<ScenarioSandbox> {
  const engine = await createEngine({ port: 0, version: 'test', base: workspace });
  const { issuer } = await engine.start();
  const control = await engine.getControl();
  const { clients, users } = workspace;
  return {
    control,
    issuer,
    clients,
    users,
    close: engine.close,
    send: sendOverControl(control, 'scenario'),
    assertionKey: createAssertionKeys(control).keyFor,
  };
}

test.each(readdirSync(FOLDER).sort())('%s passes over control alone', async (name) => {
  const parsed = await readScenario(readFileSync(new URL(name, FOLDER), 'utf8'));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems, null, 2));
  const { steps } = await runScenario(name, parsed, () => openSandbox(parsed));
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test('the reports of a rejected step name the entry of its cause in the documentation', async () => {
  const steps = [
    { issue_code: {} },
    {
      token: { grant: 'authorization_code', fields: { code: 'unknown' } },
      expect: { status: 200 },
    },
  ];
  const parsed = await readScenario(
    JSON.stringify({ format: 'grantbench-scenario', version: 1, name: 'Rejected', steps }),
  );
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems, null, 2));
  const result = await runScenario('rejected', parsed, () => openSandbox(parsed));
  const entry = 'docs/reference/causes.md#code_unknown';
  expect(result.steps[1]?.failure).toMatchObject({ about: entry });
  expect(junitReport([result])).toContain(`\nAbout this cause: ${entry}\n`);
  expect(tapReport([result])).toContain(`about: "${entry}"`);
});
