// The endpoints that a client calls with a body of parameters: token, PAR, revocation, introspection and device
// authorization. All of them read and reject requests in the same way; core decides.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../../core/checks/errors.ts';
import { noteQuery } from '../../core/checks/parameters.ts';
import { SECRET_PARAMETERS } from '../../core/client-authentication/client-request.ts';
import type { TokenRequest, DpopHeader } from '../../core/model/request.ts';
import { INTROSPECTION_JWT } from '../../core/presented/signed-answer.ts';
import type { TokenService } from '../../core/service.ts';
import { type Evaluation, pass } from '../../core/checks/trace.ts';
import { splitTarget } from '../claimed-client.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import { type BodyParameters, parseBody, queryNames, readContentType } from '../body.ts';
import {
  type Answer,
  challenge,
  type HeaderList,
  json,
  jsonOrJwt,
  NO_STORE,
  rateHeaders,
  reject,
} from '../reply.ts';
import type { EndpointHandler } from '../route.ts';
import { DPOP_ALGS } from '../../core/dpop/proof.ts';

/** null without the header. Node joins repeated headers with commas. */
export function readDpopHeader(
  { method, target }: PendingExchange,
  { dpop, host = '' }: IncomingHttpHeaders,
): DpopHeader | null {
  if (dpop === undefined) return null;
  const [path] = splitTarget(target);
  return { value: String(dpop), method, host, path };
}

const NONE: HeaderList = [];

/** Returns the header with the nonce for the next proof, if nonces are required (RFC 9449 8 and 8.2). */
export function nonceHeader({ dpop }: Evaluation): HeaderList {
  const nonce = dpop?.nonce ?? null;
  return nonce === null ? NONE : ['DPoP-Nonce', nonce];
}

/** The attribute of a challenge that lists the algorithms for proofs (RFC 9449 7.1). */
export const ALGS_ATTRIBUTE = `algs="${DPOP_ALGS.join(' ')}"`;

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

/** Checks 1 to 3. Returns the request in the terms of the protocol. */
function readClientRequest(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  evaluation: Evaluation,
): TokenRequest {
  pass(evaluation, 'method');
  const names = queryNames(query);
  noteQuery(
    names.filter((name) => !SECRET_PARAMETERS.includes(name)),
    evaluation,
  );
  const { content_type, parameters, repeated } = readParameters(pending, headers, evaluation);
  return {
    content_type,
    parameters,
    repeated,
    query: names,
    authorization: headers.authorization ?? null,
    dpop: readDpopHeader(pending, headers),
    ip: pending.ip,
  };
}

/**
 * Returns an endpoint for requests of clients.
 * @param evaluate returns the response, or throws an OAuthError
 */
const clientEndpoint =
  (
    evaluate: (
      service: TokenService,
      request: TokenRequest,
      evaluation: Evaluation,
      headers: IncomingHttpHeaders,
    ) => Promise<Answer>,
  ): EndpointHandler =>
  async (pending, headers, query, service) => {
    const evaluation = evaluationOf(pending);
    try {
      const request = readClientRequest(pending, headers, query, evaluation);
      return await evaluate(service, request, evaluation, headers);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { throttle } = service.settings();
      const more = [...rateHeaders(evaluation.throttle, throttle), ...nonceHeader(evaluation)];
      return reject(pending, error, service, more, (texts) =>
        challenge(error, headers.authorization, texts),
      );
    }
  };

/** POST /oauth/token (spec 4.1). */
export const token = clientEndpoint(async (service, request, evaluation) => {
  const response = await service.token(request, evaluation);
  const rate = rateHeaders(evaluation.throttle, service.settings().throttle);
  return json(response, [...NO_STORE, ...rate, ...nonceHeader(evaluation)]);
});

/** POST /oauth/par (RFC 9126): pushes an authorization request and returns its request_uri. */
export const par = clientEndpoint(async (service, request, evaluation) => {
  const response = await service.userAuthorization.push(request, evaluation);
  return { ...json(response, [...NO_STORE, ...nonceHeader(evaluation)]), status: 201 };
});

const REVOKED: Answer = { status: 200, headers: NO_STORE, body: '', error: null };

/** POST /oauth/revoke (RFC 7009): the response is empty. */
export const revoke = clientEndpoint(async (service, request, evaluation) => {
  await service.revoke(request, evaluation);
  return REVOKED;
});

/** POST /oauth/introspect (RFC 7662). */
export const introspect = clientEndpoint(async (service, request, evaluation, headers) => {
  const { accept = null } = headers;
  const answer = await service.introspect({ ...request, accept }, evaluation);
  return jsonOrJwt(answer, INTROSPECTION_JWT, NO_STORE);
});

/** POST /oauth/device_authorization (RFC 8628 3.1). */
export const deviceAuthorization = clientEndpoint(async (service, request, evaluation) =>
  json(await service.authorizeDevice(request, evaluation), NO_STORE),
);
