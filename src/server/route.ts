// A route, and how its requests are handled.

import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../core/checks/trace.ts';
import type { TokenService } from '../core/service.ts';
import type { PublishedDocument } from './capture.ts';
import type { PendingExchange } from './pending-exchange.ts';
import type { Answer } from './reply.ts';

export type Handler = (
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
) => Answer | Promise<Answer>;

/** Handles one request of an endpoint. Internal errors are rethrown. */
export type EndpointHandler = (
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
) => Promise<Answer>;

export interface Route {
  /** The endpoint that evaluates the request; null for routes without evaluation, such as metadata. */
  readonly endpoint: Endpoint | null;
  /** The document that the route returns, if clients read it to find endpoints and keys. */
  readonly document?: PublishedDocument;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE')[];
  readonly cors: boolean;
  readonly handle: Handler;
  /** Whether registration, which the route belongs to, is switched on; undefined for all other routes. */
  readonly served?: () => boolean;
}
