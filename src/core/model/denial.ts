// One entry of the denial list (behaviour 2), and its key, which identifies what is denied: a token, a lineage, or
// the tokens of a deleted client. It knows nothing about the list and its bound.

import { type AccessTokenId, formatAccessTokenId } from './access-token-id.ts';

export type DenialReason = 'revoked' | 'expired';

/** Identifies the tokens that a deleted client was issued in one epoch, up to a lineage, or all of them. */
export interface ClientTokensId {
  readonly epoch: string;
  /** Digest of its client_id. */
  readonly client: string;
}

/**
 * Keys: `<epoch>.<lineage>` for a lineage, `<epoch>.<lineage>.<n>` for one token, and
 * `<epoch>.client-<digest>` for a client that was deleted.
 */
export interface Denial {
  readonly key: string;
  /** Why the tokens are denied, and since when (in milliseconds of the sandbox clock). */
  readonly reason: DenialReason;
  readonly at: number;
  /**
   * When the denied tokens have all expired, so that the entry is no longer needed (in milliseconds of the sandbox
   * clock).
   */
  readonly until: number;
  /**
   * For a lineage into which entries of single tokens were folded, the number of the last denied token. For a client,
   * the number of the last denied lineage; absent in an earlier epoch, in which no lineages are opened any more.
   */
  readonly up_to?: number;
  /** For a lineage that ended with its client, because it was deleted while the token was issued. */
  readonly with_client?: true;
}

/** A denial of the current run. The next run numbers its exchanges from 1 again. */
export interface Denied extends Denial {
  /** Number of the exchange that ended the tokens; absent for the control API. */
  readonly by?: number;
}

/** The identifier of the token itself. */
export const tokenKey = formatAccessTokenId;

export const lineageKey = ({ epoch, lineage }: Pick<AccessTokenId, 'epoch' | 'lineage'>) =>
  `${epoch}.${lineage}`;

/** In base64url: 96 bits of the digest. */
const DIGEST_CHARACTERS = 16;

const CLIENT = '.client-';

/** Differs from the key of every lineage, which has no hyphen. */
export const clientKey = ({ epoch, client }: ClientTokensId) =>
  `${epoch}${CLIENT}${client.slice(0, DIGEST_CHARACTERS)}`;

type DeniedKind = 'token' | 'lineage' | 'client';

/** Returns what an entry with this key denies. */
export function deniedKind(key: string): DeniedKind {
  if (key.includes(CLIENT)) return 'client';
  return key.split('.').length === 3 ? 'token' : 'lineage';
}
