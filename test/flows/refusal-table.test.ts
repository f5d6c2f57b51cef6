// Behaviour 3.10: the response of each grant to each refusal, in each dialect and under each shape. The table is
// written by hand from behaviour 3.4 to 3.7, 3.10 and 9.4 and the pages of the shapes, independently of the sources.

import { expect, test } from 'vitest';
import { assertionClaims, clientKey, signAssertion } from '../support/assertion.ts';
import { CREDENTIALS, ORDERS, REDIRECT_URI, startHarness } from '../support/harness.ts';
import type { Harness } from '../support/harness.ts';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const GRANTS = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  DEVICE,
  JWT_BEARER,
  EXCHANGE,
];
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const VERIFIER = 'v'.repeat(43);

type Fields = Record<string, string | undefined>;
type Body = Readonly<Record<string, unknown>>;
type Ask = (bench: Bench) => Promise<Fields> | Fields;

interface Bench extends Harness {
  /** An assertion of the demo client for ada, with overridden claims. */
  readonly assertion: (claims?: Record<string, unknown>) => Promise<string>;
  readonly foreignAssertion: () => Promise<string>;
}

interface Row {
  readonly name: string;
  readonly ask: Ask;
  /** In the dialect rfc6749. */
  readonly plain: readonly [status: number, error: string, description: string];
  /** The differences in the dialect auth0. */
  readonly auth0?: readonly [status: number, error?: string, description?: string];
  /** The bodies of shapes that replace it. */
  readonly okta?: Body;
  readonly keycloak?: readonly [error: string, description: string, status?: number];
  /** The AADSTS number, with a text if it differs from Grantbench's own, or an error code that only Entra has, with 400. */
  readonly entra: number | readonly [number, string] | readonly [number, null, error: string];
  /** What is done after the request. */
  readonly after?: (bench: Bench) => Promise<unknown>;
}

const mint = (bench: Bench, order: Body = {}) =>
  bench.post<{ access_token: string; refresh_token: string; lineage_id: string }>('/tokens', {
    client_id: 'demo-app',
    ...order,
  });

const device = (bench: Bench, order: Body = {}) =>
  bench.post<{ id: string; device_code: string; user_code: string }>('/devices', {
    client_id: 'demo-app',
    ...order,
  });

const OTHER = { client_id: 'other-app', client_secret: 'other-secret' };

const code = async (bench: Bench, order: Record<string, unknown> = {}): Promise<Fields> => ({
  code: await bench.code(order),
  redirect_uri: REDIRECT_URI,
  audience: ORDERS,
});
const refresh = async (bench: Bench, order?: Body): Promise<Fields> => ({
  refresh_token: (await mint(bench, order)).refresh_token,
});
const password = (fields: Fields = {}) => ({ username: 'ada', password: 'right', ...fields });
const exchange = async (bench: Bench, order?: Body): Promise<Fields> => ({
  subject_token: (await mint(bench, order)).access_token,
  subject_token_type: ACCESS_TOKEN,
});

/** A valid request of each grant. */
const GOOD: Readonly<Record<string, Ask>> = {
  authorization_code: code,
  refresh_token: refresh,
  client_credentials: () => ({}),
  password: () => password(),
  [DEVICE]: async (bench) => ({ device_code: (await device(bench)).device_code }),
  [JWT_BEARER]: async (bench) => ({ assertion: await bench.assertion() }),
  [EXCHANGE]: exchange,
};

const REQUIRED: Readonly<Record<string, string>> = {
  authorization_code: 'code',
  refresh_token: 'refresh_token',
  password: 'username',
  [DEVICE]: 'device_code',
  [JWT_BEARER]: 'assertion',
  [EXCHANGE]: 'subject_token',
};

/** The subject by which a request is counted (behaviour 5.1). */
const COUNTED: Readonly<Record<string, string>> = {
  authorization_code: 'token',
  refresh_token: 'token',
  client_credentials: 'client',
  password: 'username',
  [DEVICE]: 'token',
  [JWT_BEARER]: 'client',
  [EXCHANGE]: 'token',
};

const BAD_CLIENT = 'Invalid client or Invalid client credentials';
const AUTH0_CLIENT = [401, 'access_denied', 'Unauthorized'] as const;
const WRONG_CLIENT = [401, 'invalid_client', 'client_id or client_secret is wrong'] as const;

/** A valid request with these fields replaced. */
const but =
  (grant: string, fields: Fields): Ask =>
  async (bench) => ({ ...(await GOOD[grant]?.(bench)), ...fields });

/** Refusals common to all grants. */
const common = (grant: string): Row[] => [
  {
    name: 'wrong client_secret',
    ask: but(grant, { client_secret: 'wrong' }),
    plain: WRONG_CLIENT,
    auth0: AUTH0_CLIENT,
    keycloak: ['unauthorized_client', BAD_CLIENT],
    entra: 7_000_215,
  },
  {
    name: 'unknown client',
    ask: but(grant, { client_id: 'nobody' }),
    plain: WRONG_CLIENT,
    auth0: AUTH0_CLIENT,
    keycloak: ['invalid_client', BAD_CLIENT],
    entra: [700_016, null, 'unauthorized_client'],
  },
  {
    name: 'no client_secret',
    ask: but(grant, { client_secret: undefined }),
    plain: [401, 'invalid_client', 'client_secret is required and must not be empty'],
    auth0: AUTH0_CLIENT,
    okta: { error: 'invalid_client', error_description: 'No client credentials found.' },
    entra: 7_000_218,
  },
  {
    name: 'grant of another client',
    ask: but(grant, {
      client_id: grant === 'authorization_code' ? 'machine' : 'browser',
      client_secret: 'narrow-secret',
    }),
    plain: [400, 'unauthorized_client', 'the client may not use this grant_type'],
    auth0: [403],
    entra: 70_001,
  },
  {
    name: 'throttled',
    ask: async (bench) => {
      const good = await but(grant, {})(bench);
      const asked = { ...CREDENTIALS, grant_type: grant, ...good };
      await bench.patch('/clients/demo-app', { throttle: { limit: 1, window_seconds: 60 } });
      await bench.token(sent(asked));
      return good;
    },
    plain: [
      429,
      'too_many_requests',
      `too many requests with this ${COUNTED[grant] ?? ''} from this address; retry in 60 s`,
    ],
    entra: 50_196,
    after: (bench) => bench.patch('/clients/demo-app', { throttle: null }),
  },
];

const missing = (grant: string, name: string): Row => ({
  name: `no ${name}`,
  ask: but(grant, { [name]: undefined }),
  plain: [400, 'invalid_request', `${name} is required`],
  entra: 900_144,
});

const audience = (grant: string): Row => ({
  name: 'unknown audience',
  ask: but(grant, { audience: 'https://nobody.example' }),
  plain: [400, 'invalid_target', 'audience must be the URI of a registered API (RFC 8707)'],
  entra: [500_011, null, 'invalid_resource'],
});

const badCode = (
  name: string,
  description: string,
  ask: Ask,
  more: Partial<Pick<Row, 'auth0' | 'keycloak' | 'entra'>> = {},
): Row => ({
  name,
  ask,
  plain: [400, 'invalid_grant', description],
  auth0: [403, 'invalid_grant', 'Invalid authorization code'],
  entra: 70_000,
  ...more,
});

const AUTH0_PKCE = [403, 'invalid_grant', 'Failed to verify code verifier'] as const;
const NOT_VALID = ['invalid_grant', 'Code not valid'] as const;

const CODES: Row[] = [
  badCode('unknown code', 'the code is not valid', but('authorization_code', { code: 'x' }), {
    keycloak: NOT_VALID,
  }),
  badCode('a refresh token as the code', 'the code is not valid', async (bench) => ({
    ...(await code(bench)),
    code: (await mint(bench)).refresh_token,
  })),
  badCode('code of another client', 'the code was not issued to this client', (bench) =>
    code(bench, { client_id: 'other-app' }),
  ),
  badCode(
    'used code',
    'the code is no longer valid: it can be used only once',
    async (bench) => {
      const fields = await code(bench);
      await bench.token(sent({ ...CREDENTIALS, grant_type: 'authorization_code', ...fields }));
      return fields;
    },
    {
      keycloak: NOT_VALID,
      entra: [
        54_005,
        'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
      ],
    },
  ),
  badCode(
    'expired code',
    'the code is no longer valid: it has expired',
    async (bench) => {
      const fields = await code(bench, { code_expires_in: 1 });
      bench.machine.now += 2000;
      return fields;
    },
    { keycloak: ['invalid_grant', 'Code is expired'], entra: 70_008 },
  ),
  badCode(
    'revoked code',
    'the code is no longer valid: it was revoked',
    async (bench) => {
      const fields = await code(bench);
      const [newest] = await bench.list<{ lineage_id: string }>('/tokens');
      await bench.post(`/lineages/${newest?.lineage_id ?? ''}/revoke`);
      return fields;
    },
    { keycloak: NOT_VALID, entra: 50_173 },
  ),
  badCode(
    'wrong code_verifier',
    'code_verifier does not match the code_challenge (RFC 7636 4.6)',
    async (bench) => ({
      ...(await code(bench, { code_challenge: VERIFIER, code_challenge_method: 'plain' })),
      code_verifier: 'w'.repeat(43),
    }),
    {
      auth0: AUTH0_PKCE,
      keycloak: ['invalid_grant', 'PKCE verification failed'],
      entra: [
        501_481,
        'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
      ],
    },
  ),
  badCode(
    'no code_verifier',
    'code_verifier is required: the code was issued with a code_challenge',
    (bench) => code(bench, { code_challenge: VERIFIER, code_challenge_method: 'plain' }),
    { auth0: AUTH0_PKCE },
  ),
  badCode(
    'code_verifier without a challenge',
    'code_verifier must not be sent: the code was issued without a code_challenge',
    but('authorization_code', { code_verifier: VERIFIER }),
    { auth0: AUTH0_PKCE },
  ),
  {
    name: 'another redirect_uri',
    ask: but('authorization_code', { redirect_uri: `${REDIRECT_URI}/` }),
    plain: [
      400,
      'invalid_grant',
      'redirect_uri must be identical to the one the code was issued for (RFC 6749 4.1.3)',
    ],
    auth0: [403, 'unauthorized_client'],
    keycloak: ['invalid_grant', 'Incorrect redirect_uri'],
    entra: 50_011,
  },
];

const badRefresh = (
  name: string,
  description: string,
  ask: Ask,
  more: Partial<Pick<Row, 'keycloak' | 'entra'>> = {},
): Row => ({
  name,
  ask,
  plain: [400, 'invalid_grant', description],
  auth0: [403, 'invalid_grant', 'Unknown or invalid refresh token.'],
  entra: 70_000,
  ...more,
});

const INVALID_REFRESH = ['invalid_grant', 'Invalid refresh token'] as const;

const REFRESHES: Row[] = [
  badRefresh('unknown token', 'the refresh_token is not valid', () => ({ refresh_token: 'x' }), {
    keycloak: INVALID_REFRESH,
  }),
  badRefresh(
    'a code as the refresh token',
    'the refresh_token is not valid',
    async (bench) => ({ refresh_token: await bench.code() }),
    { keycloak: INVALID_REFRESH },
  ),
  badRefresh(
    'token of another client',
    'the refresh_token was not issued to this client',
    (bench) => refresh(bench, { client_id: 'other-app' }),
    {
      keycloak: [
        'invalid_grant',
        "Invalid refresh token. Token client and authorized client don't match",
      ],
    },
  ),
  badRefresh(
    'expired token',
    'the refresh_token is no longer valid: it has expired',
    async (bench) => {
      const fields = await refresh(bench, { client_id: 'brief' });
      bench.machine.now += 2000;
      return { client_id: 'brief', client_secret: 'narrow-secret', ...fields };
    },
    { keycloak: ['invalid_grant', 'Token is not active'], entra: 700_082 },
  ),
  badRefresh(
    'revoked token',
    'the refresh_token is no longer valid: it was revoked',
    async (bench) => {
      const { refresh_token, lineage_id } = await mint(bench);
      await bench.post(`/lineages/${lineage_id}/revoke`);
      return { refresh_token };
    },
    { entra: 50_173 },
  ),
  badRefresh(
    'rotated token',
    'the refresh_token is no longer valid: it was replaced',
    async (bench) => {
      const fields = await refresh(bench);
      await bench.token(sent({ ...CREDENTIALS, grant_type: 'refresh_token', ...fields }));
      return fields;
    },
  ),
  {
    name: 'scope beyond the grant',
    ask: async (bench) => ({
      ...(await refresh(bench, { audience: ORDERS, scope: 'orders:read' })),
      scope: 'orders:write',
    }),
    plain: [400, 'invalid_scope', 'scope must not exceed what was granted (RFC 6749 6)'],
    entra: 70_011,
  },
];

const badPassword = (name: string, fields: Fields): Row => ({
  name,
  ask: () => password(fields),
  plain: [400, 'invalid_grant', 'username or password is wrong'],
  auth0: [403, 'invalid_grant', 'Wrong email or password.'],
  keycloak: ['invalid_grant', 'Invalid user credentials', 401],
  entra: 50_126,
});

const PASSWORDS: Row[] = [
  badPassword('wrong password', { password: 'wrong' }),
  badPassword('unknown username', { username: 'nobody' }),
  {
    name: 'a profile without the grant',
    ask: () => password({ client_id: 'narrow', client_secret: 'narrow-secret' }),
    plain: [
      400,
      'unauthorized_client',
      'grant_type password is not accepted here: OAuth 2.1 no longer has it (RFC 9700 2.4)',
    ],
    auth0: [403],
    entra: 70_001,
  },
];

/** Entra has codes of its own, and no slow_down. */
const ENTRA_POLLS: Readonly<Record<string, Row['entra']>> = {
  'unknown code': [70_018, null, 'bad_verification_code'],
  'the user code': [70_018, null, 'bad_verification_code'],
  'expired code': [70_019, null, 'expired_token'],
  denied: [65_004, null, 'authorization_declined'],
  pending: [70_016, null, 'authorization_pending'],
  'polled too soon': [70_016, null, 'authorization_pending'],
};

const poll = (
  name: string,
  [error, description]: readonly [string, string],
  ask: Ask,
  auth0 = 403,
): Row => ({
  name,
  ask,
  plain: [400, error, description],
  auth0: [auth0],
  entra: ENTRA_POLLS[name] ?? 70_000,
});

const polled = (act: string | null, order?: Body, body?: Body): Ask => {
  return async (bench) => {
    const { id, device_code } = await device(bench, order);
    if (act !== null) await bench.post(`/devices/${id}/${act}`, body);
    return { device_code };
  };
};

const DEVICES: Row[] = [
  poll('unknown code', ['invalid_grant', 'the device_code is not valid'], () => ({
    device_code: 'x',
  })),
  poll('the user code', ['invalid_grant', 'the device_code is not valid'], async (bench) => ({
    device_code: (await device(bench)).user_code,
  })),
  poll(
    'code of another client',
    ['invalid_grant', 'the device_code was not issued to this client'],
    polled(null, { client_id: 'other-app' }),
  ),
  poll(
    'used code',
    ['invalid_grant', 'the device_code is no longer valid: it can be used only once'],
    async (bench) => {
      const fields = await polled('approve', {}, { sub: 'ada' })(bench);
      await bench.token(sent({ ...CREDENTIALS, grant_type: DEVICE, ...fields }));
      return fields;
    },
  ),
  poll('expired code', ['expired_token', 'the device_code has expired'], polled('expire')),
  poll('denied', ['access_denied', 'the request was denied by the user'], polled('deny')),
  poll(
    'pending',
    ['authorization_pending', 'the user has not yet approved the device'],
    polled(null),
  ),
  poll(
    'polled too soon',
    [
      'slow_down',
      'the device polls faster than the interval allows; the interval is now 5 s longer',
    ],
    async (bench) => {
      const fields = await polled(null)(bench);
      await bench.token(sent({ ...CREDENTIALS, grant_type: DEVICE, ...fields }));
      return fields;
    },
    429,
  ),
];

/** Auth0 has no such grant, so its dialect does not differ. */
const badAssertion = (name: string, description: string, ask: Ask): Row => ({
  name,
  ask,
  plain: [400, 'invalid_grant', description],
  entra: name === 'expired' ? 500_133 : 50_013,
});

const asserting =
  (claims: Record<string, unknown>): Ask =>
  async (bench) => ({ assertion: await bench.assertion(claims) });

const ASSERTIONS: Row[] = [
  badAssertion('not a JWT', 'assertion must be a signed JWT (RFC 7523 3)', () => ({
    assertion: 'x',
  })),
  badAssertion(
    'signed by another key',
    'the signature of the assertion is invalid',
    async (bench) => ({
      assertion: await bench.foreignAssertion(),
    }),
  ),
  badAssertion(
    'for another server',
    'aud of the assertion must be the issuer or the token endpoint (RFC 7523 3)',
    asserting({ aud: 'https://elsewhere.example' }),
  ),
  badAssertion('expired', 'the assertion has expired', asserting({ exp: 1 })),
  badAssertion(
    'for an unknown user',
    'sub of the assertion must be a user of this service (RFC 7523 3)',
    asserting({ sub: 'nobody' }),
  ),
  badAssertion(
    'used before',
    'jti of the assertion must be new: an assertion can be used only once',
    async (bench) => {
      const assertion = await bench.assertion();
      await bench.token(sent({ ...CREDENTIALS, grant_type: JWT_BEARER, assertion }));
      return { assertion };
    },
  ),
];

const badSubject = (name: string, description: string, ask: Ask): Row => ({
  name,
  ask,
  plain: [400, 'invalid_request', description],
  entra: 9_002_313,
});

const EXCHANGES: Row[] = [
  badSubject(
    'unknown subject_token',
    'the subject_token is not a token of this issuer, or not of its subject_token_type',
    but(EXCHANGE, { subject_token: 'x' }),
  ),
  badSubject(
    'expired subject_token',
    'the subject_token is no longer valid: it has expired',
    async (bench) => {
      const fields = await exchange(bench, { access_token_expires_in: 1 });
      bench.machine.now += 2000;
      return fields;
    },
  ),
  badSubject(
    'revoked subject_token',
    'the subject_token is no longer valid: it was revoked',
    async (bench) => {
      const { access_token, lineage_id } = await mint(bench);
      await bench.post(`/lineages/${lineage_id}/revoke`);
      return { subject_token: access_token, subject_token_type: ACCESS_TOKEN };
    },
  ),
  badSubject(
    'unknown token type',
    'subject_token_type is not a supported token type (RFC 8693 3)',
    but(EXCHANGE, { subject_token_type: 'urn:example' }),
  ),
];

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  authorization_code: [...CODES, audience('authorization_code')],
  refresh_token: REFRESHES,
  client_credentials: [
    {
      name: 'public client',
      ask: () => ({ client_id: 'public', client_secret: undefined }),
      plain: [
        400,
        'unauthorized_client',
        'a client without a secret or key may not use this grant_type (RFC 6749 2.1)',
      ],
      auth0: [403],
      entra: 70_001,
    },
    audience('client_credentials'),
  ],
  password: [...PASSWORDS, audience('password')],
  [DEVICE]: DEVICES,
  [JWT_BEARER]: [...ASSERTIONS, audience(JWT_BEARER)],
  [EXCHANGE]: [...EXCHANGES, audience(EXCHANGE)],
};

const rowsOf = (grant: string): readonly Row[] => {
  const required = REQUIRED[grant];
  const own = required === undefined ? [] : [missing(grant, required)];
  return [...common(grant), ...own, ...(TABLE[grant] ?? [])];
};

function sent(fields: Fields): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`;
const matching = (pattern: string) => expect.stringMatching(new RegExp(`^${pattern}$`)) as unknown;
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The body of Entra ID, whose description repeats other members. */
function entraBody([code, text]: readonly [number, string], error: string): Body {
  const lines = [
    literal(`AADSTS${code}: ${text}`),
    `Trace ID: ${UUID}`,
    `Correlation ID: ${UUID}`,
    `Timestamp: ${TIME}`,
  ];
  return {
    error,
    error_description: matching(lines.join(String.raw`\r\n`)),
    error_codes: [code],
    timestamp: matching(TIME),
    trace_id: matching(UUID),
    correlation_id: matching(UUID),
  };
}

type Shape = 'auth0' | 'okta' | 'entra' | 'keycloak';

/** The body of a shape that replaces it, whatever the dialect. */
function bodyOf({ plain, okta, entra, keycloak }: Row, shape: Shape | null): Body | null {
  const [, error, description] = plain;
  if (shape === 'okta') return okta ?? null;
  if (shape === 'keycloak' && keycloak !== undefined) {
    return { error: keycloak[0], error_description: keycloak[1] };
  }
  if (shape !== 'entra') return null;
  const [number, text = null, own = error] = typeof entra === 'number' ? [entra] : entra;
  return entraBody([number, text ?? description], own);
}

function expected(row: Row, dialect: string, shape: Shape | null) {
  const differs = dialect === 'auth0' ? (row.auth0 ?? []) : [];
  const [status, error, error_description] = row.plain.map((one, at) => differs[at] ?? one);
  const [, , ofKeycloak] = (shape === 'keycloak' && row.keycloak) || [];
  const isRenamed = shape === 'entra' && typeof row.entra !== 'number' && row.entra.length === 3;
  const own = isRenamed ? 400 : ofKeycloak;
  return { status: own ?? status, body: bodyOf(row, shape) ?? { error, error_description } };
}

const [key, foreign] = await Promise.all([clientKey(), clientKey()]);

const NARROW = { client_secret: 'narrow-secret', redirect_uris: [REDIRECT_URI] };

function workspace(dialect: 'rfc6749' | 'auth0', shape: Shape | null): object {
  const all = { redirect_uris: [REDIRECT_URI], grant_types: GRANTS };
  return {
    clients: [
      { ...all, ...CREDENTIALS, jwks: { keys: [key.jwk] } },
      { ...all, ...OTHER },
      { ...all, ...NARROW, client_id: 'narrow', profile: 'strict' },
      { ...all, ...NARROW, client_id: 'brief', refresh_token_expires_in: 1 },
      { ...all, client_id: 'public', token_endpoint_auth_method: 'none' },
      { ...NARROW, client_id: 'browser', grant_types: ['authorization_code'] },
      { ...NARROW, client_id: 'machine', grant_types: ['client_credentials'] },
    ],
    users: [{ sub: 'ada', email: 'ada@example.test', password: 'right' }],
    ...(shape === null ? {} : { shape: { provider: shape } }),
    settings: {
      dialect,
      profile: 'interop',
      refresh_rotation: { enabled: true, grace_seconds: 0 },
    },
  };
}

const DIALECTS = ['rfc6749', 'auth0'] as const;
const SHAPES = [null, 'auth0', 'okta', 'entra', 'keycloak'] as const;

test.for(DIALECTS.flatMap((dialect) => SHAPES.map((shape) => [dialect, shape] as const)))(
  'behaviour 3.10: each refusal of each grant, in the dialect %s under the shape %s',
  async ([dialect, shape]) => {
    const harness = await startHarness({ workspace: workspace(dialect, shape) });
    const claims = (more: Record<string, unknown> = {}) =>
      assertionClaims(harness.engine.server().issuer, harness.machine.now, { sub: 'ada', ...more });
    const bench: Bench = {
      ...harness,
      assertion: (more) => signAssertion(key, claims(more)),
      foreignAssertion: () => signAssertion(foreign, claims()),
    };
    const answers: Record<string, unknown> = {};
    const table: Record<string, unknown> = {};
    for (const grant of GRANTS) {
      for (const row of rowsOf(grant)) {
        const fields = { ...CREDENTIALS, grant_type: grant, ...(await row.ask(bench)) };
        const { status, body } = await bench.token(sent(fields));
        await row.after?.(bench);
        answers[`${grant}: ${row.name}`] = { status, body };
        table[`${grant}: ${row.name}`] = expected(row, dialect, shape);
      }
    }
    expect(answers).toEqual(table);
  },
);
