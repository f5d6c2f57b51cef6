// Opens a run of steps in the sandbox in use.

import type { Exchange } from '../../control/schemas.ts';
import type { Run } from '../../scenario/actions/action.ts';
import { performStep } from '../../scenario/actions/index.ts';
import { createRun } from '../../scenario/runner/create-run.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';
import { control } from '../connection/control.ts';
import { issuerInUse, page } from '../connection/state.ts';
import { liveSandbox, type LiveSandboxOptions } from './live-sandbox.ts';

type RunParts = Parameters<typeof createRun>[1];
type Watched = Omit<LiveSandboxOptions, 'control' | 'issuer' | 'endpoints' | 'clients' | 'users'>;

export function openRun(watched: Watched = {}, parts?: RunParts): Run {
  const { clients, users, server } = page.getState();
  const sandbox = liveSandbox({
    control,
    issuer: issuerInUse(),
    endpoints: server?.endpoints,
    clients,
    users: users.map(({ sub }) => ({ sub, password: null })),
    ...watched,
  });
  return createRun(sandbox, parts);
}

/** Performs a step that sends one request. @returns its exchange, with its secrets */
export async function sendStep(step: ScenarioStep, run: Run): Promise<Exchange> {
  const { exchange = null } = (await performStep(step, run)) ?? {};
  if (exchange === null) throw new Error('The exchange of the request is not known.');
  return exchange;
}
