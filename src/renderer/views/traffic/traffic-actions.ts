// Actions of the traffic view, for its buttons, its keys and the palette.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { exactly } from '../../../scenario/actions/request.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { loadOlderExchanges } from '../../connection/older-exchanges.ts';
import { isAt, navigate } from '../../navigation/route.ts';
import { page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { requestOf } from '../../sending/captured-request.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { editRequest } from '../../sending/request-handover.ts';
import { allNumbers } from './rows.ts';
import { changeTraffic, currentRows, traffic } from './traffic-store.ts';
import {
  cleared,
  following,
  MOST_IN_SEQUENCE,
  paused,
  pinToggled,
  withLineage,
  withOlder,
  withSequence,
  type AskedField,
} from './traffic-state.ts';

const live = () => page.getState().exchanges;

/** Opens an exchange beside the list. Back returns to the list, not to the exchanges opened before. */
export const openExchange = (number: number, isOpen: boolean): Promise<boolean> =>
  navigate('traffic', String(number), isOpen ? 'replace' : 'push');

export const closeExchange = (): Promise<boolean> => navigate('traffic', null, 'replace');

export const follow = (): void => changeTraffic(following);

export const togglePause = (): void =>
  changeTraffic((state) => (state.paused ? following(state) : paused(state, live())));

export const clearView = (): void => changeTraffic((state) => cleared(state, live()));

export const showCleared = (): void => changeTraffic((state) => ({ ...state, cleared: 0 }));

export const togglePin = (exchange: ExchangeSummary): void =>
  changeTraffic((state) => pinToggled(state, exchange));

/** Opens the view first, if necessary. */
export const inTraffic = (run: () => unknown) => async (): Promise<void> => {
  if (isAt('traffic') || (await navigate('traffic'))) run();
};

/** Moves the focus to one of the view's fields. */
export const askFor = (field: AskedField): void =>
  changeTraffic((state) => ({ ...state, asked: field, sequence: null }));

let loading = false;

/** Loads the next page of older exchanges, one page at a time. */
export async function loadOlder(): Promise<void> {
  if (loading || !page.getState().history?.next) return;
  loading = true;
  await attempt('Older exchanges were not loaded.', async () => {
    const older = await loadOlderExchanges();
    changeTraffic((state) => withOlder(state, older));
  });
  loading = false;
}

/** Sends the same request again and opens its exchange. */
export const resend = (number: number): Promise<boolean> =>
  attempt(`Exchange ${number} was not resent.`, async () => {
    const exchange = await control.exchanges.get({ number, secrets: true });
    const run = openRun();
    const sent = await sendStep(exactly(requestOf(exchange), run), run);
    notify(`Exchange ${number} was resent as ${sent.number}`);
    await openExchange(sent.number, true);
  });

/** Opens the request in the composer, with its secrets. */
export const editInRequests = (number: number): Promise<boolean> =>
  attempt(`Exchange ${number} cannot be edited.`, async () => {
    await editRequest(requestOf(await control.exchanges.get({ number, secrets: true })));
  });

export const copyWithSecrets = (number: number): Promise<boolean> =>
  attempt('The command was not copied.', async () => {
    const exchange = await control.exchanges.get({ number, secrets: true });
    const issuer = page.getState().server?.issuer ?? location.origin;
    await navigator.clipboard.writeText(curlOf(exchange, issuer));
    notify('Copied the curl command, with secrets');
  });

export const copyLink = (number: number): Promise<boolean> =>
  attempt('The link was not copied.', async () => {
    const link = new URL(`#/traffic/${number}`, location.href).href;
    await navigator.clipboard.writeText(link);
    notify(`Copied the link to exchange ${number}`);
  });

/** Shows the selected exchanges, or all that are listed, as a sequence. */
export function showSequence(): void {
  const { selected, pinned } = traffic.getState();
  const listed = () => [...pinned.map(({ number }) => number), ...allNumbers(currentRows())];
  const numbers = selected.size > 1 ? [...selected] : listed();
  changeTraffic((state) => withSequence(state, numbers));
}

/** Shows the newest exchanges of a lineage, whether or not they are listed here. */
export const showLineage = (lineage_id: string): Promise<boolean> =>
  attempt('The lineage could not be shown.', async () => {
    const limit = MOST_IN_SEQUENCE;
    const { items, next } = await control.exchanges.list({ lineage_id, limit });
    const numbers = items.map(({ number }) => number);
    changeTraffic((state) => withLineage(state, numbers, next !== null));
  });

/** Shows what the app has sent since its first known request, and what it sends from now on. */
export const showApp = (): void =>
  changeTraffic((state) => ({ ...state, sequence: { of: 'app' } }));

export const closeSequence = (): void => changeTraffic((state) => ({ ...state, sequence: null }));
