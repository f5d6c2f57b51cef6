// Behaviour 7, OpenID Connect Core 5.3: which claims of its user an access token gives, and how it is presented (RFC
// 6750).

import { describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import type { UserinfoRequest } from '../../src/core/presented/userinfo.ts';
import { answerOf, createAuthorizationBench } from '../support/authorization.ts';
import { presenting } from '../support/presented.ts';
import type { TestServiceOptions } from '../support/core.ts';
import {
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  user,
} from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

async function signedIn(scope = 'openid', options: TestServiceOptions = {}) {
  const bench = createTestService(options);
  return { ...bench, ...(await bench.signIn({ scope })), ...presenting(bench) };
}

const inBody = (token: string): Partial<UserinfoRequest> => ({
  authorization: null,
  content_type: 'form',
  parameters: new Map([['access_token', token]]),
});

test('behaviour 7.9: the setting userinfo_audience rejects a token for another API, and accepts one for the issuer', async () => {
  const bench = createTestService({ settings: { userinfo_audience: true } });
  const { userinfo } = presenting(bench);
  const other = await bench.signIn({ scope: 'openid', audience: ORDERS });
  expectRefusal(await userinfo(other.access_token), 'access_token_for_other_api');
  const own = await bench.signIn({ scope: 'openid', audience: ISSUER }, { audience: ISSUER });
  const accepted = await userinfo(own.access_token);
  expect(accepted.answer).toEqual({ sub: 'ada' });
  expect(checkOf(accepted, 'audience')?.verdict).toBe('passed');
  bench.configure({ userinfo_audience: false });
  expect((await userinfo(other.access_token)).refusal).toBeNull();
});

describe('the claims', () => {
  test.each([
    ['openid', { sub: 'ada' }],
    ['openid profile', { sub: 'ada', name: 'Ada' }],
    ['openid email', { sub: 'ada', email: 'ada@example.test' }],
    ['openid profile email', { sub: 'ada', name: 'Ada', email: 'ada@example.test' }],
  ])('OpenID Connect Core 5.4: are exactly those of the scope %s', async (scope, claims) => {
    const { userinfo, access_token } = await signedIn(scope);
    expect((await userinfo(access_token)).answer).toEqual(claims);
  });

  test('behaviour 7: include custom claims of the user, but not those of the client', async () => {
    const { userinfo, access_token } = await signedIn('openid profile email', {
      clients: [client({ claims: { tier: 'gold' } })],
      users: [user({ name: '', email: '', claims: { roles: ['admin'], name: 'Countess' } })],
    });
    expect((await userinfo(access_token)).answer).toEqual({
      sub: 'ada',
      name: 'Countess',
      roles: ['admin'],
    });
  });

  test.each(['rfc9068', 'auth0', 'opaque'] as const)(
    'behaviour 7.9, 7.25, OpenID Connect Core 5.5 (%s): are returned for any live access token, with those that the authorization requested one by one',
    async (access_token_format) => {
      const settings = { authorize: 'auto', access_token_format } as const;
      const bench = createAuthorizationBench({ settings });
      const claims = JSON.stringify({ userinfo: { email: null, shoe_size: null } });
      const asked = answerOf(await bench.ask({ scope: 'openid', claims }));
      const { access_token } = await bench.tokensFor(asked);
      const { userinfo } = presenting(bench);
      expect((await userinfo(access_token)).answer).toEqual({
        sub: 'ada',
        email: 'ada@example.test',
      });
    },
  );

  test('behaviour 7: are the current ones, not those at the time of issue', async () => {
    const { userinfo, access_token, service } = await signedIn('openid profile');
    service.registry.users.put(user({ name: 'Countess' }));
    expect((await userinfo(access_token)).answer).toMatchObject({ name: 'Countess' });
  });
});

describe('the scope openid', () => {
  test('behaviour 7.10: is optional; its absence is noted, with what would fail in strict', async () => {
    const { userinfo, access_token } = await signedIn('profile');
    const outcome = await userinfo(access_token);
    expect(outcome.answer).toEqual({ sub: 'ada', name: 'Ada' });
    expect(outcome.evaluation.deviations.map(describeDeviation)).toEqual([
      {
        id: 'openid_missing',
        text: 'The access token does not have the scope openid, which a UserInfo request requires.',
        section: 'OpenID Connect Core 5.3',
        strict: 'openid_missing',
      },
    ]);
  });

  test('behaviour 7.10: is required under strict, else 403 insufficient_scope', async () => {
    const { userinfo, access_token } = await signedIn('profile', {
      settings: { profile: 'strict' },
    });
    expectRefusal(await userinfo(access_token), 'openid_missing');
  });

  test("behaviour 1: is required by the profile of the token's client", async () => {
    const lenient = await signedIn('', {
      settings: { profile: 'strict' },
      clients: [client({ profile: 'documented' })],
    });
    const accepted = await lenient.userinfo(lenient.access_token);
    expect(accepted.answer).toEqual({ sub: 'ada' });
    expect(checkOf(accepted, 'scope')).toMatchObject({ verdict: 'passed', got: 'none' });
    const strict = await signedIn('', { clients: [client({ profile: 'strict' })] });
    const { refusal, evaluation } = await strict.userinfo(strict.access_token);
    expect([refusal?.reason, evaluation.profile]).toEqual(['openid_missing', 'strict']);
  });
});

describe('presenting the token', () => {
  test('spec 5.5, RFC 6750 2.1: the scheme is compared without regard to case', async () => {
    const { userinfo, access_token } = await signedIn();
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const authorization = `${scheme} ${access_token}`;
      expect((await userinfo('', { authorization })).answer).toEqual({ sub: 'ada' });
    }
  });

  test('RFC 6750 2.2: a form may contain the token; JSON is noted, and rejected under strict', async () => {
    const { userinfo, access_token } = await signedIn();
    const form = await userinfo('', inBody(access_token));
    expect([form.answer, deviations(form)]).toEqual([{ sub: 'ada' }, []]);
    const json = await userinfo('', { ...inBody(access_token), content_type: 'json' });
    expect([json.answer, deviations(json)]).toEqual([{ sub: 'ada' }, ['other_content_type: JSON']]);
    const strict = await signedIn('openid', { settings: { profile: 'strict' } });
    const asJson = { ...inBody(strict.access_token), content_type: 'json' } as const;
    expectRefusal(await strict.userinfo('', asJson), 'content_type_not_documented');
  });

  test('RFC 6750 2: two tokens in one request are rejected, whatever their values', async () => {
    const { userinfo, access_token } = await signedIn();
    const { parameters } = inBody(access_token) as UserinfoRequest;
    const both = await userinfo(access_token, { content_type: 'form', parameters });
    const { facts } = expectRefusal(both, 'access_token_twice');
    expect(facts).toEqual({ got: 'in the Authorization header and in the body' });
  });

  test('RFC 6749 3.1: an empty access_token in the body counts as omitted', async () => {
    const { userinfo, access_token } = await signedIn();
    const { parameters } = inBody('') as UserinfoRequest;
    const { answer } = await userinfo(access_token, { content_type: 'form', parameters });
    expect(answer).toEqual({ sub: 'ada' });
  });

  test('RFC 6750 5.3: a token in the query string is ignored, and noted or rejected as a leak', async () => {
    const { userinfo, access_token } = await signedIn();
    const query = ['access_token'];
    const beside = await userinfo(access_token, { query });
    expect(deviations(beside)).toEqual(['query_credentials: access_token']);
    const alone = await userinfo('', { query, authorization: null });
    expect(describeCause(expectRefusal(alone, 'access_token_missing')).detail).toBe(
      'it was sent in the query string, which is ignored because it ends up in logs',
    );
    const strict = await signedIn('openid', { settings: { profile: 'strict' } });
    expectRefusal(await strict.userinfo(strict.access_token, { query }), 'query_credentials');
    expectRefusal(await strict.userinfo('', { query, authorization: null }), 'query_credentials');
  });

  test('behaviour 12.21: a token in the query is accepted where the provider accepts it, if it is the only one', async () => {
    const { userinfo, access_token, setShape, configure } = await signedIn();
    setShape({ accepts: ['access_token_in_query'] });
    const inQuery = { query: ['access_token', 'code'], query_token: access_token };
    const outcome = await userinfo('', { ...inQuery, authorization: null });
    expect(outcome.answer).toEqual({ sub: 'ada' });
    expect(deviations(outcome)).toEqual(['access_token_in_query', 'query_credentials: code']);
    expect(checkOf(outcome, 'authorization_header')?.got).toBe('in the query string');
    for (const other of [{}, inBody(access_token)]) {
      const both = await userinfo(access_token, { ...inQuery, ...other });
      expectRefusal(both, 'access_token_twice');
    }
    const empty = { query: ['access_token'], query_token: '' };
    expect((await userinfo(access_token, empty)).answer).toEqual({ sub: 'ada' });
    configure({ profile: 'strict' });
    const strict = await userinfo('', { ...inQuery, authorization: null });
    expectRefusal(strict, 'query_credentials');
  });

  const UNSET = 'but no token; an environment variable may be unset';
  test.each([
    [null, 'neither the Authorization header nor the body contains one'],
    ['Bearer', `the Authorization header has Bearer ${UNSET}`],
    ['Bearer ', `the Authorization header has Bearer ${UNSET}`],
    ['Basic ZGVtbzpkZW1v', 'the Authorization header has a scheme other than Bearer and DPoP'],
    ['DPoP', `the Authorization header has DPoP ${UNSET}`],
    ['bearerabc', 'the Authorization header has a scheme other than Bearer and DPoP'],
  ])(
    'RFC 6750 3.1: a request without a token (%s) is 401, and the cause says what was sent',
    async (authorization, detail) => {
      const { userinfo } = await signedIn();
      expectRefusal(await userinfo('', { authorization }), 'access_token_missing', detail);
    },
  );

  test('RFC 6750 2.1: two words are not a token', async () => {
    const { userinfo, access_token } = await signedIn();
    expect((await userinfo(`${access_token} x`)).refusal?.code).toBe('invalid_token');
    expectRefusal(await userinfo('a b'), 'access_token_malformed');
  });
});

describe('rejected tokens', () => {
  test('behaviour 7: expired and revoked tokens are 401 invalid_token', async () => {
    const { userinfo, access_token, refresh_token, refresh, answered, revoke, advance } =
      await signedIn();
    advance(86_400);
    expectRefusal(await userinfo(access_token), 'access_token_expired');
    const next = answered(await refresh(refresh_token)).access_token;
    expect((await userinfo(next)).answer).toEqual({ sub: 'ada' });
    await revoke(refresh_token);
    expectRefusal(await userinfo(next), 'access_token_revoked');
  });

  test('behaviour 7.9: a token of a deleted user is 401 with its own cause', async () => {
    const { userinfo, access_token, service } = await signedIn();
    service.registry.users.remove('ada');
    expectRefusal(await userinfo(access_token), 'access_token_of_former_user');
  });

  test('RFC 6749 4.4: a token of client_credentials has no user: 403', async () => {
    const bench = createTestService({
      clients: [client({ grant_types: ['client_credentials'] })],
    });
    const { access_token } = bench.answered(
      await bench.exchange('', {
        grant_type: 'client_credentials',
        code: undefined,
        redirect_uri: undefined,
        audience: ORDERS,
      }),
    );
    expectRefusal(await presenting(bench).userinfo(access_token), 'access_token_of_client');
  });
});

describe('the trace', () => {
  const lines = (outcome: Awaited<ReturnType<ReturnType<typeof presenting>['userinfo']>>) =>
    describeChecks(outcome.evaluation, false)
      .filter(({ id }) => id !== 'method')
      .map(({ id, verdict, got }) => `${id} ${verdict}${got === null ? '' : `: ${got}`}`);

  test('behaviour 3: mentions a body only if one was sent', async () => {
    const { userinfo, access_token } = await signedIn('openid email');
    expect(lines(await userinfo(access_token))).toEqual([
      'authorization_header passed: in the Authorization header',
      'credential_known passed',
      'query passed',
      'credential_live passed',
      'user passed: ada',
      'scope passed: openid email',
    ]);
    expect(lines(await userinfo('', inBody(access_token))).slice(0, 3)).toEqual([
      'authorization_header passed: in the body',
      'credential_known passed',
      'grant_content_type passed',
    ]);
  });

  test('behaviour 3: shows the checks after the failed one as not reached', async () => {
    const { userinfo } = await signedIn();
    expect(lines(await userinfo('x.y.z'))).toEqual([
      'authorization_header passed: in the Authorization header',
      'credential_known failed: its header or claims cannot be read',
      'query not_reached',
      'credential_live not_reached',
      'user not_reached',
      'scope not_reached',
    ]);
  });

  test('behaviour 3: belongs to an evaluation with client and token', async () => {
    const { userinfo, access_token, lineage } = await signedIn();
    expect((await userinfo(access_token)).evaluation).toMatchObject({
      endpoint: 'userinfo',
      client_id: 'demo-app',
      access_token: { lineage: lineageId(lineage), n: 2 },
    });
  });
});
