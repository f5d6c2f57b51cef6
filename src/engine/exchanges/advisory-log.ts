// The newest advisories of the over-fetch detector (behaviour 5), whether or not their exchanges are
// still captured, and how many each client has had since the start or the last reset.

import type { Bounds } from '../../core/collections/bounded-map.ts';
import { createBoundedMap } from '../../core/collections/bounded-map.ts';
import { createRing } from '../../core/collections/ring.ts';
import type { AdvisoryRecord } from '../../core/checks/trace.ts';
import type { CapturedExchange } from '../../server/captured-exchange.ts';

export interface LoggedAdvisory extends AdvisoryRecord {
  /** Order over all advisories. */
  readonly seq: number;
  readonly exchange: number;
  /** Sandbox clock in ms since the epoch. */
  readonly at: number;
  readonly client_id: string;
}

export interface AdvisoryCounts {
  readonly client_id: string;
  readonly over_fetch: number;
  readonly repeated_authorization: number;
}

export interface AdvisoryLog {
  /** Takes what the exchange was advised of. */
  readonly exchange: (exchange: CapturedExchange) => void;
  readonly newestFirst: () => readonly LoggedAdvisory[];
  /** Those advised last come first. */
  readonly counts: () => readonly AdvisoryCounts[];
  /** Of clients that are gone: another one with the same client_id begins at none. */
  readonly forgetCounts: (client_ids: readonly string[]) => void;
  readonly clear: () => void;
}

const ADVISORY_BYTES = 200;
/** With a client_id, which has 200 characters at most. */
const COUNT_BYTES = 440;

/** Advisories, oldest first. */
export const ADVISORY_BOUNDS = { entries: 1000, bytes: 1000 * ADVISORY_BYTES } as const;
/** Clients counted: the one advised longest ago is forgotten. */
export const ADVISED_CLIENT_BOUNDS = { entries: 8000, bytes: 8000 * COUNT_BYTES } as const;

/** @param onAdvice told when there is another one; must return at once */
export function createAdvisoryLog(
  onAdvice: () => void,
  capacity: number = ADVISORY_BOUNDS.entries,
  clients: Bounds = ADVISED_CLIENT_BOUNDS,
): AdvisoryLog {
  const newest = createRing<LoggedAdvisory>(capacity);
  /** In the order in which they were last advised. */
  const counts = createBoundedMap<string, AdvisoryCounts>(clients, () => COUNT_BYTES);
  let seq = 0;

  const count = (client_id: string, kind: AdvisoryRecord['kind']) => {
    const none = { client_id, over_fetch: 0, repeated_authorization: 0 };
    const before = counts.get(client_id) ?? none;
    counts.set(client_id, { ...before, [kind]: before[kind] + 1 });
  };
  return {
    exchange: ({ evaluation, number, at }) => {
      if (evaluation === null || evaluation.advisories.length === 0) return;
      const client_id = evaluation.client_id ?? '';
      for (const advisory of evaluation.advisories) {
        newest.add({ ...advisory, seq: ++seq, exchange: number, at, client_id });
        count(client_id, advisory.kind);
      }
      onAdvice();
    },
    newestFirst: () =>
      Array.from({ length: newest.size }, (_, age) => newest.newest(age)).filter(
        (advisory) => advisory !== undefined,
      ),
    counts: () => [...counts.values()].reverse(),
    forgetCounts: (client_ids) => {
      client_ids.forEach(counts.delete);
    },
    clear: () => {
      newest.clear();
      counts.clear();
    },
  };
}
