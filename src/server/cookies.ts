// Cookies of the pages that people see. Cookies know no ports, so their names carry ours: two sandboxes
// on one machine leave each other's sign-ins alone. None outlives the browser; the service decides how
// long a session lasts, by its own clock.

import type { IncomingHttpHeaders } from 'node:http';
import type { Visitor } from '../core/authorization/consent.ts';
import type { TokenService } from '../core/service.ts';
import { encodeRandom } from '../core/issuing/random-text.ts';
import type { HeaderList } from './reply.ts';

export interface Cookies {
  readonly visitor: Visitor;
  /** Keeps this browser known, to tell the forms it sends from those another one was shown. */
  keepBrowser(): HeaderList;
  keepSession(id: string): HeaderList;
  dropSession(): HeaderList;
}

/** The port that the browser came to; what it says decides a name and nothing else. */
function portOf(headers: IncomingHttpHeaders, issuer: URL): string {
  const [, named] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return named ?? (issuer.port || issuer.protocol.slice(0, -1));
}

/** 256 bits in base64url, as we made it; anything else is none of ours. */
function readCookie(headers: IncomingHttpHeaders, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

export function readCookies(headers: IncomingHttpHeaders, service: TokenService): Cookies {
  const issuer = new URL(service.issuer());
  const port = portOf(headers, issuer);
  const names = { session: `grantbench_session_${port}`, browser: `grantbench_browser_${port}` };
  const path = new URL(service.base()).pathname.replace(/\/$/, '') || '/';
  const isSecure = issuer.protocol === 'https:';
  const lax = isSecure ? 'SameSite=Lax; Secure' : 'SameSite=Lax';
  // A silent sign-in happens in a frame of the app's page, which may be of another site.
  const embedded = isSecure ? 'SameSite=None; Secure' : lax;
  const set = (name: string, value: string, sites: string) => [
    'Set-Cookie',
    `${name}=${value}; Path=${path}; HttpOnly; ${sites}`,
  ];
  const visitor = {
    session: readCookie(headers, names.session),
    browser: readCookie(headers, names.browser) ?? encodeRandom(service.ports.random(32)),
  };
  return {
    visitor,
    keepBrowser: () => set(names.browser, visitor.browser, lax),
    keepSession: (id) => set(names.session, id, embedded),
    dropSession: () => set(names.session, '', `${embedded}; Max-Age=0`),
  };
}
