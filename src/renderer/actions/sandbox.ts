// What the person can do to the sandbox from anywhere: the frame's buttons and the palette run these.
// Each tells how it went.

import type { Audience, Client, Dialect, Profile, User } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import {
  change,
  page,
  withClient,
  withClock,
  withoutClient,
  withoutUser,
  withUser,
} from '../connection/state.ts';
import { confirm } from '../ui/confirm.ts';
import { notify, notifyFailure, notifyWithUndo } from '../ui/notify.tsx';

type ClockPatch = Parameters<typeof control.clock.update>[0];

/** Runs it, telling a failure; answers whether it went well. */
export async function attempt(failure: string, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notifyFailure(failure, error);
    return false;
  }
}

export const startServer = (port?: number): Promise<boolean> =>
  attempt('The server did not start.', async () => {
    const server = await control.server.start(port === undefined ? {} : { port });
    page.setState({ server });
    if (server.state === 'running') notify(`Running at ${server.issuer}`);
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

/** Gives one client a profile of its own, and offers to take it back. */
export const setClientProfile = (client: Client, profile: Profile): Promise<boolean> =>
  attempt('The profile was not changed.', async () => {
    const { client_id } = client;
    const update = async (chosen: Profile | null) => {
      const updated = await control.clients.update({ client_id, profile: chosen });
      change((state) => withClient(state, updated));
    };
    await update(profile);
    const undo = () => attempt('The profile was not changed.', () => update(client.profile));
    notifyWithUndo(`${client_id} uses the ${profile} profile`, () => void undo());
  });

export const setDialect = (dialect: Dialect): Promise<boolean> =>
  attempt('The dialect was not changed.', () => changeSettings({ dialect }));

export async function releaseAll(): Promise<void> {
  const goOn = await confirm({
    title: 'Release all counters?',
    body: 'Every credential is counted from zero again, and the numbers of allowed and blocked requests are cleared. This cannot be undone.',
    confirm: 'Release all',
    danger: true,
  });
  if (!goOn) return;
  await attempt('The counters were not released.', async () => {
    await control.throttle.releaseAll();
    page.setState({ counters: [] });
    notify('All throttle counters released');
  });
}

export async function reset(workspace: boolean): Promise<void> {
  const goOn = await confirm({
    title: workspace ? 'Reset to the workspace file?' : 'Reset the sandbox?',
    body: workspace
      ? 'Credentials, exchanges and counters are deleted, the clock returns to real time, and clients, users, audiences, settings, saved flows and requests are read from the workspace file again. This cannot be undone.'
      : 'Every code and token stops working, exchanges and counters are deleted, and the clock returns to real time. Clients, users, settings, saved flows and requests are kept. This cannot be undone.',
    confirm: 'Reset',
    danger: true,
  });
  if (!goOn) return;
  await attempt('The sandbox was not reset.', async () => {
    await control.reset({ workspace });
    notify('The sandbox was reset');
  });
}

/** Deletes a record of a registry and offers to put it back exactly as it was. */
async function deleteRecord(
  name: string,
  remove: () => Promise<unknown>,
  restore: () => Promise<unknown>,
) {
  await attempt(`${name} was not deleted.`, async () => {
    await remove();
    const undo = () =>
      attempt(`${name} was not restored.`, async () => {
        await restore();
        notify(`${name} is restored`);
      });
    notifyWithUndo(`${name} is deleted`, () => void undo());
  });
}

export const deleteClient = (client: Client): Promise<void> =>
  deleteRecord(
    client.client_id,
    async () => {
      await control.clients.remove({ client_id: client.client_id });
      change((state) => withoutClient(state, client.client_id));
    },
    async () => {
      const restored = await control.clients.create(client);
      change((state) => withClient(state, restored));
    },
  );

export const deleteAudience = (audience: Audience): Promise<void> =>
  deleteRecord(
    audience.uri,
    () => control.audiences.remove({ uri: audience.uri }),
    () => control.audiences.create(audience),
  );

/** A user's password is only in the workspace: held as long as the user can be restored. */
async function passwordOf({ sub, has_password }: User): Promise<string | null> {
  if (!has_password) return null;
  const { users } = await control.workspace.get();
  return users.find((user) => user.sub === sub)?.password ?? null;
}

export function deleteUser(user: User): Promise<void> {
  const { sub } = user;
  let password: string | null = null;
  return deleteRecord(
    sub,
    async () => {
      password = await passwordOf(user);
      await control.users.remove({ sub });
      change((state) => withoutUser(state, sub));
    },
    async () => {
      const restored = await control.users.create({ ...user, password });
      change((state) => withUser(state, restored));
    },
  );
}
