// Requests that a client makes with a body of parameters: read the same way at every endpoint, and
// refused the same way.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../core/checks/errors.ts';
import type { TokenRequest } from '../core/model/request.ts';
import type { TokenService } from '../core/service.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import { pass } from '../core/checks/trace.ts';
import type { PendingExchange } from './pending-exchange.ts';
import { evaluationOf } from './pending-exchange.ts';
import type { BodyParameters } from './body.ts';
import { parseBody, queryNames, readContentType } from './body.ts';
import { nonceHeader, readDpopHeader } from './dpop.ts';
import type { Answer } from './reply.ts';
import { challenge, rateHeaders, refuse } from './reply.ts';

/** Checks 2 and 3: the body's format and its parameters. @throws OAuthError for each of them */
export function readParameters(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  evaluation: Evaluation,
): BodyParameters & Pick<TokenRequest, 'content_type'> {
  const content_type = readContentType(headers);
  evaluation.content_type = content_type;
  pass(evaluation, 'content_type');
  const { parameters, repeated } = parseBody(pending.request_body, content_type);
  pass(evaluation, 'body');
  return { content_type, parameters, repeated };
}

/** Checks 1 to 3: the request in the protocol's terms. */
function readClientRequest(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  evaluation: Evaluation,
): TokenRequest {
  pass(evaluation, 'method');
  const { content_type, parameters, repeated } = readParameters(pending, headers, evaluation);
  return {
    content_type,
    parameters,
    repeated,
    query: queryNames(query),
    authorization: headers.authorization ?? null,
    dpop: readDpopHeader(pending, headers),
    ip: pending.ip,
  };
}

/**
 * Answers one request of a client. A fault of ours is thrown on.
 * @param evaluate makes the answer, or throws the refusal
 */
export async function answerClient(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
  evaluate: (request: TokenRequest, evaluation: Evaluation) => Promise<Answer>,
): Promise<Answer> {
  const evaluation = evaluationOf(pending);
  try {
    return await evaluate(readClientRequest(pending, headers, query, evaluation), evaluation);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { throttle, dialect } = service.settings();
    return refuse(pending, error, service, [
      ...rateHeaders(evaluation.throttle, throttle),
      ...nonceHeader(evaluation),
      ...challenge(error, headers.authorization, dialect),
    ]);
  }
}
