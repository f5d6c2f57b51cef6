// Turns a pasted curl command into a draft, with notes on what differs from the command. Pure.

import type { Client, Settings } from '../../../control/schemas.ts';
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
  issuer: string,
  settings: Settings | null,
  clients: readonly Client[],
): { draft: Draft; notes: readonly Note[] } {
  const { method, origin, target, headers, body, remarks } = parseCurl(text);
  const ours = ourTarget(origin, target, issuer, servedPaths(settings));
  const kept = headers.filter(([name]) => !SET_BY_SENDER.includes(name.toLowerCase()));
  const left = headers.filter((header) => !kept.includes(header)).map(([name]) => name);
  const path = ours.target;
  const draft = composedOf({ method, path, headers: kept, body }, clients);
  const omitted =
    left.length === 0 ? [] : [changed(`Omitted because Grantbench sets them: ${left.join(', ')}.`)];
  return { draft, notes: [...ours.remarks, ...remarks, ...omitted] };
}

/** How paths of other servers end, with the matching path of this server. */
const ENDINGS: readonly (readonly [ending: RegExp, path: string])[] = [
  [/\/\.well-known\/openid-configuration$/, '/.well-known/openid-configuration'],
  [/\/\.well-known\/oauth-authorization-server$/, '/.well-known/oauth-authorization-server'],
  [/\/(?:jwks|certs|keys|jwks\.json)$/, '/.well-known/jwks.json'],
  [/\/tokens?$/, '/oauth/token'],
  [/\/(?:revoke|revocation)$/, '/oauth/revoke'],
  [/\/(?:introspect|introspection)$/, '/oauth/introspect'],
  [/\/user_?info$/, '/userinfo'],
  [/\/(?:authorize|authorization|auth)$/, '/authorize'],
  [/\/(?:logout|end_?session)$/, '/logout'],
  [/\/(?:register|registration)$/, '/register'],
];

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether the origin is this server: the same host, or loopback with the same port. */
function isOurs(origin: string, issuer: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, port, host } = new URL(origin);
  if (host === issuer.host) return true;
  return port === issuer.port && LOOPBACK.test(hostname) && LOOPBACK.test(issuer.hostname);
}

/**
 * @param issuer the issuer of this server, with its path if it has one
 * @param served the paths of the endpoints below it
 */
export function ourTarget(
  origin: string,
  target: string,
  issuer: string,
  served: readonly string[],
): { target: string; remarks: readonly Remark[] } {
  const here = new URL(issuer);
  const base = here.pathname.replace(/\/$/, '');
  if (isOurs(origin, here)) return { target, remarks: [] };
  const [path] = splitTarget(target);
  const known = served.includes(path.slice(base.length)) && path.startsWith(base);
  const ending = ENDINGS.find(([pattern]) => pattern.test(path.replace(/\/$/, '')));
  const ours = known ? path : ending !== undefined ? `${base}${ending[1]}` : path;
  const redirected = `The command is for ${origin}; here the request is sent to ${here.origin}${ours}.`;
  const unknown = !known && ending === undefined ? ' This server has no such path.' : '';
  return {
    target: `${ours}${target.slice(path.length)}`,
    remarks: [changed(`${redirected}${unknown}`)],
  };
}
