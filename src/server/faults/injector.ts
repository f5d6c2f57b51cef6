// Faults on demand (behaviour 8): a request that a rule applies to is answered by it, or evaluated normally
// and its response changed. Core decides which rule applies; nothing here runs while none is on.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ENDPOINTS } from '../../core/records/endpoints.ts';
import { FORM_FIELD } from '../browser-request.ts';
import type { FaultTarget } from '../../core/faults/rules.ts';
import { GRANT_TYPES } from '../../core/records/enumerations.ts';
import type { TokenService } from '../../core/service.ts';
import { createKeyring } from '../../core/issuing/keyring.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { mutate, scripted } from './mutate.ts';
import type { Pauses } from './deliver.ts';
import { type Answer, NO_ANSWER } from '../reply.ts';
import { assertedClient } from '../../core/client-authentication/assertion.ts';
import { parseBasic } from '../../core/client-authentication/authorization-header.ts';

// The claims of a request are read leniently: a rule may be meant for a request that nobody will ever evaluate.

type Say = (name: string) => string | null;

function membersOf(text: string): Say {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return () => null;
  }
  const members = new Map<string, unknown>(Object.entries(Object(value) as object));
  return (name) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : null;
  };
}

function fieldsOf(text: string): Say {
  const fields = new URLSearchParams(text);
  return (name) => fields.get(name);
}

/** The grant and the client that the request claims: in its body, its query, HTTP Basic or an assertion. */
export function claimsOf(body: Buffer, query: string, authorization: string | undefined) {
  const text = body.toString();
  const inBody = /^\s*\{/.test(text) ? membersOf(text) : fieldsOf(text);
  const inQuery = fieldsOf(query);
  const basic = authorization === undefined ? null : parseBasic(authorization);
  const assertion = inBody('client_assertion');
  const asserted = assertion === null ? undefined : assertedClient(assertion);
  return {
    grant_type: inBody('grant_type') ?? inQuery('grant_type'),
    client_id: inBody('client_id') ?? inQuery('client_id') ?? basic?.id ?? asserted ?? null,
  };
}

/** Where a request goes: the path below the issuer, and the query. */
export interface Place {
  readonly path: string;
  readonly query: string;
}

/**
 * The answer of one request, with `evaluate` for the true one: asked once, or not at all.
 * @throws what `evaluate` throws
 */
export type FaultInjector = (
  request: IncomingMessage,
  pending: PendingExchange,
  place: Place,
  evaluate: () => Answer | Promise<Answer>,
) => Promise<Answer>;

/** What rules look at. */
export function targetOf(
  { authorization }: IncomingHttpHeaders,
  pending: PendingExchange,
  { path, query }: Place,
  { userAuthorization }: TokenService,
): FaultTarget {
  let claims: ReturnType<FaultTarget['claims']> | null = null;
  const claimed = () => {
    const said = claimsOf(pending.request_body, query, authorization);
    if (said.client_id !== null || path !== ENDPOINTS.authorization.path) return said;
    // A form that a user sent names no client, but stands for a request that did.
    const form = fieldsOf(pending.request_body.toString())(FORM_FIELD);
    return { ...said, client_id: form === null ? null : userAuthorization.clientOfForm(form) };
  };
  return {
    path,
    method: pending.method,
    claims: () => (claims ??= claimed()),
  };
}

/** What the request says of itself, as far as it names what there is. */
export function claimedBy({ claims }: FaultTarget, { registry }: TokenService) {
  const { client_id, grant_type } = claims();
  return {
    client_id: registry.clients.get(client_id ?? '')?.client_id ?? null,
    grant_type: GRANT_TYPES.find((grant) => grant === grant_type) ?? null,
  };
}

export function createFaultInjector(service: TokenService, pauses: Pauses): FaultInjector {
  /** Keys that the JWK Set never has. */
  const unpublished = createKeyring(service.ports);
  return async (request, pending, place, evaluate) => {
    const target = targetOf(request.headers, pending, place, service);
    const taken = service.misbehaviour.take(target) ?? service.faults.take(target);
    if (taken === null) return evaluate();
    const { fault, giveBack } = taken;
    const { effect, delay_ms } = fault;
    try {
      const truth = fault.when === 'after' ? await evaluate() : NO_ANSWER;
      const answer =
        effect.kind === 'answer'
          ? scripted(effect)
          : await mutate(effect, truth, pending, { service, unpublished });
      if (answer === null) return truth;
      pending.fault = fault;
      if (fault.when === 'instead') pending.claimed = claimedBy(target, service);
      return (await pauses.pause(request.socket, delay_ms)) ? answer : NO_ANSWER;
    } finally {
      if (pending.fault === null) giveBack();
    }
  };
}
