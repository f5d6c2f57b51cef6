// An engine alone, without its control server, on a free port. Closed when the test ends.

import { onTestFinished } from 'vitest';
import type { Workspace } from '../../src/core/records/schemas.ts';
import { createEngine, type EngineOptions } from '../../src/engine/engine.ts';
import { takeGivenWorkspace } from '../../src/engine/workspace/given.ts';

/** The demo workspace with these members in place of its own. Signs with ES256, whose keys are generated quickly. */
export const givenWorkspace = (members: Readonly<Record<string, unknown>>): Promise<Workspace> =>
  takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'test');

export async function startEngine(base: Workspace, options: Partial<EngineOptions> = {}) {
  const engine = await createEngine({ port: 0, version: 'test', base, ...options });
  onTestFinished(engine.close);
  const { issuer } = await engine.start();
  return { engine, issuer, control: await engine.getControl() };
}
