// Registers, deletes and restores records. A confirmation says what cannot be restored.

import { countOf, credentialsInWords } from '../../control/questions.ts';
import type { Api, Audience, Client, User } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { dropEdits } from '../navigation/route.ts';
import { change, page, withClient, withoutClient, withoutUser } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { liveCredentials } from './workspace.ts';
import { attempt, attemptConfirmed, offerUndo } from './sandbox.ts';

/** Deletes a record and offers to restore it exactly. @param lost what cannot be restored, confirmed first */
function deleteRecord(
  name: string,
  remove: () => Promise<unknown>,
  restore: () => Promise<unknown>,
  lost: string | null = null,
): Promise<boolean> {
  const run = async () => {
    await remove();
    offerUndo(`${name} is deleted`, `${name} was not restored.`, async () => {
      await restore();
      notify(`${name} is restored`);
    });
  };
  const failure = `${name} was not deleted.`;
  if (lost === null) return attempt(failure, run);
  const question = { title: `Delete ${name}?`, body: lost, confirm: 'Delete' };
  return attemptConfirmed(question, failure, run);
}

/** The position in the order of registration; lists show the newest first. */
const positionIn = <T>(listed: readonly T[], matches: (one: T) => boolean): number =>
  listed.length - 1 - listed.findIndex(matches);

/** Deletes a client and its credentials (behaviour 4.10). @returns whether it was deleted */
export async function deleteClient(client: Client): Promise<boolean> {
  const { client_id } = client;
  const position = positionIn(page.getState().clients, (one) => one.client_id === client_id);
  let lost = '';
  const counted = await attempt(`${client_id} was not deleted.`, async () => {
    const counts = await liveCredentials(client_id);
    const ended =
      countOf(counts) === 0
        ? 'It has no live credentials'
        : `Revoked with it: ${credentialsInWords(counts)}`;
    lost = `${ended}. Undo restores the client and its secret, but not its credentials, devices and counters (behaviour 4.10).`;
  });
  if (!counted) return false;
  return deleteRecord(
    client_id,
    async () => {
      await control.clients.remove({ client_id });
      dropEdits('clients', client_id);
      change((state) => withoutClient(state, client_id));
    },
    () => control.clients.create({ ...client, position }),
    lost,
  );
}

/** Registers a client and offers to delete it again. @param record its other members */
export const registerClient = (
  client_id: string,
  record: () => Promise<Partial<Client>>,
): Promise<boolean> =>
  attempt(`${client_id} was not registered.`, async () => {
    const registered = await control.clients.create({ ...(await record()), client_id });
    change((state) => withClient(state, registered));
    // By then the client may have changed, and deleting it may end credentials.
    offerUndo(`${client_id} is registered`, `${client_id} was not deleted.`, async () =>
      deleteClient(await control.clients.get({ client_id })),
    );
  });

/** Deletes an audience. No credential ends with it, so Undo restores everything. */
export function deleteAudience(audience: Audience): Promise<boolean> {
  const { uri } = audience;
  const position = positionIn(page.getState().audiences, (one) => one.uri === uri);
  return deleteRecord(
    uri,
    () => control.audiences.remove({ uri }),
    () => control.audiences.create({ ...audience, position }),
  );
}

/** Deletes a protected API. Undo restores everything, since its tokens stay as they are. */
export function deleteApi(api: Api): Promise<boolean> {
  const { name } = api;
  const position = positionIn(page.getState().apis, (one) => one.name === name);
  return deleteRecord(
    name,
    () => control.apis.remove({ name }),
    () => control.apis.create({ ...api, position }),
  );
}

/** Only the workspace document contains a user's password. It is held so that Undo can restore the user. */
async function passwordOf({ sub, has_password }: User): Promise<string | null> {
  if (!has_password) return null;
  const { users } = await control.workspace.get();
  return users.find((user) => user.sub === sub)?.password ?? null;
}

/** Deletes a user; the user's tokens stay valid. */
export function deleteUser(user: User): Promise<boolean> {
  const { sub } = user;
  const position = positionIn(page.getState().users, (one) => one.sub === sub);
  let password: string | null = null;
  return deleteRecord(
    sub,
    async () => {
      password = await passwordOf(user);
      await control.users.remove({ sub });
      dropEdits('users', sub);
      change((state) => withoutUser(state, sub));
    },
    () => control.users.create({ ...user, password, position }),
  );
}
