// Finds the route for a request whose body was read, over HTTP or for a forecast.

import type { IncomingHttpHeaders } from 'node:http';
import { ENDPOINTS } from '../core/records/endpoints.ts';
import { pathOfIssuer } from '../core/shape/address.ts';
import { OAuthError } from '../core/checks/errors.ts';
import type { RefusalFacts } from '../core/checks/refusals/index.ts';
import type { TokenService } from '../core/service.ts';
import { splitTarget } from './claimed-client.ts';
import { evaluationOf, type PendingExchange } from './pending-exchange.ts';
import { isPreflight, preflight } from './cors.ts';
import type { Place } from './faults/injector.ts';
import { type Answer, type HeaderList, reject } from './reply.ts';
import type { Route } from './route.ts';
import type { Routes } from './routes.ts';

/**
 * Returns the path without the issuer's path, below which the endpoints are served. RFC 8414 3.1 puts the issuer's
 * path after the well-known name. Health and landing page are also served at the root.
 */
function localPath(path: string, issuer: string): string {
  const base = pathOfIssuer(issuer);
  if (base === '') return path;
  if (path === base) return '/';
  if (path.startsWith(`${base}/`)) return path.slice(base.length);
  if (path.startsWith('/.well-known/') && path.endsWith(base)) return path.slice(0, -base.length);
  return ['/', '/livez', '/readyz'].includes(path) ? path : '';
}

/** Names the MCP server if it is at the path in the interop profile only. */
function mcpOffAt({ target }: PendingExchange, service: TokenService): RefusalFacts {
  const [path] = splitTarget(target);
  const isMcp = [service.base(), service.issuer()].some((base) =>
    /^(\/\.well-known\/oauth-protected-resource)?\/mcp$/.test(localPath(path, base)),
  );
  return isMcp && service.settings().profile !== 'interop' ? { field: 'MCP server' } : {};
}

/** The normal response, without the CORS headers. */
export function respond(
  route: Route | undefined,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
  missing: Destination['missing'] = 'not_found',
): Answer | Promise<Answer> {
  if (route === undefined) {
    const facts = missing === 'not_found' ? mcpOffAt(pending, service) : {};
    return reject(pending, new OAuthError(missing, facts), service);
  }
  if (route.cors && pending.method === 'OPTIONS') return preflight(route, pending, headers);
  evaluateAt(route, pending);
  const allowed: readonly string[] = route.methods;
  if (allowed.includes(pending.method)) return route.handle(pending, headers, query);
  const allow = ['Allow', [...allowed, ...(route.cors ? ['OPTIONS'] : [])].join(', ')];
  if (isPreflight(pending, headers)) {
    const reason = service.settings().cors ? 'preflight_closed' : 'preflight_off';
    return reject(pending, new OAuthError(reason), service, allow);
  }
  const facts = { expected: allowed.join(' or '), got: pending.method };
  return reject(pending, new OAuthError('method_not_allowed', facts), service, allow);
}

export interface Destination extends Place {
  readonly route: Route | undefined;
  /** Why there is no route. */
  readonly missing: 'not_found' | 'registration_off';
}

/** Maps a provider's path to the endpoint it stands for. The default paths below the issuer remain served. */
function localPathOf(path: string, routes: Routes, service: TokenService): string {
  const local = localPath(path, service.base());
  const shape = service.shape();
  if (shape === null) return local;
  const endpoint = shape.routes.get(local);
  if (endpoint !== undefined) return ENDPOINTS[endpoint].path;
  return routes.find(local, path) === undefined ? localPath(path, service.issuer()) : local;
}

export function locate(
  { target }: PendingExchange,
  routes: Routes,
  service: TokenService,
): Destination {
  const [path, query] = splitTarget(target);
  const local = localPathOf(path, routes, service);
  const route = routes.find(local, path);
  const served = route?.served?.() ?? true;
  const closed = route?.cors === true && !service.settings().cors;
  const found = closed ? { ...route, cors: false } : route;
  return {
    path: local || path,
    query,
    route: served ? found : undefined,
    missing: served ? 'not_found' : 'registration_off',
  };
}

/** From here on, the request counts as evaluated by the rules of this endpoint, whatever the result. */
function evaluateAt(route: Route | undefined, pending: PendingExchange): void {
  const endpoint = route?.endpoint ?? null;
  if (endpoint !== null) evaluationOf(pending).endpoint = endpoint;
}

const UNREADABLE = {
  too_large: 'body_too_large',
  stalled: 'body_stalled',
  cut: 'body_cut',
  malformed: 'malformed_http',
  slow: 'request_slow',
} as const;

/** Returns the error for a request whose body was not read completely. */
export function refuseUnread(
  outcome: keyof typeof UNREADABLE,
  route: Route | undefined,
  pending: PendingExchange,
  service: TokenService,
  headers: HeaderList,
): Answer {
  evaluateAt(route, pending);
  const expected = String(service.settings().max_body_bytes);
  return reject(pending, new OAuthError(UNREADABLE[outcome], { expected }), service, headers);
}
