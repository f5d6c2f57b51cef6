// A pasted curl command as a draft, with what differs from the command. Pure.

import type { Client, Settings } from '../../../control/schemas.ts';
import { composedOf, type Draft, splitTarget } from './draft.ts';
import type { Note } from './requests-state.ts';
import { servedPaths } from './templates.ts';
import { parseCurl } from './parse-curl.ts';
import { changed, type Remark } from './shell-words.ts';

/** The host sets these, and accepts no others. */
const SET_BY_SENDER = ['content-length', 'connection', 'transfer-encoding', 'expect', 'upgrade'];

/**
 * A curl command, asking this server.
 * @throws Unreadable when there is none to be made out
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
  const notes: Note[] = [...ours.remarks, ...remarks];
  if (left.length > 0) {
    notes.push({
      kind: 'changed',
      text: `Left out, because Grantbench sets them: ${left.join(', ')}.`,
    });
  }
  return { draft, notes };
}

/** How other servers' paths end, by ours. */
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

/** Whether both are this machine's, on the same port, or the very same. */
function isOurs(origin: string, issuer: URL): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname, port, host } = new URL(origin);
  if (host === issuer.host) return true;
  return port === issuer.port && LOOPBACK.test(hostname) && LOOPBACK.test(issuer.hostname);
}

/**
 * @param issuer where this server is, with its own path if it has one
 * @param served the paths below it
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
  const told = `The command is for ${origin}; here the request is sent to ${here.origin}${ours}.`;
  const lost = !known && ending === undefined ? ' This server has no such path.' : '';
  return {
    target: `${ours}${target.slice(path.length)}`,
    remarks: [changed(`${told}${lost}`)],
  };
}
