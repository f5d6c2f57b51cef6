// Where the page receives the code of a sign-in in the user's browser: at which redirect URIs it can (RFC 8252 7.3), and
// the sign-in page that leads there.

import type { Client } from '../../../control/schemas.ts';
import { parseLoopbackRedirect, redirectUriProblem } from '../../../control/names.ts';
import { control, windowControl } from '../../connection/control.ts';

/** Why the URI cannot be registered; null when it can. @param called the label of the field */
export function problemOfUri(uri: string, called: 'callback' | 'redirect URI'): string | null {
  const problem = redirectUriProblem(uri);
  return problem === null ? null : `The ${called} ${problem}.`;
}

type Registered = Pick<Client, 'redirect_uris' | 'application_type'>;

/** The URI at which this machine can receive the redirect. A native client's port may vary (RFC 8252 7.3). */
function receivable(uri: string, { application_type }: Registered): string | null {
  const parsed = parseLoopbackRedirect(uri);
  if (parsed === null) return null;
  if (application_type === 'native') return parsed.origin + parsed.rest;
  return parsed.port === null ? null : uri;
}

/** The client's first redirect URI on loopback, or null. @param chosen is tried first */
export function callbackUriOf(client: Registered, chosen: string): string | null {
  const uris = [chosen, ...client.redirect_uris].map((uri) => receivable(uri, client));
  return uris.find((uri) => uri !== null) ?? null;
}

const PORTS = { first: 49_152, count: 16_384 };

/** A redirect URI to register, with a port from the dynamic range. @param random from 0 to 1 */
export const freshCallbackUri = (random: number): string =>
  `http://127.0.0.1:${PORTS.first + Math.floor(random * PORTS.count)}/callback`;

/**
 * If the browser blocks the tab, the button beside the step can still open it.
 * @throws Error when the window has no browser to open it in, or the server was stopped meanwhile
 */
export async function openInBrowser(url: string): Promise<void> {
  if (windowControl === null) {
    window.open(url, '_blank', 'noopener');
    return;
  }
  const { done } = await windowControl.window.openSignIn({ url });
  if (!done) throw new Error('The sign-in page could not be opened in a browser of this machine.');
}

export const cancelSignIn = (id: string): Promise<unknown> =>
  control.callbacks.remove({ id }).catch(() => undefined);
