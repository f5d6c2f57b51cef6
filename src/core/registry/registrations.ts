// A client's time in the registry. What was issued to a client ends with its registration; one that is
// added later under the same client_id is another client, and inherits nothing.

import type { Client } from '../records/schemas.ts';

/** From when a client is added to when it is deleted, however its record changes meanwhile. */
export interface Registration {
  /** Tells it from others of the same client_id; never used twice. */
  readonly n: number;
  readonly client_id: string;
  /** Milliseconds of the sandbox clock; null while the client is registered. */
  ended_at: number | null;
}

export interface Registrations {
  of(client: Client): Registration;
  put(client: Client): void;
  end(client_ids: readonly string[]): void;
  onEnd(listener: (ended: readonly Registration[]) => void): void;
}

/** @param now milliseconds of the sandbox clock */
export function createRegistrations(now: () => number): Registrations {
  const current = new Map<string, Registration>();
  /** By record, so that a request that goes on with a deleted client's record issues for that one. */
  const ofRecord = new WeakMap<Client, Registration>();
  const listeners: ((ended: readonly Registration[]) => void)[] = [];
  let last = 0;

  return {
    of: (client) => ofRecord.get(client) ?? { n: 0, client_id: client.client_id, ended_at: now() },
    put: (client) => {
      const { client_id } = client;
      const registration = current.get(client_id) ?? { n: ++last, client_id, ended_at: null };
      current.set(client_id, registration);
      ofRecord.set(client, registration);
    },
    end: (client_ids) => {
      const ended: Registration[] = [];
      for (const client_id of client_ids) {
        const registration = current.get(client_id);
        if (registration === undefined) continue;
        current.delete(client_id);
        registration.ended_at = now();
        ended.push(registration);
      }
      if (ended.length === 0) return;
      for (const listener of listeners) listener(ended);
    },
    onEnd: (listener) => {
      listeners.push(listener);
    },
  };
}
