// Compares JWTs by header, claims and the key of the signature, because ES256 signatures differ each time.

import type { JWK } from 'jose';
import { compactVerify, importJWK } from 'jose';

interface Decoded {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signature: string;
}

const json = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** @param keys published or shared keys, by name */
async function signedBy(
  jwt: string,
  alg: unknown,
  keys: ReadonlyMap<string, JWK>,
): Promise<string> {
  for (const [name, jwk] of keys) {
    try {
      await compactVerify(jwt, await importJWK(jwk, String(alg)), { algorithms: [String(alg)] });
      return `good, by ${name}`;
    } catch {
      // Another key may have signed it.
    }
  }
  return 'of no key of this sandbox';
}

export async function readJwt(jwt: string, keys: ReadonlyMap<string, JWK>): Promise<Decoded> {
  const [header = '', claims = ''] = jwt.split('.');
  const read = json(header);
  const usable = [...keys].filter(
    ([, { kty, alg }]) => (alg === undefined || alg === read['alg']) && kty !== undefined,
  );
  return {
    header: read,
    claims: json(claims),
    signature: await signedBy(jwt, read['alg'], new Map(usable)),
  };
}

/** A shared secret as a key. */
export const secretKey = (secret: string): JWK => ({
  kty: 'oct',
  k: Buffer.from(secret).toString('base64url'),
  alg: 'HS256',
});
