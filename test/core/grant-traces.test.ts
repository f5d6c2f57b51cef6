// Behaviour 3: what the trace says about the checks of each grant, beyond passed and failed, and which events are sent.

import { describe, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/explain.ts';
import type { Outcome } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  BILLING,
  createTestService,
  deviations,
  expectRefusal,
  ORDERS,
  REDIRECT_URI,
  sha256,
} from '../support/core.ts';

/** One check in the trace, without its texts. */
function said({ evaluation }: Outcome, id: string) {
  const check = describeChecks(evaluation, true).find((one) => one.id === id);
  return check && [check.verdict, check.expected, check.got, check.note];
}

describe('a code exchange', () => {
  test('says how long the code is valid, which URI and audience were expected, and that PKCE was not used', async () => {
    const { issueCode, exchange, advance } = createTestService();
    const code = await issueCode({ audience: ORDERS, code_expires_in: 60 });
    advance(18.5);
    const outcome = await exchange(code.value);
    expect(said(outcome, 'credential_live')).toEqual(['passed', null, null, 'expires in 42 s']);
    expect(said(outcome, 'redirect_uri')).toEqual(['passed', REDIRECT_URI, REDIRECT_URI, null]);
    expect(said(outcome, 'pkce')).toEqual(['passed', null, null, 'not used']);
    expect(said(outcome, 'audience')).toEqual(['passed', ORDERS, ORDERS, null]);
  });

  test('says which PKCE method was used, and that any audience is accepted', async () => {
    const { issueCode, exchange } = createTestService();
    const verifier = 'v'.repeat(43);
    const code_challenge = sha256(verifier);
    const code = await issueCode({ code_challenge, code_challenge_method: 'S256' });
    const outcome = await exchange(code.value, { code_verifier: verifier });
    expect(said(outcome, 'pkce')).toEqual(['passed', null, null, 'method S256']);
    expect(said(outcome, 'audience')).toEqual(['passed', 'any registered audience', ORDERS, null]);
  });

  test('sends an event about a code that is presented again', async () => {
    const { issueCode, exchange, events } = createTestService();
    const code = await issueCode();
    await exchange(code.value);
    events.length = 0;
    expect((await exchange(code.value)).refusal?.reason).toBe('code_redeemed');
    expect(events).toContainEqual({ type: 'credentials' });
  });

  test('names a deleted client by its id', async () => {
    const bench = createTestService();
    const code = await bench.issueCode();
    bench.service.registry.clients.replaceAll([admin()]);
    const outcome = await bench.exchange(code.value, AS_ADMIN);
    const refusal = expectRefusal(outcome, 'code_of_other_client');
    expect(refusal.facts).toMatchObject({ client: 'demo-app', other_client: 'Admin' });
  });
});

describe('a refresh', () => {
  const rotating = (grace_seconds: number) =>
    createTestService({ settings: { refresh_rotation: { enabled: true, grace_seconds } } });

  test('says that the token was rotated, and within the grace window that it was rotated before', async () => {
    const { signIn, refresh } = rotating(60);
    const { refresh_token } = await signIn();
    const first = await refresh(refresh_token);
    expect(said(first, 'consume')?.[3]).toMatch(/replaced/);
    expect(said(first, 'credential_live')).toEqual(['passed', null, null, null]);
    const second = await refresh(refresh_token);
    expect(said(second, 'credential_live')?.[3]).toMatch(/1 min/);
  });

  test('behaviour 3: shows the scope of this request, which may be less than was granted', async () => {
    const { signIn, refresh } = createTestService();
    const { refresh_token } = await signIn({ scope: 'orders:read orders:write' });
    const whole = await refresh(refresh_token);
    const narrow = await refresh(refresh_token, { scope: 'orders:read' });
    expect(said(whole, 'scope')?.[2]).toBe('orders:read orders:write');
    expect(said(narrow, 'scope')?.[2]).toBe('orders:read');
  });

  test('names all scopes that go beyond the grant', async () => {
    const { signIn, refresh } = createTestService();
    const { refresh_token } = await signIn({ scope: 'orders:read' });
    const { refusal } = await refresh(refresh_token, { scope: 'orders:read a b' });
    expect(refusal?.facts).toMatchObject({ expected: 'orders:read', got: 'a b' });
  });

  test('names all unknown scopes that are dropped, even when none is left', async () => {
    const { signIn, refresh } = createTestService({ settings: { profile: 'interop' } });
    const { refresh_token } = await signIn({ scope: 'orders:read' });
    const outcome = await refresh(refresh_token, { scope: 'a b' });
    expect(outcome.answer).not.toBeNull();
    expect(outcome.answer).toMatchObject({ scope: '' });
    expect(said(outcome, 'scope')).toEqual(['passed', null, 'none', null]);
    expect(deviations(outcome)).toContain('unknown_scope_dropped: a b');
  });

  test('sends an event about a rotated token that is presented again', async () => {
    const { signIn, refresh, events } = rotating(0);
    const { refresh_token } = await signIn();
    await refresh(refresh_token);
    events.length = 0;
    expect((await refresh(refresh_token)).refusal?.reason).toBe('refresh_token_rotated');
    expect(events).toContainEqual({ type: 'credentials' });
  });

  test('accepts a rotated token within the grace window only during its lifetime and that of its lineage', async () => {
    const revoked = rotating(60);
    const first = await revoked.signIn();
    await revoked.refresh(first.refresh_token);
    await revoked.service.revokeLineage(first.lineage);
    const outcome = await revoked.refresh(first.refresh_token);
    expect(outcome.answer).toBeNull();

    const settings = {
      refresh_rotation: { enabled: true, grace_seconds: 60 },
      lifetimes: { refresh_token: 30 },
    };
    const expired = createTestService({ settings });
    const second = await expired.signIn();
    await expired.refresh(second.refresh_token);
    expired.advance(30);
    expect((await expired.refresh(second.refresh_token)).answer).toBeNull();
  });

  test('names the deleted client of a token by its id', async () => {
    const bench = createTestService();
    const { refresh_token } = await bench.signIn();
    bench.service.registry.clients.replaceAll([admin()]);
    const { refusal } = await bench.refresh(refresh_token, AS_ADMIN);
    expect(refusal?.facts).toMatchObject({ client: 'demo-app', other_client: 'Admin' });
  });

  test('names both audiences when the requested one differs and audiences are optional', async () => {
    const { signIn, refresh } = createTestService({ settings: { profile: 'interop' } });
    const { refresh_token } = await signIn();
    const { refusal } = await refresh(refresh_token, { audience: BILLING });
    expect(refusal?.facts).toMatchObject({ expected: ORDERS, got: BILLING });
  });
});

test('the trace says when throttling is off', async () => {
  const { issueCode, exchange } = createTestService({ settings: { throttle: { mode: 'off' } } });
  const outcome = await exchange((await issueCode()).value);
  expect(said(outcome, 'throttle')).toEqual(['passed', null, null, 'throttling is off']);
});
