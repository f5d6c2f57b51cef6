// What happened in the domain, told as it happens. The engine numbers and batches these for viewers.

import type { Counter } from '../throttle/counter.ts';

export type DomainEvent =
  | { readonly type: 'credentials' }
  | { readonly type: 'counter'; readonly counter: Counter }
  | { readonly type: 'counters_released' }
  | { readonly type: 'registry'; readonly list: 'clients' | 'users' | 'audiences' }
  /** A device authorization was asked for, polled, decided or redeemed. */
  | { readonly type: 'devices' }
  /** A flow or a request was saved by name, or deleted. */
  | { readonly type: 'saved'; readonly list: 'saved_flows' | 'saved_requests' }
  | { readonly type: 'settings' }
  | { readonly type: 'keys' }
  /** The fault rules themselves; a hit changes only their counts. */
  | { readonly type: 'faults' }
  | { readonly type: 'fault_hit' }
  | { readonly type: 'reset' }
  /** The ceiling of live refresh tokens was reached; the oldest lineage had to go. */
  | { readonly type: 'ceiling'; readonly lineage_id: string };
