// The newest advisories of the over-fetch detector (behaviour 5), whether or not their exchanges are
// still captured, and how many each client has had since the start or the last reset.

import type { AdvisoryRecord } from '../core/trace.ts';
import { createRing } from '../core/ring.ts';
import type { CapturedExchange } from '../server/capture.ts';

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
  readonly clear: () => void;
}

/**
 * @param onAdvice told when there is another one; must return at once
 * @param capacity advisories kept at most
 * @param clients clients counted at most: beyond it, the one advised longest ago is forgotten
 */
export function createAdvisoryLog(
  onAdvice: () => void,
  capacity = 1000,
  clients = 10_000,
): AdvisoryLog {
  const newest = createRing<LoggedAdvisory>(capacity);
  /** In the order in which they were last advised. */
  const counts = new Map<string, AdvisoryCounts>();
  let seq = 0;

  const makeRoom = () => {
    for (const oldest of counts.keys()) {
      if (counts.size <= clients) return;
      counts.delete(oldest);
    }
  };
  const count = (client_id: string, kind: AdvisoryRecord['kind']) => {
    const none = { client_id, over_fetch: 0, repeated_authorization: 0 };
    const before = counts.get(client_id) ?? none;
    counts.delete(client_id);
    counts.set(client_id, { ...before, [kind]: before[kind] + 1 });
    makeRoom();
  };
  return {
    exchange: ({ judgement, number, at }) => {
      if (judgement === null || judgement.advisories.length === 0) return;
      const client_id = judgement.client_id ?? '';
      for (const advisory of judgement.advisories) {
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
    clear: () => {
      newest.clear();
      counts.clear();
    },
  };
}
