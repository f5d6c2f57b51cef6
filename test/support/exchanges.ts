// Exchanges and feed batches as in the control API, with a default for every member.

import type { Exchange, ExchangeSummary, FeedBatch } from '../../src/control/schemas.ts';

const ENDPOINT_AT: Readonly<Record<string, ExchangeSummary['endpoint']>> = {
  '/authorize': 'authorize',
  '/device': 'device',
  '/logout': 'logout',
  '/oauth/device_authorization': 'device_authorization',
  '/oauth/introspect': 'introspect',
  '/oauth/par': 'par',
  '/oauth/revoke': 'revoke',
  '/oauth/token': 'token',
  '/register': 'register',
  '/userinfo': 'userinfo',
  '/.well-known/jwks.json': 'jwks',
  '/.well-known/oauth-authorization-server': 'metadata',
  '/.well-known/openid-configuration': 'metadata',
};

/** As the sandbox names it, without a shape. */
function endpointAt(target: string): ExchangeSummary['endpoint'] {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/api/') ? 'api' : (ENDPOINT_AT[path] ?? null);
}

/** A successful refresh. */
export function exchangeSummary(members: Partial<ExchangeSummary> = {}): ExchangeSummary {
  return {
    number: 1,
    endpoint: endpointAt(members.path ?? '/oauth/token'),
    at: '2026-03-01T10:00:00.000Z',
    method: 'POST',
    path: '/oauth/token',
    ip: '127.0.0.1',
    sent_by: 'app',
    grant_type: 'refresh_token',
    client_id: 'demo-app',
    status: 200,
    error: null,
    cause: null,
    duration_ms: 1.5,
    lineage_id: 'lineage',
    sub: null,
    login: null,
    retry_of: null,
    throttled: false,
    fault: null,
    held: null,
    deviations: 0,
    advisories: 0,
    ...members,
  };
}

type Part = Exchange['request'];

const part = (members: Partial<Part>): Part => ({
  http_version: '1.1',
  headers: [],
  body: '',
  body_encoding: 'utf8',
  body_bytes: Buffer.byteLength(members.body ?? ''),
  ...members,
});

export interface ExchangeMembers extends Partial<Omit<Exchange, 'request' | 'response'>> {
  readonly request?: Partial<Part>;
  readonly response?: Partial<Exchange['response']>;
}

export function exchangeOf({ request = {}, response = {}, ...members }: ExchangeMembers): Exchange {
  const { http_version: _, ...answered } = part(response);
  return {
    ...exchangeSummary(members),
    trace: [],
    why: null,
    deviation_notes: [],
    advisory_notes: [],
    credential_id: null,
    issued: [],
    sign_in: null,
    profile: 'documented',
    clock: { now: '2026-03-01T10:00:00.000Z', frozen: false, offset_seconds: 0 },
    ...members,
    request: part(request),
    response: { reason: 'OK', ...answered, ...response },
  };
}

/** An empty batch of the feed. */
export const feedBatch = (members: Partial<FeedBatch> = {}): FeedBatch => ({
  sandbox: 'first',
  first: 1,
  last: 1,
  exchanges: [],
  counters: [],
  changed: [],
  totals: {
    exchanges: 10_000,
    exchange_bytes: 0,
    live_credentials: 0,
    counters: 0,
    blocked_counters: 0,
    requests: 0,
    allowed: 0,
    throttled: 0,
    app: { requests: 0, allowed: 0, throttled: 0 },
    app_traffic: null,
  },
  rates: { second: 1000, seconds: [] },
  ...members,
});
