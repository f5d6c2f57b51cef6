// What a scenario is made of.

import type { JsonObject } from '../../oauth/json-object.ts';
import type { RecordedEvent } from './recorded-event.ts';
import type { Sandbox } from './registered.ts';

export interface Recording {
  readonly name: string;
  readonly description?: string;
  /** Oldest first, with secrets. */
  readonly events: readonly RecordedEvent[];
  readonly sandbox: Sandbox;
  /**
   * Whether what is registered, with stand-ins for its secrets, is part of the scenario, which then needs no other
   * sandbox than one of its own. Otherwise it only names clients and users, for the sandbox in use.
   */
  readonly takes_along: boolean;
  /** Whether these are all the requests of its clients; what they did before decides about advisories. */
  readonly whole?: boolean;
  /** The public key of the DPoP proofs of a walk; null: that of the first proof. */
  readonly proof_key?: JsonObject | null;
}
