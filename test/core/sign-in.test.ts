// Behaviour 7, OpenID Connect Core 3.1.2: when the user must sign in and consent, when not, and the response to a
// request that forbids a page.

import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import {
  answerOf,
  authorizationRequest,
  createAuthorizationBench,
  expectPage,
  expectRedirect,
  questionOf,
} from '../support/authorization.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { RequestParameters } from '../support/core.ts';
import {
  admin,
  client,
  expectRefusal,
  ORDERS,
  REDIRECT_URI,
  START,
  user,
} from '../support/core.ts';

const bob = user({ sub: 'bob', name: 'Bob', email: 'bob@example.test' });
let bench: ReturnType<typeof createAuthorizationBench>;
beforeEach(() => {
  bench = createAuthorizationBench({ users: [user(), bob] });
});

const rejected = async (parameters: RequestParameters, reason: RefusalReason) => {
  expectRedirect(await bench.ask({ prompt: 'none', ...parameters }), reason);
};

describe('the consent page', () => {
  test('behaviour 7: names the client, the audience, the scopes and the redirect URI', async () => {
    const question = questionOf(await bench.ask());
    expect(question).toMatchObject({
      client: { client_id: 'demo-app', client_name: 'Demo application' },
      redirect_uri: REDIRECT_URI,
      audience: { uri: ORDERS, name: 'Orders' },
      scopes: ['openid', 'orders:read'],
      users: [{ sub: 'ada' }, { sub: 'bob' }],
      suggested: 'ada',
      reason: 'sign_in_missing',
    });
    expect(question.form).toMatch(/^[\w-]{43}$/);
  });

  test('behaviour 7: names no audience that is left to the exchange, and has no name for the issuer', async () => {
    expect(questionOf(await bench.ask({ audience: undefined })).audience).toBeNull();
    const uri = bench.service.issuer();
    expect(questionOf(await bench.ask({ audience: uri, scope: 'openid' })).audience).toEqual({
      uri,
      name: '',
    });
  });

  test('OpenID Connect Core 3.1.2.1: preselects the user of login_hint, and no user for an unknown hint', async () => {
    expect(questionOf(await bench.ask({ login_hint: 'bob' })).suggested).toBe('bob');
    const question = questionOf(await bench.ask({ login_hint: 'eve' }));
    expect(question).toMatchObject({ suggested: 'ada', reason: 'sign_in_hint_unknown' });
  });

  test('preselects no user when no user is registered', async () => {
    const empty = createAuthorizationBench({ users: [] });
    expect(questionOf(await empty.ask())).toMatchObject({ users: [], suggested: null });
  });
});

describe('the decision', () => {
  test('behaviour 7: an approval issues a code for the selected user and scopes', async () => {
    const { form } = questionOf(await bench.ask());
    const result = await bench.decide({ form, sub: 'bob', scopes: ['openid', 'orders:write'] });
    expect(answerOf(result).parameters).toMatchObject({ state: 'xyz' });
    expect(result.evaluation.lineage).toMatchObject({ user_sub: 'bob', scope: 'openid' });
  });

  test('RFC 6749 5.1: the token response contains the scope when less was granted', async () => {
    const answer = await bench.tokensFor(await bench.approve({}, { scopes: ['openid'] }));
    expect(answer.scope).toBe('openid');
    expect(answer).toHaveProperty('id_token');
  });

  test('behaviour 7: an approval without scopes grants none', async () => {
    const { form } = questionOf(await bench.ask());
    const { evaluation } = await bench.decide({ form, scopes: [] });
    expect(evaluation.lineage?.scope).toBe('');
  });

  test('RFC 6749 4.1.2.1: a denial sends access_denied to the client, and signs nobody in', async () => {
    const { form } = questionOf(await bench.ask());
    const denied = await bench.decide({ form, approved: false, sub: '' });
    expectRedirect(denied, 'authorization_denied_by_person');
    await rejected({}, 'sign_in_missing');
  });

  test.each([
    ['login_required', 'sign_in_failed_by_person'],
    ['server_error', 'server_error_by_person'],
    ['temporarily_unavailable', 'unavailable_by_person'],
  ] as const)(
    'behaviour 7.5: %s that was chosen on the page is sent to the client, and signs nobody in',
    async (error, reason) => {
      const { form } = questionOf(await bench.ask());
      expectRedirect(await bench.decide({ form, approved: false, sub: '', error }), reason);
      await rejected({}, 'sign_in_missing');
      expectPage(await bench.decide({ form }), 'form_sent_before');
    },
  );

  test('behaviour 7: the request is validated again with the current registrations and settings', async () => {
    const { registry } = bench.service;
    const first = questionOf(await bench.ask());
    registry.clients.put(client({ redirect_uris: ['http://localhost:3000/other'] }));
    expectPage(await bench.decide({ form: first.form }), 'redirect_uri_unregistered');
    registry.clients.put(client());
    const second = questionOf(await bench.ask());
    bench.configure({ authorize: 'deny' });
    expectRedirect(await bench.decide({ form: second.form }), 'authorization_denied_by_setting');
  });

  test('behaviour 7: a user deleted meanwhile is reported on a page, and the form remains valid', async () => {
    const { form } = questionOf(await bench.ask());
    expectPage(await bench.decide({ form, sub: 'eve' }), 'form_user_unknown');
    answerOf(await bench.decide({ form }));
  });

  test('behaviour 2: auth_time is the time of the sign-in, not of the code', async () => {
    await bench.approve();
    bench.advance(100);
    const { id_token = '' } = await bench.tokensFor(answerOf(await bench.ask()));
    expect(decodeJwt(id_token)['auth_time']).toBe(START / 1000);
  });
});

describe('a user who is signed in and has consented', () => {
  beforeEach(() => bench.approve());

  test('behaviour 7: is not asked again for the same or fewer scopes, even with prompt=none', async () => {
    for (const scope of ['openid orders:read', 'orders:read', undefined]) {
      answerOf(await bench.ask({ scope }));
      answerOf(await bench.ask({ scope, prompt: 'none' }));
    }
  });

  test.each([
    ['more scope', { scope: 'openid orders:write' }],
    ['another audience', { audience: undefined }],
    ['another client', { client_id: 'admin' }],
  ])('OpenID Connect Core 3.1.2.4: is asked to consent to %s', async (_, parameters) => {
    expect(questionOf(await bench.ask(parameters)).reason).toBeNull();
    await rejected(parameters, 'consent_missing');
  });

  test('has not consented to scopes that were not selected', async () => {
    await bench.approve({ prompt: 'consent' }, { scopes: ['openid'] });
    await rejected({}, 'consent_missing');
    answerOf(await bench.ask({ scope: 'openid', prompt: 'none' }));
  });

  test.each(['login', 'consent', 'select_account', 'login consent'])(
    'OpenID Connect Core 3.1.2.1: is still asked with prompt=%s',
    async (prompt) => {
      const question = questionOf(await bench.ask({ prompt }));
      expect(question.suggested).toBe('ada');
      expect(question.reason).toBe(prompt.includes('login') ? 'sign_in_missing' : null);
    },
  );

  test.each([
    ['login', 60],
    ['consent', 0],
    ['select_account', 0],
  ])(
    'behaviour 2: after approving with prompt=%s, has an auth_time %s s later',
    async (prompt, later) => {
      bench.advance(60);
      const { session } = await bench.approve({ prompt });
      expect(session?.auth_time).toBe(START + later * 1000);
    },
  );

  test('OpenID Connect Core 3.1.2.1: must sign in again when the sign-in is older than max_age', async () => {
    bench.advance(59);
    answerOf(await bench.ask({ max_age: '60', prompt: 'none' }));
    bench.advance(1);
    await rejected({ max_age: '60' }, 'sign_in_too_old');
    expect(questionOf(await bench.ask({ max_age: '60' })).reason).toBe('sign_in_too_old');
    const { session } = await bench.approve({ max_age: '60' });
    expect(session?.auth_time).toBe(START + 60_000);
    answerOf(await bench.ask({ max_age: '60', prompt: 'none' }));
  });

  test('OpenID Connect Core 3.1.2.1: must sign in again with max_age=0, even at the same time', async () => {
    expect(questionOf(await bench.ask({ max_age: '0' })).reason).toBe('sign_in_too_old');
    answerOf(await bench.decide({ form: questionOf(await bench.ask({ max_age: '0' })).form }));
  });

  test('OpenID Connect Core 3.1.2.1: is not used when the hint names another user', async () => {
    answerOf(await bench.ask({ login_hint: 'ada@example.test', prompt: 'none' }));
    const other = { login_hint: 'bob' };
    await rejected(other, 'sign_in_of_other_user');
    expect(questionOf(await bench.ask(other))).toMatchObject({
      suggested: 'bob',
      reason: 'sign_in_of_other_user',
    });
    await rejected({ login_hint: 'eve' }, 'sign_in_hint_unknown');
  });

  test('loses the consent when another user signs in, who starts without one', async () => {
    await bench.approve({ prompt: 'select_account' }, { sub: 'bob' });
    expect((await bench.ask()).evaluation.lineage?.user_sub).toBe('bob');
    await bench.approve({ prompt: 'select_account' }, { sub: 'ada', scopes: [] });
    await rejected({}, 'consent_missing');
  });

  test('gets a new session id with each sign-in, which ends the former session', async () => {
    const former = { ...bench.browser };
    await bench.approve({ prompt: 'login' });
    expect(bench.browser.session).not.toBe(former.session);
    const result = await bench.send(authorizationRequest({ prompt: 'none' }), former);
    expectRedirect(result, 'sign_in_missing');
  });

  test.each(['unknown', null])(
    'is not signed in in another browser (session %s)',
    async (session) => {
      const another = { session, browser: 'another' };
      const result = await bench.send(authorizationRequest({ prompt: 'none' }), another);
      expectRedirect(result, 'sign_in_missing');
    },
  );

  test('behaviour 6: is signed out by the sandbox clock, and setting it back does not restore the session', async () => {
    bench.advance(86_399);
    answerOf(await bench.ask({ prompt: 'none' }));
    bench.advance(1);
    bench.service.userAuthorization.expireAll(bench.clock.now());
    bench.advance(-3600);
    await rejected({}, 'sign_in_missing');
  });

  test('is not signed in after being deleted', async () => {
    bench.service.registry.users.remove('ada');
    await rejected({}, 'sign_in_missing');
  });

  test('is signed out by a reset, which also removes every form', async () => {
    const { form } = questionOf(await bench.ask({ prompt: 'consent' }));
    bench.service.reset();
    await rejected({}, 'sign_in_missing');
    expectPage(await bench.decide({ form }), 'form_unknown');
  });
});

describe('id_token_hint', () => {
  const idToken = async () => {
    const { id_token = '' } = await bench.tokensFor(await bench.approve());
    return id_token;
  };

  test('OpenID Connect Core 3.1.2.1: identifies its user even when it has expired', async () => {
    const id_token_hint = await idToken();
    bench.advance(86_400 - 60);
    await bench.approve({ prompt: 'login' });
    bench.advance(120);
    answerOf(await bench.ask({ prompt: 'none', id_token_hint }));
    await bench.approve({ prompt: 'login' }, { sub: 'bob' });
    const other = { id_token_hint, login_hint: 'bob' };
    await rejected(other, 'sign_in_of_other_user');
    expect(questionOf(await bench.ask(other)).suggested).toBe('ada');
  });

  test('OpenID Connect Core 3.1.2.2: is rejected when it was changed or has another issuer', async () => {
    const id_token_hint = await idToken();
    const [head, , signature] = id_token_hint.split('.');
    const changed = `${head}.${btoa('{"sub":"bob"}').replaceAll('=', '')}.${signature}`;
    await rejected({ id_token_hint: changed }, 'id_token_hint_signature_wrong');
    bench.configure({ issuer: 'https://other.example' });
    expectRefusal(await bench.ask({ id_token_hint }), 'id_token_hint_of_other_issuer');
  });

  test('is accepted unverified when its key is gone, which is noted', async () => {
    const id_token_hint = await idToken();
    for (const { kid } of bench.service.keyring.list()) bench.service.keyring.retire(kid);
    const result = await bench.ask({ prompt: 'none', id_token_hint });
    answerOf(result);
    expect(result.evaluation.deviations).toEqual([{ id: 'id_token_hint_unverified' }]);
    bench.configure({ issuer: 'https://other.example' });
    const other = await bench.ask({ id_token_hint });
    expectRefusal(other, 'id_token_hint_of_other_issuer');
    expect(other.evaluation.deviations).toEqual([]);
  });

  test('behaviour 2.14: is verified with the client_secret under HS256', async () => {
    const secret = 'a-secret-of-thirty-two-bytes-or-more';
    bench.service.registry.clients.put(client({ client_secret: secret }));
    bench.configure({ signing_alg: 'HS256' });
    const approved = await bench.approve();
    const { id_token = '' } = await bench.tokensFor(approved, { client_secret: secret });
    const result = await bench.ask({ prompt: 'none', id_token_hint: id_token });
    answerOf(result);
    expect(result.evaluation.deviations).toEqual([]);
    const forged = id_token.replace(/[^.]+$/, 'A'.repeat(43));
    await rejected({ id_token_hint: forged }, 'id_token_hint_signature_wrong');
  });

  test('OpenID Connect Core 3.1.2.1: is rejected when it is an access token', async () => {
    const { access_token } = await bench.tokensFor(await bench.approve());
    await rejected({ id_token_hint: access_token }, 'id_token_hint_malformed');
    const logout = bench.logout({ id_token_hint: access_token });
    await expect(logout).rejects.toMatchObject({ facts: { got: 'it is an access token' } });
  });

  test('OpenID Connect Core 3.1.2.2: only its user may sign in on the page', async () => {
    const id_token_hint = await idToken();
    const { form } = questionOf(await bench.ask({ prompt: 'login', id_token_hint }));
    expectRedirect(await bench.decide({ form, sub: 'bob' }), 'sign_in_sub_differs');
  });
});

describe('logout', () => {
  const RETURN = 'http://localhost:3000/';
  const leaving = { post_logout_redirect_uris: [RETURN, `${RETURN}bye?x=1`] };
  beforeEach(async () => {
    bench.service.registry.clients.put(client(leaving));
    await bench.approve();
  });
  const signedIn = async () => (await bench.ask({ prompt: 'none' })).refusal === null;
  const expectRejected = async (given: Readonly<Record<string, string>>, refusal: object) => {
    await expect(bench.logout(given)).rejects.toMatchObject(refusal);
    expect(await signedIn()).toBe(true);
  };

  test('RP-Initiated Logout 2: ends the session and names its user', async () => {
    expect(await bench.logout({})).toMatchObject({ redirect_to: null, signed_out: 'ada' });
    expect(await signedIn()).toBe(false);
    expect(await bench.logout({})).toMatchObject({ signed_out: null });
  });

  test('behaviour 17.1: a forecast of a logout is rejected and ends no session', async () => {
    const { service } = await bench.service.forecast();
    const request = { parameters: new Map<string, string>(), repeated: new Set<string>() };
    const { userAuthorization: foreseen } = service;
    await expect(foreseen.logout(request, bench.browser, createEvaluation(1))).rejects.toThrow(
      'an operation that no forecast covers',
    );
    expect(await signedIn()).toBe(true);
  });

  test('behaviour 7.6, RP-Initiated Logout 3: returns to a registered address, with the state', async () => {
    const out = await bench.logout({
      client_id: 'demo-app',
      post_logout_redirect_uri: `${RETURN}bye?x=1`,
      state: 'a b',
    });
    expect(out.redirect_to).toBe(`${RETURN}bye?x=1&state=a+b`);
    const again = await bench.logout({ client_id: 'demo-app', post_logout_redirect_uri: RETURN });
    expect(again.redirect_to).toBe(RETURN);
  });

  test('behaviour 7.6, RP-Initiated Logout 2: the id_token_hint identifies the client too, even when it has expired', async () => {
    const { id_token = '' } = await bench.tokensFor(answerOf(await bench.ask()));
    const given = { id_token_hint: id_token, post_logout_redirect_uri: RETURN };
    for (const days of [0, 400]) {
      bench.advance(days * 86_400);
      const { redirect_to, evaluation } = await bench.logout(given);
      expect([redirect_to, evaluation.client_id]).toEqual([RETURN, 'demo-app']);
    }
    await expect(bench.logout({ ...given, client_id: 'admin' })).rejects.toMatchObject({
      reason: 'logout_client_differs',
    });
  });

  test('behaviour 7.6, RP-Initiated Logout 2: an id_token_hint of another issuer is rejected and ends nothing', async () => {
    const { keyring } = bench.service;
    const claims = { iss: 'https://other.example', sub: 'ada', aud: 'demo-app' };
    const id_token_hint = await keyring.sign(claims, 'JWT', 'ES256');
    const given = { id_token_hint, post_logout_redirect_uri: RETURN };
    await expectRejected(given, { reason: 'id_token_hint_of_other_issuer' });
  });

  test('behaviour 7.6: without client_id and hint, the only client with the registered URI is used', async () => {
    const { redirect_to, client, evaluation } = await bench.logout({
      post_logout_redirect_uri: RETURN,
      state: 'bye',
    });
    expect([redirect_to, client?.client_id]).toEqual([`${RETURN}?state=bye`, 'demo-app']);
    expect([evaluation.client_id, evaluation.profile]).toEqual(['demo-app', 'documented']);
    expect(await signedIn()).toBe(false);
  });

  test('behaviour 7.6: with several clients that registered the URI, none is used and nothing ends', async () => {
    bench.service.registry.clients.put(
      admin({ post_logout_redirect_uris: [RETURN, 'https://admin.example/'] }),
    );
    const refusal = { reason: 'logout_client_missing', check: 'redirect_uri' };
    await expectRejected({ post_logout_redirect_uri: RETURN }, refusal);
    const named = await bench.logout({ post_logout_redirect_uri: RETURN, client_id: 'admin' });
    expect(named.redirect_to).toBe(RETURN);
  });

  test('behaviour 4: tokens stay active after the session ends', async () => {
    const response = answerOf(await bench.ask());
    await bench.logout({});
    await bench.tokensFor(response);
  });

  test.each([
    [{ post_logout_redirect_uri: `${RETURN}x` }, 'logout_uri_of_no_client', 'redirect_uri'],
    [{ client_id: 'nobody' }, 'logout_client_unknown', 'client_id'],
    [
      { client_id: 'admin', post_logout_redirect_uri: RETURN },
      'logout_uri_none_registered',
      'redirect_uri',
    ],
    [
      { client_id: 'demo-app', post_logout_redirect_uri: `${RETURN}x` },
      'logout_uri_unregistered',
      'redirect_uri',
    ],
    [{ id_token_hint: 'x.y.z' }, 'id_token_hint_malformed', 'id_token_hint'],
  ] as const)(
    'RP-Initiated Logout 4: %j is rejected and ends nothing',
    async (given, reason, check) => {
      bench.service.registry.clients.put(admin());
      await expectRejected(given, { reason, check });
    },
  );
});
