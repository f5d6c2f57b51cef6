// Loads exchanges from before the page was open, one page of the list at a time.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { control } from './control.ts';
import { change, page, withExchanges } from './state.ts';

const PAGE = 1000;

/** Loads the exchanges before the oldest known one; resolves to them. */
export async function loadOlderExchanges(): Promise<readonly ExchangeSummary[]> {
  const after = page.getState().history?.next ?? null;
  if (after === null) return [];
  const { items, next } = await control.exchanges.list({ limit: PAGE, after });
  // After a reset or a reconnection, the response belongs to a list that no longer exists.
  if (page.getState().history?.next !== after) return [];
  change((state) => withExchanges(state, items, next));
  return items;
}
