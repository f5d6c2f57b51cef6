// Records of the registries, registered, deleted and put back. What cannot be put back is said before.

import { countOf, credentialsInWords } from '../../control/questions.ts';
import type { Audience, Client, User } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { change, page, withClient, withoutClient, withoutUser } from '../connection/state.ts';
import { confirm } from '../ui/confirm.tsx';
import { notify, notifyWithUndo } from '../ui/notify.tsx';
import { liveCredentials } from './ending.ts';
import { attempt } from './sandbox.ts';

/** Deletes a record, after a question if not all comes back with it, and offers to put it back exactly as it was. */
async function deleteRecord(
  name: string,
  lost: string | null,
  remove: () => Promise<unknown>,
  restore: () => Promise<unknown>,
): Promise<boolean> {
  const goOn =
    lost === null ||
    (await confirm({ title: `Delete ${name}?`, body: lost, confirm: 'Delete', danger: true }));
  if (!goOn) return false;
  return attempt(`${name} was not deleted.`, async () => {
    await remove();
    const undo = () =>
      attempt(`${name} was not restored.`, async () => {
        await restore();
        notify(`${name} is restored`);
      });
    notifyWithUndo(`${name} is deleted`, () => void undo());
  });
}

/** The place in the order of registration; lists have the newest first. */
const positionIn = <T>(listed: readonly T[], isIt: (one: T) => boolean): number =>
  listed.length - 1 - listed.findIndex(isIt);

/** Its credentials end with it (behaviour 4.10). @returns whether it is deleted */
export async function deleteClient(client: Client): Promise<boolean> {
  const { client_id } = client;
  const position = positionIn(page.getState().clients, (one) => one.client_id === client_id);
  let lost = '';
  const counted = await attempt(`${client_id} was not deleted.`, async () => {
    const counts = await liveCredentials(client_id);
    const ended =
      countOf(counts) === 0
        ? 'It has no live credentials'
        : `${credentialsInWords(counts)} are revoked with it`;
    lost = `${ended}. Undo registers it again as it is now, secret included, but brings back no credential, device or counter of it (behaviour 4.10).`;
  });
  if (!counted) return false;
  return deleteRecord(
    client_id,
    lost,
    async () => {
      await control.clients.remove({ client_id });
      change((state) => withoutClient(state, client_id));
    },
    async () => {
      await control.clients.create({ ...client, position });
    },
  );
}

/** Registers a client and offers to delete it again. @param record what it is registered with, beside its client_id */
export const registerClient = (
  client_id: string,
  record: () => Promise<Partial<Client>>,
): Promise<boolean> =>
  attempt(`${client_id} was not registered.`, async () => {
    const registered = await control.clients.create({ ...(await record()), client_id });
    change((state) => withClient(state, registered));
    // Long after, it may have changed, and credentials may end with it.
    const undo = async () => {
      await deleteClient(await control.clients.get({ client_id }));
    };
    notifyWithUndo(
      `${client_id} is registered`,
      () => void attempt(`${client_id} was not deleted.`, undo),
    );
  });

/** Nothing ends with it, and it comes back as it was. */
export function deleteAudience(audience: Audience): Promise<boolean> {
  const { uri } = audience;
  const position = positionIn(page.getState().audiences, (one) => one.uri === uri);
  return deleteRecord(
    uri,
    null,
    () => control.audiences.remove({ uri }),
    () => control.audiences.create({ ...audience, position }),
  );
}

/** A user's password is only in the workspace: held as long as the user can be restored. */
async function passwordOf({ sub, has_password }: User): Promise<string | null> {
  if (!has_password) return null;
  const { users } = await control.workspace.get();
  return users.find((user) => user.sub === sub)?.password ?? null;
}

/** Its tokens stay good. */
export function deleteUser(user: User): Promise<boolean> {
  const { sub } = user;
  const position = positionIn(page.getState().users, (one) => one.sub === sub);
  let password: string | null = null;
  return deleteRecord(
    sub,
    null,
    async () => {
      password = await passwordOf(user);
      await control.users.remove({ sub });
      change((state) => withoutUser(state, sub));
    },
    async () => {
      await control.users.create({ ...user, password, position });
    },
  );
}
