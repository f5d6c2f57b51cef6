// The runner over its ports: it needs no HTTP client of its own. With control alone, whose host sends the
// requests, every shipped scenario comes to the same as over real HTTP.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readScenario } from '../../src/cli/commands/run/own-sandbox.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { ParsedScenario } from '../../src/scenario/parse.ts';
import { runScenario } from '../../src/scenario/runner/run.ts';
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
  };
}

test.each(readdirSync(FOLDER).sort())('%s runs green over control alone', async (name) => {
  const parsed = await readScenario(readFileSync(new URL(name, FOLDER), 'utf8'));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems, null, 2));
  const { steps } = await runScenario(name, parsed, () => openSandbox(parsed));
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});
