// Held exchanges over real HTTP and the control API (behaviour 8.8 to 8.11): what is held, for how long, what may be
// decided, and what the exchange says afterwards.

import { createHash } from 'node:crypto';
import * as openid from 'openid-client';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { ControlClient } from '../../src/control/contract.ts';
import type { HeldDetail, HoldEvent, HoldRuleInput } from '../../src/control/schemas.ts';
import { SENDER_HEADER } from '../../src/core/records/enumerations.ts';
import { HOLD_BOUNDS } from '../../src/core/records/bounds.ts';
import { openConnection } from '../support/connection.ts';
import { authorizePath, redeem } from '../support/form-calls.ts';
import {
  type Answer,
  call,
  CREDENTIALS,
  expectError,
  type HarnessOptions,
  ORDERS,
  REDIRECT_URI,
  startHarness,
  TOKEN,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

interface Follower {
  /** Resolves when this many exchanges are held. */
  readonly until: (count: number) => Promise<HoldEvent['held']>;
  /** Resolves when nothing more is followed. */
  readonly over: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

async function follow(control: ControlClient, rule: HoldRuleInput = {}): Promise<Follower> {
  const stopping = new AbortController();
  const events = (await control.holds.start(rule, { signal: stopping.signal }))[
    Symbol.asyncIterator
  ]();
  // The first event shows that the rule is active.
  await events.next();
  return {
    until: async (count) => {
      for (;;) {
        const { value, done } = await events.next();
        if (done === true) throw new Error('the session is over');
        if (value.held.length === count) return value.held;
      }
    },
    over: async () => {
      for (;;) if ((await events.next()).done === true) return;
    },
    stop: async () => {
      stopping.abort();
      await events.return(undefined);
    },
  };
}

async function start(options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  const control = await harness.connect();
  const hold = (rule?: HoldRuleInput) => follow(control, rule);
  return {
    ...harness,
    rpc: control,
    hold,
    /** Sends this request, and resolves once it is held. */
    holding: async (rule: HoldRuleInput, send: () => Promise<Answer>) => {
      const follower = await hold(rule);
      const answer = send();
      await follower.until(1);
      return { ...follower, answer };
    },
    redeem: (code: string) => redeem(harness, code),
    /** The newest exchange, and what was done to it. */
    newest: async () => {
      const { items } = await control.exchanges.list({ limit: 1 });
      const { status, error, cause, fault, held, client_id } = items[0]!;
      const { what = null, changed = null } = held ?? {};
      return { status, error, cause, client_id, fault, what, changed };
    },
    detail: (number: number) => harness.get<HeldDetail>(`/holds/${number}`),
  };
}

/** The left half of a SHA-256 hash (OpenID Connect Core 3.1.3.6). */
const leftHalfOf = (text: string) =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

const NEXT: HoldRuleInput = { times: 1 };
const match = (path: string) => ({ path, method: null, grant_type: null, client_id: null });

describe('what is held', () => {
  it('behaviour 8.8: control forecasts the request with edits, and consumes nothing', async () => {
    const { hold, redeem, code, rpc, api } = await start();
    const { until, over } = await hold(NEXT);
    const value = await code({ scope: 'openid' });
    const answer = redeem(value);
    const [{ number } = { number: 0 }] = await until(1);
    const outcomeOf = async (request: NonNullable<Parameters<typeof rpc.holds.forecast>[0]>) => {
      const { forecast } = await rpc.holds.forecast(request);
      return [forecast?.status, forecast?.reason ?? null];
    };
    const wrong = { member: 'redirect_uri', do: 'set', value: 'https://x.test/' } as const;
    expect(await outcomeOf({ number, request: [wrong] })).toEqual([400, 'redirect_uri_differs']);
    expect(await outcomeOf({ number })).toEqual([200, null]);
    await rpc.holds.release({ number });
    expect((await answer).status).toBe(200);
    expectError(await api('POST', `/holds/${number}/forecast`, {}), 409, 'conflict', 'number');
    await over();
  });

  it('behaviour 8.8: the request waits before its evaluation, and control shows what would happen', async () => {
    const { hold, redeem, code, detail, post, get, newest } = await start();
    const { until, over } = await hold(NEXT);
    const answer = redeem(await code({ scope: 'openid' }));
    const [held] = await until(1);
    expect(held).toEqual({
      number: 1,
      at: 'request',
      method: 'POST',
      path: '/oauth/token',
      ip: '127.0.0.1',
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      endpoint: 'token',
      held_at: expect.stringMatching(/Z$/) as string,
      seconds_left: 300,
      client_gone: false,
    });
    const { forecast, exchange, id_token_claims, consequence } = await detail(1);
    expect(forecast).toMatchObject({ status: 200, reason: null });
    expect(forecast?.effects.map(({ kind }) => kind)).toContain('redeem');
    expect(exchange.request.body).toContain('client_secret=[redacted]');
    expect({ id_token_claims, consequence, trace: exchange.trace }).toEqual({
      id_token_claims: null,
      consequence: null,
      trace: [],
    });
    await post('/holds/1/release', {});
    expect((await answer).status).toBe(200);
    await over();
    expect(await newest()).toMatchObject({
      status: 200,
      cause: null,
      what: expect.stringMatching(
        /^Held before its evaluation for \d+ ms, then released\.$/,
      ) as string,
    });
    expect(await get('/holds')).toEqual({ items: [], next: null });
  });

  it.each([
    ['another path', { match: match('/userinfo') }],
    ['another client', { match: { ...match('/oauth/token'), client_id: 'other' } }],
    ['another grant', { match: { ...match('/oauth/token'), grant_type: 'refresh_token' } }],
    ['another sender', { sent_by: 'scenario' as const }],
    ['rejected responses', { at: 'response' as const, rejected_only: true }],
  ])('behaviour 8.8: a rule for %s holds no other exchange', async (_, rule) => {
    const { hold, signIn, get } = await start();
    await hold(rule);
    await signIn();
    expect((await get<{ items: unknown[] }>('/holds')).items).toEqual([]);
  });

  it('behaviour 8.8: holds only rejected responses with rejected_only', async () => {
    const { hold, signIn, redeem, detail, post, newest } = await start();
    const { until } = await hold({ at: 'response', rejected_only: true });
    await signIn();
    const answer = redeem('unknown');
    const [held] = await until(1);
    expect(held).toMatchObject({ number: 2, at: 'response' });
    const { exchange, forecast } = await detail(2);
    expect(exchange).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(exchange.trace.length).toBeGreaterThan(0);
    expect(forecast).toBeNull();
    await post('/holds/2/release', {});
    expect((await answer).status).toBe(400);
    expect((await newest()).what).toMatch(/^Response held for .+, then released\.$/);
  });

  it.each([
    ['a health check', 'GET', '/livez', {}],
    ['the landing page', 'GET', '/', {}],
    ['a preflight', 'OPTIONS', '/oauth/token', { 'Access-Control-Request-Method': 'POST' }],
    ['a request of the workbench', 'POST', '/oauth/token', { [SENDER_HEADER]: 'workbench' }],
    ['a request of the command line', 'POST', '/oauth/token', { [SENDER_HEADER]: 'command_line' }],
  ])('behaviour 8.8: %s is never held', async (_, method, path, headers) => {
    const { hold, url, get } = await start();
    await hold();
    expect((await call(url(), method, path, { headers })).status).toBeGreaterThan(0);
    expect((await get<{ items: unknown[] }>('/holds')).items).toEqual([]);
  });
});

describe('how a hold ends', () => {
  it('behaviour 8.9: nothing is held once its session has ended', async () => {
    const { holding, redeem, code, newest, get, signIn } = await start();
    const { answer, stop } = await holding({}, async () => redeem(await code()));
    await stop();
    expect((await answer).status).toBe(200);
    expect((await newest()).what).toMatch(/released because nobody followed it any more\.$/);
    await signIn();
    expect(await get('/holds')).toEqual({ items: [], next: null });
  });

  it('behaviour 8.9: a lost connection of the command line or of curl ends its session', async () => {
    const { control, redeem, code, newest, rpc } = await start();
    const leaving = new AbortController();
    const response = await fetch(`${control.url}/api/holds`, {
      method: 'POST',
      body: '{}',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const feed = await rpc.events();
    const answer = redeem(await code());
    for await (const { changed } of feed) if (changed.includes('holds')) break;
    leaving.abort();
    expect((await answer).status).toBe(200);
    expect((await newest()).what).toMatch(/nobody followed it any more\.$/);
  });

  it('behaviour 8.9: releases it unchanged at the time limit', async () => {
    const { hold, redeem, code, newest } = await start();
    await hold({ release_after_ms: 20 });
    expect((await redeem(await code())).status).toBe(200);
    expect(await newest()).toMatchObject({
      fault: null,
      changed: false,
      what: expect.stringMatching(/then released at the time limit\.$/) as string,
    });
  });

  it('behaviour 8.9: a reset releases what is held and ends the session', async () => {
    const { holding, redeem, code, newest, post } = await start();
    const { answer, over } = await holding({}, async () => redeem(await code()));
    await post('/reset', {});
    expect((await answer).status).toBe(400);
    await over();
    expect((await newest()).what).toMatch(/then released by a reset\.$/);
  });

  it('behaviour 8.9: stopping the server releases what is held at once', async () => {
    const { holding, redeem, code, engine, newest } = await start();
    const { answer } = await holding({}, async () => redeem(await code()));
    await engine.stop();
    expect((await answer).status).toBe(200);
    expect((await newest()).what).toMatch(/released because the server was stopped\.$/);
  });

  it('behaviour 8.9: says that the client is gone, and evaluates the request nevertheless', async () => {
    const { hold, engine, post, newest } = await start();
    const { until } = await hold();
    const client = openConnection(engine.server().port);
    const { hangUp, outcome } = client.send('POST', '/oauth/token', 'grant_type=password');
    await until(1);
    hangUp();
    await outcome;
    expect((await until(1))[0]).toMatchObject({ client_gone: true });
    await post('/holds/1/release', {});
    expect(await newest()).toMatchObject({ status: 400 });
    client.close();
  });

  it(`behaviour 8.9: exchange ${HOLD_BOUNDS.entries + 1} passes with a mark`, async () => {
    const { hold, url, newest, post } = await start();
    const { until } = await hold();
    const get = () => call(url(), 'GET', '/.well-known/jwks.json');
    const answers = Array.from({ length: HOLD_BOUNDS.entries }, get);
    await until(HOLD_BOUNDS.entries);
    expect((await get()).status).toBe(200);
    expect((await newest()).what).toBe('Not held: too many exchanges were held already.');
    await post('/holds/release');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });

  it('behaviour 8.9: exchanges pass with a mark while those that are held fill their bytes', async () => {
    const { hold, rpc, newest, post, url } = await start();
    await rpc.settings.update({ max_body_bytes: HOLD_BOUNDS.bytes + 1000 });
    await hold();
    const raw = 'x'.repeat(HOLD_BOUNDS.bytes + 1);
    expect((await call(url(), 'POST', '/oauth/token', { raw })).status).toBe(400);
    expect((await newest()).what).toBe('Not held: too many exchanges were held already.');
    await post('/holds/release');
  });
});

describe('decisions', () => {
  it('behaviour 8.11: fields of the request are edited, and the exchange shows what the app has sent', async () => {
    const { holding, redeem, code, post, newest, rpc } = await start();
    const { answer } = await holding({}, () => redeem('unknown'));
    const request = [{ member: 'code', do: 'set', value: await code() }];
    await post('/holds/1/release', { request });
    expect((await answer).status).toBe(200);
    expect(await newest()).toMatchObject({
      fault: null,
      changed: true,
      what: expect.stringMatching(/then released with edits of code\.$/) as string,
    });
    const { request: shown } = await rpc.exchanges.get({ number: 1, secrets: true });
    expect(shown.body).toContain('code=unknown');
  });

  it.each([
    ['a JSON body', { 'Content-Type': 'application/json' }, '{"grant_type":"refresh_token"}'],
    ['the query of a request without a body', {}, ''],
  ])('behaviour 8.10: edits %s', async (_, headers, raw) => {
    const { hold, url, post, newest } = await start();
    const { until } = await hold();
    const [method, path] =
      raw === '' ? ['GET', '/authorize?client_id=none'] : ['POST', '/oauth/token'];
    const answer = call(url(), method, path, { headers, ...(raw === '' ? {} : { raw }) });
    await until(1);
    const [member, value] = raw === '' ? ['client_id', 'demo-app'] : ['grant_type', 'unknown'];
    await post('/holds/1/release', { request: [{ member, do: 'set', value }] });
    await answer;
    expect(await newest()).toMatchObject(
      raw === '' ? { client_id: 'demo-app' } : { error: 'unsupported_grant_type' },
    );
  });

  it('behaviour 8.10: openid-client rejects an ID token whose nonce was edited', async () => {
    const { hold, rpc, engine, post, detail } = await start({ engine: { now: Date.now } });
    const { issuer } = engine.server();
    const client = await openid.discovery(
      new URL(issuer),
      CREDENTIALS.client_id,
      { id_token_signed_response_alg: 'ES256' },
      openid.ClientSecretPost(CREDENTIALS.client_secret),
      { execute: [openid.allowInsecureRequests] },
    );
    const { until } = await hold({ at: 'response', match: match('/oauth/token') });
    const login = async (edit: boolean) => {
      const order = { client_id: 'demo-app', redirect_uri: REDIRECT_URI, scope: 'openid' };
      const { code } = await rpc.codes.create({ ...order, nonce: 'expected' });
      const callback = new URL(REDIRECT_URI);
      callback.search = new URLSearchParams({ code, iss: issuer }).toString();
      const tokens = openid.authorizationCodeGrant(
        client,
        callback,
        { expectedNonce: 'expected' },
        { audience: ORDERS },
      );
      const end = tokens.then(
        () => 'accepted',
        (error: unknown) =>
          String((error as { cause?: { message?: string } }).cause?.message ?? error),
      );
      const [{ number } = { number: 0 }] = await until(1);
      const { id_token_claims, consequence } = await detail(number);
      expect(id_token_claims).toMatchObject({ nonce: 'expected' });
      expect(consequence).toMatch(
        /^The code was redeemed\. Issued: an access token, .*undoes that\.$/,
      );
      const claims = edit ? [{ member: 'nonce', do: 'set', value: 'other' }] : [];
      await post(`/holds/${number}/release`, { response: { claims } });
      await until(0);
      return end;
    };
    expect(await login(false)).toBe('accepted');
    expect(await login(true)).toMatch(/nonce/);
  });

  it('behaviour 8.10: recomputes at_hash for an edited access token, unless it is kept', async () => {
    const { hold, redeem, code, post } = await start();
    const { until } = await hold({ at: 'response' });
    const edited = async (keep_hashes: boolean) => {
      const answer = redeem(await code({ scope: 'openid' }));
      const [{ number } = { number: 0 }] = await until(1);
      const members = [{ member: 'access_token', do: 'set', value: 'another' }];
      await post(`/holds/${number}/release`, { response: { members, keep_hashes } });
      await until(0);
      const { access_token, id_token } = (await answer).body as Record<string, string>;
      expect(access_token).toBe('another');
      return decodeJwt(id_token!)['at_hash'];
    };
    const expected = leftHalfOf('another');
    expect(await edited(false)).toBe(expected);
    expect(await edited(true)).not.toBe(expected);
  });

  it('behaviour 8.10: edits status, headers and members of any JSON response', async () => {
    const { holding, redeem, post, newest } = await start();
    const { answer } = await holding({ at: 'response' }, () => redeem('unknown'));
    const response = {
      status: 503,
      headers: [['Cache-Control', 'private']],
      members: [{ member: 'error', do: 'set', value: 'temporarily_unavailable' }],
    };
    await post('/holds/1/release', { response });
    const { status, headers, body } = await answer;
    expect({ status, cache: headers['cache-control'], body }).toMatchObject({
      status: 503,
      cache: 'private',
      body: { error: 'temporarily_unavailable' },
    });
    expect(await newest()).toMatchObject({
      error: 'temporarily_unavailable',
      what: expect.stringMatching(/with edits of status, Cache-Control and error\.$/) as string,
    });
  });

  it('behaviour 8.10: edits the parameters of an authorization response', async () => {
    const { hold, url, post } = await start();
    const { until } = await hold({ at: 'response', match: match('/authorize') });
    const path = authorizePath({ state: 's', prompt: 'none' });
    const answer = call(url(), 'GET', path);
    await until(1);
    const members = [{ member: 'state', do: 'set', value: 'other' }];
    await post('/holds/1/release', { response: { members } });
    const { location = '' } = (await answer).headers;
    expect(new URL(location).searchParams.get('state')).toBe('other');
  });

  it('behaviour 8.10: edits the ID token of an authorization response, and recomputes c_hash', async () => {
    const { hold, rpc, url, post, detail } = await start();
    await rpc.settings.update({ authorize: 'auto', profile: 'interop' });
    const grant_types = ['authorization_code' as const, 'implicit' as const];
    await rpc.clients.update({ client_id: 'demo-app', grant_types });
    const { until } = await hold({ at: 'response', match: match('/authorize') });
    const path = authorizePath({ response_type: 'code id_token', scope: 'openid', nonce: 'n' });
    const answer = call(url(), 'GET', path);
    await until(1);
    expect((await detail(1)).id_token_claims).toMatchObject({ nonce: 'n' });
    const members = [{ member: 'code', do: 'set', value: 'another' }];
    const claims = [{ member: 'nonce', do: 'set', value: 'other' }];
    await post('/holds/1/release', { response: { members, claims } });
    const { location = '' } = (await answer).headers;
    const sent = new URLSearchParams(new URL(location).hash.slice(1));
    expect(sent.get('code')).toBe('another');
    expect(decodeJwt(sent.get('id_token')!)).toMatchObject({
      nonce: 'other',
      c_hash: leftHalfOf('another'),
    });
  });

  it('behaviour 8.10: answers an authorization request with a redirect to the app, in its response mode', async () => {
    const { hold, post, url, newest, api, engine } = await start();
    const { until } = await hold();
    const link = (more: Record<string, string> = {}) =>
      authorizePath({ scope: 'openid', state: 's', response_mode: 'fragment', ...more });
    const answer = call(url(), 'GET', link());
    await until(1);
    await post('/holds/1/answer', { reason: 'consent_missing' });
    const { status, headers } = await answer;
    const { hash, origin, pathname } = new URL(headers.location ?? '');
    expect([status, origin + pathname]).toEqual([302, REDIRECT_URI]);
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      error: 'consent_required',
      state: 's',
      iss: engine.server().issuer,
      error_description: expect.any(String) as string,
    });
    expect(await newest()).toMatchObject({ error: 'consent_required', cause: null });

    const unknown = call(url(), 'GET', link({ client_id: 'nobody' }));
    await until(1);
    const refused = await api('POST', '/holds/2/answer', { reason: 'consent_missing' });
    expectError(refused, 422, 'invalid', 'reason');
    await post('/holds/2/release');
    expect((await unknown).status).toBe(400);
  });

  it('behaviour 8.10: a throttled answer carries Retry-After', async () => {
    const { holding, redeem, code, post } = await start();
    const { answer } = await holding(NEXT, async () => redeem(await code()));
    await post('/holds/1/answer', { reason: 'throttled' });
    const { status, headers } = await answer;
    expect([status, headers['retry-after']]).toEqual([429, '60']);
  });

  it('behaviour 8.10: answers with a chosen refusal without evaluation', async () => {
    const { holding, redeem, code, post, newest } = await start();
    const value = await code();
    const { answer } = await holding(NEXT, () => redeem(value));
    await post('/holds/1/answer', { reason: 'code_expired' });
    expect(await answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await newest()).toMatchObject({
      client_id: 'demo-app',
      error: 'invalid_grant',
      cause: null,
      changed: true,
      what: expect.stringMatching(
        /then answered with code_expired without evaluation\.$/,
      ) as string,
    });
    expect((await redeem(value)).status).toBe(200);
  });

  it('behaviour 8.10: drops the connection, before or after the evaluation', async () => {
    const { hold, redeem, code, post, newest } = await start();
    for (const at of ['request', 'response'] as const) {
      const { until, over } = await hold({ at, times: 1 });
      const value = await code();
      const answer = redeem(value).catch(() => 'cut');
      const [{ number } = { number: 0 }] = await until(1);
      await post(`/holds/${number}/drop`, {});
      expect(await answer).toBe('cut');
      await over();
      expect(await newest()).toMatchObject({ status: 0, changed: true });
      expect((await redeem(value)).status).toBe(at === 'request' ? 200 : 400);
    }
  });

  it('behaviour 8.10: a step holds the next request too', async () => {
    const { hold, redeem, code, post, url } = await start();
    const { until, over } = await hold({ times: 1, match: match('/oauth/token') });
    const first = redeem(await code());
    await until(1);
    await post('/holds/1/release', { step: true });
    expect((await first).status).toBe(200);
    const second = call(url(), 'GET', '/.well-known/jwks.json');
    expect(await until(1)).toMatchObject([{ number: 2, endpoint: 'jwks' }]);
    await post('/holds/2/release', {});
    expect((await second).status).toBe(200);
    await over();
  });

  it('behaviour 8.10: hold_response holds the response to a released request', async () => {
    const { holding, redeem, code, post, newest } = await start();
    const { answer, until } = await holding(NEXT, async () => redeem(await code()));
    await post('/holds/1/release', { hold_response: true });
    expect(await until(1)).toMatchObject([{ number: 1, at: 'response' }]);
    await post('/holds/1/answer', { reason: 'code_expired' });
    expect((await answer).status).toBe(400);
    expect((await newest()).what).toMatch(
      /released\. Response held for .+ replaced with the response/,
    );
  });

  it('behaviour 4.7: of two redemptions released together, one gets tokens, which are then revoked', async () => {
    const { hold, redeem, code, post, rpc } = await start();
    const { until } = await hold();
    const value = await code();
    const answers = [redeem(value), redeem(value)];
    await until(2);
    await post('/holds/release');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
    const { items } = await rpc.exchanges.list({ limit: 2 });
    const rejected = items.find(({ status }) => status === 400);
    const { why } = await rpc.exchanges.get({ number: rejected!.number });
    expect(why?.reason).toBe('code_redeemed');
    const tokens = await rpc.tokens.list({});
    expect(tokens.items.filter(({ state }) => state === 'active')).toEqual([]);
  });
});

describe('what is rejected', () => {
  const rejected: [string, object, string][] = [
    ['an unknown member', { what: 1 }, 'what'],
    ['a pattern without a slash', { match: { path: 'oauth' } }, 'match.path'],
    ['a health check', { match: { path: '/livez' } }, 'match.path'],
    ['no times', { times: 0 }, 'times'],
    ['more than an hour', { release_after_ms: 3_600_001 }, 'release_after_ms'],
    ['rejected requests', { rejected_only: true }, 'rejected_only'],
    ['the workbench', { sent_by: 'workbench' }, 'sent_by'],
  ];
  const shared = shareHarness();

  it.each(rejected)('control: a rule for %s is rejected', async (_, rule, field) => {
    expectError(await shared().api('POST', '/holds', rule), 422, 'invalid', field);
  });

  it('control: more sessions than allowed are rejected', async () => {
    const { hold, api } = await start();
    for (let session = 0; session < HOLD_BOUNDS.rules; session++) await hold();
    expectError(await api('POST', '/holds', {}), 409, 'conflict', undefined, /at most 32 rules/);
  });

  it('control: the second decision is rejected, and so is one about an unknown exchange', async () => {
    const { holding, redeem, api } = await start();
    const { answer } = await holding({}, () => redeem('unknown'));
    expect((await api('POST', '/holds/1/release', {})).status).toBe(204);
    await answer;
    for (const [method, path, body] of [
      ['GET', '/holds/1', undefined],
      ['POST', '/holds/1/release', {}],
      ['POST', '/holds/1/answer', { reason: 'code_expired' }],
      ['POST', '/holds/1/drop', {}],
    ] as const) {
      expectError(await api(method, path, body), 409, 'conflict', 'number', /no longer held/);
      expectError(await api(method, path.replace('1', '9'), body), 404, 'not_found');
    }
  });

  it('control: edits that cannot apply are rejected, and the exchange stays held', async () => {
    const { holding, redeem, api, post } = await start();
    const { answer, until } = await holding(NEXT, () => redeem('unknown'));
    const invalid = async (action: string, body: object, field: string) => {
      expectError(await api('POST', `/holds/1/${action}`, body), 422, 'invalid', field);
    };
    const edit = [{ member: 'sub', do: 'remove' }];
    await invalid('release', { response: { members: edit } }, 'response');
    await invalid('release', { request: [{ member: 'code', do: 'turn' }] }, 'request[0].do');
    await invalid('answer', { reason: 'nothing' }, 'reason');
    await invalid('answer', { reason: 'constructor' }, 'reason');
    await invalid('answer', { reason: 'redirect_uri_missing' }, 'reason');
    await post('/holds/1/release', { hold_response: true });
    await until(1);
    await invalid('release', { request: edit }, 'request');
    await invalid('release', { hold_response: true }, 'hold_response');
    await invalid('release', { response: { claims: edit } }, 'response.claims');
    await invalid('release', { response: { status: 199 } }, 'response.status');
    await invalid('release', { response: { headers: [['Date', 'x']] } }, 'response.headers[0][0]');
    await post('/holds/1/release', {});
    expect((await answer).status).toBe(400);
  });

  it('control: fields of a body that is neither a form nor JSON cannot be edited', async () => {
    const { holding, url, api, post } = await start();
    const { answer } = await holding({}, () =>
      call(url(), 'POST', '/oauth/token', {
        raw: 'x',
        headers: { 'Content-Type': 'text/plain' },
      }),
    );
    const request = [{ member: 'code', do: 'remove' }];
    expectError(await api('POST', '/holds/1/release', { request }), 422, 'invalid', 'request');
    await post('/holds/release');
    await answer;
  });
});
