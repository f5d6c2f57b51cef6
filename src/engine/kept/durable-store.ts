// A credential store that responds only once revocations are on disk, so that no client learns of a revocation that a
// crash could undo.

import type { CredentialStore } from '../../core/model/ports.ts';

/** @param synced waits for pending writes; null if there are none */
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
