// The two ends of a pushed authorization request (RFC 9126): the client pushes it, authenticated as at the token
// endpoint, and it is validated as at /authorize; the browser then brings nothing but its name.

import type { AuthorizationRequest } from './request.ts';
import { addressTo, checkAuthorizingClient, checkOnce, readRequest } from './request.ts';
import { provenKey } from '../dpop/pushed-proof.ts';
import { checkClient, checkRequired, rulesFor } from '../client-authentication/client-request.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { PushedRequests } from './pushed-requests.ts';
import { REQUEST_URI_PREFIX } from './pushed-requests.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { safeParameterName } from '../checks/safe-parameter-name.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note, pass } from '../checks/trace.ts';

/** The response to a push (RFC 9126 2.2). */
export interface PushResponse {
  readonly request_uri: string;
  /** Lifetime of the request_uri in seconds. */
  readonly expires_in: number;
}

/** What authenticates the client is no part of the authorization request, and is not kept. */
const AUTHENTICATION = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * The parameters that came in the body, where each came once.
 * @param jkt the key that the push has proven: the code is bound to it as by dpop_jkt (RFC 9449 10.1)
 */
function pushedParameters({ parameters }: TokenRequest, jkt: string | null): AuthorizationRequest {
  const asked = [...parameters].filter(([name]) => !AUTHENTICATION.includes(name));
  const bound = jkt === null ? [] : [['dpop_jkt', jkt] as const];
  return { parameters: new Map([...asked, ...bound]), repeated: new Set() };
}

/**
 * Evaluates a push and keeps the request.
 * @throws OAuthError for every refusal of client authentication and of an authorization request
 */
export async function push(
  domain: Domain,
  pushed: PushedRequests,
  body: TokenRequest,
  evaluation: Evaluation,
): Promise<PushResponse> {
  evaluation.endpoint = 'par';
  const { ports, settings } = domain;
  const rules = rulesFor(body, domain, evaluation);
  const client = await checkClient(body, 'form', rules, domain, evaluation);
  checkRequired(body, ['client_id'], evaluation);
  if (valueOf(body, 'request_uri') !== undefined) throw new OAuthError('request_uri_pushed');
  pass(evaluation, 'request_uri');
  const jkt = await provenKey(body, rules, domain, evaluation);
  const request = pushedParameters(body, jkt);
  const addressed = addressTo(client, request, evaluation);
  await readRequest(request, addressed, domain, evaluation);
  const expires_in = settings().lifetimes.pushed_request;
  const expires_at = ports.clock.now() + expires_in * 1000;
  return { request_uri: pushed.push(request, client.client_id, expires_at), expires_in };
}

/** Names of what came beside client_id and request_uri: only the pushed request counts (RFC 9101 6.3). */
function noteBeside({ parameters }: AuthorizationRequest, evaluation: Evaluation): void {
  const beside = [...parameters.keys()].filter(
    (name) => name !== 'client_id' && name !== 'request_uri',
  );
  if (beside.length === 0) return;
  note(evaluation, 'beside_request_uri', [...new Set(beside.map(safeParameterName))].join(', '));
}

/**
 * The pushed request that a request at /authorize names; the request itself where it names none.
 * @throws OAuthError to be shown on a page: where the answer goes was pushed with the request
 */
export function pushedOrItself(
  request: AuthorizationRequest,
  pushed: PushedRequests,
  { ports, registry, settings }: Domain,
  evaluation: Evaluation,
): AuthorizationRequest {
  const request_uri = valueOf(request, 'request_uri');
  if (request_uri?.startsWith(REQUEST_URI_PREFIX) !== true) return request;
  evaluation.profile = settings().profile;
  checkOnce(request, 'client_id', 'request_uri');
  pass(evaluation, 'body');
  const { client_id } = checkAuthorizingClient(request, registry, evaluation);
  const found = pushed.find(request_uri, client_id, ports.clock.now());
  pass(evaluation, 'request_uri');
  noteBeside(request, evaluation);
  return found;
}

/** @throws OAuthError `invalid_request` where the request had to be pushed and was not (RFC 9126 4) */
export function checkPushed(
  { request_uri }: AuthorizationRequest,
  client: Client,
  { settings }: Domain,
  evaluation: Evaluation,
): void {
  if (request_uri !== undefined) {
    pass(evaluation, 'pushed');
    return;
  }
  const { require_pushed_authorization_requests: byClient } = client;
  if (!byClient && !settings().require_pushed_authorization_requests) return;
  throw new OAuthError('push_required', byClient ? { client: client.client_id } : {});
}
