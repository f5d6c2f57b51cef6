// The public keys of clients: registered with the client, or fetched from its jwks_uri and cached (RFC 7591 2).

import { isJsonObject, type JsonObject } from '../../json.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import { jsonBytes } from '../collections/weight.ts';
import type { MaybePromise, Ports } from '../model/ports.ts';
import { PRIVATE_JWK_MEMBERS } from '../records/enumerations.ts';
import type { Client } from '../records/schemas.ts';

type Keys = readonly Readonly<JsonObject>[];

/** The keys, or why they cannot be used. */
export type FoundKeys = { readonly keys: Keys } | { readonly problem: string };

export type ClientKeys = ReturnType<typeof createClientKeys>;

interface Fetched {
  readonly found: FoundKeys;
  /** Milliseconds of the machine's clock. */
  readonly at: number;
  readonly fresh_until: number;
}

const KIB = 1024;

/** The document that was fetched first is removed first. */
export const CLIENT_KEY_BOUNDS = { entries: 200, bytes: KIB * KIB } as const;

const LIMITS = { most_bytes: 64 * KIB, timeout_ms: 3000 } as const;
const MOST_KEYS = 20;

/** A document is fetched again for an unknown kid or after a failure, but only after this time, in ms. */
const REST_MS = 1000;

const ENTRY_BYTES = 200;

const hasKid = (found: FoundKeys, kid: string) =>
  'keys' in found && found.keys.some((key) => key['kid'] === kid);

export const publicPart = (jwk: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(jwk).filter(([name]) => !PRIVATE_JWK_MEMBERS.some((one) => one === name)),
  );

/** Returns the public keys of a JWK Set. Private members are dropped, and keys of an HMAC are not used. */
function readKeys({ keys }: JsonObject): FoundKeys {
  if (!Array.isArray(keys)) return { problem: 'the document has no keys (RFC 7517 5)' };
  if (keys.length > MOST_KEYS) return { problem: `the document has more than ${MOST_KEYS} keys` };
  return { keys: keys.filter(isJsonObject).map(publicPart) };
}

export function createClientKeys({ clock, fetchDocument }: Pick<Ports, 'clock' | 'fetchDocument'>) {
  const fetched = createBoundedMap<string, Fetched>(
    CLIENT_KEY_BOUNDS,
    ({ found }, url) => ENTRY_BYTES + jsonBytes(found) + url.length,
  );
  const pending = new Map<string, Promise<FoundKeys>>();
  /** What HTTP says of the age of a document is about the machine's clock. */
  const now = () => clock.now() - clock.offset();

  const fetch = async (url: string): Promise<FoundKeys> => {
    const document = await fetchDocument(url, LIMITS);
    const found = 'problem' in document ? document : readKeys(document.value);
    const at = now();
    const former = fetched.get(url);
    if ('problem' in document || 'problem' in found) {
      // An unknown kid must not end the use of keys that are still fresh.
      const kept = former !== undefined && at < former.fresh_until;
      fetched.set(url, kept ? { ...former, at } : { found, at, fresh_until: at });
    } else {
      fetched.set(url, { found, at, fresh_until: at + document.fresh_ms });
    }
    return found;
  };
  const isUsable = ({ found, at, fresh_until }: Fetched, kid: string | undefined) => {
    const age = now() - at;
    if (age >= 0 && age < REST_MS) return true;
    return now() < fresh_until && (kid === undefined || hasKid(found, kid));
  };
  return {
    /**
     * Returns the keys of a client. Those of a `jwks_uri` are fetched if they are not cached, if the cached ones are no
     * longer fresh, or if none of them has this `kid`.
     */
    of: ({ jwks, jwks_uri: url }: Client, kid: string | undefined): MaybePromise<FoundKeys> => {
      if (url === undefined) return { keys: jwks?.keys ?? [] };
      const known = fetched.get(url);
      if (known !== undefined && isUsable(known, kid)) return known.found;
      const running =
        pending.get(url) ??
        fetch(url).finally(() => {
          pending.delete(url);
        });
      pending.set(url, running);
      return running;
    },
    clear: () => {
      fetched.clear();
    },
    fill: fetched.fill,
  };
}
