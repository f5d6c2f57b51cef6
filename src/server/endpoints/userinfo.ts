// GET and POST /userinfo (OpenID Connect Core 5.3): core decides; this file reads the request and sends the challenge
// if the token is rejected (RFC 6750 3).

import type { IncomingHttpHeaders } from 'node:http';
import { readAuthorization } from '../../core/client-authentication/authorization-header.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { PROFILE_RULES } from '../../core/checks/profiles.ts';
import type { ApiRule } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import { type Evaluation, pass } from '../../core/checks/trace.ts';
import type { UserinfoRequest } from '../../core/presented/userinfo.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import { queryNames } from '../body.ts';
import { readParameters, ALGS_ATTRIBUTE, nonceHeader, readDpopHeader } from './client-requests.ts';
import {
  errorAttributes,
  type HeaderList,
  jsonOrJwt,
  NO_STORE,
  reject,
  type ErrorTexts,
} from '../reply.ts';
import type { EndpointHandler } from '../route.ts';

const NO_BODY = { content_type: null, parameters: new Map<string, string>() };

/** A POST may carry the token in its body (RFC 6750 2.2). */
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
    query_token: new URLSearchParams(query).get('access_token'),
    authorization: headers.authorization ?? null,
    dpop: readDpopHeader(pending, headers),
  };
}

/** Returns the attributes of the challenge, without an error if no token was presented (RFC 6750 3.1). */
function attributesFor({ reason }: OAuthError, texts: ErrorTexts): string {
  const attributes = ['realm="grantbench"'];
  if (reason !== 'access_token_missing') attributes.push(errorAttributes(texts));
  if (reason === 'openid_missing') attributes.push('scope="openid"');
  return attributes.join(', ');
}

/** Whether the challenge also offers DPoP (RFC 9449 7.2). */
const mentionsDpop = ({ reason }: OAuthError, { settings }: TokenService): boolean =>
  reason === 'access_token_bound' ||
  (reason === 'access_token_missing' && PROFILE_RULES[settings().profile].dpop === 'accepted');

/**
 * Returns the challenge for the scheme that was used (RFC 6750 3, RFC 9449 7.1).
 * @param texts the error of the body
 * @param more further attributes
 * @param accepted the only scheme that is accepted
 */
export function challengeFor(
  refusal: OAuthError,
  { authorization }: IncomingHttpHeaders,
  service: TokenService,
  texts: ErrorTexts,
  more: readonly string[] = [],
  accepted: ApiRule['token_type'] = 'any',
): HeaderList {
  const { scheme, credentials } = readAuthorization(authorization);
  const attributes = [attributesFor(refusal, texts), ...more].join(', ');
  const usedDpop = scheme === 'dpop' && credentials !== '';
  if (accepted === 'DPoP' || (accepted === 'any' && usedDpop)) {
    return ['WWW-Authenticate', `DPoP ${attributes}, ${ALGS_ATTRIBUTE}`];
  }
  const offersDpop = accepted === 'any' && mentionsDpop(refusal, service);
  const other = offersDpop ? `, DPoP ${ALGS_ATTRIBUTE}` : '';
  return ['WWW-Authenticate', `Bearer ${attributes}${other}`];
}

export const userinfo: EndpointHandler = async (pending, headers, query, service) => {
  const evaluation = evaluationOf(pending);
  try {
    const request = readUserinfoRequest(pending, headers, query, evaluation);
    const claims = await service.userinfo(request, evaluation);
    return jsonOrJwt(claims, 'application/jwt', [...NO_STORE, ...nonceHeader(evaluation)]);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return reject(pending, error, service, nonceHeader(evaluation), (texts) =>
      challengeFor(error, headers, service, texts),
    );
  }
};
