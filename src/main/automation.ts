// Automation access: the control server beside the window, on loopback and with a token, so that commands and scripts
// reach the same sandbox. It is off until someone turns it on; the choice is remembered. The page can only request it:
// a native dialog asks for confirmation, which script in the page cannot give.

import { join } from 'node:path';
import type { AutomationState } from '../control/window-contract.ts';
import type { ControlServer } from '../engine/control-server/server.ts';
import { PortInUseError, type Engine } from '../engine/engine.ts';
import { messageOf } from '../engine/errors.ts';
import { announceInstance, forgetInstance } from '../engine/run-file.ts';
import { createRunExclusive } from '../engine/promises.ts';
import { confirmNatively, type NativeQuestion } from './dialogs.ts';
import type { Places } from './places.ts';
import type { WindowSettingsStore } from './window-settings.ts';

export type Automation = ReturnType<typeof createAutomation>;

/** The port that `grantbench serve` uses too. If it is taken, the system assigns another. */
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

export function createAutomation(engine: Engine, places: Places, settings: WindowSettingsStore) {
  let server: ControlServer | null = null;
  let problem: string | null = null;
  /** The answer to the open dialog. Only one is shown at a time, however often the page asks. */
  let pending: Promise<boolean> | null = null;

  const announce = () => {
    if (server === null) return;
    const { url, token } = server;
    const { issuer, port } = engine.server();
    problem = null;
    try {
      announceInstance(places.data, { kind: 'window', issuer, port, control: { url, token } });
    } catch (error) {
      problem = `Commands cannot find this instance automatically: ${messageOf(error)}`;
    }
  };
  engine.onAddress(announce);
  const open = async () => {
    if (server !== null) return;
    try {
      server = await start(engine, places);
      announce();
    } catch (error) {
      problem = messageOf(error);
    }
  };
  const close = async () => {
    problem = null;
    try {
      forgetInstance(places.data, process.pid);
    } catch (error) {
      problem = `The instance file could not be removed: ${messageOf(error)}`;
    }
    const former = server;
    server = null;
    await former?.close();
  };
  /** Applies changes in order, so that the last of several quick ones counts. */
  const runExclusive = createRunExclusive();
  const state = (): AutomationState => ({
    enabled: settings.get().automation,
    access: server === null ? null : { url: server.url, token: server.token },
    problem,
  });
  const isConfirmed = async () => {
    if (settings.get().automation) return true;
    pending ??= confirmNatively(QUESTION).finally(() => {
      pending = null;
    });
    return pending;
  };
  return {
    state,
    /** Turns access on, if that is confirmed, or off, and remembers the choice. */
    set: async (enabled: boolean) => {
      if (enabled && !(await isConfirmed())) return state();
      settings.set({ automation: enabled });
      await runExclusive(enabled ? open : close);
      return state();
    },
    /** Restores the remembered choice at startup. */
    resume: async () => {
      if (settings.get().automation) await runExclusive(open);
    },
    close: () => runExclusive(close),
  };
}
