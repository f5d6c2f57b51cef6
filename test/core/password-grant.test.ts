// The password grant (RFC 6749 4.3): what a username and a password get, and why they are rejected.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { PROFILE_RULES } from '../../src/core/checks/profiles.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { GRANT_TYPES, PROFILES } from '../../src/core/records/enumerations.ts';
import { grantsServed } from '../../src/core/token-endpoint/grants/index.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  checkOf,
  client,
  createTestService,
  expectNotes,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  user,
  verdictsOf,
} from '../support/core.ts';

const PASSWORD = 'correct horse battery staple';

const legacy = (members: Parameters<typeof client>[0] = {}) =>
  client({ grant_types: ['password', 'refresh_token'], ...members });

const ada = user({ password: PASSWORD });

/** Requests tokens as ada with her password by default. */
function withLegacy(options: TestServiceOptions = {}) {
  const made = createTestService({ clients: [legacy()], users: [ada], ...options });
  const ask = (parameters: RequestParameters = {}) =>
    made.evaluate(
      refreshRequest({
        grant_type: 'password',
        username: 'ada',
        password: PASSWORD,
        ...parameters,
      }),
    );
  return { ...made, ask };
}

describe('what is issued', () => {
  test.each(['documented', 'interop'] as const)(
    'behaviour 7.21, RFC 6749 4.3.3 (%s): is an access token for the user and a refresh token, with every check passed',
    async (profile) => {
      const { ask, answered, refresh } = withLegacy({ settings: { profile } });
      const outcome = await ask({ audience: ORDERS, scope: 'orders:read' });
      const answer = answered(outcome);
      expect(answer).toEqual({
        access_token: expect.any(String) as string,
        refresh_token: expect.any(String) as string,
        token_type: 'Bearer',
        expires_in: 86_400,
      });
      const claims = { sub: 'ada', client_id: 'demo-app', aud: ORDERS, scope: 'orders:read' };
      expect(decodeJwt(answer.access_token)).toMatchObject(claims);
      expect(verdictsOf(outcome).filter((check) => !check.endsWith(' passed'))).toEqual([]);
      expect(checkOf(outcome, 'credential_known')?.got).toBe('ada');
      expect(checkOf(outcome, 'user')?.got).toBe('ada');
      const again = await refresh(answer.refresh_token ?? '');
      expect(decodeJwt(answered(again).access_token)).toMatchObject({ sub: 'ada', aud: ORDERS });
    },
  );

  test('behaviour 7.21: with the scope openid there is an id_token of the user', async () => {
    const { ask, answered } = withLegacy();
    const { id_token = '' } = answered(await ask({ scope: 'openid' }));
    expect(decodeJwt(id_token)).toMatchObject({ sub: 'ada', aud: 'demo-app', iss: ISSUER });
  });

  test('RFC 6749 4.3.2: a scope that the audience does not define is invalid_scope', async () => {
    expectRefusal(await withLegacy().ask({ scope: 'nothing:known' }), 'scope_unknown');
  });

  test('RFC 6749 4.3, 4.3.2: a public client may use the grant if the profile accepts public clients', async () => {
    const open = legacy({ client_secret: null, token_endpoint_auth_method: 'none' });
    const { ask, answered } = withLegacy({ settings: { profile: 'interop' }, clients: [open] });
    answered(await ask({ client_secret: undefined }));
  });
});

describe('the user', () => {
  test.each(['ada', 'ada@example.test', 'Ada@Example.TEST'])(
    'behaviour 7.21: is found by the username %s, as sub or e-mail address',
    async (username) => {
      const { ask, answered } = withLegacy();
      expect(decodeJwt(answered(await ask({ username })).access_token).sub).toBe('ada');
    },
  );

  test('RFC 6749 5.2: an unknown user and a wrong password get the same response, and the trace distinguishes them', async () => {
    const { ask } = withLegacy();
    const unknown = expectRefusal(await ask({ username: 'eve' }), 'username_unknown');
    const wrong = expectRefusal(await ask({ password: 'wrong' }), 'password_wrong');
    expect(unknown.description).toBe('username or password is wrong');
    expect(wrong.description).toBe(unknown.description);
    expect(describeCause(unknown)).toMatchObject({
      summary: 'No registered user has this username.',
      detail: 'username is eve',
    });
    expect(describeCause(wrong)).toMatchObject({
      summary: 'The password of the user is wrong.',
      detail: 'wrong password for ada',
    });
  });

  test.each([` ${PASSWORD}`, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1), `${PASSWORD}\u0000`])(
    'behaviour 7.21: passwords are compared exactly, so %j is wrong',
    async (password) => {
      expectRefusal(await withLegacy().ask({ password }), 'password_wrong');
    },
  );

  test('RFC 6749 appendix A.16: a password may contain any characters except line breaks', async () => {
    const password = 'pässwörd 🐎&=%';
    const { ask, answered } = withLegacy({ users: [user({ password })] });
    answered(await ask({ password }));
  });

  test('behaviour 7.5, 7.21: a locked user is rejected like an unknown one, whatever the password', async () => {
    const { ask } = withLegacy({ users: [user({ password: PASSWORD, locked: true })] });
    for (const password of [PASSWORD, 'wrong']) {
      const refusal = expectRefusal(await ask({ password }), 'username_locked', 'ada is locked');
      expect(refusal.description).toBe('username or password is wrong');
    }
  });

  test('behaviour 7.21: any password is accepted for a user without one, which is noted', async () => {
    const outcome = await withLegacy({ users: [user()] }).ask({ password: 'anything' });
    expectNotes(outcome, 'password_grant', 'password_not_set: ada');
    const [, note] = outcome.evaluation.deviations;
    expect(note && describeDeviation(note).text).toBe(
      'The user ada has no password, so any is accepted.',
    );
    const check = { got: 'ada', note: 'the user has no password: any is accepted' };
    expect(checkOf(outcome, 'user')).toMatchObject(check);
  });
});

describe('the discouraged grant', () => {
  test('behaviour 1.13, RFC 9700 2.4: every accepted request has a note, and the check is marked as tolerated', async () => {
    const outcome = await withLegacy().ask();
    expectNotes(outcome, 'password_grant');
    const [note] = outcome.evaluation.deviations;
    expect(note && describeDeviation(note)).toMatchObject({
      section: 'RFC 9700 2.4',
      strict: 'grant_not_in_profile',
    });
    expect(checkOf(outcome, 'grant_allowed')?.tolerated).toBe(true);
  });

  test('behaviour 1.13: strict rejects the grant, and the trace names a profile that accepts it', async () => {
    const { ask } = withLegacy({ settings: { profile: 'strict' } });
    const refusal = expectRefusal(await ask(), 'grant_not_in_profile');
    expect(describeCause(refusal).accepted_by).toBe('documented');
  });

  test.each(PROFILES)(
    'behaviour 1.13, RFC 8414 2 (%s): is the only grant that is not served, and only in strict',
    async (profile) => {
      const served = GRANT_TYPES.filter((grant) => grant !== 'password' || profile !== 'strict');
      expect(grantsServed(PROFILE_RULES[profile])).toEqual(served);
      const made = createTestService({ settings: { profile } });
      const { refusal } = await made.evaluate(refreshRequest({ grant_type: 'code' }));
      expect(refusal?.description).toBe(`grant_type must be exactly one of ${served.join(', ')}`);
    },
  );
});

describe('the request', () => {
  test.each(['username', 'password'])('RFC 6749 4.3.2: %s is required', async (field) => {
    const { ask } = withLegacy();
    expectRefusal(await ask({ [field]: undefined }), 'parameter_missing');
    expectRefusal(await ask({ [field]: '' }), 'parameter_empty');
  });

  test('RFC 6749 4.3.2: guesses are counted by username and address, before the password is checked', async () => {
    const { ask, answered, advance, service } = withLegacy({
      settings: { throttle: { limit: 2, window_seconds: 60 } },
    });
    expectRefusal(await ask({ password: 'a guess' }), 'password_wrong');
    expectRefusal(await ask({ password: 'another guess' }), 'password_wrong');
    const third = expectRefusal(await ask(), 'throttled');
    expect(third.description).toMatch(/^too many requests with this username from this address/);
    expectRefusal(await ask({ username: 'eve' }), 'username_unknown');
    expect(service.throttle.list().map(({ kind }) => kind)).toEqual(['username', 'username']);
    advance(60);
    answered(await ask());
  });

  test('behaviour 5.1: a username is counted separately from a client or a token with the same text', async () => {
    const { ask, evaluate, answered } = withLegacy({
      users: [user({ sub: 'demo-app' })],
      clients: [legacy({ grant_types: ['password', 'client_credentials'] })],
      settings: { throttle: { limit: 1, window_seconds: 60 } },
    });
    answered(await ask({ username: 'demo-app' }));
    answered(await evaluate(refreshRequest({ grant_type: 'client_credentials' })));
  });
});
