// The sandbox that the page looks at as the runner's ports: requests are sent by its host and drawn, and
// what a scenario changes is put back when it is over. It knows control, not the page.

import type { ControlClient } from '../../../../control/client.ts';
import type { Device, Exchange, IssueCode } from '../../../../control/schemas.ts';
import type { ParsedScenario } from '../../../../scenario/reader/parse.ts';
import type {
  HttpAnswer,
  ScenarioControl,
  ScenarioSandbox,
} from '../../../../scenario/runner/sandbox.ts';
import type { ScenarioStep } from '../../../../scenario/schema.ts';
import type { DecisionEvent } from '../flow-state.ts';
import { bodyText } from '../../../exchange/answer.ts';

type Workspace = ParsedScenario['workspace'];
export type IssuedCode = Awaited<ReturnType<ControlClient['codes']['create']>>;

export interface LiveSandboxOptions {
  readonly control: ControlClient;
  /** What is registered and set before the scenario is run. */
  readonly former: Workspace;
  /** Called with the step that is run next. */
  readonly onStep: (step: ScenarioStep) => void;
  /** Called with every request, with its secrets. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Called with every code issued over control. */
  readonly onIssued: (request: IssueCode, issued: IssuedCode) => void;
  /** Told of every decision about a device over control. */
  readonly onDecided: (decision: DecisionEvent['decision'], device: Device) => void;
  /** Asked before each request whether the person has seen enough. */
  readonly isStopped: () => boolean;
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

/** The runner takes errors with a code for the result of a step. */
class Stopped extends Error {
  readonly code = 'stopped';
}

function answerOf(exchange: Exchange): HttpAnswer {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of exchange.response.headers) {
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  const { status, number } = exchange;
  return { status, headers, text: bodyText(exchange.response), exchange: number };
}

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

type Decided = LiveSandboxOptions['onDecided'];

function watchedDevices(
  { devices }: ControlClient,
  onDecided: Decided,
): ScenarioControl['devices'] {
  const told = async (decision: DecisionEvent['decision'], deciding: Promise<Device>) => {
    const device = await deciding;
    onDecided(decision, device);
    return device;
  };
  return {
    approve: (order) => told('approve', devices.approve(order)),
    deny: (order) => told('deny', devices.deny(order)),
    expire: (order) => told('expire', devices.expire(order)),
  };
}

/**
 * Closing it puts back what was changed; where that fails, closing it again goes on from there.
 * @throws what control refuses, with nothing changed
 */
export async function openLiveSandbox(
  parsed: ParsedScenario,
  options: LiveSandboxOptions,
): Promise<ScenarioSandbox> {
  const { control, former, onStep, onExchange, onIssued, onDecided, isStopped } = options;
  const changes = changesOf(parsed);
  const faults = armedFaults(control);
  const putBack: (() => Promise<void>)[] = [];
  if (changes.clock) putBack.push(await rememberClock(control));
  if (changes.workspace) putBack.push(await putWorkspace(control, parsed.workspace, former));
  putBack.push(faults.removeAll);
  const { clients, users } = parsed.workspace;
  // Under a provider shape it has a path.
  const { issuer } = await control.server.get();
  return {
    issuer,
    clients,
    users,
    control: {
      tokens: control.tokens,
      devices: watchedDevices(control, onDecided),
      clock: control.clock,
      exchanges: control.exchanges,
      faults: { create: faults.create },
      codes: {
        create: async (request) => {
          const issued = await control.codes.create(request);
          onIssued(request, issued);
          return issued;
        },
      },
    },
    send: async (request) => {
      if (isStopped()) throw new Stopped('stopped manually');
      const exchange = await control.requests.send({
        ...request,
        sent_by: 'scenario',
        secrets: true,
      });
      onExchange(exchange);
      return answerOf(exchange);
    },
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
