// A process that fills every collection with the largest accepted input, one after the other, and prints the counted
// bytes and heap growth of each to stdout. At the end all are full at once, and it answers token requests over HTTP.
// Run it with --expose-gc and a limited heap.

import { hash, randomBytes as systemBytes } from 'node:crypto';
import { createClientKeys } from '../../../src/core/client-authentication/client-keys.ts';
import { createConsentForms } from '../../../src/core/authorization/consent-forms.ts';
import { createPushedRequests } from '../../../src/core/authorization/pushed-requests.ts';
import { issueAccessToken } from '../../../src/core/issuing/access-tokens.ts';
import { issueCode } from '../../../src/core/issuing/codes.ts';
import { issueRefreshToken } from '../../../src/core/issuing/issue-refresh-token.ts';
import { openLineage } from '../../../src/core/issuing/open-lineage.ts';
import type { Lineage } from '../../../src/core/model/credentials.ts';
import { issuingNow } from '../../../src/core/model/domain.ts';
import { keptText } from '../../../src/core/collections/kept-text.ts';
import { createOverFetchDetector } from '../../../src/core/throttle/redundant-requests.ts';
import { PARAMETER_LIMITS } from '../../../src/core/records/bounds.ts';
import type { Collection } from '../../../src/core/registry/lists.ts';
import {
  audienceSchema,
  clientSchema,
  faultSchema,
  savedFlowSchema,
  savedRequestSchema,
  shapeSchema,
  userSchema,
} from '../../../src/core/records/schemas.ts';
import {
  createDeviceAuthorizations,
  type DeviceAuthorization,
} from '../../../src/core/device-authorization/device-authorizations.ts';
import { createGuessLimit } from '../../../src/core/device-authorization/verification.ts';
import { jsonBytes } from '../../../src/core/collections/weight.ts';
import { resolveShape } from '../../../src/core/shape/resolve.ts';
import { createUserCode } from '../../../src/core/device-authorization/user-code.ts';
import { createSessions } from '../../../src/core/authorization/sessions.ts';
import { STORE_LIMITS } from '../../../src/core/stores/memory-stores.ts';
import { createEvaluation } from '../../../src/core/checks/trace.ts';
import { apiSchema } from '../../../src/core/records/api.ts';
import { checkRecordSchema } from '../../../src/core/records/saved.ts';
import { createLogins } from '../../../src/server/logins.ts';
import { createRetries } from '../../../src/server/retries.ts';
import { createUsedOnce } from '../../../src/core/collections/used-once.ts';
import { APP_TRAFFIC_BOUNDS, createAppTraffic } from '../../../src/engine/feed/app-traffic.ts';
import { createAdvisoryLog } from '../../../src/engine/exchanges/advisory-log.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createSaved } from '../../../src/engine/workspace/saved-by-name.ts';
import { createCapture } from '../../../src/server/capture.ts';
import { BOUNDS } from '../../support/bounds.ts';

const CLIENT = { client_id: 'app', client_secret: 'app-secret' };
const REDIRECT_URI = 'http://localhost:3000/callback';

const collect = globalThis.gc;
if (collect === undefined) throw new Error('needs --expose-gc');

function heapBytes(): number {
  collect?.();
  collect?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Filled {
  readonly size: number;
  readonly bytes: number;
}

/** Keeps all content until the end, when all collections are full at once. */
const kept: unknown[] = [];
/** After the last collection was filled. */
let heap: number;

type Fillable = Filled | { readonly fill: Filled };

async function measure(name: string, fill: () => Fillable | Promise<Fillable>): Promise<void> {
  const filled = await fill();
  kept.push(filled);
  const before = heap;
  heap = heapBytes();
  const { size: entries, bytes } = 'fill' in filled ? filled.fill : filled;
  const figures = { name, entries, bytes, heap: heap - before };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

let supply = Buffer.of();
/** From a supply, because asking the system for each of a million tokens takes longer than all else. */
function randomBytes(length: number): Buffer {
  if (supply.length < length) supply = systemBytes(Math.max(length, 65_536));
  const bytes = supply.subarray(0, length);
  supply = supply.subarray(length);
  return bytes;
}

const sha256 = (text: string) => hash('sha256', text, 'base64url');
/** Distinct strings, as a parser of JSON or HTTP creates them. */
const text = (length: number) =>
  keptText(randomBytes(length).toString('base64url').slice(0, length));
const times = (name: string, more = 1.1) => Math.ceil((BOUNDS[name]?.entries ?? 0) * more);

const engine = await createEngine({ port: 0, version: 'test', random: randomBytes });
const { service } = engine;
const { registry, epoch, throttle, faults, ports } = service;
const { stores, clock } = ports;
service.setSettings({ ...service.settings(), signing_alg: 'ES256' });

const app = clientSchema.parse({
  ...CLIENT,
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
});
registry.clients.put(app);
const opaque: typeof app = { ...app, access_token_format: 'opaque' };
heap = heapBytes();

/** Small entries up to the limit in number, then large ones up to the limit in bytes. */
function fillList<T>(list: Collection<T>, make: (n: number, length: number) => T): Filled {
  for (const length of [0, 10_000]) {
    for (let n = 0; n < list.bounds.entries; n += 1) {
      const record = make(n, length);
      if (!list.hasRoomFor(record)) break;
      list.put(record);
    }
  }
  return list;
}

const claims = (length: number) => (length === 0 ? {} : { claim: text(length) });

await measure('Clients', () =>
  fillList(registry.clients, (n, length) =>
    clientSchema.parse({
      client_id: n === 0 ? CLIENT.client_id : `client-${n}-${text(10)}`,
      client_secret: n === 0 ? CLIENT.client_secret : text(43),
      client_name: text(20),
      redirect_uris: [REDIRECT_URI],
      grant_types: app.grant_types,
      claims: n === 0 ? {} : claims(length),
    }),
  ),
);
await measure('Users', () =>
  fillList(registry.users, (n, length) =>
    userSchema.parse({ sub: `user-${n}-${text(10)}`, name: text(10), claims: claims(length) }),
  ),
);
await measure('Audiences', () =>
  fillList(registry.audiences, (n, length) =>
    audienceSchema.parse({
      uri: `https://api.example/${n}/${text(20)}`,
      scopes: length === 0 ? [] : Array.from({ length: 50 }, () => text(200)),
    }),
  ),
);
await measure('Protected APIs', () =>
  fillList(registry.apis, (n, length) =>
    apiSchema.parse({
      name: `api-${n}`,
      rules: Array.from({ length: length === 0 ? 1 : 64 }, () => ({ scopes: [text(200)] })),
    }),
  ),
);
await measure('Fault rules', () => {
  const rule = (n: number, length: number) =>
    faultSchema.parse({
      id: `rule-${n}`,
      when: 'instead',
      match: { path: '/never' },
      effect: { kind: 'answer', status: 500, body: text(length) },
    });
  for (let n = 0; n < 200; n += 1) faults.put(rule(n, 1));
  for (let n = 0; faults.hasRoomFor(rule(n, 65_536)); n += 1) faults.put(rule(n, 65_536));
  return { size: faults.list().length, bytes: 0 };
});

const SAVED_AT = '2026-03-02T10:00:00.000Z';
const saved = createSaved(() => undefined);
await measure('Saved flows', () =>
  fillList(saved.flows, (n, length) =>
    savedFlowSchema.parse({
      saved_at: SAVED_AT,
      scenario: {
        format: 'grantbench-scenario',
        version: 1,
        name: `flow ${n}`,
        steps: Array.from({ length: length === 0 ? 1 : 40 }, () => ({ name: text(200) })),
      },
    }),
  ),
);
await measure('Saved requests', () =>
  fillList(saved.requests, (n, length) =>
    savedRequestSchema.parse({
      name: `request ${n}`,
      saved_at: SAVED_AT,
      method: 'POST',
      path: `/oauth/token?${text(20)}`,
      body: text(length),
    }),
  ),
);

await measure('Client checks', () =>
  fillList(saved.checks, (n, length) =>
    checkRecordSchema.parse({
      case: length === 0 ? `case-${n}` : text(100),
      client_id: text(100),
      reached: true,
      went_on: false,
      login: 'failed',
      login_tells: true,
      good_after: null,
      goes_on_when_good: null,
      ended_at: SAVED_AT,
    }),
  ),
);

await measure('Provider shape', () => {
  // Deeply nested values take the most memory.
  const levels = (n: number): unknown => (n === 0 ? 1 : [levels(n - 1)]);
  const values = { name: 'x'.repeat(90), parameter: Array.from({ length: 20 }, (_, n) => `v${n}`) };
  const shape = shapeSchema.parse({
    parameters: { a: values.parameter, b: values.parameter },
    paths: { token: [`/${values.name}/${values.name}/${values.name}/{a}/{b}`] },
    id_token: { x: Array.from({ length: 50 }, () => levels(29)) },
  });
  const resolved = resolveShape(shape);
  if ('problems' in resolved) throw new Error(JSON.stringify(resolved.problems));
  service.setShape(resolved.value);
  return { size: 1, bytes: jsonBytes(shape) };
});

await measure('Denial list', async () => {
  const now = clock.now();
  for (let n = 0; n < times('Denial list'); n += 1) {
    const id = { epoch: epoch.name, lineage: (100_000_000 + n).toString(36), n: 2 };
    await stores.endAccessToken(id, 'revoked', now + n, now + 1e9 + n, n);
  }
  return { size: times('Denial list', 1), bytes: 0 };
});

await measure('Throttle counters', () => {
  const { throttle: settings } = service.settings();
  for (let n = 0; n < times('Throttle counters'); n += 1) {
    const credential = sha256(String(n)).slice(0, 10);
    const describe = () => ({ credential, ip: `2001:db8:1234:5678:9abc:def0:${n % 10_000}:1` });
    const id = sha256(`counter ${n}`).slice(0, 22);
    const key = { id, kind: 'unknown', client_id: app.client_id, exchange: n, describe } as const;
    throttle.count(key, settings, clock.now());
  }
  return { size: throttle.size, bytes: 0 };
});
await measure('Histories of counters', () => {
  const settings = { ...service.settings().throttle, limit: 1 };
  const counters = throttle.list().slice(0, times('Histories of counters'));
  for (const counter of counters) {
    const { id, kind, client_id } = counter;
    const key = { id, kind, client_id, describe: () => counter };
    for (let n = 0; n < 25; n += 1) throttle.count({ ...key, exchange: n }, settings, clock.now());
  }
  return { size: counters.filter((one) => throttle.blocked(one).length > 0).length, bytes: 0 };
});

const lineageFor = (sub: string | null, n: number): Lineage =>
  openLineage(issuingNow(service), {
    client: app,
    user_sub: sub,
    audience: 'https://api.example',
    scope: `read:${n}`,
  });

await measure('Last tokens', async () => {
  const detector = createOverFetchDetector(stores, sha256);
  const lineage = lineageFor('ada', 0);
  for (let n = 0; n < times('Last tokens'); n += 1) {
    const evaluation = createEvaluation(n);
    evaluation.grant_type = 'client_credentials';
    const now = clock.now();
    const token = { lineage, n, audience: 'x', scope: text(4000), issued_at: now, expires_at: now };
    await detector.watch(token as Parameters<typeof detector.watch>[0], '::1', evaluation, now);
  }
  kept.push(detector);
  return { size: times('Last tokens', 1), bytes: 0 };
});
await measure('Used assertions and proofs', () => {
  const used = createUsedOnce();
  for (let n = 0; n < times('Used assertions and proofs'); n += 1) {
    const at = clock.now() + n;
    used.use(sha256(`${n}${text(100)}`), { at, exchange: n, until: at + 3_600_000 });
  }
  return used;
});
await measure('Keys of clients', async () => {
  const keys = createClientKeys({
    clock,
    fetchDocument: () => {
      const value = { keys: Array.from({ length: 20 }, () => ({ kty: 'RSA', n: text(2000) })) };
      return Promise.resolve({ value, fresh_ms: 1000 });
    },
  });
  for (let n = 0; n < times('Keys of clients'); n += 1) {
    await keys.of({ ...app, jwks_uri: `http://localhost/${text(1900)}` }, undefined);
  }
  return keys;
});
await measure('Sessions', () => {
  const sessions = createSessions(randomBytes, () => 86_400);
  for (let n = 0; n < times('Sessions'); n += 1) {
    const session = sessions.begin('ada', undefined, clock.now());
    const subject = { client_id: app.client_id, audience: `https://api.example/${text(100)}` };
    const consents = n % 100 === 0 ? 120 : 1;
    for (let count = 0; count < consents; count += 1) {
      const audience = `${subject.audience}${count}`;
      sessions.agree(session, { ...subject, audience }, [], [text(40), text(40)]);
      sessions.enter(session, { client_id: text(40), sid: text(22) });
    }
  }
  return sessions;
});
await measure('Device authorizations', () => {
  const devices = createDeviceAuthorizations(() => undefined);
  for (let n = 0; n < times('Device authorizations'); n += 1) {
    const scope = text(40);
    const at = clock.now();
    const device: DeviceAuthorization = {
      device_code: text(43),
      user_code: createUserCode('letters', randomBytes),
      client_id: text(20),
      audience: text(40),
      requested_scope: text(40),
      scope,
      issued_at: at,
      expires_at: at + 600_000,
      issued_by: n,
      state: 'pending',
      interval: 5,
      polls: 0,
      polled_at: at,
      decision: null,
      approval: null,
      redeemed: null,
    };
    devices.add(device);
    const decision = { at, on: 'page', exchange: n } as const;
    devices.decide(device, decision, { sub: text(20), scope: text(40), auth_time: at });
    devices.redeem(device, at, n);
  }
  return devices;
});
await measure('Wrong user codes', () => {
  const guesses = createGuessLimit();
  for (let n = 0; n < times('Wrong user codes'); n += 1) guesses.count(text(39), clock.now());
  return guesses;
});
await measure('Consent forms', () => {
  const forms = createConsentForms(randomBytes, sha256);
  for (let n = 0; n < times('Consent forms'); n += 1) {
    const url = `x=${text(50_000)}&nonce=${text(PARAMETER_LIMITS.nonce)}&state=${text(1000)}`;
    const parameters = new Map(new URLSearchParams(url));
    forms.open({ parameters, repeated: new Set() }, text(20), clock.now());
  }
  return forms;
});
await measure('Pushed requests', () => {
  const pushed = createPushedRequests(randomBytes);
  for (let n = 0; n < times('Pushed requests'); n += 1) {
    const body = `x=${text(5000)}&nonce=${text(100)}&state=${text(300)}`;
    const parameters = new Map(new URLSearchParams(body));
    pushed.push({ parameters, repeated: new Set() }, text(20), clock.now());
  }
  return pushed;
});
await measure('Failed requests', () => {
  const retries = createRetries();
  for (let n = 0; n < times('Failed requests'); n += 1) {
    const request_body = Buffer.from(`grant_type=refresh_token&refresh_token=${text(1000)}`);
    const request = { method: 'POST', target: '/oauth/token', ip: '::1', sent_by: 'app' };
    const times_ms = { started: n, duration_ms: 1 };
    const response = { status: 400, error: 'invalid_grant', fault: null };
    retries.of(
      { number: n, ...request, ...times_ms, request_headers: [], request_body, ...response },
      text(100),
    );
  }
  kept.push(retries);
  return { size: times('Failed requests', 1), bytes: 0 };
});
await measure('Logins', () => {
  const logins = createLogins();
  for (let n = 0; n < times('Logins'); n += 1) {
    const body = JSON.stringify({ refresh_token: text(86) });
    const evaluation = { ...createEvaluation(n), endpoint: 'token' as const };
    const request = { number: n, target: '/oauth/token', request_body: Buffer.of() };
    logins.of({ ...request, status: 200, response_headers: [], response_body: body, evaluation });
  }
  kept.push(logins);
  return { size: times('Logins', 1), bytes: 0 };
});
await measure('Advised clients', () => {
  const log = createAdvisoryLog(() => undefined);
  for (let n = 0; n < times('Advised clients'); n += 1) {
    const evaluation = createEvaluation(n);
    evaluation.client_id = text(200);
    evaluation.advisories = [{ kind: 'over_fetch', seconds_left: n }];
    log.exchange({ evaluation, number: n, sent_by: 'command_line', at: clock.now() } as Parameters<
      typeof log.exchange
    >[0]);
  }
  kept.push(log);
  return { size: log.counts().length, bytes: 0 };
});

function createExchange(number: number) {
  const evaluation = createEvaluation(number);
  return {
    number,
    at: clock.now(),
    clock_frozen: false,
    clock_offset: 0,
    started: number,
    duration_ms: 1,
    method: 'POST',
    target: `/oauth/token?${text(2000)}`,
    status: 400,
    ...{
      sent_by: 'app' as const,
      http_version: '1.1',
      ip: '127.0.0.1',
      request_bytes: 50_000,
      error: null,
      fault: null,
      held: null,
    },
    request_headers: Array.from({ length: 40 }, () => text(40)),
    request_body: systemBytes(number % 2 === 0 ? 50_000 : 1000),
    response_headers: Array.from({ length: 20 }, () => text(30)),
    response_body: `€${text(500)}`,
    endpoint: 'token' as const,
    evaluation,
    claimed: null,
    retry_of: null,
    login: null,
  };
}

await measure('Exchanges', () => {
  const capture = createCapture(
    () => service.settings().capture,
    () => undefined,
  );
  for (let n = 1; n < 3000; n += 1) capture.add(createExchange(n));
  return capture;
});

await measure('Requests of the app', () => {
  const traffic = createAppTraffic(({ number }) => ({ number }) as never);
  for (let n = 1; n < 100; n += 1) {
    const exchange = createExchange(n);
    exchange.evaluation.advisories = [{ kind: 'over_fetch', seconds_left: n }];
    traffic.exchange(exchange);
  }
  kept.push(traffic);
  return { size: APP_TRAFFIC_BOUNDS.entries, bytes: 0 };
});

const byExchange = (n: number) => ({
  exchange: n,
  issued: [],
  deviations: [],
  grant_type: null,
  dpop: null,
});

const code = {
  redirect_uri_given: true,
  code_challenge_method: 'S256',
  access_token_expires_in: null,
  expires_in: 600,
} as const;

await measure('Ended credentials', async () => {
  for (let n = 0; n < 60_000; n += 1) {
    const lineage = lineageFor('ada', n);
    const order = {
      ...code,
      redirect_uri: REDIRECT_URI,
      requested_scope: text(20),
      nonce: text(22),
    };
    const challenge = { code_challenge: text(43), by: byExchange(n), jkt: null };
    const issued = await issueCode(issuingNow(service), lineage, { ...order, ...challenge });
    await stores.consumeCode(issued, clock.now(), n);
  }
  return { size: 0, bytes: STORE_LIMITS.ended.bytes };
});
await measure('Access tokens', async () => {
  // Opaque ones, whose records are larger, then as many signed ones as keep their texts and some more.
  const signed = times('Texts of access tokens');
  const count = times('Access tokens', 0.8);
  for (let n = 0; n < count; n += 1) {
    const by = byExchange(n);
    const client = count - n > signed ? opaque : app;
    const order = { client, audience: 'https://api.example', expires_in: null, by };
    const lineage = lineageFor(null, n);
    await issueAccessToken(issuingNow(service), { ...order, lineage, scope: lineage.scope });
  }
  return {
    size: 0,
    bytes: STORE_LIMITS.access_tokens.bytes + STORE_LIMITS.access_token_texts.bytes,
  };
});

let last = '';
await measure('Live credentials', async () => {
  for (let n = 0; n < 1_010_000; n += 1) {
    const lineage = lineageFor('ada', n);
    last = (await issueRefreshToken(issuingNow(service), lineage, byExchange(n))).value;
  }
  return { size: stores.liveCount(clock.now()), bytes: 0 };
});

/** With all collections full: a refresh, and an exchange of a code with the longest parameters. */
const { issuer } = await engine.start();
const answers: number[] = [];
for (let round = 0; round < 20; round += 1) {
  const body = new URLSearchParams({ ...CLIENT, grant_type: 'refresh_token', refresh_token: last });
  const answer = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
  await answer.arrayBuffer();
  answers.push(answer.status);
}
const all = { name: 'all', answers, live: stores.liveCount(clock.now()), heap: heapBytes() };
process.stdout.write(`${JSON.stringify(all)}\n`);
await engine.close();
process.exit(kept.length > 0 ? 0 : 1);
