// The key of this page, which signs assertions. It is generated on first use and kept while the page is open. A client
// gets it only when the user presses the button that adds it.

import { useEffect, useState } from 'react';
import type { Client } from '../../../control/schemas.ts';
import type { AssertionKey } from '../../../oauth/assertion.ts';
import { createProofKey, type ProofKey } from '../../../oauth/dpop.ts';
import { attempt, offerUndo, updateClient } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';

type PageKey = AssertionKey & Pick<ProofKey, 'public_jwk'>;

/** The prefix of the kid, by which keys of earlier pages are recognized. */
const KID_PREFIX = 'workbench-';

async function createPageKey(): Promise<PageKey> {
  const { alg, jkt, public_jwk, sign } = await createProofKey();
  return { alg, public_jwk, sign, kid: `${KID_PREFIX}${jkt.slice(0, 8)}` };
}

let made: PageKey | null = null;
let making: Promise<PageKey> | null = null;

export async function pageKey(): Promise<PageKey> {
  making ??= createPageKey();
  made = await making;
  return made;
}

/** Returns null until the key is generated. */
export function usePageKey(): PageKey | null {
  const [key, setKey] = useState(made);
  useEffect(() => void pageKey().then(setKey), []);
  return key;
}

/** Whether the client has the key of this page, which is generated when it is first needed. */
export const hasPageKey = (client: Client): boolean => made !== null && hasKey(client, made);

export const hasKey = ({ jwks }: Client, { kid }: Pick<PageKey, 'kid'>): boolean =>
  jwks?.keys.some((key) => key.kid === kid) ?? false;

/** The key that signs assertions of a client; undefined while the client has not registered it. */
export async function assertionKeyOf(client_id: string): Promise<AssertionKey | undefined> {
  const key = await pageKey();
  const client = page.getState().clients.find((one) => one.client_id === client_id);
  return client !== undefined && hasKey(client, key) ? key : undefined;
}

type ClientKeys = NonNullable<Client['jwks']>['keys'];

const isPageKey = ({ kid }: ClientKeys[number]): boolean => kid?.startsWith(KID_PREFIX) === true;

/** Changes the keys that the client has now, since its app may have registered others meanwhile. */
async function changeKeys(client_id: string, changed: (keys: ClientKeys) => ClientKeys) {
  const { jwks } = await control.clients.get({ client_id });
  const keys = changed(jwks?.keys ?? []);
  await updateClient({ client_id, jwks: keys.length === 0 ? null : { keys } });
}

const others = (keys: ClientKeys) => keys.filter((key) => !isPageKey(key));

async function ownKey() {
  const { public_jwk, kid, alg } = await pageKey();
  return { ...public_jwk, kty: 'EC', kid, alg, use: 'sig' } satisfies ClientKeys[number];
}

/** The keys of a client and the key of this page. @param client null for a new client */
export const registrableKeys = async (client: Client | null) => ({
  keys: [...others(client?.jwks?.keys ?? []), await ownKey()],
});

/** Adds the key of this page to the client's keys, replaces keys of earlier pages, and offers undo. */
export const addPageKey = ({ client_id, jwks }: Client): Promise<boolean> =>
  attempt('The key was not added.', async () => {
    const own = await ownKey();
    const { kid } = own;
    const former = (jwks?.keys ?? []).filter(isPageKey);
    await changeKeys(client_id, (keys) => [...others(keys), own]);
    offerUndo(`Added key ${kid} to ${client_id}`, 'The key was not removed.', () =>
      changeKeys(client_id, (keys) => [...others(keys), ...former]),
    );
  });
