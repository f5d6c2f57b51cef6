// The identifier of an access token in its `jti` (or `sid`): `<epoch>.<lineage>.<n>`. No claim says whether a token
// represents a user (RFC 9068 5: a user and a client may have the same identifier), so the lineage's id says it for
// tokens that clients present. Records have a field for it.

/** Identifies an access token: `<epoch>.<lineage>.<n>`, as in `jti` or `sid`. */
export interface AccessTokenId {
  readonly epoch: string;
  readonly lineage: string;
  readonly n: number;
}

const ACCESS_TOKEN_ID = /^([\w-]{1,64})\.([0-9a-z]{1,12})\.(\d{1,12})$/;

export function formatAccessTokenId({ epoch, lineage, n }: AccessTokenId): string {
  return `${epoch}.${lineage}.${n}`;
}

/** Returns null for a value that is not such an identifier. */
export function parseAccessTokenId(text: unknown): AccessTokenId | null {
  const found = typeof text === 'string' ? ACCESS_TOKEN_ID.exec(text) : null;
  if (found === null) return null;
  const [, epoch = '', lineage = '', n = ''] = found;
  return { epoch, lineage, n: Number(n) };
}

interface LineageId {
  /** Its number within the epoch, from 1. */
  readonly number: number;
  /** Whether it belongs to a user; otherwise the client acts for itself. */
  readonly of_user: boolean;
}

const WITHOUT_USER = '0';

/** Returns the number in base 36, with a leading zero if the lineage has no user. */
export function formatLineageId({ number, of_user }: LineageId): string {
  return `${of_user ? '' : WITHOUT_USER}${number.toString(36)}`;
}

export function parseLineageId(id: string): LineageId {
  return { number: parseInt(id, 36), of_user: !id.startsWith(WITHOUT_USER) };
}
