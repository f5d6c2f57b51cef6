import { usePage } from '../connection/state.ts';
import type { ClaimContext } from '../../oauth/claims.ts';

/** What the page knows that makes claims readable. @param now sandbox time in ms */
export function useClaimContext(now: number): ClaimContext {
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const users = usePage((state) => state.users);
  return {
    now,
    issuer,
    nameOf: (sub) => users.find((user) => user.sub === sub)?.name || null,
  };
}
