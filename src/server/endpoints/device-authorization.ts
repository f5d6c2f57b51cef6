// POST /oauth/device_authorization (RFC 8628 3.1): core decides, this translates.

import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '../../core/service.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { answerClient } from '../client-request.ts';
import type { Answer } from '../reply.ts';
import { json, NO_STORE } from '../reply.ts';

/** Answers one device authorization request. */
export function deviceAuthorization(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  return answerClient(pending, headers, query, service, async (request, evaluation) =>
    json(await service.authorizeDevice(request, evaluation), NO_STORE),
  );
}
