// Finds and counts credentials for viewers: by id, newest first, by client. It may iterate over all of them.

import { parseLineageId } from '../model/access-token-id.ts';
import { type Credential, credentialId, lineageId } from '../model/credentials.ts';
import type { CredentialStore, LiveCounts, Wanted } from '../model/ports.ts';
import type { AccessTokenLog } from './access-token-log.ts';
import type { LiveCredentials } from './live-credentials.ts';

export function createListing(
  credentials: LiveCredentials,
  accessTokens: AccessTokenLog,
): Pick<CredentialStore, 'list' | 'findById' | 'findLineage' | 'liveByClient'> {
  /** The bounded collections: access tokens kept for viewers, newest first, and credentials that have ended. */
  function* kept(): Generator<Credential> {
    yield* accessTokens.newestFirst();
    yield* credentials.ended();
  }
  function* everything(): Generator<Credential> {
    yield* credentials.live.values();
    yield* kept();
  }
  /**
   * Whether the lineage of a credential has the number in this id. Comparing numbers avoids formatting up to a
   * million ids.
   */
  function* numberedLike(lineage_id: string): Generator<Credential> {
    const { number } = parseLineageId(lineage_id);
    for (const credential of everything()) {
      if (credential.lineage.number === number) yield credential;
    }
  }
  return {
    list: (limit, before, wanted = () => true) => {
      const fits = (credential: Credential) => credential.seq < before && wanted(credential);
      function* candidates(): Generator<Credential> {
        yield* newestOf(credentials.live, limit, fits);
        yield* kept();
      }
      return pickNewest(candidates(), limit, fits);
    },
    liveByClient: (isLive) => {
      const clients = new Map<string, Record<keyof LiveCounts, number>>();
      for (const credential of everything()) {
        if (!isLive(credential)) continue;
        const { client_id } = credential.lineage.registration;
        const counts = clients.get(client_id) ?? { code: 0, refresh_token: 0, access_token: 0 };
        counts[credential.kind] += 1;
        clients.set(client_id, counts);
      }
      return clients;
    },
    findById: (id) => {
      const [lineage = ''] = id.split('.');
      for (const credential of numberedLike(lineage)) {
        if (credentialId(credential) === id) return credential;
      }
      return undefined;
    },
    findLineage: (id) => {
      for (const { lineage } of numberedLike(id)) if (lineageId(lineage) === id) return lineage;
      return undefined;
    },
  };
}

/** Returns the last few wanted entries of a map in order of issue. */
export function newestOf<T extends Credential>(
  map: ReadonlyMap<string, T>,
  limit: number,
  wanted: Wanted,
): T[] {
  const found: T[] = [];
  for (const credential of [...map.values()].reverse()) {
    if (found.length === limit) break;
    if (wanted(credential)) found.push(credential);
  }
  return found;
}

const newestFirst = (a: Credential, b: Credential) => b.seq - a.seq;

const firstOf = (many: Credential[], limit: number) => many.sort(newestFirst).slice(0, limit);

/** Returns the newest of many, newest first, without sorting all of them. */
export function pickNewest(
  many: Iterable<Credential>,
  limit: number,
  wanted: Wanted,
): readonly Credential[] {
  let kept: Credential[] = [];
  let floor = 0;
  for (const credential of many) {
    if (credential.seq <= floor || !wanted(credential)) continue;
    kept.push(credential);
    if (kept.length <= 4 * limit) continue;
    kept = firstOf(kept, limit);
    floor = kept.at(-1)?.seq ?? 0;
  }
  return firstOf(kept, limit);
}
