// The runner over its ports: it needs no HTTP client of its own. With control alone, whose host sends the
// requests, every shipped scenario comes to the same as over real HTTP.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readScenario } from '../../src/cli/commands/run/own-sandbox.ts';
import type { ControlClient } from '../../src/control/client.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { HttpRequest } from '../../src/oauth/fields.ts';
import type { ParsedScenario } from '../../src/scenario/reader/parse.ts';
import { runScenario } from '../../src/scenario/runner/run.ts';
import type { HttpAnswer, ScenarioSandbox } from '../../src/scenario/runner/sandbox.ts';

const FOLDER = new URL('../../resources/scenarios/', import.meta.url);

/** Header values by their names in small letters. */
function byName(headers: readonly (readonly [name: string, value: string])[]) {
  const values: Record<string, string[]> = {};
  for (const [name, value] of headers) (values[name.toLowerCase()] ??= []).push(value);
  return values;
}

const sendOverControl =
  (control: ControlClient) =>
  async (request: HttpRequest): Promise<HttpAnswer> => {
    const { number, status, response } = await control.requests.send({ ...request, secrets: true });
    return { status, headers: byName(response.headers), text: response.body, exchange: number };
  };

async function openSandbox({ workspace }: ParsedScenario): Promise<ScenarioSandbox> {
  const engine = await createEngine({ port: 0, version: 'test', base: workspace });
  const { issuer } = await engine.start();
  const control = await engine.getControl();
  const { clients, users } = workspace;
  return { control, issuer, clients, users, close: engine.close, send: sendOverControl(control) };
}

test.each(readdirSync(FOLDER).sort())('%s runs green over control alone', async (name) => {
  const parsed = await readScenario(readFileSync(new URL(name, FOLDER), 'utf8'));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems, null, 2));
  const { steps } = await runScenario(name, parsed, () => openSandbox(parsed));
  expect(steps.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});
