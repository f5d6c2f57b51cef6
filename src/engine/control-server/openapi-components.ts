// The named records of the OpenAPI document with their examples.

import { describeCause, shortCause } from '../../core/checks/refusals/describe-cause.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { describeAdvisory, describeChecks } from '../../core/checks/explain.ts';
import { createEvaluation, fail } from '../../core/checks/trace.ts';
import { allAddresses } from '../../core/shape/address.ts';
import type { z } from 'zod/mini';

import * as e from '../../control/export-schemas.ts';
import * as f from '../../control/fault-schemas.ts';
import { TOKEN_MISTAKES } from '../../core/records/token-mistakes.ts';
import * as s from '../../control/schemas.ts';

export interface Component {
  readonly schema: z.core.$ZodType;
  /** The schema of a request or a response. In a response, members with a default are always present. */
  readonly strategy: 'input' | 'output';
  readonly example?: unknown;
}

const AT = '2026-03-02T10:00:00.000Z';
const LATER = '2026-03-03T10:00:00.000Z';
const LINEAGE = 'q2Zr8w';
const ISSUER = 'http://localhost:4280';

const client = s.clientSchema.parse({
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  client_name: 'Demo application',
  redirect_uris: ['http://localhost:3000/callback'],
});
const registeredUser = s.userSchema.parse({
  sub: 'ada',
  name: 'Ada Example',
  email: 'ada@example.test',
});
const { password: _password, ...user } = registeredUser;
const audience = s.audienceSchema.parse({
  uri: 'https://orders.example/api',
  name: 'Orders',
  scopes: ['orders:read', 'orders:write'],
});
const api = s.apiSchema.parse({
  name: 'orders',
  rules: [{ methods: ['GET'], scopes: ['orders:read'] }],
});
const throttled = { id: 'throttled_twice', name: '429 twice, then normal responses' };
const effect = { kind: 'answer', status: 429, headers: [['Retry-After', '1']] } as const;
const fault = f.faultSchema.parse({ ...throttled, when: 'instead', times: 2, effect });
const { id: _id, ...ready } = fault;

const credential = {
  id: 'b1946ac92492d234',
  kind: 'refresh_token',
  state: 'active',
  value: null,
  lineage_id: LINEAGE,
  client_id: 'demo-app',
  sub: 'ada',
  audience: ISSUER,
  scope: '',
  redirect_uri: null,
  code_challenge_method: null,
  issued_at: AT,
  expires_at: LATER,
  ended_at: null,
  issued_by: 41,
  ended_by: null,
};
/** Core generates the examples of evaluations, so that they only contain existing checks and causes. */
const codeUsed = new OAuthError('code_redeemed', { at: Date.parse(AT), exchange: 41 });

function describeRefusal(refusal: OAuthError) {
  const evaluation = createEvaluation(42);
  evaluation.grant_type = 'authorization_code';
  fail(evaluation, refusal);
  const checks = describeChecks(evaluation, false);
  return {
    trace: checks.filter(({ verdict }) => verdict === 'failed'),
    why: describeCause(refusal),
  };
}

const summary = {
  number: 42,
  at: AT,
  method: 'POST',
  path: '/oauth/token',
  endpoint: 'token',
  ip: '127.0.0.1',
  sent_by: 'app',
  grant_type: 'authorization_code',
  client_id: 'demo-app',
  status: 400,
  error: codeUsed.code,
  cause: shortCause(codeUsed),
  duration_ms: 0.8,
  lineage_id: LINEAGE,
  sub: 'ada',
  login: 40,
  retry_of: null,
  throttled: false,
  fault: null,
  held: null,
  deviations: 0,
  advisories: 0,
};
const message = { headers: [['Content-Type', 'application/json']], body_encoding: 'utf8' };
const clock = { now: AT, frozen: false, offset_seconds: 0 };
const answer = JSON.stringify({ error: codeUsed.code, error_description: codeUsed.description });
const exchange = {
  ...summary,
  request: { ...message, http_version: '1.1', body: '{"code":"[redacted]"}', body_bytes: 231 },
  response: {
    ...message,
    reason: 'Bad Request',
    body: answer,
    body_bytes: answer.length,
  },
  ...describeRefusal(codeUsed),
  deviation_notes: [],
  advisory_notes: [],
  credential_id: null,
  issued: [],
  sign_in: null,
  profile: 'documented',
  clock,
};
const { status, error, grant_type, client_id } = summary;
const { trace, why, deviation_notes, advisory_notes, credential_id } = exchange;
const forecast = {
  status,
  error,
  grant_type,
  client_id,
  trace,
  why,
  deviation_notes,
  advisory_notes,
  credential_id,
  reason: 'code_redeemed',
  body: exchange.response.body,
  fault: null,
  profile: 'documented',
  lineage_id: LINEAGE,
  issued: [],
  effects: [
    {
      kind: 'revoke_lineage',
      id: LINEAGE,
      text: `Lineage ${LINEAGE} is revoked with all its credentials.`,
    },
  ],
};
const refusalResponse = { status, error, description: codeUsed.description };
const refusal = {
  id: codeUsed.reason,
  check: codeUsed.check,
  summary: why.summary,
  usual_cause: 'The callback ran twice.',
  advice: why.advice,
  places: trace.map(({ rule, section }) => ({
    endpoint: 'token',
    grants: [grant_type],
    delivery: 'json',
    rule,
    section,
    rfc6749: refusalResponse,
    auth0: { ...refusalResponse, status: 403, description: 'Invalid authorization code' },
    now: { status, error },
  })),
};
const advisory = describeAdvisory({ kind: 'over_fetch', seconds_left: 86_000 });
const advisoryEntry = { ...advisory, exchange: 43, at: AT, client_id: 'demo-app', sent_by: 'app' };
const counter = {
  id: 'c4ca4238a0b92382',
  kind: 'refresh_token',
  credential: 'b1946ac9',
  client_id: 'demo-app',
  ip: '127.0.0.1',
  used: 30,
  limit: 30,
  limit_from: 'workspace',
  window_seconds: 60,
  opened_at: AT,
  resets_at: AT,
  allowed: 30,
  blocked: 1,
  last_seen_at: AT,
};
const kept = { name: 'Demo', file: null, state: 'memory', message: null };
const server = {
  state: 'running',
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/oauth/token`,
  endpoints: allAddresses(ISSUER, null),
  port: 4280,
  problem: null,
  ipv6: true,
  host: null,
  https: false,
  certificate: null,
  version: '0.1.0',
  workspace: kept,
};
const key = {
  kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  alg: 'ES256',
  signing: true,
  published: true,
  created_at: AT,
  public_jwk: { kty: 'EC', crv: 'P-256' },
};
const totals = {
  exchanges: 42,
  exchange_bytes: 81_920,
  live_credentials: 3,
  counters: 1,
  blocked_counters: 0,
  requests: 42,
  allowed: 30,
  throttled: 0,
  app: { requests: 40, allowed: 28, throttled: 0 },
  app_traffic: null,
};
const rates = {
  second: 86_460,
  seconds: [
    {
      second: 86_459,
      requests: 2,
      allowed: 2,
      throttled: 0,
      app: { requests: 1, allowed: 1, throttled: 0 },
    },
  ],
};
const code = {
  code: 'Xw3…',
  expires_at: AT,
  lineage_id: LINEAGE,
  redirect_to: 'http://localhost:3000/callback?code=Xw3%E2%80%A6&iss=http%3A%2F%2Flocalhost%3A4280',
};
const callback = {
  id: 'wJ3qzO8y0b1mQ9xT4vKcLg',
  status: 'waiting',
  redirect_uri: 'http://127.0.0.1:50123/callback',
  state: 'pV5hC2n8sZr0aYd7uGkE1w',
  redirect_to: null,
  seconds_left: 300,
};
const device = {
  id: 'WDJB-MJHT',
  state: 'pending' as const,
  user_code: 'WDJB-MJHT',
  device_code: null,
  verification_uri: `${ISSUER}/device`,
  verification_uri_complete: `${ISSUER}/device?user_code=WDJB-MJHT`,
  client_id: 'demo-app',
  audience: ISSUER,
  scope: 'openid',
  sub: null,
  granted_scope: null,
  interval: 5,
  polls: 1,
  polled_at: AT,
  issued_at: AT,
  expires_at: AT,
  issued_by: 41,
  decided_at: null,
  decided_on: null,
  decided_by: null,
  redeemed_at: null,
  redeemed_by: null,
};
const signed = {
  token: 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.eyJqdGkiOiJ1bmlzc3VlZC50ZXN0In0.',
  header: { alg: 'none', typ: 'at+jwt' },
  claims: { jti: 'unissued.test' },
  expected: 'rejected',
  answer: '401 with the error invalid_token in WWW-Authenticate (RFC 6750 3.1).',
  mistakes: [
    {
      name: 'alg_none',
      text: TOKEN_MISTAKES.alg_none.text,
      rule: TOKEN_MISTAKES.alg_none.rule,
    },
  ],
};
const tokens = {
  access_token: 'eyJ…',
  refresh_token: 'k1s…',
  token_type: 'Bearer',
  expires_in: 86_400,
  scope: 'openid',
  lineage_id: LINEAGE,
};

const savedFlow = {
  saved_at: AT,
  scenario: {
    format: 'grantbench-scenario',
    version: 1,
    name: 'Checkout',
    steps: [{ issue_code: {} }, { token: { grant: 'authorization_code' } }],
  },
};
const savedRequest = s.savedRequestSchema.parse({
  name: 'Refresh',
  saved_at: AT,
  client_id: 'demo-app',
  method: 'POST',
  path: '/oauth/token',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: 'grant_type=refresh_token&refresh_token=',
});

const former = {
  id: 1,
  name: 'Team',
  clients: 3,
  users: 2,
  audiences: 1,
  faults: 0,
  replaced_at: AT,
};

const clientCase = {
  id: 'id-token-aud-other',
  group: 'id_token',
  title: 'ID token for another client',
  text: 'The aud claim names another client.',
  expected: 'refuse',
  level: 'must',
  section: 'OpenID Connect Core 3.1.3.7 (3)',
  advice: 'Check that aud is, or contains, your client_id.',
  libraries: [
    {
      library: 'openid-client',
      text: 'authorizationCodeGrant() validates it: use tokens.claims(), not a decoder of your own',
    },
  ],
  unreached: 'The login received no ID token: it did not request the scope openid.',
  by_traffic: false,
  look_for: null,
  shared: false,
};

const clientCheck = {
  case: clientCase.id,
  title: clientCase.title,
  client_id: 'demo-app',
  started_at: AT,
  after_exchange: 41,
  seconds_left: 290,
  reached_exchange: 42,
  seen: [],
  seen_exchange: null,
  shown: null,
};

const { id, title, level, expected, section, advice, libraries } = clientCase;
const checkResult = {
  id,
  title,
  level,
  expected,
  client_id: 'demo-app',
  result: 'accepted',
  why: 'The app used the tokens.',
  fault: true,
  section,
  advice,
  libraries,
  awaits_good_login: false,
  reached_exchange: 42,
  seen_exchange: 43,
  ended_at: AT,
};

const held = {
  number: 42,
  at: 'request',
  method: 'POST',
  path: '/oauth/token',
  ip: '127.0.0.1',
  grant_type,
  client_id,
  endpoint: 'token',
  held_at: AT,
  seconds_left: 290,
  client_gone: false,
};

const sent = (schema: z.core.$ZodType): Component => ({ schema, strategy: 'input' });
const answered = (schema: z.core.$ZodType, example?: unknown): Component => ({
  schema,
  strategy: 'output',
  example,
});

export const COMPONENTS: Readonly<Record<string, Component>> = {
  Client: answered(s.clientSchema, client),
  ClientInput: sent(s.clientSchema),
  User: answered(s.answeredUserSchema, { ...user, has_password: false }),
  WorkspaceUser: answered(s.userSchema, registeredUser),
  UserInput: sent(s.userSchema),
  Audience: answered(s.audienceSchema, audience),
  AudienceInput: sent(s.audienceSchema),
  Api: answered(s.apiSchema, api),
  ApiInput: sent(s.apiSchema),
  FormerWorkspace: answered(s.formerWorkspaceSchema, former),
  Settings: answered(s.settingsSchema, s.settingsSchema.parse({})),
  SettingsInput: sent(s.settingsSchema),
  FaultInput: sent(f.faultSchema),
  Fault: answered(f.faultSchema),
  FaultState: answered(f.faultStateSchema, { ...fault, hits: 0, remaining: 2 }),
  FaultPreset: answered(f.faultPresetSchema, {
    id: throttled.id,
    text: 'Two requests get 429 with Retry-After: 1. A client that waits succeeds.',
    fault: ready,
  }),
  FaultMark: answered(f.faultMarkSchema),
  HoldMark: answered(f.holdMarkSchema),
  ClientCase: answered(s.clientCaseSchema, clientCase),
  ClientCheck: answered(s.clientCheckSchema, clientCheck),
  ActiveClientCheck: answered(s.activeCheckSchema, { active: clientCheck }),
  ClientCheckResult: answered(s.checkResultSchema, checkResult),
  HoldRule: sent(s.holdRuleSchema),
  Held: answered(s.heldSchema, held),
  HeldDetail: answered(s.heldDetailSchema, {
    ...held,
    exchange,
    forecast,
    id_token_claims: null,
    consequence: null,
  }),
  HeldForecast: answered(s.heldForecastSchema, { forecast }),
  HoldEvent: answered(s.holdEventSchema, { held: [held] }),
  Workspace: answered(s.workspaceSchema, {
    ...s.workspaceSchema.parse({ version: 1, name: 'Demo' }),
    clients: [client],
    users: [registeredUser],
    audiences: [audience],
  }),
  WorkspaceInput: sent(s.workspaceSchema),
  SavedFlow: answered(s.savedFlowSchema, savedFlow),
  SavedFlowDraft: sent(s.savedFlowDraftSchema),
  SavedRequest: answered(s.savedRequestSchema, savedRequest),
  SavedRequestDraft: sent(s.savedRequestDraftSchema),
  IssuedCode: answered(s.issuedCodeSchema, code),
  MintedTokens: answered(s.mintedTokensSchema, tokens),
  SignedToken: answered(s.signedTokenSchema, signed),
  Credential: answered(s.credentialSchema, credential),
  OpenCallback: sent(s.openCallbackSchema),
  Callback: answered(s.callbackSchema, callback),
  OpenDevice: sent(s.openDeviceSchema),
  Device: answered(s.deviceSchema, device),
  Lineage: answered(s.lineageSchema, {
    lineage_id: LINEAGE,
    client_id: 'demo-app',
    sub: 'ada',
    audience: ISSUER,
    scope: '',
    created_at: AT,
    revoked_at: null,
    count: 2,
    exchanges: [41],
    members: [{ ...credential, parent_id: null }],
  }),
  Check: answered(s.checkSchema),
  Cause: answered(s.causeSchema),
  Deviation: answered(s.deviationSchema),
  Advisory: answered(s.advisorySchema),
  ExchangeSummary: answered(s.exchangeSummarySchema, summary),
  Exchange: answered(s.exchangeSchema, exchange),
  Forecast: answered(s.forecastSchema, forecast),
  Refusal: answered(s.refusalSchema, refusal),
  ExchangeDocument: answered(e.exchangeDocumentSchema, {
    grantbench: { version: '0.1.0', exported_at: AT, issuer: ISSUER, secrets: false },
    exchanges: [exchange],
  }),
  Har: answered(e.harSchema),
  AdvisoryEntry: answered(s.advisoryEntrySchema, advisoryEntry),
  AdvisoryCounts: answered(s.advisoryCountsSchema),
  Counter: answered(s.counterSchema, counter),
  CounterDetail: answered(s.counterDetailSchema, {
    ...counter,
    blocked_requests: [{ at: AT, exchange: 42 }],
  }),
  Clock: answered(s.clockSchema, clock),
  Key: answered(s.keySchema, key),
  ForeignKeys: answered(s.foreignKeysSchema, { keys: [{ ...key.public_jwk, kid: key.kid }] }),
  RetiredKey: answered(s.retiredKeySchema, {
    kid: key.kid,
    retired_at: AT,
    signing_kid: '6S83MKGFmIfuDvHnA9gY0Q',
  }),
  Server: answered(s.serverSchema, server),
  FeedBatch: answered(s.feedBatchSchema, {
    first: 7,
    last: 9,
    exchanges: [summary],
    counters: [],
    changed: ['tokens'],
    totals,
    rates,
  }),
};
