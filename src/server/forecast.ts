// Forecasts what would happen to a request without sending it. It is read, evaluated and answered as over HTTP, by a
// service that changes nothing. It gets no exchange number, is not delayed and is not captured.

import type { IncomingHttpHeaders } from 'node:http';
import type { ForecastRecord } from '../core/forecast.ts';
import type { Endpoint } from '../core/checks/trace.ts';
import type { Sender } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { CapturedExchange } from './capture.ts';
import { canonicalIp, clientIp } from './sender.ts';
import { type Destination, locate, refuseUnread, respond } from './dispatch.ts';
import { claimedBy, targetOf } from './faults/injector.ts';
import { scripted } from './faults/mutate.ts';
import {
  type CaptureContext,
  createPendingExchange,
  type PendingExchange,
} from './pending-exchange.ts';
import { type Answer, NO_ANSWER } from './reply.ts';
import { createRoutes } from './routes.ts';

export interface ComposedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The address that the request would come from. */
  readonly ip: string;
  readonly sent_by: Sender;
}

export interface Forecast {
  /** The exchange that the request would become; its tokens have no values. */
  readonly exchange: CapturedExchange;
  readonly foreseen: ForecastRecord;
}

/** Endpoints whose requests change state only through the parts that a forecast replaces. */
export const FORECAST_ENDPOINTS = [
  'token',
  'revoke',
  'introspect',
  'userinfo',
  'api',
  'device_authorization',
  'par',
] as const satisfies readonly Endpoint[];

/** If these headers are repeated, Node keeps the first; it joins all others. */
const KEPT_ONCE: readonly string[] = ['authorization', 'content-type', 'host', 'content-length'];

function headersOf(given: ComposedRequest['headers'], host: string): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of given) {
    const key = name.toLowerCase();
    const former = headers[key];
    if (former === undefined) headers[key] = value.trim();
    else if (!KEPT_ONCE.includes(key)) headers[key] = `${former}, ${value.trim()}`;
  }
  return { host, ...headers };
}

/** The exchange that the request would become; its number is not taken. */
function pendingOf(
  { method, path, headers, body, ip, sent_by }: ComposedRequest,
  parsed: IncomingHttpHeaders,
  context: CaptureContext,
): PendingExchange {
  const { service, capture } = context;
  const remoteAddress = canonicalIp(ip);
  const from = { headers: parsed, socket: { remoteAddress } };
  const numbering = { nextNumber: () => capture.last + 1 };
  return {
    ...createPendingExchange(null, remoteAddress, { ...context, capture: numbering }),
    method,
    target: path,
    ip: clientIp(from, service.settings().throttle.trust_proxy),
    sent_by,
    request_headers: headers.flat(),
    request_body: body,
    request_bytes: body.length,
  };
}

/** Returns the response under a fault, as far as it is known beforehand; mutated bodies are not. */
async function answer(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  { path, query, route, missing }: Destination,
  service: TokenService,
): Promise<Answer> {
  if (pending.request_bytes > service.settings().max_body_bytes) {
    return refuseUnread('too_large', route, pending, service, []);
  }
  const target = targetOf(headers, pending, { path, query }, service);
  const fault = service.misbehaviour.foresee(target) ?? service.faults.foresee(target);
  pending.fault = fault;
  if (fault?.when === 'instead') pending.claimed = claimedBy(target, service);
  const normal =
    fault?.when === 'instead'
      ? NO_ANSWER
      : await respond(route, pending, headers, query, service, missing);
  if (fault?.effect.kind === 'answer') return scripted(fault.effect);
  return fault?.effect.kind === 'drop' ? NO_ANSWER : normal;
}

/** Returns null for paths without forecasts: those that evaluate no requests, or that ask a user. */
export async function forecast(
  request: ComposedRequest,
  context: CaptureContext,
): Promise<Forecast | null> {
  const { service, foreseen } = await context.service.forecast();
  const headers = headersOf(request.headers, new URL(service.issuer()).host);
  const pending = pendingOf(request, headers, context);
  const routes = createRoutes({ ...context, service, version: '', workbenchUrl: () => null });
  const destination = locate(pending, routes, service);
  const covered: readonly (Endpoint | null)[] = FORECAST_ENDPOINTS;
  if (destination.route !== undefined && !covered.includes(destination.route.endpoint)) return null;
  const {
    status,
    headers: sent,
    body,
    error,
  } = await answer(pending, headers, destination, service);
  const exchange = { ...pending, status, response_headers: sent, response_body: body, error };
  return { exchange, foreseen };
}
