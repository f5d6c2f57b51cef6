// RFC 7009 over real HTTP: stock clients that revoke tokens, and invalid requests.

import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { type HttpService, ownHttpService, sharedHttpService } from '../support/http-service.ts';
import type { AuthMethod } from '../support/token-endpoints.ts';
import {
  ask,
  evaluationOf,
  openidClient,
  OTHER,
  present,
  signIn,
} from '../support/token-endpoints.ts';

const PATH = '/oauth/revoke';

const documented = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop' });
const auth0 = await sharedHttpService({ dialect: 'auth0' });

const active = async (url: string, token: string) =>
  (await present(url, '/oauth/introspect', { token })).body['active'];

describe.each<[string, HttpService, AuthMethod]>([
  ['documented, client_secret_post', documented, 'client_secret_post'],
  ['interop, client_secret_basic', interop, 'client_secret_basic'],
])('stock clients under %s', (_name, server, method) => {
  it('behaviour 7.7: openid-client revokes an access token, and a refresh token with its whole lineage', async () => {
    const { url } = server;
    const config = await openidClient(url, method);
    const { access_token, refresh_token } = await signIn(server);
    await openid.tokenRevocation(config, access_token);
    expect(await active(url, access_token)).toBe(false);
    const { access_token: second } = await openid.refreshTokenGrant(config, refresh_token);
    await openid.tokenRevocation(config, refresh_token, { token_type_hint: 'refresh_token' });
    expect(await active(url, second)).toBe(false);
    await expect(openid.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('the response', () => {
  it('RFC 7009 2.2: is an empty 200, not cacheable, and readable by any page', async () => {
    const { url } = documented;
    const { access_token } = await signIn(documented);
    for (const token of [access_token, access_token, 'unknown', '...']) {
      const answer = await present(url, PATH, { token });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers.get('content-length')).toBe('0');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('grantbench-exchange')).toMatch(/^\d+$/);
    }
  });

  it('behaviour 3: differs in the auth0 dialect only for failed client authentication', async () => {
    const { url } = auth0;
    const { access_token } = await signIn(auth0);
    const wrong = await present(url, PATH, { token: access_token, client_secret: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { error: 'access_denied', error_description: 'Unauthorized' },
    ]);
    const other = await present(url, PATH, { ...OTHER, token: access_token });
    expect([other.status, other.body['error']]).toEqual([400, 'invalid_grant']);
    expect(other.body['error_description']).toBe('the token was not issued to this client');
    expect((await present(url, PATH, { token: access_token })).status).toBe(200);
  });

  it('spec 8.1: is neither throttled nor counted', async () => {
    const limited = await ownHttpService({ throttle: { limit: 1 } });
    const { refresh_token } = await signIn(limited);
    for (let count = 0; count < 5; count++) {
      const answer = await present(limited.url, PATH, { token: refresh_token });
      expect([answer.status, answer.headers.get('ratelimit')]).toEqual([200, null]);
    }
  });
});

describe('bad input', () => {
  it.each<[string, RequestInit, number, string]>([
    ['GET', {}, 405, 'the method is not allowed here; see the Allow header'],
    ['no token', form('client_id=demo-app&client_secret=demo-secret'), 400, 'token is required'],
    ['token twice', form('token=a&token=b'), 400, 'token must not be repeated (RFC 6749 3.2)'],
    [
      'a wrong secret',
      form('client_id=demo-app&client_secret=x&token=a'),
      401,
      'client_id or client_secret is wrong',
    ],
  ])('%s is rejected, naming the field and the rule', async (_name, init, status, description) => {
    const answer = await ask(documented.url, PATH, init);
    expect([answer.status, answer.body['error_description']]).toEqual([status, description]);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(evaluationOf(documented, answer).endpoint).toBe('revoke');
    expect(documented.faults).toEqual([]);
  });
});

function form(body: string) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', headers, body };
}
