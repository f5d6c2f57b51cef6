// Builders and a harness for the domain, without HTTP: every field has a default, time is manual, random numbers are
// seeded.

import { hash } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod/mini';
import type { AuthorizationOrder } from '../../src/core/authorization/direct-code.ts';
import { createClock } from '../../src/core/model/clock.ts';
import { type CodeRecord, lineageId } from '../../src/core/model/credentials.ts';
import type { CheckId, RefusalReason } from '../../src/core/checks/refusals/index.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { rulesOf } from '../../src/core/checks/rules.ts';
import type { DomainEvent, FetchDocument, Sha256, Sha512 } from '../../src/core/model/ports.ts';
import type { TokenRequest, TokenResponse } from '../../src/core/model/request.ts';
import {
  type Audience,
  audienceSchema,
  type Client,
  clientSchema,
  type Settings,
  settingsSchema,
  type Shape,
  type User,
  userSchema,
} from '../../src/core/records/schemas.ts';
import { createTokenService } from '../../src/core/service.ts';
import { resolveShape } from '../../src/core/shape/resolve.ts';
import { createMemoryStores, type StoreLimits } from '../../src/core/stores/memory-stores.ts';
import { createJwsSigner, generateSigningKey } from '../../src/engine/key-material.ts';
import { createEvaluation, type Evaluation, fail } from '../../src/core/checks/trace.ts';
import { seededRandom } from './seeded-random.ts';

export { seededRandom };

/** 2026-11-21T10:00:00Z, the start time of every test. */
export const START = Date.UTC(2026, 10, 21, 10, 0, 0);
export const ISSUER = 'http://localhost:4280';
export const ORDERS = 'https://orders.example/api';
export const BILLING = 'https://billing.example/api';
export const REDIRECT_URI = 'http://localhost:3000/callback';

export const sha256: Sha256 = (text) => hash('sha256', text, 'base64url');
export const sha512: Sha512 = (text) => hash('sha512', text, 'base64url');

export function client(members: Partial<z.input<typeof clientSchema>> = {}): Client {
  return clientSchema.parse({
    client_id: 'demo-app',
    client_secret: 'demo-secret',
    client_name: 'Demo application',
    redirect_uris: [REDIRECT_URI],
    ...members,
  });
}

/** The members of a client without a secret. */
export const PUBLIC = { client_secret: null, token_endpoint_auth_method: 'none' } as const;

/** A second client, for operations that only the client of a credential may do. */
export function admin(members: Partial<z.input<typeof clientSchema>> = {}): Client {
  return client({
    client_id: 'admin',
    client_secret: 'admin-secret',
    client_name: 'Admin',
    ...members,
  });
}

/** The authentication parameters of the second client. */
export const AS_ADMIN = { client_id: 'admin', client_secret: 'admin-secret' } as const;

export function user(members: Partial<z.input<typeof userSchema>> = {}): User {
  return userSchema.parse({ sub: 'ada', name: 'Ada', email: 'ada@example.test', ...members });
}

export function audience(members: Partial<z.input<typeof audienceSchema>> = {}): Audience {
  return audienceSchema.parse({
    uri: ORDERS,
    name: 'Orders',
    scopes: ['orders:read', 'orders:write'],
    ...members,
  });
}

/** Signs with ES256 by default, whose keys are generated quickly. */
export function settings(members: z.input<typeof settingsSchema> = {}): Settings {
  return settingsSchema.parse({ signing_alg: 'ES256', ...members });
}

/** undefined omits a parameter. */
export type RequestParameters = Readonly<Record<string, string | undefined>>;

export const parametersOf = (parameters: RequestParameters): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A code exchange as in the specification, in JSON; members and parameters can be overridden. */
export function tokenRequest(
  parameters: RequestParameters = {},
  members: Partial<TokenRequest> = {},
): TokenRequest {
  return {
    content_type: 'json',
    parameters: parametersOf({
      client_id: 'demo-app',
      client_secret: 'demo-secret',
      audience: ORDERS,
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      ...parameters,
    }),
    repeated: new Set(),
    query: [],
    authorization: null,
    dpop: null,
    ip: '127.0.0.1',
    ...members,
  };
}

/** A refresh as in the specification, as a form. */
export function refreshRequest(
  parameters: RequestParameters = {},
  members: Partial<TokenRequest> = {},
): TokenRequest {
  return tokenRequest(
    { audience: undefined, redirect_uri: undefined, grant_type: 'refresh_token', ...parameters },
    { content_type: 'form', ...members },
  );
}

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export interface Outcome {
  readonly answer: TokenResponse | null;
  readonly refusal: OAuthError | null;
  readonly evaluation: Evaluation;
}

/** The server performed these checks earlier. */
const OF_TRANSPORT: readonly CheckId[] = ['method', 'content_type', 'body'];

/** The passed checks in order of evaluation, which the trace must have, too. */
function expectListedOrder(evaluation: Evaluation): void {
  const listed = rulesOf(evaluation)
    .map(([id]) => id)
    .filter((id) => !OF_TRANSPORT.includes(id));
  const passed = evaluation.checks
    .filter((check) => typeof check === 'string' || check.passed)
    .map((check) => (typeof check === 'string' ? check : check.id));
  const made = [...new Set(passed)].filter((id) => listed.includes(id));
  expect(made).toEqual(listed.filter((id) => made.includes(id)));
}

type Evaluated<T> = { readonly evaluation: Evaluation } & (
  | { readonly answer: T; readonly refusal: null }
  | { readonly answer: null; readonly refusal: OAuthError }
);

/** One evaluation; rethrows any error but an OAuthError. */
export async function evaluated<T>(
  evaluation: Evaluation,
  evaluate: () => Promise<T>,
): Promise<Evaluated<T>> {
  try {
    return { answer: await evaluate(), refusal: null, evaluation };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    fail(evaluation, error);
    return { answer: null, refusal: error, evaluation };
  } finally {
    expectListedOrder(evaluation);
  }
}

export interface TestServiceOptions {
  readonly settings?: z.input<typeof settingsSchema>;
  readonly clients?: readonly Client[];
  readonly users?: readonly User[];
  readonly audiences?: readonly Audience[];
  readonly limits?: StoreLimits;
  readonly fetchDocument?: FetchDocument;
}

/** Bounds in entries only: 100 of each by default. */
export function storeLimits(entries: Partial<Record<keyof StoreLimits, number>> = {}): StoreLimits {
  const atMost = (count = 100) => ({ entries: count, bytes: Infinity });
  return {
    live: atMost(entries.live),
    ended: atMost(entries.ended),
    access_tokens: atMost(entries.access_tokens),
    access_token_texts: atMost(entries.access_token_texts),
  };
}

/** A service with stores in memory and a manual clock. */
export function createTestService(options: TestServiceOptions = {}) {
  const machine = { now: START };
  const clock = createClock(() => machine.now);
  const events: DomainEvent[] = [];
  const emit = (event: DomainEvent) => void events.push(event);
  const stores = createMemoryStores({
    onCeiling: (lineage) => {
      emit({ type: 'ceiling', lineage_id: lineageId(lineage) });
    },
    limits: options.limits,
  });
  const service = createTokenService(
    {
      clock,
      random: seededRandom(),
      sha256,
      sha512,
      createSigner: createJwsSigner,
      generateKey: generateSigningKey,
      fetchDocument:
        options.fetchDocument ??
        (() => Promise.resolve({ problem: 'nothing is fetched in this test' })),
      stores,
      emit,
    },
    {
      settings: settings(options.settings),
      defaultIssuer: () => ISSUER,
      isLocal: () => true,
    },
  );
  const { registry } = service;
  registry.clients.replaceAll(options.clients ?? [client(), admin()]);
  registry.users.replaceAll(options.users ?? [user()]);
  registry.audiences.replaceAll(
    options.audiences ?? [
      audience(),
      audience({ uri: BILLING, name: 'Billing', scopes: ['billing:read'] }),
    ],
  );

  let exchanges = 0;
  const evaluate = async (request: TokenRequest): Promise<Outcome> => {
    exchanges += 1;
    const evaluation = createEvaluation(exchanges);
    evaluation.content_type = request.content_type;
    return evaluated(evaluation, () => service.token(request, evaluation));
  };
  const answered = ({ answer, refusal }: Outcome): TokenResponse => {
    if (answer === null) throw new Error(`rejected: ${refusal?.reason ?? 'without reason'}`);
    return answer;
  };
  const issueCode = (order: Partial<AuthorizationOrder> = {}): Promise<CodeRecord> =>
    service.authorize({ client_id: 'demo-app', redirect_uri: REDIRECT_URI, ...order });
  const exchange = (
    code: string,
    parameters?: RequestParameters,
    members?: Partial<TokenRequest>,
  ) => evaluate(tokenRequest({ code, ...parameters }, members));
  /** Authorizes and exchanges the code. */
  const redeem = async (
    order: Partial<AuthorizationOrder> = {},
    parameters?: RequestParameters,
    members?: Partial<TokenRequest>,
  ) => exchange((await issueCode(order)).value, parameters, members);
  const refresh = (
    token: string,
    parameters?: RequestParameters,
    members?: Partial<TokenRequest>,
  ) => evaluate(refreshRequest({ refresh_token: token, ...parameters }, members));

  /** The record of a refresh token. */
  const storedToken = async (value: string) => {
    const record = await stores.findRefreshToken(value, START);
    if (record === undefined) throw new Error('not stored');
    return record;
  };
  const newestAccessToken = async () => {
    const records = await stores.list(1000, Number.POSITIVE_INFINITY);
    const newest = records.find((one) => one.kind === 'access_token');
    if (newest === undefined) throw new Error('not recorded');
    return newest;
  };

  return {
    service,
    clock,
    machine,
    stores,
    storedToken,
    newestAccessToken,
    events,
    evaluate,
    answered,
    issueCode,
    exchange,
    redeem,
    refresh,
    advance: (seconds: number) => {
      clock.advance(seconds * 1000);
    },
    configure: (members: z.input<typeof settingsSchema>) => {
      service.setSettings(settings(members));
    },
    setShape: (document: Shape) => {
      const shape = resolveShape(document);
      if (!('value' in shape)) throw new Error('not a valid shape');
      service.setShape(shape.value);
    },
    /** Authorizes and exchanges: a lineage with its first access token and a refresh token. */
    signIn: async (order?: Partial<AuthorizationOrder>, parameters?: RequestParameters) => {
      const code = await issueCode(order);
      const answer = answered(await exchange(code.value, parameters));
      const { refresh_token } = answer;
      if (refresh_token === undefined) throw new Error('no refresh token came');
      return { ...answer, refresh_token, code, lineage: code.lineage };
    },
  };
}

export type TestService = ReturnType<typeof createTestService>;

/** A service that has signed a user in: with the tokens, the code and their lineage. */
export async function signedIn(options?: TestServiceOptions, order?: Partial<AuthorizationOrder>) {
  const bench = createTestService(options);
  return { ...bench, ...(await bench.signIn(order)) };
}

/** A service with a code, which `send` exchanges. */
export async function withCode(options?: TestServiceOptions, order?: Partial<AuthorizationOrder>) {
  const bench = createTestService(options);
  const code = await bench.issueCode(order);
  const send = (parameters?: RequestParameters, members?: Partial<TokenRequest>) =>
    bench.exchange(code.value, parameters, members);
  return { ...bench, code, send };
}

/**
 * Expects a refusal with exactly this reason, whose error code and check core/refusals.test.ts asserts.
 * @param detail of its cause, which only the trace shows
 */
export function expectRefusal(
  { refusal }: Pick<Outcome, 'refusal'>,
  reason: RefusalReason,
  detail?: string | RegExp,
): OAuthError {
  expect(refusal?.reason).toBe(reason);
  if (refusal === null) throw new Error('not rejected');
  if (typeof detail === 'string') expect(describeCause(refusal).detail).toBe(detail);
  else if (detail !== undefined) expect(describeCause(refusal).detail).toMatch(detail);
  return refusal;
}

/** Expects an accepted request with exactly these notes. */
export function expectNotes(
  outcome: Pick<Outcome, 'refusal' | 'evaluation'>,
  ...notes: readonly string[]
): void {
  expect(outcome.refusal).toBeNull();
  expect(deviations(outcome)).toEqual(notes);
}

/** A check of the trace, as it is described. */
export const checkOf = ({ evaluation }: Pick<Outcome, 'evaluation'>, id: CheckId) =>
  describeChecks(evaluation, false).find((check) => check.id === id);

/** Each check that the server had not made earlier, with its verdict. */
export const verdictsOf = ({ evaluation }: Pick<Outcome, 'evaluation'>, rotation = false) =>
  describeChecks(evaluation, rotation)
    .filter(({ id }) => !OF_TRANSPORT.includes(id))
    .map(({ id, verdict }) => `${id} ${verdict}`);

/** Names of the noted deviations, in order. */
export const deviations = ({ evaluation }: Pick<Outcome, 'evaluation'>) =>
  evaluation.deviations.map(({ id, about }) => (about === undefined ? id : `${id}: ${about}`));
