// Applies the changes of a scenario to the sandbox in use, and undoes them afterwards. It uses the control API, not the
// page.

import type { ControlClient } from '../../../control/contract.ts';
import type { ParsedScenario } from '../../../scenario/parse.ts';
import { createAssertionKeys } from '../../../scenario/runner/assertion-keys.ts';
import type {
  ScenarioControl,
  ScenarioSandbox,
} from '../../../scenario/runner/scenario-sandbox.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { liveSandbox, type LiveSandboxOptions } from '../../sending/live-sandbox.ts';

type Workspace = ParsedScenario['workspace'];

type Watched = Pick<LiveSandboxOptions, 'onExchange' | 'onIssued' | 'onDecided' | 'signal'>;

interface OpenSandboxOptions extends Watched {
  readonly control: ControlClient;
  /** The workspace before the scenario is run. */
  readonly former: Workspace;
  /** Called with each step before it is run. */
  readonly onStep: (step: ScenarioStep) => void;
}

/** What a scenario changes besides issuing codes and tokens. */
export const changesOf = ({ scenario: { workspace, steps } }: ParsedScenario) => ({
  workspace: workspace !== undefined,
  clock: steps.some(({ clock }) => clock !== undefined),
});

/** Reads the clock. @returns a function that restores it */
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

/** Omits what is saved by name, so that the control API keeps it: another page may save meanwhile. */
const withoutSaved = ({ saved_flows: _flows, saved_requests: _requests, ...rest }: Workspace) =>
  rest;

/**
 * Applies the workspace of the scenario. @returns a function that restores the former one, unless another page has
 * replaced the scenario's meanwhile
 */
async function putWorkspace(
  { workspace, keys }: ControlClient,
  wanted: Workspace,
  former: Workspace,
): Promise<() => Promise<void>> {
  const before = new Set((await keys.list()).items.map(({ kid }) => kid));
  const newestReplaced = async () => (await workspace.former()).items[0]?.id;
  await workspace.put(withoutSaved(wanted));
  const replaced = await newestReplaced();
  return async () => {
    if ((await newestReplaced()) !== replaced) return;
    await workspace.put(withoutSaved(former));
    // The scenario's own signing_alg may have generated a key.
    const added = (await keys.list()).items.filter(({ kid }) => !before.has(kid));
    for (const { kid } of added) await keys.retire({ kid });
  };
}

/** For what another page or the app may have deleted meanwhile. @throws every other error */
function unlessGone(error: unknown): void {
  const isGone = error instanceof Error && 'code' in error && error.code === 'not_found';
  if (!isGone) throw error;
}

/** Creates the fault rules of steps, each before all others, since it is meant for the next request. */
function createdFaults({ faults }: ControlClient) {
  const created: string[] = [];
  const create: ScenarioControl['faults']['create'] = async (draft) => {
    const added = await faults.create(draft);
    created.push(added.id);
    await faults.move({ id: added.id, position: 0 });
    return added;
  };
  const removeAll = async () => {
    for (const id of created) {
      await faults.remove({ id }).catch(unlessGone);
    }
  };
  return { create, removeAll };
}

/**
 * Closing the sandbox undoes the changes. If one cannot be undone, closing again continues with that one.
 * @throws the error of the control API, with nothing changed
 */
export async function openSandbox(
  parsed: ParsedScenario,
  { control, former, onStep, ...watched }: OpenSandboxOptions,
): Promise<ScenarioSandbox> {
  const changes = changesOf(parsed);
  const faults = createdFaults(control);
  const undos: (() => Promise<void>)[] = [];
  if (changes.clock) undos.push(await rememberClock(control));
  if (changes.workspace) undos.push(await putWorkspace(control, parsed.workspace, former));
  const keys = createAssertionKeys(control);
  undos.push(faults.removeAll, () => keys.removeAll().catch(unlessGone));
  const { clients, users } = parsed.workspace;
  const { issuer, endpoints } = await control.server.get();
  const live = liveSandbox({
    control,
    issuer,
    endpoints,
    clients,
    users,
    sent_by: 'scenario',
    ...watched,
  });
  return {
    ...live,
    assertionKey: keys.keyFor,
    control: { ...live.control, faults: { create: faults.create } },
    onStep: (index) => {
      const step = parsed.scenario.steps[index];
      if (step !== undefined) onStep(step);
    },
    close: async () => {
      for (let last = undos.at(-1); last !== undefined; last = undos.at(-1)) {
        await last();
        undos.pop();
      }
    },
  };
}
