// POST /oauth/revoke (RFC 7009): what the client wanted gone is gone, so the answer has nothing to say.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { answerClient } from '../client-request.ts';
import type { Answer } from '../reply.ts';
import { NO_STORE } from '../reply.ts';

const DONE: Answer = { status: 200, headers: NO_STORE, body: '', error: null };

/** Answers one revocation request. */
export function revoke(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  return answerClient(pending, headers, query, service, async (request, evaluation) => {
    await service.revoke(request, evaluation);
    return DONE;
  });
}
