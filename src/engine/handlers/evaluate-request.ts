// Forecasts a request without sending it; the result has no secrets.

import type { ComposedRequest, Forecast } from '../../control/schemas.ts';
import { describeEffect, type ForecastRecord } from '../../core/forecast.ts';
import { credentialId } from '../../core/model/credentials.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import type { TokenService } from '../../core/service.ts';
import { FORECAST_ENDPOINTS, type Forecast as Found, forecast } from '../../server/forecast.ts';
import type { CaptureContext, PendingExchange } from '../../server/pending-exchange.ts';
import { splitTarget } from '../../server/claimed-client.ts';
import { withFields } from '../../server/faults/hold-gate.ts';
import { headerPairs } from '../../server/sender.ts';
import type { Edit } from '../../core/records/edit.ts';
import type { EngineParts } from '../parts.ts';
import { exchangeView } from '../exchanges/exchange-view.ts';
import { conflict, existing, invalidField } from './control-error.ts';
import { checkedRequest } from './send-request.ts';

/** @throws ORPCError for an unknown id, or one whose value is no longer kept */
async function valueOf(id: string, { ports, devices }: TokenService): Promise<string> {
  const device = devices.findByUserCode(id);
  if (device !== undefined) return device.device_code;
  const credential = existing(await ports.stores.findById(id), 'credential', id);
  if (credential.value === null) throw conflict(`the value of credential ${id} is no longer kept`);
  return credential.value;
}

/** Replaces the names in a text with the values of their records. */
async function inserter(
  credentials: ComposedRequest['credentials'],
  service: TokenService,
): Promise<(text: string) => string> {
  const values = new Map<string, string>();
  for (const [name, id] of Object.entries(credentials)) {
    values.set(`{{${name}}}`, await valueOf(id, service));
  }
  if (values.size === 0) return (text) => text;
  return (text) => text.replace(/\{\{[^{}]{1,100}\}\}/g, (named) => values.get(named) ?? named);
}

/** In the order of issue. An ID token has no record, and the lifetime of the access token. */
function issuedView(evaluation: Evaluation | null, { issued }: ForecastRecord): Forecast['issued'] {
  const access = issued.find(({ kind }) => kind === 'access_token');
  return (evaluation?.issued ?? []).flatMap(({ kind, id }) => {
    const record = id === null ? access : issued.find((one) => credentialId(one) === id);
    if (record === undefined || kind === 'code') return [];
    const scope = record.kind === 'access_token' ? record.scope : record.lineage.scope;
    const expires_in = Math.round((record.expires_at - record.issued_at) / 1000);
    const audience = record.kind === 'access_token' ? record.audience : null;
    const client = record.lineage.registration.client_id;
    return [{ kind, audience: kind === 'id_token' ? client : audience, scope, expires_in }];
  });
}

/** @throws ORPCError for a request that cannot be sent, or without a forecast */
export async function evaluateRequest(
  input: ComposedRequest,
  parts: EngineParts,
): Promise<Forecast> {
  const { service } = parts;
  const { method, path, credentials, ip, sent_by } = input;
  const insert = await inserter(credentials, service);
  const { headers: given, body } = checkedRequest({ ...input, body: insert(input.body) });
  const headers = given.map(([name, value]) => [name, insert(value)] as const);
  const found = await forecast({ method, path, headers, body, ip, sent_by }, contextOf(parts));
  if (found === null) {
    const covered = FORECAST_ENDPOINTS.join(', ');
    throw invalidField('path', `must be the path of an endpoint with forecasts: ${covered}`);
  }
  return forecastView(found, parts);
}

/** What would happen to a request that is held, after the edits; null for an endpoint without forecasts. */
export async function forecastHeld(
  { method, target, request_headers, request_body, ip, sent_by }: PendingExchange,
  parts: EngineParts,
  edits: readonly Edit[] = [],
): Promise<Forecast | null> {
  const [resource, query] = splitTarget(target);
  const { body, query: edited } = withFields(request_body, query, edits, parts.service);
  const path = edited === query ? target : `${resource}?${edited}`;
  const headers = headerPairs(request_headers);
  const found = await forecast({ method, path, headers, body, ip, sent_by }, contextOf(parts));
  return found === null ? null : forecastView(found, parts);
}

/** For requests that are evaluated without being sent. */
export const contextOf = ({ service, exchanges, ownStates }: EngineParts): CaptureContext => ({
  service,
  capture: exchanges.capture,
  stopwatch: () => 0,
  ownStates,
});

function forecastView(
  { exchange, foreseen }: Found,
  { service, redaction }: EngineParts,
): Forecast {
  const { evaluation } = exchange;
  const view = exchangeView(exchange, service, redaction);
  // A lineage or counter that begins with the request has no id yet.
  const isKnown =
    evaluation !== null && (evaluation.credential ?? evaluation.access_token) !== null;
  return {
    status: view.status,
    error: view.error,
    reason: (evaluation?.refusal ?? evaluation?.finding)?.reason ?? null,
    body: view.response.body,
    fault: view.fault,
    grant_type: view.grant_type,
    client_id: view.client_id,
    profile: view.profile,
    lineage_id: isKnown ? view.lineage_id : null,
    credential_id: view.credential_id,
    trace: view.trace,
    why: view.why,
    deviation_notes: view.deviation_notes,
    advisory_notes: view.advisory_notes,
    issued: issuedView(evaluation, foreseen),
    effects: foreseen.effects.map((effect) => ({
      kind: effect.kind,
      id: effect.id,
      text: describeEffect(effect),
    })),
  };
}
