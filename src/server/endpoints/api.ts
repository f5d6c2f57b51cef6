// Protected APIs (behaviour 19): requests to them, and the metadata of each (RFC 9728). Core decides; this file finds
// the API, reads the request and sends the challenge.

import type { IncomingHttpHeaders } from 'node:http';
import { OAuthError } from '../../core/checks/errors.ts';
import { DPOP_ALGS } from '../../core/dpop/proof.ts';
import type { ApiAnswer, ApiRequest } from '../../core/presented/api.ts';
import { audienceOfApi, pathOfApi } from '../../core/records/api-address.ts';
import type { Api, ApiRule } from '../../core/records/schemas.ts';
import {
  apiAt,
  apisDescribedAt,
  metadataUrlOf,
  methodsOf,
  ruleFor,
  rulesAt,
  scopesInMetadata,
} from '../../core/registry/apis.ts';
import type { TokenService } from '../../core/service.ts';
import { MEDIA_TYPES } from '../../core/model/request.ts';
import { queryNames } from '../body.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import { type Answer, type HeaderList, json, NO_STORE, reject } from '../reply.ts';
import type { Route } from '../route.ts';
import { headerPairs } from '../sender.ts';
import { nonceHeader, readDpopHeader } from './client-requests.ts';
import { challengeFor } from './userinfo.ts';

const METHODS = ['GET', 'HEAD', 'POST'] as const;

/** Returns every Authorization header: Node drops all but the first. */
function authorizationsOf(
  { request_headers }: PendingExchange,
  { authorization }: IncomingHttpHeaders,
): string[] {
  if (authorization === undefined) return [];
  const sent = headerPairs(request_headers).filter(
    ([name]) => name.toLowerCase() === 'authorization',
  );
  return sent.length > 1 ? [authorization, ''] : [authorization];
}

/** Returns the tokens in a form body (RFC 6750 2.2). Other bodies are the business of the API. */
function tokensInBody(
  { method, request_body }: PendingExchange,
  { 'content-type': type = '' }: IncomingHttpHeaders,
): string[] {
  const [media = ''] = type.split(';');
  if (method !== 'POST' || media.trim().toLowerCase() !== MEDIA_TYPES.form) return [];
  return new URLSearchParams(request_body.toString()).getAll('access_token');
}

/** Returns what the challenge says besides the error (RFC 6750 3, RFC 9470 3, RFC 9728 5.1). */
function challengeAttributes(
  { reason, code }: OAuthError,
  api: Api,
  { scopes, acr_values, max_age }: ApiRule,
  issuer: string,
): string[] {
  const asksScope = reason === 'access_token_missing' || code === 'insufficient_scope';
  const asksSignIn = code === 'insufficient_user_authentication';
  const metadata = metadataUrlOf(api, issuer);
  return [
    ...(asksScope && scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
    ...(asksSignIn && acr_values.length > 0 ? [`acr_values="${acr_values.join(' ')}"`] : []),
    ...(asksSignIn && max_age !== null ? [`max_age="${max_age}"`] : []),
    ...(metadata === null ? [] : [`resource_metadata="${metadata}"`]),
  ];
}

/** @param respond returns the response to an accepted token, with these headers */
async function call(
  found: Pick<ApiRequest, 'api' | 'rule'>,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
  respond: (given: ApiAnswer, headers: HeaderList) => Answer = json,
): Promise<Answer> {
  const { api, rule } = found;
  const evaluation = evaluationOf(pending);
  const request: ApiRequest = {
    ...found,
    method: pending.method,
    query: queryNames(query),
    authorization: authorizationsOf(pending, headers),
    in_body: tokensInBody(pending, headers),
    dpop: readDpopHeader(pending, headers),
  };
  try {
    const given = await service.callApi(request, evaluation);
    return respond(given, [...NO_STORE, ...nonceHeader(evaluation)]);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const more = challengeAttributes(error, api, rule, service.issuer());
    return reject(pending, error, service, nonceHeader(evaluation), (texts) =>
      challengeFor(error, headers, service, texts, more, rule.token_type),
    );
  }
}

function routeOfMcp(api: Api, service: TokenService): Route {
  return {
    endpoint: 'api',
    methods: ['POST'],
    cors: true,
    handle: async (pending, headers, query) => {
      const { readMcpRequest } = await import('./mcp.ts');
      const { rule, refusal, respond } = readMcpRequest(api, pending, headers, service);
      if (refusal !== null) return reject(pending, refusal, service);
      return call({ api, rule }, pending, headers, query, service, respond);
    },
  };
}

function routeOfApi(path: string, api: Api, service: TokenService): Route {
  if (api.kind === 'mcp' && path === pathOfApi(api)) return routeOfMcp(api, service);
  const rules = api.kind === 'mcp' ? [] : rulesAt(path, api);
  const withoutRule = rules.length === 0;
  return {
    endpoint: 'api',
    methods: withoutRule ? METHODS : methodsOf(rules),
    cors: true,
    handle: (pending, headers, query) => {
      const rule = ruleFor(rules, pending.method);
      if (rule !== undefined) return call({ api, rule }, pending, headers, query, service);
      const expected = api.kind === 'mcp' ? { expected: pathOfApi(api) } : {};
      const refusal = new OAuthError('api_path_without_rule', { ...expected, got: api.name });
      return reject(pending, refusal, service);
    },
  };
}

/** A message to an MCP server is JSON, so that only APIs over HTTP read a token in a form. */
const bearerMethods = (apis: readonly Api[]) =>
  apis.some(({ kind }) => kind === 'http') ? ['header', 'body'] : ['header'];

/** Returns the metadata of one or more APIs with the same audience (RFC 9728 2). */
function metadata(apis: readonly [Api, ...Api[]], service: TokenService): Answer {
  const issuer = service.issuer();
  const [api] = apis;
  const rules = apis.flatMap((one) => one.rules);
  const scopes = [...new Set(apis.flatMap(scopesInMetadata))];
  const isBound = rules.every(({ token_type }) => token_type === 'DPoP');
  const takesBound = rules.some(({ token_type }) => token_type !== 'Bearer');
  return json(
    {
      resource: audienceOfApi(api, issuer),
      authorization_servers: [issuer],
      ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
      bearer_methods_supported: isBound ? [] : bearerMethods(apis),
      resource_name: api.name,
      ...(takesBound ? { dpop_signing_alg_values_supported: DPOP_ALGS } : {}),
      ...(isBound ? { dpop_bound_access_tokens_required: true } : {}),
    },
    ['Cache-Control', 'max-age=0, must-revalidate'],
  );
}

/**
 * Returns the route of a protected API or of its metadata; undefined if no API covers the path.
 * @param local the path below the issuer; empty for a path outside of it
 * @param path the path of the request
 */
export function findApiRoute(
  local: string,
  path: string,
  service: TokenService,
): Route | undefined {
  const apis = service.registry.servedApis();
  const api = apiAt(local, apis);
  if (api !== undefined) return routeOfApi(local, api, service);
  const [first, ...others] = apisDescribedAt(path, apis, service.issuer());
  if (first === undefined) return undefined;
  return {
    endpoint: null,
    document: 'resource_metadata',
    methods: ['GET', 'HEAD'],
    cors: true,
    handle: () => metadata([first, ...others], service),
  };
}
