// GET and POST /userinfo (OpenID Connect Core 5.3): core decides, this reads the request and tells a
// refused bearer by which rule (RFC 6750 3).

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../../core/checks/errors.ts';
import type { TokenService } from '../../core/service.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import { pass } from '../../core/checks/trace.ts';
import type { UserinfoRequest } from '../../core/presented/userinfo.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { evaluationOf } from '../pending-exchange.ts';
import { queryNames } from '../body.ts';
import { readParameters } from '../client-request.ts';
import type { Answer, HeaderList } from '../reply.ts';
import { json, NO_STORE, refuse } from '../reply.ts';

const NO_BODY = { content_type: null, parameters: new Map<string, string>() };

/** Only a POST may carry the token in its body (RFC 6750 2.2), and need not. */
function readUserinfoRequest(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  evaluation: Evaluation,
): UserinfoRequest {
  pass(evaluation, 'method', { got: pending.method });
  const bodiless = pending.method !== 'POST' || pending.request_body.length === 0;
  return {
    ...(bodiless ? NO_BODY : readParameters(pending, headers, evaluation)),
    query: queryNames(query),
    authorization: headers.authorization ?? null,
  };
}

/** Bare where no token was presented: nothing went wrong with one yet (RFC 6750 3.1). */
function bearerChallenge({ reason, code, description }: OAuthError): HeaderList {
  const attributes = ['realm="grantbench"'];
  if (reason !== 'access_token_missing') {
    attributes.push(`error="${code}"`, `error_description="${description}"`);
  }
  if (reason === 'openid_missing') attributes.push('scope="openid"');
  return ['WWW-Authenticate', `Bearer ${attributes.join(', ')}`];
}

/** Answers one userinfo request. A fault of ours is thrown on. */
export async function userinfo(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const evaluation = evaluationOf(pending);
  try {
    const request = readUserinfoRequest(pending, headers, query, evaluation);
    return json(await service.userinfo(request, evaluation), NO_STORE);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return refuse(pending, error, service, bearerChallenge(error));
  }
}
