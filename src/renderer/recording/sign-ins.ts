// Which requests of a recording are one authorization: a push, the link that brought its request_uri, and the form of the
// page that the link was answered with. Other requests may come between them.

import type { Exchange } from '../../control/schemas.ts';
import { headerOf } from '../../oauth/fields.ts';
import { AUTHORIZE_PATH } from '../../oauth/endpoint-requests.ts';
import { FORM_FIELD, isSignInPage } from '../../scenario/sign-in-form.ts';
import { bodyText } from '../exchange/answer.ts';
import { isPush, requestUriOf } from './asked-parameters.ts';
import { exchangeOf, type RecordedEvent } from './recorded-event.ts';

export interface Authorization {
  /** The push, or null; then the link has the parameters. */
  readonly pushed: Exchange | null;
  readonly link: Exchange;
  /** The form that was sent; null when there was no page, or nobody decided on it. */
  readonly decided: Exchange | null;
}

export const isAuthorizeLink = ({ method, path }: Exchange): boolean =>
  method === 'GET' && path.split('?', 1)[0] === AUTHORIZE_PATH;

/** What a sent form of the sign-in page says; null for another request. */
export function formIn({ method, path, request }: Exchange): string | null {
  if (method !== 'POST' || path.split('?', 1)[0] !== AUTHORIZE_PATH) return null;
  return new URLSearchParams(bodyText(request)).get(FORM_FIELD);
}

const requestUriIn = ({ path }: Exchange): string | null =>
  new URLSearchParams(path.split('?', 2)[1]).get('request_uri');

/** Without the page's cookie it is a request of its own. */
const hasCookie = ({ request }: Exchange): boolean =>
  (headerOf(request.headers, 'cookie') ?? '') !== '';

function decisionOn(link: Exchange, later: readonly RecordedEvent[]): Exchange | null {
  if (!isSignInPage(link)) return null;
  const sent = later
    .map(exchangeOf)
    .find((exchange) => exchange !== null && formIn(exchange) === link.sign_in?.form);
  return sent && hasCookie(sent) ? sent : null;
}

/**
 * Each authorization under the exchange that ended it; `taken` are the exchanges before that one.
 * @param events oldest first
 */
export function authorizationsIn(events: readonly RecordedEvent[]) {
  const ended = new Map<Exchange, Authorization>();
  const taken = new Set<Exchange>();
  const pushes = new Map<string, Exchange>();
  for (const [index, event] of events.entries()) {
    const link = event.kind === 'exchange' ? event.exchange : null;
    if (link === null) continue;
    const request_uri = isPush(link) ? requestUriOf(link) : null;
    if (request_uri !== null) pushes.set(request_uri, link);
    if (!isAuthorizeLink(link)) continue;
    const brought = requestUriIn(link);
    const pushed = (brought === null ? undefined : pushes.get(brought)) ?? null;
    if (pushed !== null) taken.add(pushed);
    // It is good once.
    pushes.delete(brought ?? '');
    const decided = decisionOn(link, events.slice(index + 1));
    if (decided !== null) taken.add(link);
    ended.set(decided ?? link, { pushed, link, decided });
  }
  return { ended, taken };
}
