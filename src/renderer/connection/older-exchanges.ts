// Exchanges from before the page looked on, a page of the list at a time.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { control } from './control.ts';
import { change, page, withExchanges } from './state.ts';

const PAGE = 1000;

/** The page of exchanges before the oldest one known; answers what came. */
export async function loadOlderExchanges(): Promise<readonly ExchangeSummary[]> {
  const after = page.getState().history?.next ?? null;
  if (after === null) return [];
  const { items, next } = await control.exchanges.list({ limit: PAGE, after });
  // A reset or a new connection meanwhile: they belong to a list that is gone.
  if (page.getState().history?.next !== after) return [];
  change((state) => withExchanges(state, items, next));
  return items;
}
