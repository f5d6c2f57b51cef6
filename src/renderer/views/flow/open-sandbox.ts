// The sandbox that the page looks at, changed as a scenario says, and put back when it is over. It knows control, not the
// page.

import type { ControlClient } from '../../../control/client.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';
import type { ScenarioControl, ScenarioSandbox } from '../../../scenario/runner/sandbox.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { liveSandbox, type LiveSandboxOptions } from '../../sending/live-sandbox.ts';

type Workspace = ParsedScenario['workspace'];

type Watched = Pick<LiveSandboxOptions, 'onExchange' | 'onIssued' | 'onDecided' | 'signal'>;

export interface OpenSandboxOptions extends Watched {
  readonly control: ControlClient;
  /** What is registered and set before the scenario is run. */
  readonly former: Workspace;
  /** Called with the step that is run next. */
  readonly onStep: (step: ScenarioStep) => void;
}

/** What a scenario changes beside issuing codes and tokens. */
export interface Changes {
  readonly workspace: boolean;
  readonly clock: boolean;
}

export const changesOf = ({ scenario: { workspace, steps } }: ParsedScenario): Changes => ({
  workspace: workspace !== undefined,
  clock: steps.some(({ clock }) => clock !== undefined),
});

/** Takes the clock as it is; what it answers puts it back. */
async function rememberClock({ clock }: ControlClient): Promise<() => Promise<void>> {
  const { now, frozen, offset_seconds } = await clock.get();
  const begun = performance.now();
  return async () => {
    if (!frozen && Math.abs(offset_seconds) < 1) {
      await clock.update({ reset: true });
      return;
    }
    const passed = frozen ? 0 : performance.now() - begun;
    await clock.update({ now: new Date(Date.parse(now) + passed).toISOString() });
    await clock.update({ frozen });
  };
}

/** What is saved by name stays as it is unless it is given: another page may save meanwhile. */
const withoutSaved = ({ saved_flows: _flows, saved_requests: _requests, ...rest }: Workspace) =>
  rest;

/** Puts in what the scenario registers; what it answers puts back what there was. */
async function putWorkspace(
  { workspace, keys }: ControlClient,
  wanted: Workspace,
  former: Workspace,
): Promise<() => Promise<void>> {
  const before = new Set((await keys.list()).items.map(({ kid }) => kid));
  await workspace.put(withoutSaved(wanted));
  return async () => {
    await workspace.put(withoutSaved(former));
    // One that the scenario's own signing_alg had made.
    const added = (await keys.list()).items.filter(({ kid }) => !before.has(kid));
    for (const { kid } of added) await keys.retire({ kid });
  };
}

const isGone = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'not_found';

/** The faults that steps arm: each before all others, since it is meant for the next request. */
function armedFaults({ faults }: ControlClient) {
  const armed: string[] = [];
  const create: ScenarioControl['faults']['create'] = async (draft) => {
    const added = await faults.create(draft);
    armed.push(added.id);
    await faults.move({ id: added.id, position: 0 });
    return added;
  };
  const removeAll = async () => {
    for (const id of armed) {
      await faults.remove({ id }).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    }
  };
  return { create, removeAll };
}

/**
 * Closing it puts back what was changed; where that fails, closing it again goes on from there.
 * @throws what control refuses, with nothing changed
 */
export async function openSandbox(
  parsed: ParsedScenario,
  { control, former, onStep, ...watched }: OpenSandboxOptions,
): Promise<ScenarioSandbox> {
  const changes = changesOf(parsed);
  const faults = armedFaults(control);
  const putBack: (() => Promise<void>)[] = [];
  if (changes.clock) putBack.push(await rememberClock(control));
  if (changes.workspace) putBack.push(await putWorkspace(control, parsed.workspace, former));
  putBack.push(faults.removeAll);
  const { clients, users } = parsed.workspace;
  const { issuer } = await control.server.get();
  const live = liveSandbox({ control, issuer, clients, users, sent_by: 'scenario', ...watched });
  return {
    ...live,
    control: { ...live.control, faults: { create: faults.create } },
    onStep: (index) => {
      const step = parsed.scenario.steps[index];
      if (step !== undefined) onStep(step);
    },
    close: async () => {
      for (let last = putBack.at(-1); last !== undefined; last = putBack.at(-1)) {
        await last();
        putBack.pop();
      }
    },
  };
}
