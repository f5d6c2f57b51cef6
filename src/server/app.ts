// What applies to every HTTP request: the body limit, fault rules, CORS, and one response for internal errors. The
// server translates between HTTP and the TokenService, which decides how a request is answered.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { OAuthError } from '../core/checks/errors.ts';
import type { TokenService } from '../core/service.ts';
import { createPendingExchange, type PendingExchange } from './pending-exchange.ts';
import { discardRest, readBody } from './body.ts';
import { corsHeaders } from './cors.ts';
import { type Destination, locate, refuseUnread, respond } from './dispatch.ts';
import type { FaultInjector } from './faults/injector.ts';
import { deliver, type Pauses } from './faults/deliver.ts';
import type { Holds } from './faults/held-exchanges.ts';
import { type Answer, reject, send } from './reply.ts';
import type { Route } from './route.ts';
import { createRoutes, type RoutesOptions } from './routes.ts';

/** What may change requests and responses, loaded when a rule is active: a start needs none of it. */
interface Interventions {
  readonly service: TokenService;
  readonly holds: Holds;
  readonly faultInjector: () => Promise<FaultInjector>;
}

/** A response made by a fault rule, or edited while it was held, may set its own headers. */
const setsOrigin = ({ headers }: Answer) =>
  headers.some((name) => name.toLowerCase() === 'access-control-allow-origin');

async function dispatch(
  request: IncomingMessage,
  pending: PendingExchange,
  destination: Destination,
  interventions: Interventions,
): Promise<Answer> {
  const { service, holds, faultInjector } = interventions;
  const { path, route, missing } = destination;
  const evaluate = async (query: string) => {
    const respondNormally = () => respond(route, pending, request.headers, query, service, missing);
    if (!service.faults.armed && !service.misbehaviour.armed) return respondNormally();
    const inject = await faultInjector();
    return inject(request, pending, { path, query }, respondNormally);
  };
  let answer: Answer;
  if (holds.armed) {
    const { respondUnderHolds } = await import('./faults/hold-gate.ts');
    answer = await respondUnderHolds(request, pending, destination, evaluate, interventions);
  } else answer = await evaluate(destination.query);
  const changed = pending.fault !== null || pending.held?.changed === true;
  if (changed && setsOrigin(answer)) return answer;
  return { ...answer, headers: [...answer.headers, ...corsHeaders(route, request.headers)] };
}

/** Reads the body; responds with the error if it cannot be read completely. */
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
  const headers = ['Connection', 'close', ...corsHeaders(route, request.headers)];
  return refuseUnread(outcome, route, pending, service, headers);
}

/**
 * Browsers request this icon for every page they show. Apps never do, so the request is not recorded as an exchange.
 */
const asksForIcon = ({ method, url }: IncomingMessage): boolean =>
  url === '/favicon.ico' && (method === 'GET' || method === 'HEAD');

const DAY_SECONDS = 86_400;

function sendNoIcon(response: ServerResponse): void {
  response.writeHead(204, { 'Cache-Control': `max-age=${DAY_SECONDS}` }).end();
}

/** Handles every request; never rejects. An internal error is passed to `onFault`, and the response is 500. */
export function createApp(
  options: RoutesOptions & { readonly holds: Holds },
  pauses: Pauses,
  onFault: (fault: unknown) => void,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { service, holds } = options;
  const routes = createRoutes(options);
  let injector: Promise<FaultInjector> | undefined;
  const interventions: Interventions = {
    service,
    holds,
    faultInjector: () =>
      (injector ??= import('./faults/injector.ts').then(({ createFaultInjector }) =>
        createFaultInjector(service, pauses),
      )),
  };
  return async (request, response) => {
    if (asksForIcon(request)) {
      sendNoIcon(response);
      return;
    }
    const pending = createPendingExchange(request, undefined, options);
    let answer: Answer;
    let route: Route | undefined;
    try {
      const destination = locate(pending, routes, service);
      ({ route } = destination);
      pending.endpoint = route?.endpoint ?? route?.document ?? null;
      answer =
        (await takeBody(request, pending, route, service)) ??
        (await dispatch(request, pending, destination, interventions));
    } catch (fault) {
      onFault(fault);
      const cors = corsHeaders(route, request.headers);
      answer = reject(pending, new OAuthError('fault'), service, cors);
    }
    try {
      const { delivery } = answer;
      if (delivery === undefined) send(response, pending, answer, options);
      else await deliver(response, pending, { ...answer, delivery }, options, pauses);
    } catch (fault) {
      // Part of the response may have been sent, so the connection can only be closed.
      onFault(fault);
      response.destroy();
    }
  };
}
