// Behaviour 3, the cause: the trace of every evaluation in words, what it says about the checks of each grant beyond
// passed and failed, and the details that only the trace contains.

import { describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause, shortCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { createEvaluation, fail, pass } from '../../src/core/checks/trace.ts';
import type { Outcome } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  checkOf,
  createTestService,
  deviations,
  expectRefusal,
  ORDERS,
  REDIRECT_URI,
  refreshRequest,
  sha256,
  signedIn,
  verdictsOf,
  withCode,
} from '../support/core.ts';
import { words } from '../support/words.ts';

const OF_CODE = words(
  'grant_type grant_content_type query authorization_header client_id client_secret',
  'grant_allowed parameters throttle credential_known credential_client credential_live',
  'redirect_uri pkce audience scope consume',
);
const OF_REFRESH = OF_CODE.filter((id) => id !== 'redirect_uri' && id !== 'pkce');

/** All checks before the failed one passed, and none after it was reached. */
const failingAt = (ids: readonly string[], failed: string) => {
  const at = ids.indexOf(failed);
  return ids.map((id, index) =>
    index < at ? `${id} passed` : index === at ? `${id} failed` : `${id} not_reached`,
  );
};

describe('the trace of a code exchange', () => {
  test('behaviour 3.11: shows every check of an accepted request as passed, in the order of evaluation', async () => {
    const outcome = await createTestService().redeem();
    expect(verdictsOf(outcome)).toEqual(OF_CODE.map((id) => `${id} passed`));
  });

  test('behaviour 3.11: shows the checks after the failed one as not reached', async () => {
    const { send } = await withCode();
    const cases: [Record<string, string | undefined>, string][] = [
      [{ client_id: 'nobody' }, 'client_id'],
      [{ client_secret: 'wrong' }, 'client_secret'],
      [{ audience: undefined }, 'parameters'],
      [{ code: 'unknown' }, 'credential_known'],
      [{ client_id: 'admin', client_secret: 'admin-secret' }, 'credential_client'],
      [{ redirect_uri: 'http://x.example/' }, 'redirect_uri'],
      [{ code_verifier: 'v'.repeat(43) }, 'pkce'],
      [{ audience: 'https://x.example/' }, 'audience'],
    ];
    for (const [parameters, failed] of cases) {
      expect(verdictsOf(await send(parameters))).toEqual(failingAt(OF_CODE, failed));
    }
  });

  test('behaviour 3: shows a replay as failed at the check for a live code, even after a lost race', async () => {
    const { send } = await withCode();
    const [, lost] = await Promise.all([send(), send()]);
    const expected = failingAt(OF_CODE, 'credential_live');
    expect(verdictsOf(await send())).toEqual(expected);
    expect(verdictsOf(lost)).toContain('credential_live failed');
  });

  test('behaviour 3.11: gives each check its rule, its section, the expected and the actual value', async () => {
    const { send } = await withCode({}, { scope: 'orders:read', audience: ORDERS });
    const got = `${REDIRECT_URI}/`;
    const rejected = await send({ redirect_uri: got });
    expect(checkOf(rejected, 'redirect_uri')).toEqual({
      id: 'redirect_uri',
      rule: 'redirect_uri is identical to that of the authorization',
      section: 'spec 4.1.1',
      expected: REDIRECT_URI,
      got,
      verdict: 'failed',
      tolerated: false,
      note: null,
    });
    const outcome = await send();
    expect(checkOf(outcome, 'client_id')).toMatchObject({ got: 'demo-app', verdict: 'passed' });
    expect(checkOf(outcome, 'throttle')?.note).toBe('2 of 30 in this window of 1 min');
    expect(checkOf(outcome, 'scope')).toMatchObject({ got: 'orders:read' });
    expect(checkOf(outcome, 'grant_content_type')).toMatchObject({ got: 'application/json' });
  });
});

describe('the trace of a refresh', () => {
  test('behaviour 3: has no check for consumption without rotation', async () => {
    const { signIn, refresh } = createTestService();
    const outcome = await refresh((await signIn()).refresh_token);
    expect(verdictsOf(outcome)).toEqual(
      OF_REFRESH.filter((id) => id !== 'consume').map((id) => `${id} passed`),
    );
  });

  test('behaviour 3: ends with the check for consumption with rotation', async () => {
    const { signIn, refresh } = createTestService({
      settings: { refresh_rotation: { enabled: true } },
    });
    const outcome = await refresh((await signIn()).refresh_token);
    expect(verdictsOf(outcome, true)).toEqual(OF_REFRESH.map((id) => `${id} passed`));
  });
});

/** One check in the trace, without its texts. */
function shown({ evaluation }: Outcome, id: string) {
  const check = describeChecks(evaluation, true).find((one) => one.id === id);
  return check && [check.verdict, check.expected, check.got, check.note];
}

describe('what the trace says about a code exchange', () => {
  test('says how long the code is valid, which URI and audience were expected, and that PKCE was not used', async () => {
    const { send, advance } = await withCode({}, { audience: ORDERS, code_expires_in: 60 });
    advance(18.5);
    const outcome = await send();
    expect(shown(outcome, 'credential_live')).toEqual(['passed', null, null, 'expires in 42 s']);
    expect(shown(outcome, 'redirect_uri')).toEqual(['passed', REDIRECT_URI, REDIRECT_URI, null]);
    expect(shown(outcome, 'pkce')).toEqual(['passed', null, null, 'not used']);
    expect(shown(outcome, 'audience')).toEqual(['passed', ORDERS, ORDERS, null]);
  });

  test('says which PKCE method was used, and that any audience is accepted', async () => {
    const { issueCode, exchange } = createTestService();
    const verifier = 'v'.repeat(43);
    const code_challenge = sha256(verifier);
    const code = await issueCode({ code_challenge, code_challenge_method: 'S256' });
    const outcome = await exchange(code.value, { code_verifier: verifier });
    expect(shown(outcome, 'pkce')).toEqual(['passed', null, null, 'method S256']);
    expect(shown(outcome, 'audience')).toEqual(['passed', 'any registered audience', ORDERS, null]);
  });

  test('sends an event about a code that is presented again', async () => {
    const { send, events } = await withCode();
    await send();
    events.length = 0;
    expectRefusal(await send(), 'code_redeemed');
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

describe('what the trace says about a refresh', () => {
  const rotating = (grace_seconds: number) =>
    createTestService({ settings: { refresh_rotation: { enabled: true, grace_seconds } } });

  test('says that the token was rotated, and within the grace window that it was rotated before', async () => {
    const { signIn, refresh } = rotating(60);
    const { refresh_token } = await signIn();
    const first = await refresh(refresh_token);
    expect(shown(first, 'consume')?.[3]).toMatch(/replaced/);
    expect(shown(first, 'credential_live')).toEqual(['passed', null, null, null]);
    const second = await refresh(refresh_token);
    expect(shown(second, 'credential_live')?.[3]).toMatch(/1 min/);
  });

  test('behaviour 3: shows the scope of this request, which may be less than was granted', async () => {
    const { refresh_token, refresh } = await signedIn({}, { scope: 'orders:read orders:write' });
    const whole = await refresh(refresh_token);
    const narrow = await refresh(refresh_token, { scope: 'orders:read' });
    expect(shown(whole, 'scope')?.[2]).toBe('orders:read orders:write');
    expect(shown(narrow, 'scope')?.[2]).toBe('orders:read');
  });

  test('names all unknown scopes that are dropped, even when none is left', async () => {
    const { signIn, refresh } = createTestService({ settings: { profile: 'interop' } });
    const { refresh_token } = await signIn({ scope: 'orders:read' });
    const outcome = await refresh(refresh_token, { scope: 'a b' });
    expect(outcome.answer).not.toBeNull();
    expect(outcome.answer).toMatchObject({ scope: '' });
    expect(shown(outcome, 'scope')).toEqual(['passed', null, 'none', null]);
    expect(deviations(outcome)).toContain('unknown_scope_dropped: a b');
  });

  test('sends an event about a rotated token that is presented again', async () => {
    const { signIn, refresh, events } = rotating(0);
    const { refresh_token } = await signIn();
    await refresh(refresh_token);
    events.length = 0;
    expectRefusal(await refresh(refresh_token), 'refresh_token_rotated');
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
    const { refresh_token, ...bench } = await signedIn();
    bench.service.registry.clients.replaceAll([admin()]);
    const { refusal } = await bench.refresh(refresh_token, AS_ADMIN);
    expect(refusal?.facts).toMatchObject({ client: 'demo-app', other_client: 'Admin' });
  });
});

test('the trace says when throttling is off', async () => {
  const outcome = await createTestService({ settings: { throttle: { mode: 'off' } } }).redeem();
  expect(shown(outcome, 'throttle')).toEqual(['passed', null, null, 'throttling is off']);
});

describe('a trace that ends early', () => {
  test('behaviour 3: has only the four checks before the grant when the grant is unknown', async () => {
    const { evaluate } = createTestService();
    const outcome = await evaluate(refreshRequest({ grant_type: 'urn:example:grant' }));
    expect(describeChecks(outcome.evaluation, false).map(({ id }) => id)).toEqual([
      'method',
      'content_type',
      'body',
      'grant_type',
    ]);
    expect(checkOf(outcome, 'grant_type')?.verdict).toBe('failed');
  });

  test('behaviour 3: shows an internal error after the checks that passed', () => {
    const evaluation = createEvaluation(1);
    pass(evaluation, 'method');
    fail(evaluation, new OAuthError('fault'));
    const words = describeChecks(evaluation, false);
    expect(words.at(0)).toMatchObject({ id: 'method', verdict: 'passed', got: 'POST' });
    expect(words.at(-1)).toMatchObject({ id: 'service', verdict: 'failed' });
  });
});

describe('the cause', () => {
  test('behaviour 3.12: shows the character at which redirect_uri differs', () => {
    const expected = 'http://localhost:3000/callback';
    const at = (got: string) =>
      describeCause(new OAuthError('redirect_uri_differs', { expected, got }));
    expect(at(`${expected}/`)).toEqual({
      reason: 'redirect_uri_differs',
      check: 'redirect_uri',
      summary: 'The redirect URI is not the one the code was issued for.',
      detail: 'redirect_uri differs at character 31',
      advice: 'Send exactly the value from the authorization request. The code can still be used.',
      differs_at: 30,
      accepted_by: null,
    });
    expect(at('http://localhost:3000/Callback').differs_at).toBe(22);
    expect(at('http://localhost:3000/call').differs_at).toBe(26);
    expect(at('x').differs_at).toBe(0);
  });

  test('behaviour 3: shows a position only for values that are compared', () => {
    const facts = { expected: 'a', got: 'b' };
    expect(describeCause(new OAuthError('scope_unknown', facts)).differs_at).toBeNull();
    expect(describeCause(new OAuthError('audience_differs', facts)).differs_at).toBe(0);
  });

  test.each([
    [
      new OAuthError('code_redeemed', { at: Date.UTC(2026, 10, 21, 10, 2, 11), exchange: 41 }),
      'used at 2026-11-21T10:02:11Z by exchange 41',
    ],
    [new OAuthError('code_expired', { seconds: 3 }), 'expired 3 s ago'],
    [
      new OAuthError('code_of_other_client', { client: 'Checkout', other_client: 'Admin' }),
      'issued to client Checkout, presented by client Admin',
    ],
    [new OAuthError('client_unknown', { got: 'shop ' }), 'client_id "shop " is not registered'],
    [
      new OAuthError('scope_unknown', { expected: ORDERS, got: 'x' }),
      `x is not a scope of ${ORDERS}; the interop profile accepts it`,
    ],
    [
      new OAuthError('method_not_allowed', { got: 'GET', expected: 'POST' }),
      'got GET, allowed POST',
    ],
    [new OAuthError('code_revoked', { at: 0 }), 'revoked at 1970-01-01T00:00:00Z'],
  ])('behaviour 3.12: has the short form: %s', (refusal, words) => {
    expect(shortCause(refusal)).toBe(words);
  });
});

describe('a tolerated deviation', () => {
  const tolerated = ({ evaluation }: Outcome) =>
    describeChecks(evaluation, false)
      .filter((one) => one.tolerated)
      .map(({ id }) => id);

  test('behaviour 1.2: marks a check that passed only because the profile accepts what strict rejects', async () => {
    const { redeem } = createTestService({ settings: { profile: 'interop' } });
    const query = { query: ['client_secret'] };
    expect(tolerated(await redeem({}, {}, query))).toEqual(['query']);
    const without = { audience: undefined };
    expect(tolerated(await redeem({}, without))).toEqual(['audience']);
    expect(tolerated(await redeem())).toEqual([]);
  });

  test('behaviour 1.2: does not mark a check that failed', async () => {
    const { exchange } = createTestService();
    const outcome = await exchange('x', { client_secret: 'wrong' }, { content_type: 'form' });
    expect(tolerated(outcome)).toEqual(['grant_content_type']);
    expect(checkOf(outcome, 'client_secret')).toMatchObject({
      verdict: 'failed',
      tolerated: false,
    });
  });
});

test('behaviour 1.2: a note of a rejected request does not say that it succeeded', async () => {
  const { exchange } = createTestService({ settings: { profile: 'interop' } });
  const authorization = `Basic ${Buffer.from('demo-app:wrong').toString('base64')}`;
  const nothing = { client_id: undefined, client_secret: undefined };
  const { evaluation } = await exchange('x', nothing, { authorization });
  expect(evaluation.deviations.map((one) => describeDeviation(one).text)).toContain(
    'The client sent its credentials with HTTP Basic instead of body fields.',
  );
});

test('behaviour 1.2: deviation notes say what would fail in strict, and why', async () => {
  const { redeem } = createTestService();
  const members = { content_type: 'form', query: ['code'] } as const;
  const outcome = await redeem({}, { x: 'y' }, members);
  expect(outcome.evaluation.deviations.map((one) => describeDeviation(one))).toEqual([
    {
      id: 'other_content_type',
      text: 'The body was sent as a form, not in the documented format.',
      section: 'spec 4.1',
      strict: 'content_type_not_documented',
    },
    {
      id: 'query_credentials',
      text: 'The query string contained code, which was ignored: query strings end up in logs.',
      section: 'RFC 6749 2.3.1',
      strict: 'query_credentials',
    },
    {
      id: 'unknown_parameters',
      text: 'Unrecognized parameters were ignored: a parameter.',
      section: 'RFC 6749 3.2',
      strict: null,
    },
  ]);
});
