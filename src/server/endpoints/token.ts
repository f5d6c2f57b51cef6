// POST /oauth/token: named steps in the order of judgement; core decides, this translates.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../../core/errors.ts';
import type { TokenRequest } from '../../core/request.ts';
import type { TokenService } from '../../core/service.ts';
import { pass } from '../../core/trace.ts';
import type { Judgement } from '../../core/trace.ts';
import type { Arrival } from '../arrival.ts';
import { judgementOf } from '../arrival.ts';
import { parseBody, queryNames, readContentType } from '../body.ts';
import type { Answer } from '../reply.ts';
import { challenge, json, NO_STORE, rateHeaders, refuse } from '../reply.ts';

/** Checks 1 to 3: the request in the protocol's terms. */
function readTokenRequest(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  judgement: Judgement,
): TokenRequest {
  pass(judgement, 'method');
  const content_type = readContentType(headers);
  judgement.content_type = content_type;
  pass(judgement, 'content_type');
  const parameters = parseBody(arrival.request_body, content_type);
  pass(judgement, 'body');
  return {
    content_type,
    parameters,
    query: queryNames(query),
    authorization: headers.authorization ?? null,
    ip: arrival.ip,
  };
}

/** Answers one token request (spec 4.1). A fault of ours is thrown on. */
export async function token(
  arrival: Arrival,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const judgement = judgementOf(arrival);
  const rate = () => rateHeaders(judgement.throttle, service.settings().throttle);
  try {
    const request = readTokenRequest(arrival, headers, query, judgement);
    const response = await service.token(request, judgement);
    return json(response, [...NO_STORE, ...rate()]);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const extra = [...rate(), ...challenge(error, headers.authorization)];
    return refuse(arrival, error, service, extra);
  }
}
