// POST /oauth/par (RFC 9126): a client pushes its authorization request and gets the name that the browser brings.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { answerClient } from '../client-request.ts';
import { nonceHeader } from '../dpop.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE } from '../reply.ts';

/** Answers one push with 201. */
export function par(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  return answerClient(pending, headers, query, service, async (request, evaluation) => {
    const response = await service.userAuthorization.push(request, evaluation);
    return { ...json(response, [...NO_STORE, ...nonceHeader(evaluation)]), status: 201 };
  });
}
