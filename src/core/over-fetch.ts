// The over-fetch detector (spec 1.4 and 8.2, behaviour 5): remembers, within bounds, the last access
// token for an audience and scope, per lineage and per client, user and address; a client that acts for
// itself counts as a user of its own. It never changes an answer.

import type { AccessTokenRecord } from './credentials.ts';
import { accessTokenId, stateOf } from './credentials.ts';
import type { CredentialStore } from './ports.ts';
import type { Judgement } from './trace.ts';
import { advise } from './trace.ts';

export interface OverFetchDetector {
  /** Notes an advisory when a token for the same purpose is still good, then remembers this one. */
  watch(token: AccessTokenRecord, ip: string, judgement: Judgement, now: number): Promise<void>;
  clear(): void;
}

/** Seconds of life left that make asking again needless: more than 60 s and 10 % of its life. */
function needlessSeconds(token: AccessTokenRecord, now: number): number | null {
  if (stateOf(token, now) !== 'active') return null;
  const left = token.expires_at - now;
  const needless = left > 60_000 && left > (token.expires_at - token.issued_at) / 10;
  return needless ? Math.floor(left / 1000) : null;
}

/** @param stores where a token stands that was revoked after its record had to go */
export function createOverFetchDetector(
  stores: Pick<CredentialStore, 'findDenial'>,
  capacity = 100_000,
): OverFetchDetector {
  const last = new Map<string, AccessTokenRecord>();

  const remember = (key: string, token: AccessTokenRecord) => {
    if (last.size >= capacity && !last.has(key)) {
      for (const oldest of last.keys()) {
        last.delete(oldest);
        break;
      }
    }
    last.set(key, token);
  };
  return {
    watch: async (token, ip, judgement, now) => {
      const { grant_type } = judgement;
      const refresh = grant_type === 'refresh_token';
      const { client_id, sub, id } = token.lineage;
      const lineageKey = `${id} ${token.audience} ${token.scope}`;
      const user = grant_type === 'client_credentials' ? '' : sub;
      const userKey = `${client_id}\n${user}\n${ip}\n${token.audience} ${token.scope}`;
      const before = last.get(refresh ? lineageKey : userKey);
      if (grant_type !== 'client_credentials') remember(lineageKey, token);
      remember(userKey, token);
      const seconds_left = before === undefined ? null : needlessSeconds(before, now);
      if (before === undefined || seconds_left === null) return;
      if ((await stores.findDenial(accessTokenId(before))) !== undefined) return;
      advise(judgement, {
        kind: grant_type === 'authorization_code' ? 'repeated_authorization' : 'over_fetch',
        seconds_left,
      });
    },
    clear: () => {
      last.clear();
    },
  };
}
