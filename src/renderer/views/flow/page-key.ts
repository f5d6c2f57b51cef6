// The key of this page that assertions are signed with: made when it is first needed, and kept while the page is open. A
// client has it only once somebody has pressed the button that says so.

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Client } from '../../../control/schemas.ts';
import type { AssertionKey } from '../../../oauth/assertion.ts';
import { createProofKey, type ProofKey } from '../../../oauth/dpop.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { change, page, withClient } from '../../connection/state.ts';
import { notifyWithUndo } from '../../ui/notify.tsx';

type PageKey = AssertionKey & Pick<ProofKey, 'public_jwk'>;

/** What the kid of every such key begins with, by which a key of an earlier page is known. */
const KID_PREFIX = 'workbench-';

async function createPageKey(): Promise<PageKey> {
  const { alg, jkt, public_jwk, sign } = await createProofKey();
  return { alg, public_jwk, sign, kid: `${KID_PREFIX}${jkt.slice(0, 8)}` };
}

const made = createStore<{ readonly key: PageKey | null }>(() => ({ key: null }));
let making: Promise<PageKey> | null = null;

export async function pageKey(): Promise<PageKey> {
  making ??= createPageKey();
  const key = await making;
  made.setState({ key });
  return key;
}

/** null until it is made. */
export function usePageKey(): PageKey | null {
  useEffect(() => void pageKey(), []);
  return useStore(made, ({ key }) => key);
}

export const hasKey = ({ jwks }: Client, { kid }: Pick<PageKey, 'kid'>): boolean =>
  jwks?.keys.some((key) => key.kid === kid) ?? false;

/** The key to sign assertions of a client with; undefined while it has not registered it. */
export async function assertionKeyOf(client_id: string): Promise<AssertionKey | undefined> {
  const key = await pageKey();
  const client = page.getState().clients.find((one) => one.client_id === client_id);
  return client !== undefined && hasKey(client, key) ? key : undefined;
}

type ClientKeys = NonNullable<Client['jwks']>['keys'];

const isPageKey = ({ kid }: ClientKeys[number]): boolean => kid?.startsWith(KID_PREFIX) === true;

/** Of the keys that the client has now: its app may have registered others meanwhile. */
async function changeKeys(client_id: string, changed: (keys: ClientKeys) => ClientKeys) {
  const { jwks } = await control.clients.get({ client_id });
  const keys = changed(jwks?.keys ?? []);
  const updated = await control.clients.update({
    client_id,
    jwks: keys.length === 0 ? null : { keys },
  });
  change((state) => withClient(state, updated));
}

const others = (keys: ClientKeys) => keys.filter((key) => !isPageKey(key));

async function ownKey() {
  const { public_jwk, kid, alg } = await pageKey();
  return { ...public_jwk, kty: 'EC', kid, alg, use: 'sig' } satisfies ClientKeys[number];
}

/** The keys of a client with that of this page among them; null: of a new one. */
export const registrableKeys = async (client: Client | null) => ({
  keys: [...others(client?.jwks?.keys ?? []), await ownKey()],
});

/** Registers it beside the client's other keys, in place of one of an earlier page, and offers to take it back. */
export const addPageKey = ({ client_id, jwks }: Client): Promise<boolean> =>
  attempt('The key was not added.', async () => {
    const own = await ownKey();
    const { kid } = own;
    const former = (jwks?.keys ?? []).filter(isPageKey);
    await changeKeys(client_id, (keys) => [...others(keys), own]);
    const undo = () =>
      attempt('The key was not removed.', () =>
        changeKeys(client_id, (keys) => [...others(keys), ...former]),
      );
    notifyWithUndo(`${kid} is a key of ${client_id}`, () => void undo());
  });
