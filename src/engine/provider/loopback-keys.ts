// The public keys of another server on this machine, for one who checks its tokens in the page.

import type { JsonObject } from '../../oauth/json-object.ts';
import { isLoopback } from './addresses.ts';
import { keysOf } from './documents.ts';
import { checkedUrl, getJson } from './get-json.ts';
import { ProviderError } from './provider-error.ts';

const TIMEOUT_MS = 10_000;
const MOST_KEYS = 100;

/** The private members of RFC 7518 6.2.2 and 6.3.2, and of RFC 8037 2. */
const PRIVATE = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']);

const publicPart = (jwk: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !PRIVATE.has(name)));

/** @throws ProviderError naming the URL and the rule, and what `cancelled` was aborted with */
export async function readLoopbackKeys(
  text: string,
  cancelled: AbortSignal,
): Promise<readonly JsonObject[]> {
  const url = checkedUrl(text);
  if (!isLoopback(url)) {
    throw new ProviderError(text, 'is not on this machine: use localhost, 127.0.0.1 or [::1]');
  }
  const keys = keysOf(url, await getJson(url, { named: [], timeout_ms: TIMEOUT_MS, cancelled }));
  if (keys.length > MOST_KEYS) {
    throw new ProviderError(url.href, `has ${keys.length} keys, more than ${MOST_KEYS}`);
  }
  return keys.filter(({ kty }) => kty !== 'oct').map(publicPart);
}
