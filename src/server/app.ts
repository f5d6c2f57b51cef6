// What holds for every path: methods, CORS, bodies within the limit, one answer for every fault.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ENDPOINTS } from '../core/records/endpoints.ts';
import { pathOfIssuer } from '../core/shape/address.ts';
import { OAuthError } from '../core/checks/errors.ts';
import type { TokenService } from '../core/service.ts';
import type { PendingExchange } from './pending-exchange.ts';
import { createArrival, evaluationOf } from './pending-exchange.ts';
import { discardRest, readBody } from './body.ts';
import { corsHeaders, isPreflight, preflight } from './cors.ts';
import type { FaultInjector, Place } from './faults.ts';
import { createFaultInjector } from './faults.ts';
import { deliver } from './faults/deliver.ts';
import type { Pauses } from './faults/pauses.ts';
import type { Answer } from './reply.ts';
import { refuse, send } from './reply.ts';
import { splitTarget } from './request-target.ts';
import type { Route, RoutesOptions } from './routes.ts';
import { createRoutes } from './routes.ts';

/**
 * The path without the issuer's own path, below which the endpoints are served. RFC 8414 3.1 puts an
 * issuer's path behind the well-known name; health and landing answer at the root as well.
 */
function localPath(path: string, issuer: string): string {
  const base = pathOfIssuer(issuer);
  if (base === '') return path;
  if (path === base) return '/';
  if (path.startsWith(`${base}/`)) return path.slice(base.length);
  if (path.startsWith('/.well-known/') && path.endsWith(base)) return path.slice(0, -base.length);
  return ['/', '/livez', '/readyz'].includes(path) ? path : '';
}

/** The true answer, but for what a page of another origin may read. */
function respond(
  route: Route | undefined,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Answer | Promise<Answer> {
  if (route === undefined) return refuse(pending, new OAuthError('not_found'), service);
  if (route.cors && pending.method === 'OPTIONS') return preflight(route, pending, headers);
  evaluateAt(route, pending);
  const allowed: readonly string[] = route.methods;
  if (allowed.includes(pending.method)) return route.handle(pending, headers, query);
  const allow = ['Allow', [...allowed, ...(route.cors ? ['OPTIONS'] : [])].join(', ')];
  if (isPreflight(pending, headers)) {
    const reason = service.settings().cors ? 'preflight_closed' : 'preflight_off';
    return refuse(pending, new OAuthError(reason), service, allow);
  }
  const facts = { expected: allowed.join(' or '), got: pending.method };
  return refuse(pending, new OAuthError('method_not_allowed', facts), service, allow);
}

/** A scripted answer may have its own say. */
const saysOrigin = ({ headers }: Answer) =>
  headers.some((name) => name.toLowerCase() === 'access-control-allow-origin');

interface Destination extends Place {
  readonly route: Route | undefined;
}

/** A provider's path is that of the endpoint that it stands for; below the issuer, the usual paths stay. */
function localPathOf(
  path: string,
  routes: ReadonlyMap<string, Route>,
  service: TokenService,
): string {
  const local = localPath(path, service.base());
  const shape = service.shape();
  if (shape === null) return local;
  const endpoint = shape.routes.get(local);
  if (endpoint !== undefined) return ENDPOINTS[endpoint].path;
  return routes.has(local) ? local : localPath(path, service.issuer());
}

function locate(
  { target }: PendingExchange,
  routes: ReadonlyMap<string, Route>,
  service: TokenService,
): Destination {
  const [path, query] = splitTarget(target);
  const local = localPathOf(path, routes, service);
  const route = routes.get(local);
  const served = route?.served?.() ?? true;
  const closed = route?.cors === true && !service.settings().cors;
  const found = closed ? { ...route, cors: false } : route;
  return { path: local || path, query, route: served ? found : undefined };
}

/** From here on the request is evaluated by the rules of this endpoint, whatever the result. */
function evaluateAt(route: Route | undefined, pending: PendingExchange): void {
  const endpoint = route?.endpoint ?? null;
  if (endpoint !== null) evaluationOf(pending).endpoint = endpoint;
}

async function dispatch(
  request: IncomingMessage,
  pending: PendingExchange,
  { path, query, route }: Destination,
  service: TokenService,
  injectFault: FaultInjector,
): Promise<Answer> {
  const evaluate = () => respond(route, pending, request.headers, query, service);
  const answer = service.faults.armed
    ? await injectFault(request, pending, { path, query }, evaluate)
    : await evaluate();
  if (pending.fault !== null && saysOrigin(answer)) return answer;
  return { ...answer, headers: [...answer.headers, ...corsHeaders(route, request.headers)] };
}

const UNREADABLE = {
  too_large: 'body_too_large',
  stalled: 'body_stalled',
  cut: 'body_cut',
  malformed: 'malformed_http',
  slow: 'request_slow',
} as const;

/** Takes the body in; answers the refusal when it cannot be had whole. */
async function takeBody(
  request: IncomingMessage,
  pending: PendingExchange,
  route: Route | undefined,
  service: TokenService,
): Promise<Answer | null> {
  const limit = service.settings().max_body_bytes;
  const { outcome, body } = await readBody(request, limit);
  pending.request_body = body;
  pending.request_bytes = body.length;
  if (outcome === 'read') return null;
  if (outcome === 'too_large') {
    pending.request_bytes = Number(request.headers['content-length'] ?? body.length + 1);
    discardRest(request);
  }
  evaluateAt(route, pending);
  const refusal = new OAuthError(UNREADABLE[outcome], { expected: String(limit) });
  const cors = corsHeaders(route, request.headers);
  return refuse(pending, refusal, service, ['Connection', 'close', ...cors]);
}

/** What browsers ask for beside every page and document they show. No app asks for it: it is no exchange. */
const asksForIcon = ({ method, url }: IncomingMessage): boolean =>
  url === '/favicon.ico' && (method === 'GET' || method === 'HEAD');

const DAY_SECONDS = 86_400;

function sendNoIcon(response: ServerResponse): void {
  response.writeHead(204, { 'Cache-Control': `max-age=${DAY_SECONDS}` }).end();
}

/** Handles every request; never rejects. A fault is passed to `onFault` and answered 500. */
export function createApp(
  options: RoutesOptions,
  pauses: Pauses,
  onFault: (fault: unknown) => void,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { service } = options;
  const routes = createRoutes(options);
  const injectFault = createFaultInjector(service, pauses);
  return async (request, response) => {
    if (asksForIcon(request)) {
      sendNoIcon(response);
      return;
    }
    const pending = createArrival(request, undefined, options);
    let answer: Answer;
    let route: Route | undefined;
    try {
      const destination = locate(pending, routes, service);
      ({ route } = destination);
      answer =
        (await takeBody(request, pending, route, service)) ??
        (await dispatch(request, pending, destination, service, injectFault));
    } catch (fault) {
      onFault(fault);
      const cors = corsHeaders(route, request.headers);
      answer = refuse(pending, new OAuthError('fault'), service, cors);
    }
    try {
      const { delivery } = answer;
      if (delivery === undefined) send(response, pending, answer, options);
      else await deliver(response, pending, { ...answer, delivery }, options, pauses);
    } catch (fault) {
      // Part of the answer may be on its way: nothing more can be said on this connection.
      onFault(fault);
      response.destroy();
    }
  };
}
