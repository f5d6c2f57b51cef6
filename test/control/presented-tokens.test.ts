// Presented tokens over the control API: ended manually or by their client, and the exchanges in which they were
// presented.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { form, introspect, userinfo } from '../support/form-calls.ts';
import type { Answer, Harness } from '../support/harness.ts';
import { call, START, startHarness, startSignedIn } from '../support/harness.ts';

const exchangeOf = (harness: Harness, { headers }: Answer) =>
  harness.get<Exchange>(`/exchanges/${String(headers['grantbench-exchange'])}`);

/** Verifies as an API does, only by the published keys. */
const verifyOffline = (harness: Harness, token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${harness.url()}/.well-known/jwks.json`)), {
    currentDate: new Date(START),
  });

describe('behaviour 2.11: a token ended over the control API is rejected by introspection and userinfo, while an offline verifier cannot know', () => {
  it.each([
    [
      '/tokens/1.2/expire',
      'expired manually at 2026-11-21T10:00:00Z',
      'the access token has expired',
    ],
    ['/tokens/1.2/revoke', 'revoked at 2026-11-21T10:00:00Z', 'the access token was revoked'],
    ['/tokens/1.3/revoke', 'revoked at 2026-11-21T10:00:00Z', 'the access token was revoked'],
    ['/lineages/1/revoke', 'revoked at 2026-11-21T10:00:00Z', 'the access token was revoked'],
  ])('POST %s: %s', async (path, cause, error_description) => {
    const { harness, access_token } = await startSignedIn();
    const other = await harness.signIn();
    await harness.post(path);

    const reported = await introspect(harness, access_token);
    expect(reported.text).toBe('{"active":false}');
    expect((await exchangeOf(harness, reported)).cause).toBe(cause);
    const refused = await userinfo(harness, access_token);
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: 'invalid_token', error_description },
    ]);
    expect((await verifyOffline(harness, access_token)).payload.sub).toBe('ada');
    expect((await userinfo(harness, other.access_token)).status).toBe(200);
  });
});

describe('a token revoked by its client', () => {
  it('is shown as revoked, with the exchange', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    const first = await form(harness, '/oauth/revoke', { token: access_token });
    expect(await harness.get('/tokens/1.2')).toMatchObject({
      state: 'revoked',
      ended_by: Number(first.headers['grantbench-exchange']),
    });
    const second = await form(harness, '/oauth/revoke', { token: refresh_token });
    expect(await harness.get('/tokens/1.3')).toMatchObject({
      state: 'revoked',
      ended_by: Number(second.headers['grantbench-exchange']),
    });
  });
});

describe('the exchange', () => {
  it('behaviour 3: names client, lineage and credential, and contains the whole trace', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    const members = { client_id: 'demo-app', lineage_id: '1', profile: 'documented', why: null };
    const exchanges = [
      [await userinfo(harness, access_token), '1.2'],
      [await introspect(harness, access_token), '1.2'],
      [await introspect(harness, refresh_token), '1.3'],
      [await form(harness, '/oauth/revoke', { token: access_token }), '1.2'],
      [await form(harness, '/oauth/revoke', { token: refresh_token }), '1.3'],
    ] as const;
    for (const [answer, credential_id] of exchanges) {
      const exchange = await exchangeOf(harness, answer);
      expect(exchange).toMatchObject({ ...members, credential_id });
      expect(exchange.trace.map(({ verdict }) => verdict)).not.toContain('failed');
    }
  });

  it('behaviour 3: says why a token is inactive, and what to do', async () => {
    const { harness, access_token } = await startSignedIn();
    await harness.patch('/clock', { advance_seconds: 86_403 });
    const answer = await introspect(harness, access_token);
    const { why, error, status, trace } = await exchangeOf(harness, answer);
    expect([status, error]).toEqual([200, null]);
    expect(why).toEqual({
      reason: 'access_token_expired',
      check: 'credential_live',
      summary: 'The access token has expired.',
      detail: 'expired 3 s ago',
      advice: 'Get a new access token, with the refresh token if there is one.',
      differs_at: null,
      accepted_by: null,
    });
    expect(trace.at(-1)).toMatchObject({ id: 'credential_live', verdict: 'failed' });
  });

  it('behaviour 3: explains a request with the wrong method by the rules of its endpoint', async () => {
    const harness = await startHarness();
    const [method] = (await exchangeOf(harness, await call(harness.url(), 'GET', '/oauth/revoke')))
      .trace;
    expect(method).toMatchObject({ id: 'method', verdict: 'failed', section: 'RFC 7009 2.1' });
    const put = await call(harness.url(), 'PUT', '/userinfo');
    const { trace } = await exchangeOf(harness, put);
    expect(trace[0]).toMatchObject({ rule: 'The method is GET or POST', got: 'PUT' });
    expect(trace.map(({ id }) => id)).not.toContain('body');
  });

  it('never shows the token, wherever it was sent', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    const [, , signature = ''] = access_token.split('.');
    await introspect(harness, access_token);
    await form(harness, '/oauth/introspect', { token: refresh_token, token_type_hint: 'x' });
    await userinfo(harness, access_token, `/userinfo?access_token=${access_token}`);
    await userinfo(harness, `${access_token} ${refresh_token}`);
    await call(harness.url(), 'POST', '/userinfo', { body: { access_token } });
    await call(harness.url(), 'GET', `/oauth/introspect?token=${refresh_token}`);
    await form(harness, '/oauth/revoke', { token: refresh_token });
    const items = await harness.list<{ number: number }>('/exchanges');
    expect(items).toHaveLength(8);
    for (const { number } of items) {
      const shown = JSON.stringify(await harness.get(`/exchanges/${number}`));
      expect(shown).not.toContain(signature);
      expect(shown).not.toContain(refresh_token);
    }
    expect(harness.faults).toEqual([]);
  });
});
