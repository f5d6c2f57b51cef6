// Pushed authorization requests (RFC 9126). Each has a request_uri, belongs to its client, and can be used until it
// expires or is answered; until then, the user can reload the sign-in page.

import {
  addressTo,
  checkAuthorizingClient,
  checkOnce,
  keptRequest,
  readRequest,
  requestBytes,
} from './authorization-request.ts';
import { openRequestObject } from './request-object.ts';
import type { AuthorizationRequest } from './request-parameters.ts';
import { provenKey } from '../dpop/check-proof.ts';
import { checkClient, checkRequired, rulesFor } from '../client-authentication/client-request.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { safeParameterName } from '../checks/parameters.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Random } from '../model/ports.ts';
import { encodeRandom } from '../issuing/random-text.ts';

/** The response to a push (RFC 9126 2.2). */
export interface PushResponse {
  readonly request_uri: string;
  /** Lifetime of the request_uri in seconds. */
  readonly expires_in: number;
}

/** Parameters that authenticate the client do not belong to the authorization request and are not stored. */
const AUTHENTICATION = ['client_secret', 'client_assertion', 'client_assertion_type'];

function pushedRequest({ parameters, repeated }: TokenRequest): AuthorizationRequest {
  const asked = [...parameters].filter(([name]) => !AUTHENTICATION.includes(name));
  return openRequestObject({ parameters: new Map(asked), repeated });
}

/** @param jkt thumbprint of the key that the push has proven: it binds the code like dpop_jkt (RFC 9449 10.1) */
function boundTo(jkt: string | null, request: AuthorizationRequest): AuthorizationRequest {
  if (jkt === null) return request;
  return { ...request, parameters: new Map([...request.parameters, ['dpop_jkt', jkt]]) };
}

/**
 * Evaluates a push and stores the request.
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
  await domain.clientDocuments.fetch(valueOf(body, 'client_id'));
  const rules = rulesFor(body, domain, evaluation);
  const client = await checkClient(body, 'form', rules, domain, evaluation);
  checkRequired(body, ['client_id'], evaluation);
  if (valueOf(body, 'request_uri') !== undefined) throw new OAuthError('request_uri_pushed');
  pass(evaluation, 'request_uri');
  const asked = pushedRequest(body);
  const proof = { dpop: body.dpop, parameters: asked.parameters };
  const request = boundTo(await provenKey(proof, rules, domain, evaluation), asked);
  const addressed = addressTo(client, request, evaluation);
  await readRequest(request, addressed, domain, evaluation);
  const expires_in = settings().lifetimes.pushed_request;
  const expires_at = ports.clock.now() + expires_in * 1000;
  return { request_uri: pushed.push(request, client.client_id, expires_at), expires_in };
}

/**
 * Notes the parameters besides client_id and request_uri, which are ignored: only the pushed request counts (RFC 9101
 * 6.3).
 */
function noteBeside({ parameters }: AuthorizationRequest, evaluation: Evaluation): void {
  const beside = [...parameters.keys()].filter(
    (name) => name !== 'client_id' && name !== 'request_uri',
  );
  if (beside.length === 0) return;
  note(evaluation, 'beside_request_uri', [...new Set(beside.map(safeParameterName))].join(', '));
}

/**
 * Returns the pushed request that a request at /authorize refers to; the request itself if it has no request_uri.
 * @throws OAuthError to be shown on a page: the redirect URI was pushed with the request
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

/** @throws OAuthError `invalid_request` if the request must be pushed and was not (RFC 9126 4) */
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

/** The prefix of every request_uri of this service (RFC 9126 2.2). */
const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:';

interface PushedFacts {
  readonly client_id: string;
  /** Milliseconds of the sandbox clock. */
  readonly expires_at: number;
}

interface OpenRequest extends PushedFacts {
  readonly request: AuthorizationRequest;
}

/** When the request was answered (in milliseconds of the sandbox clock), and in which exchange. */
interface Use {
  readonly at: number;
  readonly exchange: number;
}

/** A request that can no longer be used. Its parameters are no longer stored. */
interface EndedRequest extends PushedFacts {
  /** null if it expired before it was answered. */
  readonly use: Use | null;
}

export type PushedRequests = ReturnType<typeof createPushedRequests>;

const MIB = 1024 * 1024;

/** A request that may have been pushed, and what its use depends on. */
interface Spending {
  readonly domain: Domain;
  readonly pushed: PushedRequests;
  readonly request: AuthorizationRequest;
  readonly evaluation: Evaluation;
}

/** Marks a pushed request as used (RFC 9126 4). Returns the earlier use if there was one. */
export function spend({ domain, pushed, request, evaluation }: Spending) {
  if (request.request_uri === undefined) return null;
  const { exchange } = evaluation;
  return pushed.use(request.request_uri, { at: domain.ports.clock.now(), exchange });
}

/** The oldest request is removed first. */
export const PUSHED_BOUNDS = { entries: 1000, bytes: MIB } as const;

const ENTRY_BYTES = 480;

const weigh = (entry: OpenRequest | EndedRequest): number =>
  ENTRY_BYTES + ('request' in entry ? requestBytes(entry.request) : 0);

export function createPushedRequests(random: Random, bounds: Bounds = PUSHED_BOUNDS) {
  const pushed = createBoundedMap<string, OpenRequest | EndedRequest>(bounds, weigh);

  const useOf = (request_uri: string): Use | null => {
    const entry = pushed.get(request_uri);
    return entry === undefined || 'request' in entry ? null : entry.use;
  };
  const end = (request_uri: string, use: Use | null) => {
    const entry = pushed.get(request_uri);
    if (entry === undefined || !('request' in entry)) return;
    const { client_id, expires_at } = entry;
    pushed.set(request_uri, { client_id, expires_at, use });
  };
  const checkUnused = (request_uri: string) => {
    const use = useOf(request_uri);
    if (use !== null) throw new OAuthError('request_uri_used', { ...use });
  };
  return {
    push: (request: AuthorizationRequest, client_id: string, expires_at: number): string => {
      const request_uri = `${REQUEST_URI_PREFIX}${encodeRandom(random(32))}`;
      const kept = keptRequest({ ...request, request_uri });
      pushed.set(request_uri, { client_id: keptText(client_id), expires_at, request: kept });
      return request_uri;
    },
    /**
     * Returns the pushed request.
     * @throws OAuthError `invalid_request_uri` if it is unknown, used, expired or belongs to another client
     */
    find: (request_uri: string, client_id: string, now: number): AuthorizationRequest => {
      const entry = pushed.get(request_uri);
      if (entry === undefined) throw new OAuthError('request_uri_unknown');
      if (entry.client_id !== client_id) {
        const facts = { client: entry.client_id, other_client: client_id };
        throw new OAuthError('request_uri_of_other_client', facts);
      }
      checkUnused(request_uri);
      if (!('request' in entry) || entry.expires_at <= now) {
        end(request_uri, null);
        const seconds = Math.floor((now - entry.expires_at) / 1000);
        throw new OAuthError('request_uri_expired', { seconds });
      }
      return entry.request;
    },
    /** @throws OAuthError `invalid_request_uri` if the request was already answered */
    checkUnused,
    /** Marks a request as answered; returns an earlier use if there was one. */
    use: (request_uri: string, use: Use): Use | null => {
      const before = useOf(request_uri);
      end(request_uri, use);
      return before;
    },
    /** Ends expired requests, so that they do not become usable again when the clock is set back. */
    expireAll: (now: number) => {
      for (const [request_uri, { expires_at }] of [...pushed.entries()]) {
        if (expires_at <= now) end(request_uri, null);
      }
    },
    forgetClients: (client_ids: ReadonlySet<string>) => {
      for (const [request_uri, { client_id }] of [...pushed.entries()]) {
        if (client_ids.has(client_id)) pushed.delete(request_uri);
      }
    },
    clear: pushed.clear,
    fill: pushed.fill,
  };
}
