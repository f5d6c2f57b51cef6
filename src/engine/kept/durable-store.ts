// A credential store that answers only once the end of a token is on disk: nobody hears that a token was
// revoked, by revoking it or by asking about it, before that outlives the process.

import type { CredentialStore } from '../../core/model/ports.ts';

/** @param synced waits for what is on its way to disk; null when nothing is */
export function createDurableStore(
  stores: CredentialStore,
  synced: () => Promise<void> | null,
): CredentialStore {
  const onceDurable = async <T>(done: T | Promise<T>): Promise<T> => {
    const result = await done;
    await synced();
    return result;
  };
  return {
    ...stores,
    endAccessToken: (...ended) => onceDurable(stores.endAccessToken(...ended)),
    revokeLineage: (...revoked) => onceDurable(stores.revokeLineage(...revoked)),
    end: (...ended) => onceDurable(stores.end(...ended)),
    findDenial: async (...id) => {
      const found = await stores.findDenial(...id);
      if (found !== undefined) await synced();
      return found;
    },
  };
}
