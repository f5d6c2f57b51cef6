// POST /oauth/token (spec 4.1): core decides, this translates.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { answerClient } from '../client-request.ts';
import { nonceHeader } from '../dpop.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE, rateHeaders } from '../reply.ts';

/** Answers one token request. */
export function token(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  return answerClient(pending, headers, query, service, async (request, evaluation) => {
    const response = await service.token(request, evaluation);
    const rate = rateHeaders(evaluation.throttle, service.settings().throttle);
    return json(response, [...NO_STORE, ...rate, ...nonceHeader(evaluation)]);
  });
}
