// Step 2 as a person takes it: the browser at the sign-in page, and the code at a callback of our own (RFC 8252 7.3).

import type { Callback, Exchange } from '../../../../control/schemas.ts';
import {
  AUTHORIZE_PATH,
  authorizeFields,
  authorizeRequest,
} from '../../../../oauth/endpoint-requests.ts';
import type { HttpRequest } from '../../../../oauth/fields.ts';
import type { PkcePair } from '../../../../oauth/pkce.ts';
import { control, problemOf } from '../../../connection/control.ts';
import { newestNumber } from '../../../connection/exchange-window.ts';
import { page } from '../../../connection/state.ts';
import { boundTo, brought, heldCode, type Authorization } from '../authorize.ts';
import type { Choice } from '../choice.ts';
import { withEvent } from '../flow-state.ts';
import { changeFlow } from '../flow-store.ts';
import { NO_CLIENT } from '../send-step.ts';
import { callbackUriOf, freshCallbackUri } from './callback-uri.ts';
import { openInBrowser } from './open-in-browser.ts';
import type { PersonSignIn } from './person-state.ts';
import { signInExchanges } from './sign-in-exchanges.ts';

const WAIT_SECONDS = 30;
const TOO_LATE = 'Nobody signed in within 5 minutes.';

const setPerson = (person: PersonSignIn | null): void =>
  changeFlow((state) => ({ ...state, person }));

/** What is offered where the code cannot be received; nothing is registered by it. */
function nowhere(why: string): Error {
  setPerson({ kind: 'nowhere', why, offer: freshCallbackUri(Math.random()) });
  return new Error(why);
}

async function openCallback({ client, redirect_uri }: Choice): Promise<Callback> {
  if (client === null) throw new Error(NO_CLIENT);
  const uri = callbackUriOf(client, redirect_uri);
  if (uri === null) {
    throw nowhere(`No redirect URI of ${client.client_id} is on this machine with a port.`);
  }
  try {
    return await control.callbacks.create({ redirect_uri: uri });
  } catch (error) {
    const { code, message } = problemOf(error);
    throw code === 'conflict'
      ? nowhere(`The code cannot be received at ${uri}: ${message}.`)
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

/** The server may be another one than was asked (RFC 9207). */
function checkIssuer(parameters: URLSearchParams): void {
  const issuer = page.getState().server?.issuer;
  const named = parameters.get('iss');
  if (named !== null && named !== issuer)
    throw new Error(`The redirect is of the issuer ${named}.`);
}

async function drawn(after: number, paths: readonly string[], marks: readonly string[]) {
  const exchanges = await signInExchanges(after, paths, marks);
  for (const exchange of exchanges) {
    const event = { kind: 'exchange', step: 'code', exchange, verdict: null } as const;
    changeFlow((state) => withEvent(state, event));
  }
  return exchanges.at(-1);
}

/**
 * Opens the sign-in page in the person's browser and waits for the redirect.
 * @param send draws an exchange of our own: a push
 */
export async function signInAsPerson(
  choice: Choice,
  pkce: PkcePair | null,
  send: (request: HttpRequest) => Promise<Exchange>,
): Promise<Authorization> {
  setPerson(null);
  const after = newestNumber(page.getState().exchanges);
  const callback = await openCallback(choice);
  const { id, state, redirect_uri } = callback;
  const close = () => control.callbacks.remove({ id }).catch(() => undefined);
  const at: Choice = { ...choice, redirect_uri };
  try {
    const asked = authorizeFields({
      ...choice.authorize,
      redirect_uri,
      state,
      challenge: pkce?.challenge ?? null,
    });
    const sent = await brought(at, [...asked, ...(await boundTo(choice))], send);
    if ('refused' in sent) return { exchange: sent.refused, code: null };
    const endpoint = page.getState().server?.endpoints.authorization ?? '';
    const query = authorizeRequest(sent.fields).path.slice(AUTHORIZE_PATH.length);
    const href = `${endpoint}${query}`;
    setPerson({ kind: 'waiting', id, redirect_uri, href });
    await openInBrowser(href);
    const parameters = await redirectAt(callback);
    checkIssuer(parameters);
    const paths = [AUTHORIZE_PATH, new URL(endpoint).pathname];
    const exchange = await drawn(after, paths, [state, sent.request_uri ?? state]);
    if (exchange === undefined) throw new Error('The redirect has no exchange.');
    const code = parameters.get('code');
    return { exchange, code: code === null ? null : await heldCode(exchange, code, at, pkce) };
  } finally {
    await close();
    changeFlow((flow) => (flow.person?.kind === 'waiting' ? { ...flow, person: null } : flow));
  }
}

export const cancelSignIn = (id: string): Promise<unknown> =>
  control.callbacks.remove({ id }).catch(() => undefined);
