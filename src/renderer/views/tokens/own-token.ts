// Which credential of ours a token says to be (behaviour 2: `jti` or `sid` is <epoch>.<lineage>.<n>).

import type { DecodedJwt } from '../../../oauth/jwt.ts';

const NAME = /^[\w-]+\.([0-9a-z]+\.\d+)$/;

/** The id it would have in the list; null when it says nothing of the kind. */
export function ownId({ payload }: DecodedJwt, issuer: string): string | null {
  const { iss, jti, sid } = payload;
  const name = jti ?? sid;
  if (iss !== issuer || typeof name !== 'string') return null;
  return NAME.exec(name)?.[1] ?? null;
}
