// The sign-in by the user in their own browser, and the loopback callback that receives the code (RFC 8252 7.3).

import { control, problemOf } from '../../connection/control.ts';
import type { Callback, Client, Exchange } from '../../../control/schemas.ts';
import { headerOf } from '../../../oauth/fields.ts';
import { bodyText } from '../../exchange/answer.ts';
import { type Answer, answerOf } from '../../../scenario/actions/answer.ts';
import { answeredBy } from '../../../scenario/runner/over-control.ts';
import type { WireRequest } from '../../../scenario/runner/scenario-sandbox.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { newestNumber } from '../../connection/exchange-window.ts';
import { page } from '../../connection/state.ts';
import { type PersonSignIn, withEvent } from './flow-state.ts';
import { changeFlow, currentChoice, flow } from './flow-store.ts';
import { perform } from './perform-step.ts';
import { callbackUriOf, cancelSignIn, freshCallbackUri, openInBrowser } from './callback.ts';

const MOST_EXCHANGES = 100;
const CAPTURE_WAIT_SECONDS = 5;

const locationOf = ({ response }: Exchange): string => headerOf(response.headers, 'location') ?? '';

/** Reads the exchanges at the authorization endpoint. */
async function readAll(after: number): Promise<Exchange[]> {
  const { items } = await control.exchanges.list({ after, limit: MOST_EXCHANGES });
  const wanted = items.filter(({ endpoint }) => endpoint === 'authorize');
  const read = await Promise.all(
    wanted.map(({ number }) => control.exchanges.get({ number, secrets: true })),
  );
  return read.sort((a, b) => a.number - b.number);
}

/**
 * The exchanges of one sign-in: those with a mark in the path or in the redirect, and those that submit the form of an
 * earlier one.
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
 * The exchanges of one sign-in, oldest first; the last one is the redirect.
 * @param after the number of the newest exchange before the sign-in
 * @param marks the state, and the request_uri of a pushed request
 */
async function signInExchanges(after: number, marks: readonly string[]): Promise<Exchange[]> {
  const isMarked = (text: string) => marks.some((mark) => text.includes(encodeURIComponent(mark)));
  for (const wait_seconds of [CAPTURE_WAIT_SECONDS, 0]) {
    const own = ofOneSignIn(await readAll(after), isMarked);
    const end = own.findLastIndex((exchange) => isMarked(locationOf(exchange)));
    if (end >= 0) return own.slice(0, end + 1);
    // An exchange is captured after its response was sent, so the browser may be faster.
    const newest = own.at(-1)?.number ?? after;
    await control.exchanges.list({ after: newest, wait_seconds });
  }
  throw new Error('The redirect was received, but its exchange is no longer stored.');
}

const WAIT_SECONDS = 30;
const TOO_LATE = 'Nobody signed in within 5 minutes.';

const setPerson = (person: PersonSignIn | null): void =>
  changeFlow((state) => ({ ...state, person }));

/** Offers a redirect URI where the code could be received. Registers nothing. */
function noCallback(why: string): Error {
  setPerson({ kind: 'no_callback', offer: freshCallbackUri(Math.random()) });
  return new Error(why);
}

async function openCallback(client: Client | null, chosen: unknown): Promise<Callback> {
  if (client === null) throw new Error('There is no client.');
  const [first = ''] = client.redirect_uris;
  const uri = callbackUriOf(client, typeof chosen === 'string' ? chosen : first);
  if (uri === null) {
    throw noCallback(`${client.client_id} has no redirect URI on this machine with a port.`);
  }
  try {
    return await control.callbacks.create({ redirect_uri: uri });
  } catch (error) {
    const { code, message } = problemOf(error);
    throw code === 'conflict'
      ? noCallback(`The code cannot be received at ${uri}: ${message}.`)
      : error;
  }
}

/** Waits for the redirect, or until the callback is closed. */
async function redirectAt({ id }: Callback): Promise<URLSearchParams> {
  for (;;) {
    const { status, redirect_to } = await control.callbacks
      .get({ id, wait_seconds: WAIT_SECONDS })
      .catch((error: unknown) => {
        throw problemOf(error).code === 'not_found'
          ? new Error('The sign-in was cancelled.')
          : error;
      });
    if (status === 'expired') throw new Error(TOO_LATE);
    if (redirect_to !== null) return new URL(redirect_to).searchParams;
  }
}

/** Rejects a redirect from another authorization server (RFC 9207). */
function checkIssuer(parameters: URLSearchParams): void {
  const issuer = page.getState().server?.issuer;
  const named = parameters.get('iss');
  if (named !== null && named !== issuer)
    throw new Error(`The redirect names another issuer: ${named}.`);
}

async function drawSignIn(after: number, marks: readonly string[]) {
  const exchanges = await signInExchanges(after, marks);
  for (const exchange of exchanges) {
    const event = { kind: 'exchange', step: 'code', exchange, verdict: null } as const;
    changeFlow((state) => withEvent(state, event));
  }
  return exchanges.at(-1);
}

/** Sends an authorization request in the user's browser, and waits for the redirect. */
async function sendInBrowser(
  request: WireRequest,
  callback: Callback,
  after: number,
): Promise<Answer> {
  const { id, state, redirect_uri } = callback;
  const endpoint = page.getState().server?.endpoints.authorization ?? '';
  const query = new URL(request.path, endpoint).search;
  const href = `${endpoint}${query}`;
  setPerson({ kind: 'waiting', id, redirect_uri, href });
  await openInBrowser(href);
  checkIssuer(await redirectAt(callback));
  const pushed = new URLSearchParams(query).get('request_uri');
  const exchange = await drawSignIn(after, [state, pushed ?? state]);
  if (exchange === undefined) throw new Error('The redirect has no exchange.');
  return answerOf(answeredBy(exchange), exchange);
}

/** Why a sign-in of the client at the endpoint can no longer succeed, in a sentence; null while it can. */
function whyFutile({ client_id }: Client, endpoint: string | undefined): string | null {
  const { clients, server } = page.getState();
  if (!clients.some((one) => one.client_id === client_id))
    return `${client_id} was deleted during the sign-in.`;
  const isMoved = server?.state === 'running' && server.endpoints.authorization !== endpoint;
  return isMoved ? `The sign-in page has moved to ${server.endpoints.authorization}.` : null;
}

/** Performs the step with a sign-in in the user's browser. The page itself sends a pushed request. */
export async function signInAsPerson({ authorize, ...step }: ScenarioStep): Promise<Answer | null> {
  setPerson(null);
  const after = newestNumber(page.getState().exchanges);
  const { client } = currentChoice();
  const endpoint = page.getState().server?.endpoints.authorization;
  const callback = await openCallback(client, authorize?.parameters?.['redirect_uri']);
  const { id, state, redirect_uri } = callback;
  const parameters = { ...authorize?.parameters, redirect_uri, state };
  const cancel = () => void cancelSignIn(id);
  flow.getState().stopping?.signal.addEventListener('abort', cancel, { once: true });
  const futile = new AbortController();
  const unwatch = page.subscribe(() => {
    const why = client === null || futile.signal.aborted ? null : whyFutile(client, endpoint);
    if (why === null) return;
    futile.abort(new Error(why));
    cancel();
  });
  try {
    return await perform(
      'code',
      { ...step, authorize: { ...authorize, parameters } },
      () => (request) => sendInBrowser(request, callback, after),
    );
  } catch (error) {
    futile.signal.throwIfAborted();
    throw error;
  } finally {
    unwatch();
    await cancelSignIn(id);
    changeFlow((now) => (now.person?.kind === 'waiting' ? { ...now, person: null } : now));
  }
}
