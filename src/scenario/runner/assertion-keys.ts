// The key of a run that signs assertions. It is added to the keys of each client that signs one, and removed
// afterwards from a sandbox that others use.

import type { ControlClient } from '../../control/contract.ts';
import type { Client } from '../../control/schemas.ts';
import type { AssertionKey } from '../../oauth/assertion.ts';
import { createProofKey } from '../../oauth/dpop.ts';

type ClientKeys = NonNullable<Client['jwks']>['keys'];

export function createAssertionKeys({ clients }: Pick<ControlClient, 'clients'>) {
  let made: Promise<{ key: AssertionKey; jwk: ClientKeys[number] }> | null = null;
  const registered = new Map<string, Promise<void>>();
  const create = async () => {
    const { alg, jkt, public_jwk, sign } = await createProofKey();
    const kid = `run-${jkt.slice(0, 8)}`;
    return { key: { alg, kid, sign }, jwk: { ...public_jwk, kty: 'EC' as const, kid, alg } };
  };
  /** Reads the client's current keys, because its app may have registered others meanwhile. */
  const change = async (client_id: string, changed: (keys: ClientKeys) => ClientKeys) => {
    const { jwks } = await clients.get({ client_id });
    const keys = changed(jwks?.keys ?? []);
    await clients.update({ client_id, jwks: keys.length === 0 ? null : { keys } });
  };
  return {
    keyFor: async (client_id: string): Promise<AssertionKey> => {
      made ??= create();
      const { key, jwk } = await made;
      const registering = registered.get(client_id) ?? change(client_id, (keys) => [...keys, jwk]);
      registered.set(client_id, registering);
      await registering;
      return key;
    },
    removeAll: async (): Promise<void> => {
      if (made === null) return;
      const { key } = await made;
      for (const client_id of registered.keys()) {
        await change(client_id, (keys) => keys.filter(({ kid }) => kid !== key.kid));
      }
    },
  };
}
