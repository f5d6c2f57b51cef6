// Behaviour 4 as a property: for any sequence of issuing, exchanging, refreshing and revoking, and any changes of clock
// and keys, the responses match a small model of the states.

import { decodeJwt, decodeProtectedHeader } from 'jose';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CodeRecord, Credential, Lineage } from '../../src/core/model/credentials.ts';
import type { TestService } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  client,
  createTestService,
  REDIRECT_URI,
  refreshRequest,
} from '../support/core.ts';
import { fuzzing } from '../support/fuzz.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';

type Who = 'owner' | 'stranger';

type Step =
  | { readonly do: 'issue' }
  | { readonly do: 'exchange'; readonly of: number; readonly by: Who; readonly astray: boolean }
  | { readonly do: 'refresh'; readonly of: number; readonly by: Who }
  | { readonly do: 'end'; readonly of: number; readonly as: 'revoked' | 'expired' }
  | { readonly do: 'revoke lineage'; readonly of: number }
  | { readonly do: 'move clock'; readonly seconds: number }
  | { readonly do: 'introspect'; readonly of: number }
  | { readonly do: 'rotate key' }
  | { readonly do: 'retire key' };

const place = fc.nat(30);
const who = fc.constantFrom<Who>('owner', 'owner', 'owner', 'stranger');
const astray = fc.constantFrom(false, false, false, true);
const as = fc.constantFrom('revoked' as const, 'expired' as const);
const seconds = fc.constantFrom(1, 7, 59, 300, 650, 3600, -5, -100, -640);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    weighted(3, fc.record({ do: fc.constant('issue' as const) })),
    weighted(5, fc.record({ do: fc.constant('exchange' as const), of: place, by: who, astray })),
    weighted(6, fc.record({ do: fc.constant('refresh' as const), of: place, by: who })),
    weighted(1, fc.record({ do: fc.constant('end' as const), of: place, as })),
    weighted(1, fc.record({ do: fc.constant('revoke lineage' as const), of: place })),
    weighted(3, fc.record({ do: fc.constant('move clock' as const), seconds })),
    weighted(4, fc.record({ do: fc.constant('introspect' as const), of: place })),
    weighted(1, fc.record({ do: fc.constant('rotate key' as const) })),
    weighted(1, fc.record({ do: fc.constant('retire key' as const) })),
  ),
  { minLength: 5, maxLength: 60, size: 'max' },
);

interface Modelled {
  readonly kind: 'code' | 'refresh_token' | 'access_token';
  readonly value: string;
  readonly family: { revoked: boolean };
  readonly until: number;
  state: 'live' | 'redeemed' | 'rotated' | 'expired' | 'revoked';
  ended_at: number;
  /** The service's own record, if available, and its lineage. */
  readonly record: Credential | null;
  readonly lineage: Lineage;
}

const LIFETIMES = { code: 60, refresh_token: 4000, access_token: 600 };

interface Rules {
  readonly rotation: boolean;
  readonly grace: number;
}

class Model {
  readonly codes: Modelled[] = [];
  readonly refreshTokens: Modelled[] = [];
  readonly accessTokens: Modelled[] = [];
  readonly #at: TestService;
  readonly #rules: Rules;

  constructor(at: TestService, rules: Rules) {
    this.#at = at;
    this.#rules = rules;
  }

  get now(): number {
    return this.#at.clock.now();
  }

  all(): Modelled[] {
    return [...this.codes, ...this.refreshTokens, ...this.accessTokens];
  }

  /** Applies expiry and the revocation of lineages. */
  settle(one: Modelled): Modelled['state'] {
    if (one.state !== 'live') return one.state;
    if (one.family.revoked) one.state = 'revoked';
    else if (one.until <= this.now) one.state = 'expired';
    return one.state;
  }

  revoke(family: Modelled['family']): void {
    for (const one of this.all()) if (one.family === family) this.settle(one);
    family.revoked = true;
    for (const one of this.all()) if (one.family === family) this.settle(one);
  }

  add(list: Modelled[], one: Omit<Modelled, 'state' | 'ended_at'>): void {
    list.push({ ...one, state: one.family.revoked ? 'revoked' : 'live', ended_at: 0 });
  }

  /** The expected error of a code exchange; null for success. */
  exchange(code: Modelled, by: Who, astray: boolean): string | null {
    if (by === 'stranger') return 'code_of_other_client';
    const state = this.settle(code);
    if (state === 'redeemed') this.revoke(code.family);
    if (state !== 'live') return `code_${state}`;
    return astray ? 'redirect_uri_differs' : null;
  }

  refresh(token: Modelled, by: Who): string | null {
    if (by === 'stranger') return 'refresh_token_of_other_client';
    const state = this.settle(token);
    if (state === 'live') return null;
    if (state !== 'rotated') return `refresh_token_${state}`;
    const since = this.now - token.ended_at;
    const good = !token.family.revoked && token.until > this.now;
    if (good && since >= 0 && since < this.#rules.grace * 1000) return null;
    this.revoke(token.family);
    return 'refresh_token_rotated';
  }
}

/** expires_in and exp agree with the clock (spec 8.4). */
function checkTimes(value: string, expires_in: number, now: number): number {
  const { iat = 0, exp = 0 } = decodeJwt(value);
  expect([iat, exp - iat]).toEqual([Math.floor(now / 1000), expires_in]);
  return exp * 1000;
}

async function take(
  model: Model,
  at: TestService,
  answer: { access_token: string; refresh_token?: string; expires_in: number },
  from: Pick<Modelled, 'family' | 'lineage'>,
  refreshUntil: number,
) {
  const { family, lineage } = from;
  const until = checkTimes(answer.access_token, answer.expires_in, model.now);
  const jti = String(decodeJwt(answer.access_token).jti);
  const token = await at.stores.findById(jti.slice(jti.indexOf('.') + 1));
  const access = {
    kind: 'access_token' as const,
    value: answer.access_token,
    record: token ?? null,
  };
  model.add(model.accessTokens, { ...access, family, lineage, until });
  const value = answer.refresh_token;
  if (value === undefined) return;
  const record = (await at.stores.findRefreshToken(value, model.now)) ?? null;
  // A lineage is a tree: whatever is issued from a credential belongs to its lineage.
  expect(record?.lineage).toBe(lineage);
  const refresh = { kind: 'refresh_token' as const, value, record };
  model.add(model.refreshTokens, { ...refresh, family, lineage, until: refreshUntil });
}

const pick = <T>(list: readonly T[], of: number): T | undefined => list[of % (list.length || 1)];

async function exchange(model: Model, at: TestService, step: Step & { do: 'exchange' }) {
  const code = pick(model.codes, step.of);
  if (code === undefined) return;
  const expected = model.exchange(code, step.by, step.astray);
  const outcome = await at.exchange(code.value, {
    ...(step.by === 'stranger' ? AS_ADMIN : {}),
    ...(step.astray ? { redirect_uri: `${REDIRECT_URI}/x` } : {}),
  });
  expect(outcome.refusal?.reason ?? null).toBe(expected);
  if (outcome.answer === null) return;
  Object.assign(code, { state: 'redeemed', ended_at: model.now });
  const until = model.now + LIFETIMES.refresh_token * 1000;
  await take(model, at, outcome.answer, code, until);
}

async function refresh(model: Model, at: TestService, step: Step & { do: 'refresh' }) {
  const token = pick(model.refreshTokens, step.of);
  if (token === undefined) return;
  const expected = model.refresh(token, step.by);
  const outcome = await at.refresh(token.value, step.by === 'stranger' ? AS_ADMIN : {});
  expect(outcome.refusal?.reason ?? null).toBe(expected);
  if (outcome.answer === null) return;
  if (outcome.answer.refresh_token !== undefined && token.state === 'live') {
    Object.assign(token, { state: 'rotated', ended_at: model.now });
  }
  // A rotated token's successor expires with its authorization, not later (behaviour 2, lifetimes).
  await take(model, at, outcome.answer, token, token.until);
}

async function end(model: Model, at: TestService, step: Step & { do: 'end' }) {
  const one = pick(model.all(), step.of);
  if (!one?.record) return;
  await at.service.end(one.record, step.as);
  if (model.settle(one) === 'live') one.state = step.as;
  if (step.as === 'revoked' && one.kind === 'refresh_token') model.revoke(one.family);
}

/** Whether introspection should report a token as active. The key of an access token must still exist. */
async function introspect(model: Model, at: TestService, of: number) {
  const one = pick([...model.accessTokens, ...model.refreshTokens], of);
  if (one === undefined) return;
  const keys = at.service.keyring.list().map(({ kid }) => kid);
  const signed =
    one.kind === 'refresh_token' || keys.includes(decodeProtectedHeader(one.value).kid ?? '');
  const request = { ...refreshRequest({ token: one.value }), accept: null };
  const answer = await at.service.introspect(request, createEvaluation(1));
  const active = 'active' in answer && answer.active;
  expect(`${one.kind} ${String(active)}`).toBe(
    `${one.kind} ${String(signed && model.settle(one) === 'live')}`,
  );
}

function retireOldestKey({ service: { keyring } }: TestService) {
  const oldest = keyring.list().at(-1);
  if (oldest !== undefined && keyring.list().length > 1) keyring.retire(oldest.kid);
}

async function issue(model: Model, at: TestService) {
  const record: CodeRecord = await at.issueCode();
  const until = model.now + LIFETIMES.code * 1000;
  const code = { kind: 'code' as const, value: record.value, record, lineage: record.lineage };
  model.add(model.codes, { ...code, family: { revoked: false }, until });
}

/** As the control operation does, records expiries first. */
function moveClock(model: Model, at: TestService, seconds: number) {
  for (const one of model.all()) model.settle(one);
  at.stores.expireAll(at.clock.now());
  at.clock.set(at.clock.now() + seconds * 1000);
  if (seconds < 0) at.stores.denyEnded(at.clock.now());
}

async function run(model: Model, at: TestService, step: Step): Promise<void> {
  switch (step.do) {
    case 'issue':
      return issue(model, at);
    case 'exchange':
      return exchange(model, at, step);
    case 'refresh':
      return refresh(model, at, step);
    case 'end':
      return end(model, at, step);
    case 'revoke lineage': {
      const one = pick(model.all(), step.of);
      if (one === undefined) return;
      await at.service.revokeLineage(one.lineage);
      model.revoke(one.family);
      return;
    }
    case 'move clock': {
      moveClock(model, at, step.seconds);
      return;
    }
    case 'introspect':
      return introspect(model, at, step.of);
    case 'retire key':
      retireOldestKey(at);
      return;
    case 'rotate key':
      await at.service.keyring.rotate('ES256');
  }
}

/** Every state matches the model, and terminal states are final. */
async function checkStates(model: Model, at: TestService) {
  for (const one of [...model.codes, ...model.refreshTokens]) {
    const expected = model.settle(one);
    const found =
      one.kind === 'code'
        ? await at.stores.findCode(one.value, model.now)
        : await at.stores.findRefreshToken(one.value, model.now);
    const state = found?.state === 'issued' || found?.state === 'active' ? 'live' : found?.state;
    expect(`${one.kind} ${state}`).toBe(`${one.kind} ${expected}`);
  }
}

test.each([
  { rotation: false, grace: 0 },
  { rotation: true, grace: 0 },
  { rotation: true, grace: 60 },
])(
  'behaviour 4 (rotation $rotation, grace $grace s): any sequence of steps keeps the states',
  async ({ rotation, grace }) => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const at = createTestService({
          settings: {
            lifetimes: LIFETIMES,
            refresh_rotation: { enabled: rotation, grace_seconds: grace },
            throttle: { mode: 'off' },
          },
          clients: [client(), admin()],
        });
        const model = new Model(at, { rotation, grace });
        for (const step of sequence) {
          await run(model, at, step);
          await checkStates(model, at);
        }
      }),
      fuzzing(60),
    );
  },
);
