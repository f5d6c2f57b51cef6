// Forecasts, as a property: for random states and token requests, valid or invalid in any way, the forecast equals the
// outcome of the same request, and forecasting changes nothing.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { Effect } from '../../src/core/forecast.ts';
import { credentialId, lineageId } from '../../src/core/model/credentials.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import { GRANT_TYPES, PROFILES, PROVIDERS } from '../../src/core/records/enumerations.ts';
import type { TokenService } from '../../src/core/service.ts';
import { resolveShape } from '../../src/core/shape/resolve.ts';
import type { ClientKey } from '../support/assertion.ts';
import {
  assertionClaims,
  clientKey,
  JWT_BEARER,
  signAssertion,
  signingClient,
} from '../support/assertion.ts';
import type { Outcome, RequestParameters, TestService } from '../support/core.ts';
import {
  basic,
  BILLING,
  client,
  createTestService,
  evaluated,
  ISSUER,
  ORDERS,
  PUBLIC,
  REDIRECT_URI,
  sha256,
  START,
  tokenRequest,
  user,
} from '../support/core.ts';
import { dpopHeader, proof, proofKey } from '../support/dpop.ts';
import { fuzzing } from '../support/fuzz.ts';
import { words } from '../support/words.ts';

const VERIFIER = 'v'.repeat(43);

const SECRETS: Readonly<Record<string, string>> = {
  'demo-app': 'demo-secret-of-thirty-two-octets',
  'other-app': 'other-secret',
};

let key: ClientKey;
let proofs: readonly string[];
let clientAssertions: readonly string[];
let assertions: readonly string[];

beforeAll(async () => {
  key = await clientKey('k1');
  const [ours, theirs] = await Promise.all([proofKey(), proofKey()]);
  proofs = await Promise.all([
    proof(ours),
    proof(ours),
    proof(ours),
    proof(theirs),
    proof(ours, { claims: { htm: 'GET' } }),
    proof(ours, { claims: { iat: START / 1000 - 500 } }),
    Promise.resolve('no.proof'),
  ]);
  const sign = (claims: Record<string, unknown>) =>
    signAssertion(key, assertionClaims(ISSUER, START, { exp: START / 1000 + 3000, ...claims }));
  const signer = { iss: 'signer', sub: 'signer' };
  clientAssertions = await Promise.all([
    sign({ ...signer, jti: 'same' }),
    sign(signer),
    sign(signer),
    sign({ ...signer, aud: 'https://elsewhere.example' }),
  ]);
  const ofUser = { iss: 'demo-app', sub: 'ada' };
  assertions = await Promise.all([
    sign(ofUser),
    sign({ ...ofUser, jti: undefined }),
    sign(ofUser),
    sign({ ...ofUser, sub: 'nobody' }),
    sign({ ...ofUser, iss: 'signer', jti: 'same' }),
  ]);
});

const seconds = fc.constantFrom(1, 3, 30, 59, 300, 700, 4000, -20, -600);
const place = fc.oneof(fc.constant(0), fc.nat(12));

/** Mostly the first value, so that most requests pass many checks. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const request = fc.record({
  do: fc.constant('request'),
  grant: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('authorization_code', 'refresh_token') },
    { weight: 5, arbitrary: fc.constantFrom(...GRANT_TYPES) },
    { weight: 1, arbitrary: fc.constantFrom('implicit', '') },
  ),
  client: mostly<string>('demo-app', 'signer', 'signer', 'public-app', 'other-app', 'nobody'),
  proves: mostly('right', 'wrong', 'basic', 'nothing', 'both'),
  /** Picks a credential of this kind, or of another kind. */
  of: place,
  kind: mostly('own', 'code', 'refresh_token', 'device', 'made up'),
  /** Parameters that replace valid ones. */
  replaced: fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    {
      weight: 3,
      arbitrary: fc.dictionary(
        fc.constantFrom(
          ...words(
            'scope audience resource redirect_uri code_verifier code scope refresh_token',
            'subject_token_type actor_token actor_token_type requested_token_type nonsense',
            'assertion username',
          ),
        ),
        fc.constantFrom(
          '',
          'openid',
          'orders:read',
          'billing:read openid',
          'nonsense',
          '  a  ',
          '"',
          ORDERS,
          BILLING,
          'urn:ietf:params:oauth:token-type:refresh_token',
          'x'.repeat(5000),
        ),
        { maxKeys: 2 },
      ),
    },
  ),
  content_type: mostly<'json' | 'form' | null>(null, 'json', 'form'),
  query: mostly<string[]>([], ['code']),
  proof: mostly<number | null>(null, 0, 1, 2, 3, 4, 5, 6),
  assertion: fc.nat(4),
  ip: mostly('127.0.0.1', '10.0.0.1'),
});

type Sent = typeof request extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 9, arbitrary: request },
  /** The same request again. */
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('code'),
      client: mostly('demo-app', 'other-app', 'public-app', 'signer'),
      pkce: fc.boolean(),
      scope: fc.constantFrom('', 'openid', 'openid orders:read'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('device'),
      client: mostly('demo-app', 'public-app'),
      decided: fc.constantFrom('approved', 'denied', 'pending', 'pending'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clock'), seconds }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('end'),
      of: place,
      as: fc.constantFrom('revoked', 'expired'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('approve'), of: place }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const settings = fc.record({
  profile: fc.constantFrom('interop', 'documented', ...PROFILES),
  access_token_format: fc.constantFrom('opaque', 'rfc9068', 'auth0'),
  signing_alg: fc.constantFrom('ES256', 'ES256', 'HS256'),
  expiry_members: fc.boolean(),
  scope_member: fc.boolean(),
  refresh_rotation: fc.record({ enabled: fc.boolean(), grace_seconds: fc.constantFrom(0, 0, 60) }),
  throttle: fc.record({
    mode: fc.constantFrom('off', 'enforce', 'enforce', 'observe'),
    limit: fc.constantFrom(1, 2, 30),
    window_seconds: fc.constant(60),
  }),
  lifetimes: fc.record({
    code: fc.constant(60),
    refresh_token: fc.constantFrom(1000, 1_000_000),
    refresh_token_idle: fc.constantFrom(null, 500),
  }),
  dpop: fc.record({ require_nonce: fc.constantFrom(false, false, false, true) }),
});

const provider = fc.constantFrom(null, null, null, ...PROVIDERS);

interface Pools {
  readonly codes: { readonly value: string; readonly pkce: boolean }[];
  readonly refresh_tokens: string[];
  readonly access_tokens: string[];
  readonly id_tokens: string[];
  readonly devices: string[];
}

function createService(given: Parameters<typeof createTestService>[0]): TestService {
  return createTestService({
    ...given,
    users: [user({ password: 'secret' }), user({ sub: 'bob', name: 'Bob', email: '' })],
    clients: [
      client({
        grant_types: [...GRANT_TYPES],
        client_secret: SECRETS['demo-app'],
        jwks: { keys: [key.jwk] },
      }),
      client({
        client_id: 'other-app',
        client_secret: 'other-secret',
        grant_types: ['authorization_code', 'client_credentials'],
        throttle: { limit: 2, window_seconds: 30 },
      }),
      client({
        client_id: 'public-app',
        ...PUBLIC,
        grant_types: [...GRANT_TYPES],
      }),
      client({ client_id: 'signer', grant_types: [...GRANT_TYPES], ...signingClient(key) }),
    ],
  });
}

const pick = <T>(pool: readonly T[], of: number): T | undefined => pool[of % (pool.length || 1)];

/** The value that the request presents. */
function presented({ kind, of }: Sent, own: readonly string[], pools: Pools): string {
  if (kind === 'made up') return 'made-up-value';
  if (kind === 'own') return pick(own, of) ?? 'nothing-issued-yet';
  const { codes, refresh_tokens, devices } = pools;
  const others = {
    code: codes.map(({ value }) => value),
    refresh_token: refresh_tokens,
    device: devices,
  };
  return pick(others[kind as keyof typeof others], of) ?? 'nothing-issued-yet';
}

function ofGrant(sent: Sent, pools: Pools): RequestParameters {
  const { grant, of } = sent;
  const codes = pools.codes.map(({ value }) => value);
  switch (grant) {
    case 'authorization_code':
      return {
        code: presented(sent, codes, pools),
        redirect_uri: REDIRECT_URI,
        audience: ORDERS,
        ...(pick(pools.codes, of)?.pkce === true ? { code_verifier: VERIFIER } : {}),
      };
    case 'refresh_token':
      return { refresh_token: presented(sent, pools.refresh_tokens, pools) };
    case 'urn:ietf:params:oauth:grant-type:device_code':
      return { device_code: presented(sent, pools.devices, pools) };
    case 'urn:ietf:params:oauth:grant-type:token-exchange': {
      const kinds = ['access_token', 'refresh_token', 'id_token'] as const;
      const kind = kinds[of % 3] ?? 'access_token';
      return {
        subject_token: presented(sent, pools[`${kind}s`], pools),
        subject_token_type: `urn:ietf:params:oauth:token-type:${kind}`,
        ...(of > 9
          ? {
              actor_token: pools.access_tokens[0],
              actor_token_type: `urn:ietf:params:oauth:token-type:access_token`,
            }
          : {}),
      };
    }
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return { assertion: assertions[sent.assertion] };
    case 'password':
      return { username: pick(['ada', 'bob', 'eve'], of), password: of % 2 ? 'secret' : 'wrong' };
    default:
      return {};
  }
}

function authentication({ client: client_id, proves, assertion }: Sent): RequestParameters {
  if (client_id === 'signer' && proves !== 'nothing') {
    return {
      client_id,
      client_assertion_type: JWT_BEARER,
      client_assertion: clientAssertions[assertion % 4],
    };
  }
  const client_secret = SECRETS[client_id];
  switch (proves) {
    case 'wrong':
      return { client_id, client_secret: 'wrong' };
    case 'basic':
      return { client_id: undefined, client_secret: undefined };
    case 'nothing':
      return { client_id, client_secret: undefined };
    default:
      return { client_id, client_secret };
  }
}

function composed(sent: Sent, pools: Pools): TokenRequest {
  const { grant, client: client_id, proves, replaced, query, ip } = sent;
  const authorized = proves === 'basic' || proves === 'both';
  const documented = grant === 'authorization_code' ? 'json' : 'form';
  return tokenRequest(
    {
      audience: undefined,
      redirect_uri: undefined,
      grant_type: grant === '' ? undefined : grant,
      ...authentication(sent),
      ...ofGrant(sent, pools),
      ...replaced,
    },
    {
      content_type: sent.content_type ?? documented,
      query,
      ip,
      authorization: authorized ? basic(client_id, SECRETS[client_id] ?? 'x') : null,
      dpop: sent.proof === null ? null : dpopHeader(proofs[sent.proof] ?? ''),
    },
  );
}

async function evaluate(
  service: TokenService,
  sent: TokenRequest,
  exchange: number,
): Promise<Outcome> {
  const evaluation = createEvaluation(exchange);
  evaluation.content_type = sent.content_type;
  return evaluated(evaluation, () => service.token(sent, evaluation));
}

/** Everything about an outcome except the values of tokens. */
function outcomeOf({ answer, evaluation }: Outcome, service: TokenService) {
  const values = ['access_token', 'refresh_token', 'id_token'];
  const { refusal, deviations, advisories, throttle, issued, dpop, client_id, profile } =
    evaluation;
  return {
    body:
      answer &&
      Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [name, values.includes(name) ? '' : value]),
      ),
    reason: refusal && [refusal.reason, refusal.facts, refusal.description],
    trace: describeChecks(evaluation, service.settings().refresh_rotation.enabled),
    deviations,
    advisories,
    issued,
    client_id,
    profile,
    throttle: throttle && { ...throttle, counter: throttle.counter.id },
    bound: dpop?.jkt,
    credential: evaluation.credential && credentialId(evaluation.credential),
    lineage: evaluation.lineage && lineageId(evaluation.lineage),
  };
}

async function stateOf({ service, stores, events, clock }: TestService) {
  // Records expiries, as any list of credentials does.
  stores.liveCount(clock.now());
  const credentials = await stores.list(100_000, Infinity);
  const counters = service.throttle.list();
  return structuredClone({
    credentials: credentials.map(({ lineage, ...record }) => ({
      ...record,
      id: credentialId({ lineage, ...record }),
      lineage: { ...lineage, newest: lineage.newest?.seq, others: lineage.others?.size },
    })),
    counters,
    blocked: counters.map((counter) => service.throttle.blocked(counter)),
    total: { ...service.throttle.total },
    devices: service.devices.list(),
    epochs: service.epoch.issuedSoFar(),
    keys: service.keyring.list().map(({ kid }) => kid),
    events: events.length,
  });
}

type State = Awaited<ReturnType<typeof stateOf>>;

/** The effects that are visible as differences between two states. */
function changes(before: State, after: State): string[] {
  const former = new Map(before.credentials.map((one) => [one.id, one]));
  const kept = after.credentials.filter(({ id }) => former.has(id));
  const newly = (state: string) =>
    kept.filter((one) => one.state === state && former.get(one.id)?.state !== state);
  const revoked = kept
    .filter((one) => one.lineage.revoked_at !== former.get(one.id)?.lineage.revoked_at)
    .map(({ lineage }) => `revoke_lineage ${lineageId(lineage as never)}`);
  const counted = ({ total }: State) => total.allowed + total.blocked;
  const devices = new Map(before.devices.map((device) => [device.user_code, device]));
  return [
    ...newly('redeemed').map(({ id }) => `redeem ${id}`),
    ...newly('rotated').map(({ id }) => `rotate ${id}`),
    ...new Set(revoked),
    ...Array.from({ length: counted(after) - counted(before) }, () => 'count'),
    ...after.devices.flatMap(({ user_code, polls, state }) => {
      const device = devices.get(user_code);
      return [
        ...(polls === device?.polls ? [] : [`poll_device ${user_code}`]),
        ...(state === 'redeemed' && device?.state !== state ? [`redeem_device ${user_code}`] : []),
      ];
    }),
  ].sort();
}

/** The same effects as forecast, without those that a state does not show. */
const foretold = (effects: readonly Effect[]): string[] =>
  effects
    .filter(({ kind }) => kind !== 'use_once' && kind !== 'extend')
    .map(({ kind, id }) => (kind === 'count' ? kind : `${kind} ${String(id)}`))
    .sort();

function collect({ answer }: Outcome, pools: Pools): void {
  if (answer === null) return;
  pools.access_tokens.unshift(answer.access_token);
  if (answer.refresh_token !== undefined) pools.refresh_tokens.unshift(answer.refresh_token);
  if (answer.id_token !== undefined) pools.id_tokens.unshift(answer.id_token);
}

async function take(
  one: Exclude<Step, { do: 'request' | 'again' }>,
  made: TestService,
  pools: Pools,
) {
  const { service, clock } = made;
  const devices = service.devices.list();
  switch (one.do) {
    case 'code': {
      const challenge = {
        code_challenge: sha256(VERIFIER),
        code_challenge_method: 'S256' as const,
      };
      const pkce = one.pkce || one.client === 'public-app';
      const order = { client_id: one.client, scope: one.scope, ...(pkce ? challenge : {}) };
      const { value } = await made.issueCode({ ...order, nonce: 'n' });
      pools.codes.unshift({ value, pkce });
      return;
    }
    case 'device': {
      const device = service.openDevice({
        client_id: one.client,
        scope: 'openid orders:read',
        audience: ORDERS,
      });
      pools.devices.unshift(device.device_code);
      if (one.decided === 'approved') service.approveDevice(device, {});
      if (one.decided === 'denied') service.denyDevice(device);
      return;
    }
    case 'approve': {
      const device = pick(devices, one.of);
      if (device !== undefined) service.approveDevice(device, {});
      return;
    }
    case 'clock':
      clock.advance(one.seconds * 1000);
      return;
    case 'end': {
      const all = await made.stores.list(100, Infinity);
      const credential = pick(all, one.of);
      if (credential !== undefined) await service.end(credential, one.as);
    }
  }
}

test('behaviour 17.1: the forecast for a token request equals its outcome, and forecasting changes nothing', async () => {
  const granted = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(
      settings,
      provider,
      fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }),
      async (given, imitated, steps) => {
        const made = createService({ settings: given });
        const { service } = made;
        if (imitated !== null) {
          const shape = resolveShape({ provider: imitated });
          if (!('value' in shape)) throw new Error('no shape');
          service.setShape(shape.value);
        }
        const pools: Pools = {
          codes: [],
          refresh_tokens: [],
          access_tokens: [],
          id_tokens: [],
          devices: [],
        };
        for (const redeemed of [true, false]) {
          const { value } = await made.issueCode({ scope: 'openid orders:read' });
          const sent = tokenRequest({ code: value, client_secret: SECRETS['demo-app'] });
          if (redeemed) collect(await evaluate(service, sent, 0), pools);
          pools.codes.unshift({ value, pkce: false });
        }
        let exchange = 0;
        let sent: TokenRequest | null = null;
        for (const one of steps) {
          if (one.do === 'request') sent = composed(one, pools);
          else if (one.do !== 'again') await take(one, made, pools);
          if (sent === null || (one.do !== 'request' && one.do !== 'again')) continue;
          exchange += 1;
          const before = await stateOf(made);
          const { service: forecasting, foreseen } = await service.forecast();
          const foreseenOutcome = await evaluate(forecasting, sent, exchange);
          const forecast = structuredClone(outcomeOf(foreseenOutcome, service));
          expect(await stateOf(made)).toEqual(before);

          const actual = await evaluate(service, sent, exchange);
          expect(forecast).toEqual(outcomeOf(actual, service));
          expect(foretold(foreseen.effects)).toEqual(changes(before, await stateOf(made)));
          if (actual.answer !== null) granted.add(actual.evaluation.grant_type);
          collect(actual, pools);
        }
      },
    ),
    // Fewer runs do not reach every grant.
    fuzzing(80),
  );
  expect([...granted].sort()).toEqual([...GRANT_TYPES].sort());
});

test('behaviour 4.1: exactly one of two simultaneous redemptions of a code wins, with forecasts in between', async () => {
  const made = createService({});
  const code = await made.issueCode();
  const sent = tokenRequest({ code: code.value, client_secret: SECRETS['demo-app'] });
  const foretell = async () => evaluate((await made.service.forecast()).service, sent, 0);
  const [, first, , second] = await Promise.all([
    foretell(),
    made.evaluate(sent),
    foretell(),
    made.evaluate(sent),
  ]);
  expect([first, second].filter(({ answer }) => answer !== null)).toHaveLength(1);
  expect([first, second].map(({ refusal }) => refusal?.reason ?? 'granted').sort()).toEqual([
    'code_redeemed',
    'granted',
  ]);
});
