// The named records of the OpenAPI document with their examples.

import { describeCause, shortCause } from '../../core/checks/describe-cause.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import { describeAdvisory, describeChecks } from '../../core/checks/describe-checks.ts';
import { createEvaluation, fail } from '../../core/checks/trace.ts';
import { allAddresses } from '../../core/shape/address.ts';
import { z } from '../../core/records/zod.ts';

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

const BLANKS = [undefined, null, false, 0, []];

/** A record with these members of the schema; each other one is absent if it may be, else null, false, 0 or empty. */
const exampleOf = <T extends z.core.$ZodShape>({ shape }: z.ZodMiniObject<T>, given: object) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [
      name,
      Object.hasOwn(given, name)
        ? given[name as keyof typeof given]
        : BLANKS.find((blank) => z.safeParse(member, blank).success),
    ]),
  );

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

const credential = exampleOf(s.credentialSchema, {
  id: 'b1946ac92492d234',
  kind: 'refresh_token',
  state: 'active',
  lineage_id: LINEAGE,
  client_id: 'demo-app',
  sub: 'ada',
  audience: ISSUER,
  scope: '',
  issued_at: AT,
  expires_at: LATER,
  issued_by: 41,
});
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

const called = {
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
};
const message = { headers: [['Content-Type', 'application/json']], body_encoding: 'utf8' };
const clock = { now: AT, frozen: false, offset_seconds: 0 };
const answer = JSON.stringify({ error: codeUsed.code, error_description: codeUsed.description });
const refused = describeRefusal(codeUsed);
const exchange = exampleOf(s.exchangeSchema, {
  ...called,
  request: { ...message, http_version: '1.1', body: '{"code":"[redacted]"}', body_bytes: 231 },
  response: {
    ...message,
    reason: 'Bad Request',
    body: answer,
    body_bytes: answer.length,
  },
  ...refused,
  profile: 'documented',
  clock,
});
const forecast = exampleOf(s.forecastSchema, {
  ...exchange,
  reason: 'code_redeemed',
  body: answer,
  effects: [
    {
      kind: 'revoke_lineage',
      id: LINEAGE,
      text: `Lineage ${LINEAGE} is revoked with all its credentials.`,
    },
  ],
});
const { status, error, grant_type } = called;
const refusalResponse = { status, error, description: codeUsed.description };
const refusal = {
  id: codeUsed.reason,
  check: codeUsed.check,
  summary: refused.why.summary,
  usual_cause: 'The callback ran twice.',
  advice: refused.why.advice,
  places: refused.trace.map(({ rule, section }) => ({
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
const server = {
  state: 'running',
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/oauth/token`,
  endpoints: allAddresses(ISSUER, null),
  port: 4280,
  ipv6: true,
  version: '0.1.0',
  workspace: { name: 'Demo', file: null, state: 'memory', message: null },
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
  scope: 'openid',
  redirect_to: 'http://localhost:3000/callback?code=Xw3%E2%80%A6&iss=http%3A%2F%2Flocalhost%3A4280',
};
const callback = {
  id: 'wJ3qzO8y0b1mQ9xT4vKcLg',
  status: 'waiting',
  redirect_uri: 'http://127.0.0.1:50123/callback',
  state: 'pV5hC2n8sZr0aYd7uGkE1w',
  seconds_left: 300,
};
const device = {
  id: 'WDJB-MJHT',
  state: 'pending',
  user_code: 'WDJB-MJHT',
  verification_uri: `${ISSUER}/device`,
  verification_uri_complete: `${ISSUER}/device?user_code=WDJB-MJHT`,
  client_id: 'demo-app',
  audience: ISSUER,
  scope: 'openid',
  interval: 5,
  polls: 1,
  polled_at: AT,
  issued_at: AT,
  expires_at: AT,
  issued_by: 41,
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
  unreached: 'The login received no ID token. Did it request the scope openid?',
};

const clientCheck = exampleOf(s.clientCheckSchema, {
  ...clientCase,
  case: clientCase.id,
  client_id: 'demo-app',
  started_at: AT,
  after_exchange: 41,
  seconds_left: 290,
  reached_exchange: 42,
});

const checkResult = {
  ...clientCase,
  client_id: 'demo-app',
  result: 'accepted',
  why: 'The app used the tokens.',
  fault: true,
  reached_exchange: 42,
  seen_exchange: 43,
  ended_at: AT,
};

const held = exampleOf(s.heldSchema, { ...called, at: 'request', held_at: AT, seconds_left: 290 });

const sent = (schema: z.core.$ZodType): Component => ({ schema, strategy: 'input' });
const answered = (schema: z.ZodMiniObject, given?: object): Component => ({
  schema,
  strategy: 'output',
  example: given && exampleOf(schema, given),
});

export const COMPONENTS: Readonly<Record<string, Component>> = {
  Client: answered(s.clientSchema, client),
  ClientInput: sent(s.clientSchema),
  User: answered(s.answeredUserSchema, registeredUser),
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
  FaultState: answered(f.faultStateSchema, { ...fault, remaining: 2 }),
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
  HeldDetail: answered(s.heldDetailSchema, { ...held, exchange, forecast }),
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
    ...credential,
    created_at: AT,
    count: 2,
    exchanges: [41],
    members: [{ ...credential, parent_id: null }],
  }),
  Check: answered(s.checkSchema),
  Cause: answered(s.causeSchema),
  Deviation: answered(s.deviationSchema),
  Advisory: answered(s.advisorySchema),
  ExchangeSummary: answered(s.exchangeSummarySchema, called),
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
    sandbox: '3b1f5a0e-6c0d-4c55-9a53-6f0d7c1f2b88',
    first: 7,
    last: 9,
    exchanges: [exampleOf(s.exchangeSummarySchema, called)],
    changed: ['tokens'],
    totals,
    rates,
  }),
};
