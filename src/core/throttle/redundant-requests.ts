// Detects redundant token requests (spec 1.4 and 8.2, behaviour 5). It remembers, within bounds, the last access
// token for an audience and scope, per lineage and per client, user and address, separately for each sender. A client
// that acts for itself counts as a user. It never changes a response.

import type { Bounds } from '../collections/bounded-map.ts';
import { createIdleFirst, type Seen } from '../collections/idle-first.ts';
import { accessTokenId, type AccessTokenRecord, lineageId } from '../model/credentials.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import type { CredentialStore, Sha256 } from '../model/ports.ts';
import { advise, type Evaluation } from '../checks/trace.ts';

export type OverFetchDetector = ReturnType<typeof createOverFetchDetector>;

/** What is remembered of the last token for a purpose. */
interface LastToken {
  readonly id: AccessTokenId;
  /** Milliseconds of the sandbox clock. */
  readonly issued_at: number;
  readonly expires_at: number;
}

interface Purpose extends Seen {
  last: LastToken;
}

/** A digest, and a record with short texts. */
const LAST_BYTES = 240;

export const OVER_FETCH_BOUNDS = { entries: 30_000, bytes: 30_000 * LAST_BYTES } as const;

/**
 * Returns the remaining lifetime in seconds that makes a new request redundant: more than 60 s and 10 % of the
 * lifetime.
 */
function redundantSeconds({ issued_at, expires_at }: LastToken, now: number): number | null {
  const left = expires_at - now;
  const redundant = left > 60_000 && left > (expires_at - issued_at) / 10;
  return redundant ? Math.floor(left / 1000) : null;
}

/**
 * @param stores say whether a token was revoked
 * @param bounds of the remembered tokens; those without a successor for longest are removed first
 */
export function createOverFetchDetector(
  stores: Pick<CredentialStore, 'findDenial'>,
  sha256: Sha256,
  bounds: Bounds = OVER_FETCH_BOUNDS,
) {
  const purposes = createIdleFirst<string, Purpose>();
  const capacity = Math.min(bounds.entries, Math.floor(bounds.bytes / LAST_BYTES));

  const remember = (key: string, last: LastToken) => {
    const purpose = purposes.get(key);
    if (purpose === undefined) {
      purposes.add(key, { last, seen_again: false });
      if (purposes.size > capacity) purposes.evict();
    } else {
      purpose.last = last;
      purpose.seen_again = true;
    }
  };

  const watching =
    (remembers: boolean) =>
    async (token: AccessTokenRecord, ip: string, evaluation: Evaluation, now: number) => {
      const { grant_type, sent_by } = evaluation;
      const refresh = grant_type === 'refresh_token';
      const { registration, user_sub } = token.lineage;
      const purpose = `${sent_by} ${token.audience} ${token.scope}`;
      const lineageKey = sha256(`${lineageId(token.lineage)} ${purpose}`);
      const user = user_sub ?? '';
      const userKey = sha256(`${registration.n}\n${user}\n${ip}\n${purpose}`);
      const before = purposes.get(refresh ? lineageKey : userKey)?.last;
      if (remembers) {
        const { issued_at, expires_at } = token;
        const remembered = { id: accessTokenId(token), issued_at, expires_at };
        if (grant_type !== 'client_credentials') remember(lineageKey, remembered);
        remember(userKey, remembered);
      }
      if (before === undefined) return;
      const seconds_left = redundantSeconds(before, now);
      if (seconds_left === null) return;
      if ((await stores.findDenial(before.id)) !== undefined) return;
      advise(evaluation, {
        kind: grant_type === 'authorization_code' ? 'repeated_authorization' : 'over_fetch',
        seconds_left,
      });
    };

  return {
    /** Notes an advisory if a token for the same purpose is still valid, then remembers the new one. */
    watch: watching(true),
    /** Notes the same advisory as `watch`, but remembers nothing. */
    foresee: watching(false),
    clear: purposes.clear,
  };
}
