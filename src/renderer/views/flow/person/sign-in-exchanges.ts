// The exchanges of the person's browser at the authorization endpoint, known by the state, which nobody else has.

import type { Exchange } from '../../../../control/schemas.ts';
import { headerOf } from '../../../../oauth/fields.ts';
import { control } from '../../../connection/control.ts';
import { bodyText } from '../../../exchange/answer.ts';

const LIMIT = 100;
const WAIT_SECONDS = 5;

const locationOf = ({ response }: Exchange): string => headerOf(response.headers, 'location') ?? '';

/** @param paths of the authorization endpoint */
async function readAll(after: number, paths: readonly string[]): Promise<Exchange[]> {
  const { items } = await control.exchanges.list({ after, limit: LIMIT });
  const wanted = items.filter(({ path }) => paths.includes(path.split('?')[0] ?? ''));
  const read = await Promise.all(
    wanted.map(({ number }) => control.exchanges.get({ number, secrets: true })),
  );
  return read.sort((a, b) => a.number - b.number);
}

/**
 * Of all at the endpoint those of one sign-in: asked with a mark, sent by the form of such an answer, or redirected
 * with a mark.
 */
function ofOneSignIn(all: readonly Exchange[], isMarked: (text: string) => boolean): Exchange[] {
  const forms: string[] = [];
  return all.filter((exchange) => {
    const body = exchange.method === 'POST' ? bodyText(exchange.request) : '';
    const own =
      isMarked(exchange.path) ||
      isMarked(locationOf(exchange)) ||
      forms.some((form) => body.includes(form));
    if (own && exchange.sign_in !== null) forms.push(encodeURIComponent(exchange.sign_in.form));
    return own;
  });
}

/**
 * Oldest first; the last one is the redirect.
 * @param after the number of the newest exchange before
 * @param marks the state, or the request_uri that brought it
 */
export async function signInExchanges(
  after: number,
  paths: readonly string[],
  marks: readonly string[],
): Promise<Exchange[]> {
  const isMarked = (text: string) => marks.some((mark) => text.includes(encodeURIComponent(mark)));
  for (const wait_seconds of [WAIT_SECONDS, 0]) {
    const own = ofOneSignIn(await readAll(after, paths), isMarked);
    const end = own.findLastIndex((exchange) => isMarked(locationOf(exchange)));
    if (end >= 0) return own.slice(0, end + 1);
    // An exchange is captured once its response was sent: the browser may have been quicker.
    const newest = own.at(-1)?.number ?? after;
    await control.exchanges.list({ after: newest, wait_seconds });
  }
  throw new Error('The redirect was received, but its exchange is no longer kept.');
}
