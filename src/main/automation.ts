// Automation access: the control server beside the window, on loopback and with a token, so that commands
// and scripts reach the same sandbox. Off until the person switches it on; remembered from then. The page
// only asks for it: the person is asked natively, where script in the page cannot answer.

import { join } from 'node:path';
import type { AutomationState } from '../control/window-contract.ts';
import type { ControlServer } from '../engine/control-server/server.ts';
import { PortInUseError, type Engine } from '../engine/engine.ts';
import { announceInstance, forgetInstance } from '../engine/run-file.ts';
import { createRunExclusive } from '../engine/promises.ts';
import { askPerson, type NativeQuestion } from './dialogs.ts';
import type { Places } from './places.ts';
import type { WindowSettingsStore } from './window-settings.ts';

export interface Automation {
  readonly state: () => AutomationState;
  /** Switches it on, if the person agrees, or off, and remembers it. */
  readonly set: (enabled: boolean) => Promise<AutomationState>;
  /** At the start: as it was left. */
  readonly resume: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The one that `serve` takes too; another one where it is in use. */
const PORT = 4281;

async function startOn(engine: Engine, bundle: string, port: number): Promise<ControlServer> {
  const { startControlServer } = await import('../engine/control-server/server.ts');
  return startControlServer(engine, { host: 'localhost', port, page: join(bundle, 'renderer') });
}

async function start(engine: Engine, { bundle }: Places): Promise<ControlServer> {
  try {
    return await startOn(engine, bundle, PORT);
  } catch (error) {
    if (!(error instanceof PortInUseError)) throw error;
    return startOn(engine, bundle, 0);
  }
}

const QUESTION: NativeQuestion = {
  message: 'Turn on automation access?',
  detail:
    'Commands and scripts on this computer that have the control token can then read every secret in this sandbox, issue tokens and change settings, through a port on localhost.\n\nAccess stays on, even after a restart, until you turn it off in Settings.',
  confirm: 'Turn On',
};

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function createAutomation(
  engine: Engine,
  places: Places,
  settings: WindowSettingsStore,
): Automation {
  let server: ControlServer | null = null;
  let problem: string | null = null;
  /** The answer to the question that is shown; there is one at a time, however often the page asks. */
  let asked: Promise<boolean> | null = null;

  const announce = () => {
    if (server === null) return;
    const { url, token } = server;
    const { issuer, port } = engine.server();
    problem = null;
    try {
      announceInstance(places.data, { kind: 'window', issuer, port, control: { url, token } });
    } catch (error) {
      problem = `Commands cannot find this instance automatically: ${wordsOf(error)}`;
    }
  };
  engine.onAddress(announce);
  const open = async () => {
    if (server !== null) return;
    try {
      server = await start(engine, places);
      announce();
    } catch (error) {
      problem = wordsOf(error);
    }
  };
  const close = async () => {
    forgetInstance(places.data, process.pid);
    problem = null;
    const former = server;
    server = null;
    await former?.close();
  };
  /** One step at a time: a switch flipped twice ends as it was flipped last. */
  const runExclusive = createRunExclusive();
  const state = (): AutomationState => ({
    enabled: settings.get().automation,
    access: server === null ? null : { url: server.url, token: server.token },
    problem,
  });
  const agreed = async () => {
    if (settings.get().automation) return true;
    asked ??= askPerson(QUESTION).finally(() => {
      asked = null;
    });
    return asked;
  };
  return {
    state,
    set: async (enabled) => {
      if (enabled && !(await agreed())) return state();
      settings.set({ automation: enabled });
      await runExclusive(enabled ? open : close);
      return state();
    },
    resume: async () => {
      if (settings.get().automation) await runExclusive(open);
    },
    close: () => runExclusive(close),
  };
}
