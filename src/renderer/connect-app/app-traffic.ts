// What the app under test has sent, as the service reports it: it knows more than the page has loaded.

import { HEALTH_PATHS } from '../../control/names.ts';
import type { FeedBatch } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { usePage, type State } from '../connection/state.ts';

export type AppTraffic = NonNullable<FeedBatch['totals']['app_traffic']>;

/** null until the app has sent a request. */
export const appTrafficOf = ({ totals }: State): AppTraffic | null => totals?.app_traffic ?? null;

let shown: AppTraffic | null = null;

/** Every batch contains this. While it stays the same, the same object is returned. */
const stable = (state: State): AppTraffic | null => {
  const now = appTrafficOf(state);
  if (JSON.stringify(now) !== JSON.stringify(shown)) shown = now;
  return shown;
};

export const useAppTraffic = (): AppTraffic | null => usePage(stable);

const PAGE = 1000;

/** Numbers of the app's newest requests that are still kept, oldest first. @param most how many at most */
export async function newestOfApp(most: number): Promise<number[]> {
  const numbers: number[] = [];
  let after: string | null = null;
  do {
    const more: { after?: string } = after === null ? {} : { after };
    const { items, next } = await control.exchanges.list({ sent_by: 'app', limit: PAGE, ...more });
    numbers.push(
      ...items
        .filter(({ path }) => !HEALTH_PATHS.includes(path.split('?', 1)[0] ?? ''))
        .map(({ number }) => number),
    );
    after = next;
  } while (after !== null && numbers.length < most);
  return numbers.slice(0, most).reverse();
}
