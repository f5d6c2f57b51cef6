// What the person can do to the sandbox from anywhere: the frame's buttons and the palette run these.
// Each tells how it went.

import type { Client, Profile } from '../control/schemas.ts';
import { control } from './control.ts';
import { change, page, withClock } from './state.ts';
import { ask } from './ui/confirm.ts';
import { tell, tellFailure } from './ui/notify.tsx';

type ClockPatch = Parameters<typeof control.clock.update>[0];

/** Runs it, telling a failure; answers whether it went well. */
export async function attempt(failure: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    tellFailure(failure, error);
    return false;
  }
}

export const startServer = (port?: number): Promise<boolean> =>
  attempt('The server did not start.', async () => {
    const server = await control.server.start(port === undefined ? {} : { port });
    page.setState({ server });
    if (server.state === 'running') tell(`Running at ${server.issuer}`);
  });

export const stopServer = (): Promise<boolean> =>
  attempt('The server did not stop.', async () => {
    page.setState({ server: await control.server.stop() });
  });

export const changeClock = (patch: ClockPatch): Promise<boolean> =>
  attempt('The clock was not changed.', async () => {
    const clock = await control.clock.update(patch);
    change((state) => withClock(state, clock, Date.now()));
  });

/** Merges into the settings; the caller shows a refusal at its field. */
export async function changeSettings(patch: Record<string, unknown>): Promise<void> {
  page.setState({ settings: await control.settings.update(patch) });
}

export const setProfile = (profile: Profile): Promise<boolean> =>
  attempt('The profile was not changed.', () => changeSettings({ profile }));

export const releaseAll = (): Promise<boolean> =>
  attempt('The counters were not released.', async () => {
    await control.throttle.releaseAll();
    page.setState({ counters: [] });
    tell('All throttle counters are released');
  });

export async function reset(workspace: boolean): Promise<void> {
  const goOn = await ask({
    title: workspace ? 'Reset to the workspace file?' : 'Reset the sandbox?',
    body: workspace
      ? 'Credentials, exchanges and counters are emptied, the clock is real again, and clients, users, audiences and settings return to what the workspace file says. This cannot be undone.'
      : 'Every code and token stops working, exchanges and counters are emptied, and the clock is real again. Clients, users and settings stay. This cannot be undone.',
    confirm: 'Reset',
    danger: true,
  });
  if (!goOn) return;
  await attempt('Nothing was reset.', async () => {
    await control.reset({ workspace });
    tell('The sandbox is reset');
  });
}

/** Puts a record back exactly as it was. */
export const restoreClient = (client: Client): Promise<boolean> =>
  attempt(`${client.client_id} was not restored.`, async () => {
    await control.clients.create(client);
    tell(`${client.client_id} is back`);
  });
