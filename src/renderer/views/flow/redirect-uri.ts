// The redirect URIs of a walk: what keeps a text from being one, and at which of a client's the page can wait for the
// redirect. Pure.

import { parseLoopbackRedirect, redirectUriProblem } from '../../../control/names.ts';
import type { Client } from '../../../control/schemas.ts';

/** What keeps it from being registered, which the service decides; null when nothing does. @param called what the field is called on screen */
export function problemOfUri(uri: string, called: 'callback' | 'redirect URI'): string | null {
  const problem = redirectUriProblem(uri);
  return problem === null ? null : `The ${called} ${problem}.`;
}

type Registered = Pick<Client, 'redirect_uris' | 'application_type'>;

/** The port of a native client's may vary (RFC 8252 7.3): a free one is taken. */
function receivable(uri: string, { application_type }: Registered): string | null {
  const parsed = parseLoopbackRedirect(uri);
  if (parsed === null) return null;
  if (application_type === 'native') return parsed.origin + parsed.rest;
  return parsed.port === null ? null : uri;
}

/** null when none of the client's is on the loopback. @param chosen is preferred */
export function callbackUriOf(client: Registered, chosen: string): string | null {
  const uris = [chosen, ...client.redirect_uris].map((uri) => receivable(uri, client));
  return uris.find((uri) => uri !== null) ?? null;
}

const PORTS = { first: 49_152, count: 16_384 };

/** One to register: at a port of those that are nobody's. @param random from 0 to 1 */
export const freshCallbackUri = (random: number): string =>
  `http://127.0.0.1:${PORTS.first + Math.floor(random * PORTS.count)}/callback`;
