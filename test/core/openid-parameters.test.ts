// Behaviour 7.24 and 7.25: how a user signs in (acr_values, max_age) and which claims a request names.

import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  answerOf,
  type AuthorizationResult,
  createAuthorizationBench,
  expectRedirect,
  questionOf,
} from '../support/authorization.ts';
import { checkOf, client, type RequestParameters, START, user } from '../support/core.ts';
import { apiSchema } from '../../src/core/records/schemas.ts';

type Bench = ReturnType<typeof createAuthorizationBench>;
type Options = NonNullable<Parameters<typeof createAuthorizationBench>[0]>;

const benchWith = ({ settings, ...members }: Options = {}) =>
  createAuthorizationBench({
    users: [user(), user({ sub: 'bob', name: 'Bob', email: '', acr_values: ['basic'] })],
    ...members,
    settings: { authorize: 'auto', acr_values_supported: ['basic', 'mfa'], ...settings },
  });

/** The claims of the ID token that the code of the response is exchanged for. */
async function idTokenOf(bench: Bench, result: AuthorizationResult) {
  const { id_token = '' } = await bench.tokensFor(answerOf(result));
  return decodeJwt(id_token);
}

const claims = (id_token: unknown, userinfo: unknown = {}) =>
  JSON.stringify({ id_token, userinfo });

const essential = (...values: string[]) => claims({ acr: { essential: true, values } });

describe('behaviour 7.24: acr_values', () => {
  test.each([
    [{ acr_values: 'mfa' }, 'mfa'],
    [{ acr_values: 'other mfa basic' }, 'mfa'],
    [{ acr_values: 'mfa', login_hint: 'bob' }, null],
    [{ acr_values: 'mfa basic', login_hint: 'bob' }, 'basic'],
    [{ acr_values: 'other' }, null],
    [{}, null],
    [{ claims: claims({ acr: { value: 'mfa' } }) }, 'mfa'],
    [{ claims: claims({ acr: { values: ['basic'] } }), acr_values: 'mfa' }, 'basic'],
    [{ claims: claims({ acr: null }) }, null],
    [{ claims: essential('other', 'mfa') }, 'mfa'],
  ] satisfies [RequestParameters, string | null][])(
    'OpenID Connect Core 3.1.2.1: of %j, the sign-in has the acr %s',
    async (asked, acr) => {
      const bench = benchWith();
      const result = await bench.ask(asked);
      const { acr: got = null, amr = null } = await idTokenOf(bench, result);
      expect([got, amr]).toEqual([acr, acr === null ? null : ['pwd', 'mfa']]);
    },
  );

  test('RFC 9470 5: the acr values that a protected API requires are supported, too', async () => {
    const bench = benchWith({ settings: { acr_values_supported: [] } });
    const rules = [{ path: '/*', acr_values: ['phr'] }];
    bench.service.registry.apis.put(apiSchema.parse({ name: 'pay', rules }));
    const audience = 'http://localhost:4280/api/pay';
    const result = await bench.ask({ audience, scope: 'openid', acr_values: 'phr' });
    const tokens = await bench.tokensFor(answerOf(result), { audience });
    expect(decodeJwt(tokens.access_token)['acr']).toBe('phr');
    expect(decodeJwt(tokens.id_token ?? '')['acr']).toBe('phr');
  });

  test('RFC 8176 2: the custom claim amr of the user says how the user signs in', async () => {
    const bench = benchWith({ users: [user({ claims: { amr: ['hwk'] } })] });
    expect(await idTokenOf(bench, await bench.ask({ acr_values: 'mfa' }))).toMatchObject({
      amr: ['hwk'],
    });
    const asked = await bench.ask({ claims: claims({ amr: null }) });
    expect((await idTokenOf(bench, asked))['amr']).toEqual(['hwk']);
  });

  test('behaviour 7.24: the trace says which acr was requested and which the sign-in has', async () => {
    const bench = benchWith();
    const asked = await bench.ask({ acr_values: 'other mfa' });
    const words = { expected: 'other or mfa', got: 'mfa', note: 'voluntary' };
    expect(checkOf(asked, 'acr')).toMatchObject(words);
  });

  test.each([
    [{ claims: essential('other') }],
    [{ claims: essential('mfa'), login_hint: 'bob' }],
    [{ claims: essential('other'), acr_values: 'mfa' }],
  ])('OpenID Connect Core 5.5.1.1: %j cannot be met', async (asked) => {
    expectRedirect(await benchWith().ask(asked), 'acr_unmet');
  });

  test('OpenID Connect Core 5.5.1.1: an essential acr without values is no requirement', async () => {
    answerOf(await benchWith().ask({ claims: claims({ acr: { essential: true } }) }));
  });
});

describe('behaviour 7.24: a user who is signed in without the requested acr', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = benchWith({ settings: { authorize: 'consent' } });
    await bench.approve();
  });

  test('RFC 9470 5: signs in again, and has it for later requests', async () => {
    bench.advance(10);
    const question = questionOf(await bench.ask({ acr_values: 'mfa' }));
    expect([question.reason, question.acr_values]).toEqual(['sign_in_acr', ['mfa']]);
    const done = await bench.decide({ form: question.form });
    const first = await idTokenOf(bench, done);
    expect(first).toMatchObject({ acr: 'mfa', auth_time: START / 1000 + 10 });
    const again = await bench.ask({ acr_values: 'mfa', prompt: 'none' });
    expect(await idTokenOf(bench, again)).toMatchObject({ acr: 'mfa', sid: first['sid'] });
  });

  test('OpenID Connect Core 3.1.2.1: is not asked if nothing better is possible, or with prompt=none', async () => {
    for (const asked of [{ acr_values: 'other' }, { acr_values: 'mfa', prompt: 'none' }]) {
      expect(await idTokenOf(bench, await bench.ask(asked))).not.toHaveProperty('acr');
    }
  });

  test('OpenID Connect Core 5.5.1.1: an essential acr needs a sign-in, which prompt=none does not allow', async () => {
    expectRedirect(await bench.ask({ claims: essential('mfa'), prompt: 'none' }), 'sign_in_acr');
    const { form } = questionOf(await bench.ask({ claims: essential('mfa') }));
    expectRedirect(await bench.decide({ form, sub: 'bob' }), 'acr_unmet');
    expect(bench.browser.session).not.toBeNull();
    answerOf(await bench.ask({ prompt: 'none' }));
  });
});

test('behaviour 7.24, OpenID Connect Dynamic Client Registration 2: default_max_age is the max_age of a request without one', async () => {
  const bench = createAuthorizationBench({ clients: [client({ default_max_age: 60 })] });
  await bench.approve();
  bench.advance(60);
  expect(questionOf(await bench.ask()).reason).toBe('sign_in_too_old');
  answerOf(await bench.ask({ max_age: '61' }));
});

describe('behaviour 7.25: claims', () => {
  test('OpenID Connect Core 5.5: an ID token has the named claims of the user, without their scopes', async () => {
    const bench = benchWith({
      users: [user({ claims: { given_name: 'Ada', team: 'blue', rank: 1 } })],
    });
    const named = { email: { essential: true }, given_name: null, team: null, shoe_size: null };
    const asked = await bench.ask({ scope: 'openid', claims: claims(named) });
    const issued = await idTokenOf(bench, asked);
    expect(issued).toMatchObject({ email: 'ada@example.test', given_name: 'Ada', team: 'blue' });
    for (const other of ['name', 'rank', 'shoe_size']) expect(issued).not.toHaveProperty(other);
  });

  test('OpenID Connect Core 5.5: claims of the service cannot be overridden', async () => {
    const bench = benchWith({ users: [user({ claims: { c_hash: 'x' } })] });
    const asked = await bench.ask({ claims: claims({ c_hash: null, iss: { value: 'x' } }) });
    const issued = await idTokenOf(bench, asked);
    expect(issued).not.toHaveProperty('c_hash');
    expect(issued.iss).toBe('http://localhost:4280');
  });

  test('OpenID Connect Core 5.5: they stay requested when the tokens are refreshed', async () => {
    const bench = benchWith({ settings: { profile: 'interop' } });
    const asked = await bench.ask({ scope: 'openid', claims: claims({ email: null }) });
    const { refresh_token = '' } = await bench.tokensFor(answerOf(asked));
    const { id_token = '' } = bench.answered(await bench.refresh(refresh_token));
    expect(decodeJwt(id_token)).toMatchObject({ email: 'ada@example.test' });
  });

  test('OpenID Connect Core 3.1.2.2: sub with a value names the only user who may sign in', async () => {
    const asked = { claims: claims({ sub: { value: 'bob' } }) };
    const auto = benchWith();
    expect((await idTokenOf(auto, await auto.ask(asked))).sub).toBe('bob');
    const bench = benchWith({ settings: { authorize: 'consent' } });
    const question = questionOf(await bench.ask(asked));
    expect(question.suggested).toBe('bob');
    expectRedirect(await bench.decide({ form: question.form, sub: 'ada' }), 'sign_in_sub_differs');
    const unknown = await auto.ask({ claims: claims({ sub: { value: 'nobody' } }) });
    expectRedirect(unknown, 'sign_in_hint_unknown');
  });

  test('OpenID Connect Core 5.5.1: of several values of sub, any may sign in or stay signed in, and the first known one is suggested', async () => {
    const asked = { claims: claims({ sub: { values: ['nobody', 'bob', 'ada'] } }) };
    const bench = benchWith({ settings: { authorize: 'consent' } });
    const question = questionOf(await bench.ask(asked));
    expect(question.suggested).toBe('bob');
    answerOf(await bench.decide({ form: question.form, sub: 'ada' }));
    expect((await idTokenOf(bench, await bench.ask({ ...asked, prompt: 'none' }))).sub).toBe('ada');
    const other = { claims: claims({ sub: { values: ['nobody', 'bob'] } }) };
    expectRedirect(await bench.ask({ ...other, prompt: 'none' }), 'sign_in_of_other_user');
  });

  test.each([
    ['{', 'claims', 'must be a JSON object'],
    ['[]', 'claims', 'must be a JSON object'],
    ['{"id_token":[]}', 'claims.id_token', 'must be a JSON object'],
    ['{"userinfo":1}', 'claims.userinfo', 'must be a JSON object'],
    ['{"id_token":{"email":true}}', 'claims.id_token', 'must have only null or objects as members'],
    [
      '{"id_token":{"email":{"essential":"yes"}}}',
      'claims.id_token',
      'must have only booleans as essential',
    ],
    ['{"userinfo":{"email":{"values":"x"}}}', 'claims.userinfo', 'must have only arrays as values'],
    [
      claims(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, null]))),
      'claims.id_token',
      'must have at most 100 members',
    ],
  ])('OpenID Connect Core 5.5: %s is malformed', async (text, field, rule) => {
    const rejected = await benchWith().ask({ claims: text });
    expectRedirect(rejected, 'claims_malformed');
    expect(rejected.refusal?.description).toBe(`${field} ${rule} (OpenID Connect Core 5.5)`);
  });

  test('OpenID Connect Core 5.5: members that are not understood are ignored, and other values are no error', async () => {
    const text = JSON.stringify({
      id_token: { email: { value: 'x@example.test', purpose: 'login' }, acr: { values: [1] } },
      verified_claims: [],
    });
    const bench = benchWith();
    const issued = await idTokenOf(bench, await bench.ask({ scope: 'openid', claims: text }));
    expect(issued).toMatchObject({ email: 'ada@example.test' });
  });
});

describe('behaviour 2.15: sid', () => {
  test('identifies the session of the browser in ID tokens, and is not its cookie', async () => {
    const bench = createAuthorizationBench();
    const { id_token = '' } = await bench.tokensFor(await bench.approve());
    const first = decodeJwt(id_token);
    expect(first['sid']).toMatch(/^[\da-f-]{36}$/);
    expect(bench.browser.session).not.toContain(first['sid']);
    expect((await idTokenOf(bench, await bench.ask()))['sid']).toBe(first['sid']);
    const other = questionOf(await bench.ask({ prompt: 'login' }));
    const next = await idTokenOf(bench, await bench.decide({ form: other.form }));
    expect(next['sid']).not.toBe(first['sid']);
  });

  test('is absent without a session', async () => {
    const bench = benchWith();
    expect(await idTokenOf(bench, await bench.ask())).not.toHaveProperty('sid');
  });
});

test('behaviour 7.2, RFC 7636 4.2: with PKCE by plain switched off, plain and a challenge without a method are rejected', async () => {
  const bench = benchWith({ settings: { pkce_plain: false } });
  const code_challenge = 'v'.repeat(43);
  for (const code_challenge_method of ['plain', undefined]) {
    const rejected = await bench.ask({ code_challenge, code_challenge_method });
    expectRedirect(rejected, 'challenge_method_plain');
  }
  answerOf(await bench.ask({ code_challenge, code_challenge_method: 'S256' }));
  answerOf(await bench.ask());
});
