// Behaviour 7.23: ID tokens in authorization responses (OpenID Connect Core 3.2 and 3.3).

import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  answerOf,
  createAuthorizationBench,
  expectRedirect,
  questionOf,
} from '../support/authorization.ts';
import { checkOf, client, deviations, ISSUER, PUBLIC, START } from '../support/core.ts';

const HYBRID = client({ grant_types: ['authorization_code', 'refresh_token', 'implicit'] });
const ASKED = { response_type: 'code id_token', nonce: 'n-0S6' };

const interop = (members: Parameters<typeof createAuthorizationBench>[0] = {}) =>
  createAuthorizationBench({
    clients: [HYBRID],
    ...members,
    settings: { profile: 'interop', authorize: 'auto', ...members.settings },
  });

const claimsOf = (token: string | undefined) => decodeJwt(token ?? '');

const leftHalf = (algorithm: 'sha256' | 'sha512', text: string) => {
  const digest = createHash(algorithm).update(text).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
};

describe('behaviour 7.23: a response with an ID token', () => {
  test.each(['ES256', 'EdDSA'] as const)(
    'OpenID Connect Core 3.3.2.11 (%s): the hybrid response has a code and an ID token with c_hash',
    async (signing_alg) => {
      const { ask, service } = interop({ settings: { signing_alg } });
      const { target, parameters } = answerOf(await ask(ASKED));
      expect(target.response_mode).toBe('fragment');
      expect(Object.keys(parameters)).toEqual(['code', 'id_token', 'state', 'iss']);
      const { code = '', id_token = '' } = parameters;
      expect(claimsOf(id_token)).toEqual({
        iss: ISSUER,
        sub: 'ada',
        aud: 'demo-app',
        iat: START / 1000,
        exp: START / 1000 + 86_400,
        auth_time: START / 1000,
        nonce: 'n-0S6',
        c_hash: leftHalf(signing_alg === 'EdDSA' ? 'sha512' : 'sha256', code),
      });
      expect(await service.keyring.verify(id_token)).toHaveProperty('claims');
    },
  );

  test('OpenID Connect Core 3.3.3.6: both ID tokens of a hybrid flow have the same iss, sub and nonce', async () => {
    const { ask, exchange } = interop();
    const { code = '', id_token } = answerOf(await ask(ASKED)).parameters;
    const { answer } = await exchange(code);
    const [first, second] = [claimsOf(id_token), claimsOf(answer?.id_token)];
    for (const name of ['iss', 'sub', 'nonce', 'auth_time', 'aud']) {
      expect(second[name]).toEqual(first[name]);
    }
    expect(second).toHaveProperty('at_hash');
  });

  test('OpenID Connect Core 3.2.2.5: the implicit response has an ID token, no code and no access token', async () => {
    const result = await interop().ask({ ...ASKED, response_type: 'id_token' });
    const { parameters } = answerOf(result);
    expect(Object.keys(parameters)).toEqual(['id_token', 'state', 'iss']);
    expect(claimsOf(parameters['id_token'])).not.toHaveProperty('c_hash');
    expect(result.evaluation.issued.map(({ kind }) => kind)).toEqual(['id_token']);
  });

  test('OAuth 2.0 Multiple Response Types 3: the order of the words has no meaning, and form_post carries the response', async () => {
    const { ask } = interop();
    const asked = { ...ASKED, response_type: 'id_token code', response_mode: 'form_post' };
    const { target, parameters } = answerOf(await ask(asked));
    expect(target.response_mode).toBe('form_post');
    expect(parameters).toHaveProperty('id_token');
  });

  test('behaviour 1.2: is noted, and every check has passed', async () => {
    const result = await interop().ask(ASKED);
    expect(deviations(result)).toEqual(['id_token_response: code id_token']);
    expect(checkOf(result, 'nonce')?.verdict).toBe('passed');
    expect(checkOf(result, 'response_type')?.tolerated).toBe(true);
  });

  test('behaviour 7.23: the user cannot leave out openid, which the page says', async () => {
    const { ask, decide } = interop({ settings: { authorize: 'consent' } });
    const question = questionOf(await ask(ASKED));
    expect(question.required_scopes).toEqual(['openid']);
    const { form } = question;
    const { code = '' } = answerOf(await decide({ form, scopes: [] })).parameters;
    expect(code).not.toBe('');
    expect(questionOf(await ask({ prompt: 'consent' })).required_scopes).toEqual([]);
  });

  test('RFC 9700 2.1.1: a public client needs PKCE for a code, but not for an ID token alone', async () => {
    const { ask } = interop({ clients: [client({ ...PUBLIC, grant_types: HYBRID.grant_types })] });
    expectRedirect(await ask(ASKED), 'challenge_missing');
    answerOf(await ask({ ...ASKED, response_type: 'id_token' }));
  });

  test('OpenID Connect Core 5.4: it has the claims of the user by scope', async () => {
    const { ask } = interop();
    const { id_token } = answerOf(await ask({ ...ASKED, scope: 'openid profile' })).parameters;
    expect(claimsOf(id_token)).toMatchObject({ name: 'Ada' });
  });
});

describe('behaviour 7.23: a rejected request for an ID token', () => {
  test.each(['documented', 'strict'] as const)(
    'behaviour 7.23 (%s): only interop accepts it, and the cause says so',
    async (profile) => {
      const rejected = await interop({ settings: { profile } }).ask(ASKED);
      expectRedirect(rejected, 'response_type_unsupported');
      expect(rejected.refusal?.acceptedBy).toBe('interop');
      expect(answerOf(rejected).target.response_mode).toBe('fragment');
    },
  );

  test.each([
    'token',
    'id_token token',
    'code token',
    'code id_token token',
    'none',
    'id_token id_token',
  ])(
    'behaviour 7.23, RFC 9700 2.1.2: response_type=%s is not supported in any profile',
    async (response_type) => {
      const rejected = await interop().ask({ ...ASKED, response_type });
      expectRedirect(rejected, 'response_type_unsupported');
      expect(rejected.refusal?.acceptedBy).toBeNull();
    },
  );

  test.each([
    [{ nonce: undefined }, 'nonce_missing'],
    [{ scope: 'orders:read' }, 'openid_not_requested'],
    [{ response_mode: 'query' }, 'response_mode_query'],
  ] as const)('OpenID Connect Core 3.2.2.1: %j is rejected with %s', async (change, reason) => {
    const { ask } = interop();
    for (const response_type of ['code id_token', 'id_token']) {
      const rejected = await ask({ ...ASKED, response_type, ...change });
      expectRedirect(rejected, reason);
      expect(answerOf(rejected).target.response_mode).toBe('fragment');
    }
  });

  test('RFC 6749 4.1.2.1: a client without the grant implicit is unauthorized_client, and one without codes gets none', async () => {
    const reason = 'grant_not_allowed_for_id_token';
    expectRedirect(await interop({ clients: [client()] }).ask(ASKED), reason);
    const implicit = interop({ clients: [client({ grant_types: ['implicit'] })] });
    expectRedirect(await implicit.ask(ASKED), 'grant_not_allowed');
    answerOf(await implicit.ask({ ...ASKED, response_type: 'id_token' }));
  });

  test('RFC 7518 3.2: HS256 needs a long client_secret, which is checked before a code is issued', async () => {
    const rejected = await interop({ settings: { signing_alg: 'HS256' } }).ask(ASKED);
    expectRedirect(rejected, 'id_token_secret_short');
    expect(rejected.evaluation.issued).toEqual([]);
  });
});
