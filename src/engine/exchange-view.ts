// A captured exchange as control shows it: in words, and without secrets unless they were asked for.

import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Deviation, Exchange, ExchangeSummary } from '../control/schemas.ts';
import { credentialId } from '../core/credentials.ts';
import {
  describeAdvisory,
  describeCause,
  describeChecks,
  describeDeviation,
  shortCause,
} from '../core/explain.ts';
import { describeFault } from '../core/fault-words.ts';
import { REFUSALS } from '../core/refusals.ts';
import type { TokenService } from '../core/service.ts';
import type { DeviationRecord, Judgement } from '../core/trace.ts';
import type { CapturedExchange } from '../server/capture.ts';
import { statusOf } from '../server/reply.ts';
import { redactHeader, redactRequestBody, redactResponseBody, redactTarget } from './redact.ts';
import { offsetSeconds, timeText } from './views.ts';

/** Marks a request of our own while answers do not carry the exchange's number; never shown. */
export const REQUEST_MARK = 'grantbench-request';

export function exchangeSummary(exchange: CapturedExchange): ExchangeSummary {
  const { judgement, fault } = exchange;
  const refusal = judgement?.refusal ?? null;
  const cause = refusal ?? judgement?.finding ?? null;
  return {
    number: exchange.number,
    at: timeText(exchange.at),
    method: exchange.method,
    path: redactTarget(exchange.target),
    ip: exchange.ip,
    grant_type: judgement?.grant_type ?? null,
    client_id: judgement?.client_id ?? null,
    status: exchange.status,
    error: exchange.error,
    cause: cause === null ? null : shortCause(cause),
    duration_ms: Math.round(exchange.duration_ms * 1000) / 1000,
    lineage_id: judgement?.lineage?.id ?? judgement?.access_token?.lineage ?? null,
    throttled: refusal?.reason === 'throttled',
    fault: fault === null ? null : { id: fault.id, name: fault.name, what: describeFault(fault) },
    deviations: judgement?.deviations.length ?? 0,
    advisories: judgement?.advisories.length ?? 0,
  };
}

type Headers = Exchange['request']['headers'];

function headersView(flat: readonly string[], secrets: boolean): Headers {
  const headers: Headers = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name = '', value = ''] = flat.slice(index, index + 2);
    if (name.toLowerCase() === REQUEST_MARK) continue;
    headers.push([name, secrets ? value : redactHeader(name, value)]);
  }
  return headers;
}

/** Secrets that this request may hold in a place where no name tells them. */
function knownSecrets(exchange: CapturedExchange, service: TokenService): string[] {
  const { judgement } = exchange;
  const claimed = service.registry.clients.get(judgement?.client_id ?? '');
  const clients = claimed === undefined ? service.registry.clients.list() : [claimed];
  return [judgement?.credential?.value, ...clients.map((client) => client.client_secret)].filter(
    (secret) => typeof secret === 'string',
  );
}

function requestBody(exchange: CapturedExchange, service: TokenService, secrets: boolean) {
  const bytes = exchange.request_body;
  const readable = isUtf8(bytes);
  const text = bytes.toString(readable ? 'utf8' : 'latin1');
  const shown = secrets ? text : redactRequestBody(text, knownSecrets(exchange, service));
  return readable
    ? { body: shown, body_encoding: 'utf8' as const }
    : {
        body: Buffer.from(shown, 'latin1').toString('base64'),
        body_encoding: 'base64' as const,
      };
}

/** Of the credential that was presented: that of an access token is in the token itself. */
function presentedId({ credential, access_token: token }: Judgement): string | null {
  if (credential !== null) return credentialId(credential);
  return token === null ? null : `${token.lineage}.${token.n}`;
}

function deviationView(record: DeviationRecord): Deviation {
  const { strict, ...words } = describeDeviation(record);
  if (strict === null) return { ...words, strict_status: null, strict_error: null };
  const { error } = REFUSALS[strict];
  return { ...words, strict_status: statusOf(strict, error), strict_error: error };
}

export function exchangeView(
  exchange: CapturedExchange,
  service: TokenService,
  secrets: boolean,
): Exchange {
  const { judgement } = exchange;
  const cause = judgement?.refusal ?? judgement?.finding;
  const rotation = service.settings().refresh_rotation.enabled;
  const { response_body } = exchange;
  return {
    ...exchangeSummary(exchange),
    ...(secrets ? { path: exchange.target } : {}),
    request: {
      http_version: exchange.http_version,
      headers: headersView(exchange.request_headers, secrets),
      ...requestBody(exchange, service, secrets),
      body_bytes: exchange.request_bytes,
    },
    response: {
      reason: STATUS_CODES[exchange.status] ?? '',
      headers: headersView(exchange.response_headers, secrets),
      body: secrets ? response_body : redactResponseBody(response_body),
      body_encoding: 'utf8',
      body_bytes: Buffer.byteLength(response_body),
    },
    trace: judgement === null ? [] : describeChecks(judgement, rotation),
    why: cause ? describeCause(cause) : null,
    deviation_notes: judgement?.deviations.map(deviationView) ?? [],
    advisory_notes: judgement?.advisories.map(describeAdvisory) ?? [],
    credential_id: judgement === null ? null : presentedId(judgement),
    profile: judgement?.profile ?? null,
    clock: {
      now: timeText(exchange.at),
      frozen: exchange.clock_frozen,
      offset_seconds: offsetSeconds(exchange.clock_offset),
    },
  };
}
