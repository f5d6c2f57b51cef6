// Desktop notifications about requests of the app: which exchanges raise one, what it says, and what a click opens.
// Only while the preference is on, and while the page does not have the focus.

import { isScripted } from '../../control/names.ts';
import type { ExchangeSummary } from '../../control/schemas.ts';
import { page, type State } from '../connection/state.ts';
import { navigate } from '../navigation/route.ts';
import { preferences } from '../ui/preferences.ts';
import { pluralize } from '../../words.ts';
import { requestLine } from '../ui/status.tsx';
import { isFailure } from './answer.ts';

const KINDS = ['rejected', 'throttled', 'held'] as const;

/** What happened to a request of the app that a person may want to look at. */
export interface Incident {
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
  /** The method and the path without its query, and the cause if there is one. */
  readonly what: string;
}

interface Notice {
  readonly title: string;
  readonly body: string;
  /** The exchange that a click opens; null for the list, which shows held exchanges first. */
  readonly opens: number | null;
}

/** The incident of a completed exchange; null if it did not fail, was scripted, or not sent by the app. */
export function incidentOf(exchange: ExchangeSummary): Incident | null {
  const { number, sent_by, throttled, cause } = exchange;
  const isIncident = throttled || (!isScripted(exchange) && isFailure(exchange));
  if (sent_by !== 'app' || !isIncident) return null;
  const line = requestLine(exchange);
  return {
    kind: throttled ? 'throttled' : 'rejected',
    number,
    what: cause === null ? line : `${line}: ${cause}`,
  };
}

/** The exchanges that a batch added: those in chunks that changed and not in the chunks that they replace. */
function addedExchanges({ exchanges }: State, before: State): ExchangeSummary[] {
  const former = new Set(before.exchanges.chunks);
  const current = new Set(exchanges.chunks);
  const known = new Set(
    before.exchanges.chunks.flatMap((chunk) =>
      current.has(chunk) ? [] : chunk.map(({ number }) => number),
    ),
  );
  return exchanges.chunks
    .flatMap((chunk) => (former.has(chunk) ? [] : chunk))
    .filter(({ number }) => !known.has(number));
}

/** The incidents that the feed has reported between two states. What the page loads when it connects is not new. */
export function newIncidents(state: State, before: State): Incident[] {
  const isBatch = before.last_event !== null && state.last_event !== before.last_event;
  const completed =
    isBatch && state.exchanges !== before.exchanges ? addedExchanges(state, before) : [];
  const known = new Set(before.held.map(({ number }) => number));
  const held = before.followed ? state.held.filter(({ number }) => !known.has(number)) : [];
  return [
    ...completed.flatMap((exchange) => incidentOf(exchange) ?? []),
    ...held.map((one) => ({ kind: 'held' as const, number: one.number, what: requestLine(one) })),
  ];
}

interface Tally {
  readonly counts: Readonly<Record<Incident['kind'], number>>;
  readonly newest: Incident;
}

function noticeOf({ counts, newest }: Tally): Notice {
  const total = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const opens = newest.kind === 'held' ? null : newest.number;
  if (total === 1) {
    return { title: `Request #${newest.number} ${newest.kind}`, body: newest.what, opens };
  }
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  return {
    title: `${pluralize(total, 'request')}: ${parts.join(', ')}`,
    body: `Newest: #${newest.number} ${newest.what}`,
    opens,
  };
}

/**
 * Shows the first incidents at once, and those of the following window together when it ends.
 * @param later calls a function after the window
 */
export function createNotifier(
  show: (notice: Notice) => void,
  later: (run: () => void) => void,
): (incidents: readonly Incident[]) => void {
  let waiting: Tally | null = null;
  let isOpen = false;
  const flush = () => {
    isOpen = waiting !== null;
    if (waiting === null) return;
    const tally = waiting;
    waiting = null;
    show(noticeOf(tally));
    later(flush);
  };
  return (incidents) => {
    for (const newest of incidents) {
      const counts: Tally['counts'] = waiting?.counts ?? { rejected: 0, throttled: 0, held: 0 };
      waiting = { counts: { ...counts, [newest.kind]: counts[newest.kind] + 1 }, newest };
    }
    if (!isOpen) flush();
  };
}

type Permission = NotificationPermission | 'unsupported';

const isSupported = (): boolean => 'Notification' in globalThis;

export const notificationPermission = (): Permission =>
  isSupported() ? Notification.permission : 'unsupported';

/** Asks the person for the permission, if the browser has not decided yet. */
export const requestNotifications = async (): Promise<Permission> =>
  isSupported() ? Notification.requestPermission() : 'unsupported';

const WINDOW_MS = 5000;

function show({ title, body, opens }: Notice): void {
  if (!preferences().notifications || notificationPermission() !== 'granted') return;
  const shown = new Notification(title, { body });
  shown.onclick = () => {
    shown.close();
    window.focus();
    void navigate('traffic', opens === null ? null : String(opens));
  };
}

/** Follows the feed for as long as the page is open. */
export function startNotifying(): void {
  const report = createNotifier(show, (run) => setTimeout(run, WINDOW_MS));
  page.subscribe((state, before) => {
    if (!preferences().notifications || document.hasFocus()) return;
    const incidents = newIncidents(state, before);
    if (incidents.length > 0) report(incidents);
  });
}
