// Actions of the traffic view, for its buttons, its keys and the palette.

import type { ExchangeSummary, Exchange } from '../../../control/schemas.ts';
import { exactly } from '../../../scenario/actions/request.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { navigate, parseRoute } from '../../navigation/route.ts';
import { change, issuerInUse, page, withExchanges } from '../../connection/state.ts';
import { copyText, notify } from '../../ui/notify.tsx';
import { hasRequest } from '../../ui/status.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { FRAMING } from '../../composing/draft.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { handOver } from '../../sending/handover.ts';
import {
  type AskedField,
  changeTraffic,
  cleared,
  following,
  listedNumbers,
  MOST_IN_SEQUENCE,
  paused,
  pinToggled,
  STARTING,
  traffic,
  withOlder,
  withSequence,
} from './traffic-state.ts';
import type { WireRequest } from '../../../scenario/runner/scenario-sandbox.ts';
import type { RowAction, RowMenu } from '../../ui/grid/row-menu.tsx';

// Turns a captured exchange into a request to send, without the headers that the sender sets itself.

const SET_BY_SENDER = ['host', 'content-length', 'keep-alive', ...FRAMING];

const sizeOf = (text: string) => new TextEncoder().encode(text).length;

/** @throws Error when there is no request, or its body is not text or was not captured completely */
export function requestOf({ number, method, path, request }: Exchange): WireRequest {
  if (!hasRequest({ method })) throw new Error(`Exchange ${number} has no HTTP request.`);
  if (request.body_encoding === 'base64') {
    throw new Error(
      `The body of exchange ${number} is not text. Copy the request as curl and send it from a shell.`,
    );
  }
  const kept = sizeOf(request.body);
  if (kept < request.body_bytes) {
    throw new Error(
      `Only ${kept} of the ${request.body_bytes} bytes of the body of exchange ${number} were stored.`,
    );
  }
  const headers = request.headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  return { method, path, headers, body: request.body };
}

const live = () => page.getState().exchanges;

/** Opens an exchange beside the list. Back returns to the list, not to the exchanges opened before. */
export function openExchange(number: number): Promise<boolean> {
  const route = parseRoute(location.hash);
  const isOpen = route?.view === 'traffic' && route.item !== null;
  return navigate('traffic', String(number), isOpen ? 'replace' : 'push');
}

export const closeExchange = (): Promise<boolean> => navigate('traffic', null, 'replace');

export const follow = (): void => changeTraffic(following);

export const togglePause = (): void =>
  changeTraffic((state) => (state.paused ? following(state) : paused(state, live())));

export const clearView = (): void => changeTraffic((state) => cleared(state, live()));

export const showCleared = (): void => traffic.setState({ cleared: STARTING.cleared });

export const togglePin = (exchange: ExchangeSummary): void =>
  changeTraffic((state) => pinToggled(state, exchange));

/** Moves the focus to one of the view's fields. */
export const askFor = (field: AskedField): void =>
  traffic.setState({ asked: field, sequence: null });

const PAGE = 1000;
let loading: Promise<void> | null = null;

/** Loads the next page of older exchanges. While one is loading, waits for that one. */
export function loadOlder(): Promise<void> {
  loading ??= loadPage().finally(() => {
    loading = null;
  });
  return loading;
}

async function loadPage(): Promise<void> {
  const after = page.getState().history?.next ?? null;
  if (after === null) return;
  await attempt('Older exchanges were not loaded.', async () => {
    const { items, next } = await control.exchanges.list({ limit: PAGE, after });
    // After a reset or a reconnection, the response belongs to a list that no longer exists.
    if (page.getState().history?.next !== after) return;
    change((state) => withExchanges(state, items, next));
    changeTraffic((state) => withOlder(state, items));
  });
}

/** Sends the same request again and opens its exchange. */
export const resend = (number: number): Promise<boolean> =>
  attempt(`Exchange ${number} was not resent.`, async () => {
    const exchange = await control.exchanges.get({ number, secrets: true });
    const sent =
      exchange.sent_by === 'server' ? await resendLogoutToken(number) : await sendAgain(exchange);
    notify(`Exchange ${number} was resent as ${sent}`);
    await openExchange(sent);
  });

async function sendAgain(exchange: Exchange): Promise<number> {
  const run = openRun();
  return (await sendStep(exactly(requestOf(exchange), run), run)).number;
}

/** Sends a logout token to the app again. */
async function resendLogoutToken(number: number): Promise<number> {
  const { deliveries } = await control.logout({ exchange: number });
  return deliveries[0]?.exchange ?? number;
}

/** Opens the request in the composer, with its secrets. */
const editInRequests = (number: number): Promise<boolean> =>
  attempt(`Exchange ${number} cannot be edited.`, async () => {
    const captured = requestOf(await control.exchanges.get({ number, secrets: true }));
    await handOver('requests', { captured });
  });

const copyWithSecrets = (number: number): Promise<boolean> =>
  copyText('the curl command, with secrets', 'The command was not copied.', async () =>
    curlOf(await control.exchanges.get({ number, secrets: true }), issuerInUse()),
  );

const copyLink = (number: number): Promise<boolean> =>
  copyText(
    `the link to exchange ${number}`,
    'The link was not copied.',
    () => new URL(`#/traffic/${number}`, location.href).href,
  );

/** Shows the selected exchanges, or all that are listed, as a sequence. */
export function showSequence(): void {
  const { selected } = traffic.getState();
  const numbers = selected.size > 1 ? [...selected] : listedNumbers();
  changeTraffic((state) => withSequence(state, numbers));
}

/** Shows the newest exchanges of a lineage, whether or not they are listed here. */
const showLineage = (lineage_id: string): Promise<boolean> =>
  attempt('The lineage could not be shown.', async () => {
    const limit = MOST_IN_SEQUENCE;
    const { items, next } = await control.exchanges.list({ lineage_id, limit });
    const numbers = items.map(({ number }) => number);
    changeTraffic((state) => withSequence(state, numbers, next !== null));
  });

/** Shows what the app has sent since its first known request, and what it sends from now on. */
export const showApp = (): void => traffic.setState({ sequence: { of: 'app' } });

export const closeSequence = (): void => traffic.setState({ sequence: null });

// The context menu of an exchange's row, with the same actions as the buttons of its panel.

/** Less common actions, which the panel puts into a menu of their own. */
export function furtherActions(exchange: ExchangeSummary): readonly RowAction[] {
  const { number, lineage_id, sent_by } = exchange;
  const pinned = traffic.getState().pinned.some((one) => one.number === number);
  const actions: (RowAction | false)[] = [
    sent_by !== 'server' &&
      hasRequest(exchange) && {
        title: 'Edit in Requests',
        needs: 'connection',
        run: () => editInRequests(number),
      },
    hasRequest(exchange) && {
      title: 'Copy as curl, with secrets',
      needs: 'connection',
      run: () => copyWithSecrets(number),
    },
    { title: 'Copy link', run: () => copyLink(number) },
    { title: pinned ? 'Unpin' : 'Pin to top', run: () => togglePin(exchange) },
    lineage_id !== null && {
      title: 'Show its lineage as a sequence',
      needs: 'connection',
      run: () => showLineage(lineage_id),
    },
  ];
  return actions.filter((action) => action !== false);
}

export function exchangeMenu(exchange: ExchangeSummary): RowMenu {
  const { number } = exchange;
  return {
    label: `Exchange ${number}`,
    actions: [
      { title: 'Open', run: () => openExchange(number) },
      ...(hasRequest(exchange)
        ? [{ title: 'Resend', needs: 'server' as const, run: () => resend(number) }]
        : []),
      ...furtherActions(exchange),
    ],
  };
}
