// Turns a pasted curl command into a draft, with notes on what differs from the command. Pure.

import type { Client, Settings } from '../../../control/schemas.ts';
import { type ServerAddress, serverPathsOf, usualPathOf } from '../../../scenario/server-paths.ts';
import { composedOf, type Draft, FRAMING, splitTarget } from '../../composing/draft.ts';
import type { Note } from './requests-state.ts';
import { servedPaths } from './templates.ts';
import { parseCurl } from './parse-curl.ts';
import { changed, type Remark } from './shell-words.ts';

const SET_BY_SENDER = ['content-length', ...FRAMING];

/**
 * Turns a curl command into a request to this server.
 * @throws Unreadable when the text contains no curl command
 */
export function pastedDraft(
  text: string,
  server: ServerAddress,
  settings: Settings | null,
  clients: readonly Client[],
): { draft: Draft; notes: readonly Note[] } {
  const { method, origin, target, headers, body, remarks } = parseCurl(text);
  const ours = ourTarget(origin, target, server, servedPaths(settings));
  const kept = headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  const left = headers.filter((header) => !kept.includes(header)).map(([name]) => name);
  const path = ours.target;
  const draft = composedOf({ method, path, headers: kept, body }, clients);
  const omitted =
    left.length === 0 ? [] : [changed(`Omitted because Grantbench sets them: ${left.join(', ')}.`)];
  return { draft, notes: [...ours.remarks, ...remarks, ...omitted] };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether the origin is this server: the same host, or loopback with the same port. */
function isOurs(origin: string, issuer: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, port, host } = new URL(origin);
  if (host === issuer.host) return true;
  return port === issuer.port && LOOPBACK.test(hostname) && LOOPBACK.test(issuer.hostname);
}

/**
 * Returns where the request goes here: to the path of the endpoint that its own path means.
 *
 * @param served the usual paths of the endpoints
 */
export function ourTarget(
  origin: string,
  target: string,
  server: ServerAddress,
  served: readonly string[],
): { target: string; remarks: readonly Remark[] } {
  const here = new URL(server.issuer);
  if (isOurs(origin, here)) return { target, remarks: [] };
  const [path] = splitTarget(target);
  const serverPath = serverPathsOf(server);
  const base = here.pathname.replace(/\/$/, '');
  const known = served.some((usual) => path === `${base}${usual}` || path === serverPath(usual));
  const usual = usualPathOf(path);
  const ours = known || usual === undefined ? path : serverPath(usual);
  const redirected = `The command is for ${origin}; here the request is sent to ${here.origin}${ours}.`;
  const unknown = !known && usual === undefined ? ' This server has no such path.' : '';
  return {
    target: `${ours}${target.slice(path.length)}`,
    remarks: [changed(`${redirected}${unknown}`)],
  };
}
