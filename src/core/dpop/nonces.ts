// Nonces that the service supplies (RFC 9449 8). Each consists of the second in which it was issued and a keyed
// digest of it, so that none has to be stored.

import type { Random, Sha256 } from '../model/ports.ts';
import { encodeRandom } from '../issuing/random-text.ts';

export type DpopNonces = ReturnType<typeof createDpopNonces>;

/** In base64url: 132 bits of the digest. */
const DIGEST_CHARACTERS = 22;

export function createDpopNonces(random: Random, sha256: Sha256) {
  let key: string | null = null;
  const nonceOf = (second: number) => {
    key ??= encodeRandom(random(32));
    const time = second.toString(36);
    return `${time}.${sha256(`${key}\n${time}`).slice(0, DIGEST_CHARACTERS)}`;
  };
  return {
    /** Returns the nonce of this second. @param now milliseconds of the sandbox clock */
    issue: (now: number) => nonceOf(Math.floor(now / 1000)),
    /** Returns when it was issued (in milliseconds of the sandbox clock); null if it is not a nonce of this service. */
    issuedAt: (nonce: string): number | null => {
      const second = parseInt(nonce, 36);
      return nonceOf(second) === nonce ? second * 1000 : null;
    },
    /** Invalidates all nonces issued so far. */
    clear: () => {
      key = null;
    },
  };
}
