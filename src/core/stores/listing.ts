// Finding credentials and lineages for those who look: by id or newest first. It may walk over all there is.

import { parseLineageId } from '../model/access-token-id.ts';
import type { Credential } from '../model/credentials.ts';
import { credentialId, lineageId } from '../model/credentials.ts';
import type { CredentialStore } from '../model/ports.ts';
import type { AccessTokenLog } from './access-token-log.ts';
import type { LiveCredentials } from './live-credentials.ts';
import { newestOf, pickNewest } from './newest.ts';

export function createListing(
  credentials: LiveCredentials,
  accessTokens: AccessTokenLog,
): Pick<CredentialStore, 'list' | 'findById' | 'findLineage'> {
  /** What is bounded: the access tokens kept for those who look, newest first, and the ended ones. */
  function* kept(): Generator<Credential> {
    yield* accessTokens.newestFirst();
    yield* credentials.ended();
  }
  function* everything(): Generator<Credential> {
    yield* credentials.live.values();
    yield* kept();
  }
  /** Whose lineage has the number in this id: no other id is written, as there may be a million. */
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
