// POST /oauth/introspect (RFC 7662): answers in JSON, whatever else was asked for.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { answerClient } from '../client-request.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE } from '../reply.ts';

/** Answers one introspection request. */
export function introspect(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const { accept = null } = headers;
  return answerClient(pending, headers, query, service, async (request, evaluation) =>
    json(await service.introspect({ ...request, accept }, evaluation), NO_STORE),
  );
}
