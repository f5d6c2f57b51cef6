// What the app under test has sent, as the service tells: it knows more than the page has loaded.

import type { FeedBatch } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { usePage, type State } from '../connection/state.ts';

export type AppTraffic = NonNullable<FeedBatch['totals']['app_traffic']>;

/** null until the app has sent a request. */
export const appTrafficOf = ({ totals }: State): AppTraffic | null => totals?.app_traffic ?? null;

let shown: AppTraffic | null = null;

/** Each batch brings it again: what says the same stays the same object. */
const stable = (state: State): AppTraffic | null => {
  const now = appTrafficOf(state);
  if (JSON.stringify(now) !== JSON.stringify(shown)) shown = now;
  return shown;
};

export const useAppTraffic = (): AppTraffic | null => usePage(stable);

/** What watches over the process requests these; an app does not. */
const HEALTH = ['/livez', '/readyz'];
const PAGE = 1000;

/** Numbers of its newest requests that are kept, oldest first. @param most how many there are room for */
export async function newestOfApp(most: number): Promise<number[]> {
  const numbers: number[] = [];
  let after: string | null = null;
  do {
    const more: { after?: string } = after === null ? {} : { after };
    const { items, next } = await control.exchanges.list({ sent_by: 'app', limit: PAGE, ...more });
    numbers.push(
      ...items
        .filter(({ path }) => !HEALTH.includes(path.split('?', 1)[0] ?? ''))
        .map(({ number }) => number),
    );
    after = next;
  } while (after !== null && numbers.length < most);
  return numbers.slice(0, most).reverse();
}
