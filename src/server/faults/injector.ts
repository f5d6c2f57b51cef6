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
import { claimsOf, fieldsIn } from '../claimed-client.ts';

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
    const inRequest = claimsOf(pending.request_body, query, authorization);
    if (inRequest.client_id !== null || path !== ENDPOINTS.authorization.path) return inRequest;
    // A form that a user sent names no client, but stands for a request that did.
    const form = fieldsIn(pending.request_body)(FORM_FIELD);
    return { ...inRequest, client_id: form === null ? null : userAuthorization.clientOfForm(form) };
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
      const normal = fault.when === 'after' ? await evaluate() : NO_ANSWER;
      const answer =
        effect.kind === 'answer'
          ? scripted(effect)
          : await mutate(effect, normal, pending, { service, unpublished });
      if (answer === null) return normal;
      pending.fault = fault;
      if (fault.when === 'instead') pending.claimed = claimedBy(target, service);
      if (await pauses.pause(request.socket, delay_ms)) return answer;
      pending.fault_interrupted = 'delay';
      return NO_ANSWER;
    } finally {
      if (pending.fault === null) giveBack();
    }
  };
}
