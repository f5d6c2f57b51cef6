// What is registered: clients, users, audiences. Records are replaced whole, never changed in place.
// Each list is bounded in entries and bytes: nothing goes by itself, whoever adds asks for room.

import type { Bounds } from '../collections/bounded-map.ts';
import type { DomainEvent } from '../model/events.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Registration } from './registrations.ts';
import { createRegistrations } from './registrations.ts';
import type { Audience, Client, User } from '../records/schemas.ts';
import { RECORD_BOUNDS } from '../records/bounds.ts';
import { recordBytes } from '../collections/weight.ts';

/** A keyed list in the order of registration. */
export interface Collection<T> {
  get(key: string): T | undefined;
  list(): T[];
  first(): T | undefined;
  /** Whether the record can be added, or replace the one with its key. */
  hasRoomFor(record: T): boolean;
  /** Adds the record or replaces the one with its key, keeping its place. */
  put(record: T): void;
  remove(key: string): boolean;
  replaceAll(records: readonly T[]): void;
  readonly bounds: Bounds;
  readonly size: number;
  readonly bytes: number;
}

export interface Registry {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly audiences: Collection<Audience>;
  /** Digest of the client's secret; null for a client without one. */
  secretDigest(client: Client): string | null;
  /** The registration that the record belongs to; over, if it is not in the registry any more. */
  registrationOf(client: Client): Registration;
  /** Called with the client_secret or password of every client and user that is added or changed. */
  onSecret(listener: (secret: string) => void): void;
  /** Called with registrations that are over; the clients are gone by then. */
  onRemoved(listener: (ended: readonly Registration[]) => void): void;
}

interface CollectionOptions<T> {
  readonly keyOf: (record: T) => string;
  readonly bounds: Bounds;
  readonly onPut?: (record: T) => void;
  readonly onRemoved?: (keys: readonly string[]) => void;
  /** Told when all is as it is to be. */
  readonly onChange: () => void;
}

const nothing = () => undefined;

export function createCollection<T>(options: CollectionOptions<T>): Collection<T> {
  const { keyOf, bounds, onPut = nothing, onRemoved = nothing, onChange } = options;
  const records = new Map<string, T>();
  const weights = new Map<string, number>();
  let bytes = 0;

  const drop = (key: string): boolean => {
    bytes -= weights.get(key) ?? 0;
    weights.delete(key);
    return records.delete(key);
  };
  const add = (record: T) => {
    const key = keyOf(record);
    const weight = recordBytes(record);
    bytes += weight - (weights.get(key) ?? 0);
    weights.set(key, weight);
    records.set(key, record);
    onPut(record);
  };
  return {
    bounds,
    get: (key) => records.get(key),
    list: () => [...records.values()],
    first: () => records.values().next().value,
    hasRoomFor: (record) => {
      const former = weights.get(keyOf(record));
      const entries = records.size + (former === undefined ? 1 : 0);
      const all = bytes - (former ?? 0) + recordBytes(record);
      return entries <= bounds.entries && all <= bounds.bytes;
    },
    put: (record) => {
      add(record);
      onChange();
    },
    remove: (key) => {
      const removed = drop(key);
      if (removed) onRemoved([key]);
      if (removed) onChange();
      return removed;
    },
    replaceAll: (all) => {
      const former = [...records.keys()];
      former.forEach(drop);
      all.forEach(add);
      onRemoved(former.filter((key) => !records.has(key)));
      onChange();
    },
    get size() {
      return records.size;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** @param now milliseconds of the sandbox clock */
export function createRegistry(
  sha256: Sha256,
  emit: (event: DomainEvent) => void,
  now: () => number,
): Registry {
  const digests = new WeakMap<Client, string>();
  const registrations = createRegistrations(now);
  const secretListeners: ((secret: string) => void)[] = [];
  const tellSecret = (secret: string | null) => {
    if (secret === null) return;
    for (const listener of secretListeners) listener(secret);
  };
  const changed = (list: keyof typeof RECORD_BOUNDS) => () => {
    emit({ type: 'registry', list });
  };
  return {
    clients: createCollection<Client>({
      keyOf: (client) => client.client_id,
      bounds: RECORD_BOUNDS.clients,
      onPut: (client) => {
        registrations.put(client);
        tellSecret(client.client_secret);
      },
      onRemoved: registrations.end,
      onChange: changed('clients'),
    }),
    users: createCollection<User>({
      keyOf: (user) => user.sub,
      bounds: RECORD_BOUNDS.users,
      onPut: ({ password }) => {
        tellSecret(password);
      },
      onChange: changed('users'),
    }),
    audiences: createCollection<Audience>({
      keyOf: (audience) => audience.uri,
      bounds: RECORD_BOUNDS.audiences,
      onChange: changed('audiences'),
    }),
    secretDigest: (client) => {
      if (client.client_secret === null) return null;
      let digest = digests.get(client);
      if (digest === undefined) {
        digest = sha256(client.client_secret);
        digests.set(client, digest);
      }
      return digest;
    },
    registrationOf: registrations.of,
    onSecret: (listener) => {
      secretListeners.push(listener);
    },
    onRemoved: registrations.onEnd,
  };
}
