// POST /oauth/token (spec 4.1): core decides, this translates.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { Arrival } from '../arrival.ts';
import { answerClient } from '../client-request.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE, rateHeaders } from '../reply.ts';

/** Answers one token request. */
export function token(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  return answerClient(arrival, headers, query, service, async (request, judgement) => {
    const response = await service.token(request, judgement);
    const rate = rateHeaders(judgement.throttle, service.settings().throttle);
    return json(response, [...NO_STORE, ...rate]);
  });
}
