// One entry of the denial list (behaviour 2), and its key, which names what it is about: a token, a
// lineage, or what a deleted client was issued. Knows nothing of the list and its bound.

import { type AccessTokenId, formatAccessTokenId } from './access-token-id.ts';

export type DenialReason = 'revoked' | 'expired';

/** Names a deleted client's tokens of one epoch: what it was issued up to a lineage, or all. */
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
  /** Why, and since when, in milliseconds of the sandbox clock. */
  readonly reason: DenialReason;
  readonly at: number;
  /** The end of its use: when the tokens it is about expire, in milliseconds of the sandbox clock. */
  readonly until: number;
  /**
   * Of a lineage that single tokens were folded into: the last number that it is about. Of a client: the
   * number of the last lineage; none in an epoch that opens no more.
   */
  readonly up_to?: number;
}

/** A denial of this run: exchanges are numbered anew by the next one. */
export interface Denied extends Denial {
  /** Number of the exchange that ended the tokens; none when it came over control. */
  readonly by?: number;
}

/** The token's own name. */
export const tokenKey = formatAccessTokenId;

export const lineageKey = ({ epoch, lineage }: Pick<AccessTokenId, 'epoch' | 'lineage'>) =>
  `${epoch}.${lineage}`;

/** Of base64url: 96 bits of the digest. */
const DIGEST_CHARACTERS = 16;

const CLIENT = '.client-';

/** Like no lineage's, which has no hyphen. */
export const clientKey = ({ epoch, client }: ClientTokensId) =>
  `${epoch}${CLIENT}${client.slice(0, DIGEST_CHARACTERS)}`;

type DeniedKind = 'token' | 'lineage' | 'client';

/** What an entry with this key is about. */
export function deniedKind(key: string): DeniedKind {
  if (key.includes(CLIENT)) return 'client';
  return key.split('.').length === 3 ? 'token' : 'lineage';
}
