// POST /oauth/introspect (RFC 7662): answers in JSON, whatever else was asked for.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { Arrival } from '../arrival.ts';
import { answerClient } from '../client-request.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE } from '../reply.ts';

/** Answers one introspection request. */
export function introspect(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const { accept = null } = headers;
  return answerClient(arrival, headers, query, service, async (request, judgement) =>
    json(await service.introspect({ ...request, accept }, judgement), NO_STORE),
  );
}
