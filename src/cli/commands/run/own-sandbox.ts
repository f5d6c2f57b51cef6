// The sandbox that `grantbench run` gives each scenario: the demo workspace with the scenario's own
// members, in an engine of its own on a free port, asked over real HTTP.

import { createEngine, type EngineOptions } from '../../../engine/engine.ts';
import { takeGivenWorkspace } from '../../../engine/workspace/given.ts';
import { WorkspaceError } from '../../../engine/workspace/document.ts';
import {
  parseScenario,
  type CheckWorkspace,
  type ParsedScenario,
} from '../../../scenario/reader/parse.ts';
import { runScenario, type ScenarioResult } from '../../../scenario/runner/run.ts';
import type { ScenarioSandbox } from '../../../scenario/runner/sandbox.ts';
import { send } from './send.ts';

const checkWorkspace: CheckWorkspace = async (part) => {
  const { clients, users, audiences, settings, shape } = Object(part) as Record<string, unknown>;
  const members = { clients, users, audiences, settings, shape };
  try {
    return await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'scenario');
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return error.problems;
  }
};

export const readScenario = (text: string): ReturnType<typeof parseScenario> =>
  parseScenario(text, checkWorkspace);

export async function openSandbox(
  { workspace }: ParsedScenario,
  version: EngineOptions['version'],
): Promise<ScenarioSandbox> {
  const engine = await createEngine({ port: 0, version, base: workspace });
  try {
    const { issuer, port } = await engine.start();
    const control = await engine.getControl();
    const { clients, users } = workspace;
    const { close } = engine;
    return { control, issuer, clients, users, close, send: (request) => send(port, request) };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

export const runInOwnSandbox = (
  file: string,
  parsed: ParsedScenario,
  version: EngineOptions['version'],
): Promise<ScenarioResult> => runScenario(file, parsed, () => openSandbox(parsed, version));
