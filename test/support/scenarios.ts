// Scenarios of tests: written, read and run.

import { expect } from 'vitest';
import { readScenario, runInOwnSandbox } from '../../src/cli/commands/run/own-sandbox.ts';
import type { ParsedScenario } from '../../src/scenario/parse.ts';
import { createAssertionKeys } from '../../src/scenario/runner/assertion-keys.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';
import type { ScenarioResult } from '../../src/scenario/runner/run-steps.ts';
import { startEngine } from './engine.ts';

type Members = Readonly<Record<string, unknown>>;

/** The text of a scenario with these members. */
export const scenarioText = (members: Members): string =>
  JSON.stringify({ format: 'grantbench-scenario', version: 1, name: 'It', ...members }, null, 2);

/** Reads a scenario that has no problems. */
export async function parsedScenario(scenario: string | Members): Promise<ParsedScenario> {
  const text = typeof scenario === 'string' ? scenario : scenarioText(scenario);
  const read = await readScenario(text);
  if ('problems' in read) throw new Error(`${JSON.stringify(read.problems, null, 2)}\n${text}`);
  return read;
}

/** The problems of a scenario with these members, each with its path. */
export async function problemsOf(members: Members): Promise<string[]> {
  const read = await readScenario(scenarioText(members));
  return 'problems' in read ? read.problems.map(({ path, message }) => `${path} ${message}`) : [];
}

export function expectPassed({ steps }: ScenarioResult, text: string): void {
  const others = steps.filter(({ verdict }) => verdict !== 'passed');
  expect(others, text).toEqual([]);
}

/** Runs a scenario as `grantbench run` does: each step must pass. */
export async function expectPasses(scenario: string | Members): Promise<void> {
  const text = typeof scenario === 'string' ? scenario : scenarioText(scenario);
  expectPassed(await runInOwnSandbox('it.json', await parsedScenario(text), 'test'), text);
}

/** A sandbox that sends over control. It is closed when the test ends, not with the run. */
export async function openSandbox({ workspace }: ParsedScenario) {
  const { control, issuer } = await startEngine(workspace);
  const { clients, users } = workspace;
  return {
    control,
    issuer,
    clients,
    users,
    send: sendOverControl(control, 'scenario'),
    assertionKey: createAssertionKeys(control).keyFor,
    close: () => Promise.resolve(),
  };
}
