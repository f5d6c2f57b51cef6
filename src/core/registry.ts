// What is registered: clients, users, audiences. Records are replaced whole, never changed in place.

import type { DomainEvent } from './events.ts';
import type { Sha256 } from './ports.ts';
import type { Audience, Client, User } from './schemas.ts';

/** As many of a kind as a workspace may hold. */
export const MAX_RECORDS = 10_000;

/** A keyed list in the order of registration. */
export interface Collection<T> {
  get(key: string): T | undefined;
  list(): T[];
  first(): T | undefined;
  /** Adds the record or replaces the one with its key, keeping its place. */
  put(record: T): void;
  remove(key: string): boolean;
  replaceAll(records: readonly T[]): void;
}

export interface Registry {
  readonly clients: Collection<Client>;
  readonly users: Collection<User>;
  readonly audiences: Collection<Audience>;
  /** Digest of the client's secret; null for a client without one. */
  secretDigest(client: Client): string | null;
}

function createCollection<T>(keyOf: (record: T) => string, onChange: () => void): Collection<T> {
  const records = new Map<string, T>();
  return {
    get: (key) => records.get(key),
    list: () => [...records.values()],
    first: () => records.values().next().value,
    put: (record) => {
      records.set(keyOf(record), record);
      onChange();
    },
    remove: (key) => {
      const removed = records.delete(key);
      if (removed) onChange();
      return removed;
    },
    replaceAll: (all) => {
      records.clear();
      for (const record of all) records.set(keyOf(record), record);
      onChange();
    },
  };
}

export function createRegistry(sha256: Sha256, emit: (event: DomainEvent) => void): Registry {
  const digests = new WeakMap<Client, string>();
  return {
    clients: createCollection<Client>(
      (client) => client.client_id,
      () => {
        emit({ type: 'registry', list: 'clients' });
      },
    ),
    users: createCollection<User>(
      (user) => user.sub,
      () => {
        emit({ type: 'registry', list: 'users' });
      },
    ),
    audiences: createCollection<Audience>(
      (audience) => audience.uri,
      () => {
        emit({ type: 'registry', list: 'audiences' });
      },
    ),
    secretDigest: (client) => {
      if (client.client_secret === null) return null;
      let digest = digests.get(client);
      if (digest === undefined) {
        digest = sha256(client.client_secret);
        digests.set(client, digest);
      }
      return digest;
    },
  };
}
