// The newest advisories about redundant token requests (behaviour 5), even if their exchanges are no longer captured,
// and the number for each client since the start or the last reset.

import type { AdvisoryCounts } from '../../control/schemas.ts';
import { type Bounds, createBoundedMap } from '../../core/collections/bounded-map.ts';
import { createRing } from '../../core/collections/ring.ts';
import type { AdvisoryRecord } from '../../core/checks/trace.ts';
import type { Sender } from '../../core/records/schemas.ts';
import { SENDERS } from '../../core/records/enumerations.ts';
import type { CapturedExchange } from '../../server/capture.ts';

export interface LoggedAdvisory extends AdvisoryRecord {
  /** The number of the advisory, in order. */
  readonly seq: number;
  readonly exchange: number;
  /** In ms since the epoch, on the sandbox clock. */
  readonly at: number;
  readonly client_id: string;
  readonly sent_by: Sender;
}

export type AdvisoryLog = ReturnType<typeof createAdvisoryLog>;

const ADVISORY_BYTES = 200;
/** Size of an entry, with a client_id of at most 200 characters and the name of a sender. */
const COUNT_BYTES = 440;

/** Maximum number of advisories, oldest first. */
export const ADVISORY_BOUNDS = { entries: 1000, bytes: 1000 * ADVISORY_BYTES } as const;
/** Maximum number of counted clients for each sender; the client with the oldest advisory is dropped. */
export const ADVISED_CLIENT_BOUNDS = { entries: 8000, bytes: 8000 * COUNT_BYTES } as const;

interface SenderCounts extends AdvisoryCounts {
  readonly sent_by: Sender;
}

const keyOf = (client_id: string, sent_by: Sender) => `${sent_by} ${client_id}`;

/** Counts for each client, of all senders or of one. */
function totalsOf(all: readonly SenderCounts[], wanted: Sender | undefined): AdvisoryCounts[] {
  const totals = new Map<string, AdvisoryCounts>();
  for (const { client_id, sent_by, over_fetch, repeated_authorization } of all) {
    if (wanted !== undefined && sent_by !== wanted) continue;
    const before = totals.get(client_id);
    totals.set(client_id, {
      client_id,
      over_fetch: (before?.over_fetch ?? 0) + over_fetch,
      repeated_authorization: (before?.repeated_authorization ?? 0) + repeated_authorization,
    });
  }
  return [...totals.values()];
}

/** @param onAdvice called for each new advisory; must return immediately */
export function createAdvisoryLog(
  onAdvice: () => void,
  capacity: number = ADVISORY_BOUNDS.entries,
  clients: Bounds = ADVISED_CLIENT_BOUNDS,
) {
  const newest = createRing<LoggedAdvisory>(capacity);
  /** In the order of their newest advisories. */
  const counts = createBoundedMap<string, SenderCounts>(clients, () => COUNT_BYTES);
  let seq = 0;

  const count = (client_id: string, sent_by: Sender, kind: AdvisoryRecord['kind']) => {
    const key = keyOf(client_id, sent_by);
    const counted = counts.get(key) ?? {
      client_id,
      sent_by,
      over_fetch: 0,
      repeated_authorization: 0,
    };
    counted[kind] += 1;
    counts.set(key, counted);
  };
  return {
    /** Adds the advisories of the exchange. */
    exchange: ({ evaluation, number, at, sent_by }: CapturedExchange) => {
      if (evaluation === null || evaluation.advisories.length === 0) return;
      const client_id = evaluation.client_id ?? '';
      for (const advisory of evaluation.advisories) {
        newest.add({ seq: ++seq, exchange: number, at, client_id, sent_by, ...advisory });
        count(client_id, sent_by, advisory.kind);
      }
      onAdvice();
    },
    newestFirst: newest.newestFirst,
    /** Clients with the newest advisories come first. @param sent_by counts only advisories for this sender */
    counts: (sent_by?: Sender) => totalsOf([...counts.values()].reverse(), sent_by),
    /** Deletes the counts of removed clients, so that a new client with the same client_id starts at 0. */
    forgetCounts: (client_ids: readonly string[]) => {
      for (const client_id of client_ids) {
        for (const sender of SENDERS) counts.delete(keyOf(client_id, sender));
      }
    },
    clear: () => {
      newest.clear();
      counts.clear();
    },
  };
}
