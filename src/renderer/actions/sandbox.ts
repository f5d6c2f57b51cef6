// Actions on the sandbox, shared by the frame's buttons, the views and the palette. Each reports its result.

import type { Client, ClientGrant, Dialect, Profile } from '../../control/schemas.ts';
import { STOP_QUESTION } from '../../control/names.ts';
import { control } from '../connection/control.ts';
import { change, page, withClient, withClock } from '../connection/state.ts';
import { confirm, type Question } from '../ui/confirm.ts';
import { notify, notifyFailure, notifyWithUndo } from '../ui/notify.tsx';
import { pluralize } from '../../words.ts';

type ClockPatch = Parameters<typeof control.clock.update>[0];

/** Runs an action and reports its failure; resolves to whether it succeeded. */
export async function attempt(failure: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    notifyFailure(failure, error);
    return false;
  }
}

/** Runs an action that cannot be undone, once the user has confirmed it. @returns whether it succeeded */
export const attemptConfirmed = async (
  question: Question,
  failure: string,
  run: () => Promise<unknown>,
): Promise<boolean> => (await confirm({ danger: true, ...question })) && attempt(failure, run);

/**
 * Reports a change and offers to undo it. @param failure reported if that fails
 * @param undo if it resolves to false, it was cancelled and can be tried again
 */
export const offerUndo = (done: string, failure: string, undo: () => Promise<unknown>): void =>
  notifyWithUndo(done, async () => {
    let result: unknown;
    const succeeded = await attempt(failure, async () => {
      result = await undo();
    });
    return succeeded && result !== false;
  });

export const startServer = (port?: number): Promise<boolean> =>
  attempt('The server did not start.', async () => {
    const server = await control.server.start(port === undefined ? {} : { port });
    page.setState({ server });
    if (server.state === 'running') notify(`Running at ${server.issuer}`);
  });

/** Asks first: the app under test gets no response until the server is started again. */
export const stopServer = (): Promise<boolean> =>
  attemptConfirmed({ ...STOP_QUESTION, danger: false }, 'The server did not stop.', async () => {
    page.setState({ server: await control.server.stop() });
  });

export const changeClock = (patch: ClockPatch): Promise<boolean> =>
  attempt('The clock was not changed.', async () => {
    const clock = await control.clock.update(patch);
    change((state) => withClock(state, clock, Date.now()));
  });

/** Merges a patch into the settings. Rejects if the service does; the caller shows that at the field. */
export async function changeSettings(patch: Record<string, unknown>): Promise<void> {
  page.setState({ settings: await control.settings.update(patch) });
}

export const setProfile = (profile: Profile): Promise<boolean> =>
  attempt('The profile was not changed.', () => changeSettings({ profile }));

/** Lets any client register itself, and offers to undo it. */
export const openRegistration = (): Promise<boolean> => {
  const failure = 'The registration of clients was not changed.';
  return attempt(failure, async () => {
    await changeSettings({ registration: { mode: 'open' } });
    offerUndo('Clients may register themselves', failure, () =>
      changeSettings({ registration: { mode: 'off' } }),
    );
  });
};

/** Changes one client, and shows it as it is now. Rejects if the service does. */
export async function updateClient(
  patch: Partial<Client> & Pick<Client, 'client_id'>,
): Promise<void> {
  const updated = await control.clients.update(patch);
  change((state) => withClient(state, updated));
}

/** Changes one client and offers to undo it. */
const changeClient = (
  { client_id }: Client,
  failure: string,
  done: string,
  [members, former]: readonly [Partial<Client>, (now: Client) => Partial<Client>],
): Promise<boolean> =>
  attempt(failure, async () => {
    await updateClient({ ...members, client_id });
    // The client may have changed in other ways since then, so Undo reverts this change only.
    offerUndo(done, failure, async () => {
      const now = await control.clients.get({ client_id });
      await updateClient({ ...former(now), client_id });
    });
  });

export const setClientProfile = (client: Client, profile: Profile): Promise<boolean> =>
  changeClient(
    client,
    'The profile was not changed.',
    `${client.client_id} uses the ${profile} profile`,
    [{ profile }, () => ({ profile: client.profile })],
  );

/** `device_code` of `urn:ietf:params:oauth:grant-type:device_code` */
export const grantName = (grant: ClientGrant): string => grant.split(':').at(-1) ?? grant;

/** Allows one more grant for a client. @param more other members that the grant requires */
export const allowGrant = (
  client: Client,
  grant: ClientGrant,
  more: Partial<Client> = {},
): Promise<boolean> => {
  const { client_id, grant_types, jwks } = client;
  return changeClient(
    client,
    'The grant was not allowed.',
    `${client_id} may use ${grantName(grant)}`,
    [
      { ...more, grant_types: [...grant_types, grant] },
      (now) => ({
        grant_types: now.grant_types.filter((one) => one !== grant),
        ...(more.jwks !== undefined && JSON.stringify(now.jwks) === JSON.stringify(more.jwks)
          ? { jwks }
          : {}),
      }),
    ],
  );
};

export const addRedirectUri = (client: Client, uri: string): Promise<boolean> =>
  changeClient(
    client,
    'The redirect URIs were not changed.',
    `${uri} is registered for ${client.client_id}`,
    [
      { redirect_uris: [...client.redirect_uris, uri] },
      (now) => ({ redirect_uris: now.redirect_uris.filter((one) => one !== uri) }),
    ],
  );

export const setDialect = (dialect: Dialect): Promise<boolean> =>
  attempt('The dialect was not changed.', () => changeSettings({ dialect }));

export async function resetCounters(): Promise<void> {
  const { length } = page.getState().counters;
  const restarting = length === 0 ? '' : `${pluralize(length, 'counter')} will restart at zero. `;
  const question = {
    title: 'Reset all counters?',
    body: `${restarting}The numbers of allowed and throttled requests will be lost. This cannot be undone.`,
    confirm: 'Reset all',
  };
  await attemptConfirmed(question, 'The counters were not reset.', async () => {
    await control.throttle.releaseAll();
    page.setState({ counters: [] });
    notify('All throttle counters reset');
  });
}
