import { useEffect, useState } from 'react';
import type { CounterDetail } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';

type BlockedRequests = CounterDetail['blocked_requests'];

/** The newest requests that a counter refused, loaded anew as it refuses more; null before the first. */
export function useBlockedRequests(id: string, blocked: number): BlockedRequests | null {
  const [requests, setRequests] = useState<BlockedRequests | null>(null);
  useEffect(() => {
    control.throttle.get({ id }).then(
      (counter) => setRequests(counter.blocked_requests),
      // A counter released meanwhile has no row any more.
      () => undefined,
    );
  }, [id, blocked]);
  return requests;
}
