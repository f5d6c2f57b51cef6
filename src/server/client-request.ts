// Requests that a client makes with a body of parameters: read the same way at every endpoint, and
// refused the same way.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../core/checks/errors.ts';
import type { TokenRequest } from '../core/model/request.ts';
import type { TokenService } from '../core/service.ts';
import type { Judgement } from '../core/checks/trace.ts';
import { pass } from '../core/checks/trace.ts';
import type { Arrival } from './arrival.ts';
import { judgementOf } from './arrival.ts';
import { parseBody, queryNames, readContentType } from './body.ts';
import type { Answer } from './reply.ts';
import { challenge, rateHeaders, refuse } from './reply.ts';

/** Checks 2 and 3: the body's format and its parameters. @throws OAuthError for each of them */
export function readParameters(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  judgement: Judgement,
): Pick<TokenRequest, 'content_type' | 'parameters'> {
  const content_type = readContentType(headers);
  judgement.content_type = content_type;
  pass(judgement, 'content_type');
  const parameters = parseBody(arrival.request_body, content_type);
  pass(judgement, 'body');
  return { content_type, parameters };
}

/** Checks 1 to 3: the request in the protocol's terms. */
function readClientRequest(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  judgement: Judgement,
): TokenRequest {
  pass(judgement, 'method');
  return {
    ...readParameters(arrival, headers, judgement),
    query: queryNames(query),
    authorization: headers.authorization ?? null,
    ip: arrival.ip,
  };
}

/**
 * Answers one request of a client. A fault of ours is thrown on.
 * @param judge makes the answer, or throws the refusal
 */
export async function answerClient(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
  judge: (request: TokenRequest, judgement: Judgement) => Promise<Answer>,
): Promise<Answer> {
  const judgement = judgementOf(arrival);
  try {
    return await judge(readClientRequest(arrival, headers, query, judgement), judgement);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const rate = rateHeaders(judgement.throttle, service.settings().throttle);
    return refuse(arrival, error, service, [...rate, ...challenge(error, headers.authorization)]);
  }
}
