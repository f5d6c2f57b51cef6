// Behaviour 8 over real HTTP: the effect of each fault rule on the wire and on the credential. The next request on the
// same connection is unaffected.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod/mini';
import { FAULT_PRESETS } from '../../src/core/faults/presets.ts';
import { faultSchema } from '../../src/core/records/schemas.ts';
import { createPauses } from '../../src/server/faults/deliver.ts';
import type { Connection, Outcome } from '../support/connection.ts';
import { openConnection } from '../support/connection.ts';
import {
  exchangeParameters,
  type HttpService,
  NOW,
  ownHttpService,
  postForm,
  postJson,
  refreshParameters,
  sendRaw,
  sharedHttpService,
  startHttpService,
} from '../support/http-service.ts';
import { startSlowRequest } from '../support/slow-request.ts';

type Draft = Partial<z.input<typeof faultSchema>>;

const http = await sharedHttpService();
let connection: Connection;
const others: Connection[] = [];

afterAll(() => {
  for (const other of others) other.close();
});

beforeEach(() => {
  http.service.faults.replaceAll([]);
  connection = openConnection(http.port);
  return () => {
    connection.close();
  };
});

/** Fault rules of a server, by default for one request at the token endpoint. */
function scriptFor({ service }: HttpService, ...drafts: Draft[]) {
  service.faults.replaceAll(
    drafts.map((draft, index) =>
      faultSchema.parse({
        id: `rule-${index}`,
        when: 'after',
        match: { path: '/oauth/token' },
        times: 1,
        effect: { kind: 'truth' },
        ...draft,
      }),
    ),
  );
}

const script = (...drafts: Draft[]) => scriptFor(http, ...drafts);

function preset(id: string, overrides: Draft = {}) {
  const found = FAULT_PRESETS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no preset ${id}`);
  script({ id, ...found.fault, ...overrides });
}

/** A second connection, besides the one under test. */
function openOnce(): Connection {
  const other = openConnection(http.port);
  others.push(other);
  return other;
}

const hits = () => http.service.faults.list().map((state) => state.hits);

async function exchange(code: string, over = connection): Promise<Outcome> {
  return over.token(exchangeParameters(http.url, code));
}

const json = ({ body }: Outcome) => JSON.parse(body) as Record<string, unknown>;

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** A request of a code exchange as a form, whose response is awaited apart. */
async function startExchange(server: HttpService, over: Connection) {
  const body = new URLSearchParams(exchangeParameters(server.url, await server.code()));
  const slow = over.send('POST', '/oauth/token', body.toString(), FORM);
  await slow.answered;
  return slow;
}

/** The same connection accepts the next request, and its response is normal. */
async function expectClean(): Promise<void> {
  const next = await exchange(await http.code());
  expect(next).toMatchObject({ status: 200, reused: true, broken: null });
  expect(http.newest()?.fault).toBeNull();
}

/** The code was redeemed: presenting it again is rejected. */
async function expectConsumed(code: string): Promise<void> {
  const again = await exchange(code, openOnce());
  expect(again.status).toBe(400);
  expect(json(again)['error']).toBe('invalid_grant');
  expect(http.newest()?.evaluation?.refusal?.reason).toBe('code_redeemed');
}

async function expectUnspent(code: string): Promise<void> {
  expect((await exchange(code, openOnce())).status).toBe(200);
}

describe('instead: the request is not evaluated and consumes nothing', () => {
  it('behaviour 8.3: a scripted response is sent unchanged, and the connection stays open', async () => {
    script({
      when: 'instead',
      effect: {
        kind: 'answer',
        status: 418,
        headers: [
          ['X-Pot', 'tea'],
          ['x-pot', 'more'],
          ['Content-Type', 'text/plain'],
        ],
        body: 'short and stout \u2615',
      },
    });
    const code = await http.code();
    const answer = await exchange(code);
    expect(answer).toMatchObject({ status: 418, body: 'short and stout \u2615', broken: null });
    expect(answer.headers).toMatchObject({ 'x-pot': 'tea, more', 'content-type': 'text/plain' });
    expect(http.newest()).toMatchObject({
      status: 418,
      response_body: 'short and stout \u2615',
      error: null,
      evaluation: null,
      fault: { id: 'rule-0' },
    });
    await expectClean();
    await expectUnspent(code);
  });

  it('behaviour 8.2, 8.3: after 429 twice, the code is still valid and the third attempt gets the token', async () => {
    preset('throttled_twice');
    const code = await http.code();
    const answers = [await exchange(code), await exchange(code), await exchange(code)];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(answers[0]?.headers['retry-after']).toBe('1');
    expect(json(answers[0]!)['error']).toBe('too_many_requests');
    expect(answers.map(({ reused }) => reused)).toEqual([false, true, true]);
  });

  it('behaviour 8.3: the exchange names the client and the grant that the request claims', async () => {
    preset('invalid_grant', { times: null });
    await exchange('any');
    const claimed = { client_id: 'demo-app', grant_type: 'authorization_code' };
    expect(http.newest()).toMatchObject({ evaluation: null, claimed });
    const strange = { grant_type: 'urn:made:up', client_id: 'nobody' };
    await connection.token(strange);
    expect(http.newest()?.claimed).toEqual({ client_id: null, grant_type: null });
  });

  it('behaviour 8.3: a dropped connection has no response, and the exchange has status 0', async () => {
    preset('dropped');
    const code = await http.code();
    expect(await exchange(code)).toMatchObject({ status: 0, broken: 'ECONNRESET' });
    expect(http.newest()).toMatchObject({
      status: 0,
      response_headers: [],
      response_body: '',
      evaluation: null,
      fault: { id: 'dropped' },
    });
    await expectUnspent(code);
  });

  it('behaviour 8.3: a connection can be dropped after a delay', async () => {
    preset('silent', { delay_ms: 1 });
    const code = await http.code();
    expect(await exchange(code)).toMatchObject({ status: 0, broken: 'ECONNRESET' });
    await expectUnspent(code);
  });

  it.each([204, 205, 304])(
    'behaviour 8: a scripted response with %d has no content',
    async (status) => {
      script({ when: 'instead', effect: { kind: 'answer', status } });
      expect(await exchange('any')).toMatchObject({ status, body: '', broken: null });
      await expectClean();
    },
  );

  it('behaviour 8: of two requests in one packet, the rule matches the first, and the second gets a normal response', async () => {
    preset('server_error');
    const body = new URLSearchParams(exchangeParameters(http.url, await http.code())).toString();
    const head = [
      'POST /oauth/token HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    const one = `${head}\r\n\r\n${body}`;
    const answer = await sendRaw(http.port, `${one}${head}\r\nConnection: close\r\n\r\n${body}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 500', 'HTTP/1.1 200']);
  });

  it('behaviour 8: a scripted response to HEAD has no body', async () => {
    const match = { path: '/.well-known/*' };
    script({ when: 'instead', match, effect: { kind: 'answer', status: 503, body: 'down' } });
    const answer = await connection.send('HEAD', '/.well-known/jwks.json').outcome;
    expect(answer).toMatchObject({ status: 503, body: '', broken: null });
    await expectClean();
  });

  it('behaviour 7: pages of other origins may read a scripted response, unless it sets its own CORS header', async () => {
    const answer = (headers: [string, string][]) => ({
      when: 'instead' as const,
      effect: { kind: 'answer' as const, status: 503, headers },
    });
    script(answer([]), answer([['access-control-allow-origin', 'https://app.example']]));
    const allowed = 'access-control-allow-origin';
    const asPage = () =>
      connection.send('POST', '/oauth/token', '', { Origin: 'https://page.example' });
    expect((await asPage().outcome).headers[allowed]).toBe('https://page.example');
    expect((await asPage().outcome).headers[allowed]).toBe('https://app.example');
  });
});

describe('after: the request is evaluated and consumed, then the response is changed or lost', () => {
  it('behaviour 8.4: a lost response consumes the code', async () => {
    preset('lost');
    const code = await http.code();
    expect(await exchange(code)).toMatchObject({ status: 0, broken: 'ECONNRESET' });
    expect(http.newest()).toMatchObject({
      status: 0,
      response_body: '',
      evaluation: { refusal: null, client_id: 'demo-app' },
      fault: { id: 'lost' },
    });
    await expectConsumed(code);
  });

  it('behaviour 8: a gateway error in place of the response consumes the code', async () => {
    preset('gateway_timeout');
    const code = await http.code();
    const answer = await exchange(code);
    expect(answer.status).toBe(504);
    expect(answer.body).toContain('504 Gateway Timeout');
    expect(http.newest()?.evaluation?.refusal).toBeNull();
    await expectClean();
    await expectConsumed(code);
  });

  it('behaviour 8: a slow response is normal apart from its delay', async () => {
    preset('slow', { delay_ms: 1, times: 1 });
    const answer = await exchange(await http.code());
    expect(answer).toMatchObject({ status: 200, broken: null });
    expect(http.newest()).toMatchObject({ status: 200, fault: { id: 'slow' } });
    await expectClean();
  });

  it('behaviour 8.4: a truncated response ends in the middle of its Content-Length, and the connection closes', async () => {
    preset('cut');
    const code = await http.code();
    const answer = await exchange(code);
    const promised = Number(answer.headers['content-length']);
    expect(answer).toMatchObject({ status: 200, broken: 'ECONNRESET' });
    expect(answer.body).toHaveLength(promised >> 1);
    expect(http.newest()).toMatchObject({ status: 200, response_body: answer.body });
    const next = await exchange(await http.code());
    expect(next).toMatchObject({ status: 200, reused: false });
    await expectConsumed(code);
  });

  it.each([
    [0, 0],
    [7, 7],
    [1_000_000, -1],
  ])(
    'behaviour 8: a response is truncated after %d bytes, but never after the last one',
    async (after_bytes, kept) => {
      script({ effect: { kind: 'cut', after_bytes } });
      const answer = await exchange(await http.code());
      const promised = Number(answer.headers['content-length']);
      expect(answer.broken).toBe('ECONNRESET');
      expect(answer.body).toHaveLength(kept < 0 ? promised + kept : kept);
    },
  );

  it('behaviour 8.4: a slow body arrives completely, and the connection stays open', async () => {
    preset('dribbled', { effect: { kind: 'dribble', duration_ms: 120 } });
    const answer = await exchange(await http.code());
    expect(answer).toMatchObject({ status: 200, broken: null });
    expect(json(answer)['token_type']).toBe('Bearer');
    expect(http.newest()).toMatchObject({ response_body: answer.body, fault: { id: 'dribbled' } });
    await expectClean();
  });

  it('behaviour 8.4: broken JSON has the correct Content-Length', async () => {
    preset('broken_json');
    const code = await http.code();
    const answer = await exchange(code);
    expect(answer).toMatchObject({ status: 200, broken: null });
    expect(() => json(answer)).toThrow(SyntaxError);
    expect(JSON.parse(`${answer.body}}`)).toHaveProperty('access_token');
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    await expectClean();
    await expectConsumed(code);
  });

  it('behaviour 8.4: a wrong Content-Type leaves the rest of the response unchanged', async () => {
    preset('wrong_content_type');
    const answer = await exchange(await http.code());
    expect(answer.headers['content-type']).toBe('text/html');
    expect(json(answer)['token_type']).toBe('Bearer');
    await expectClean();
  });

  it.each([
    ['absent', undefined],
    ['negative', -1],
    ['huge', 9_999_999_999_999],
    ['string', '86400'],
  ])('behaviour 8.4: expires_in %s', async (as, expires_in) => {
    preset(`expires_in_${as}`);
    const answer = await exchange(await http.code());
    const { access_token, refresh_token, ...others } = json(answer);
    expect(others).toEqual({
      token_type: 'Bearer',
      ...(expires_in === undefined ? {} : { expires_in }),
    });
    expect([access_token, refresh_token]).toEqual([expect.any(String), expect.any(String)]);
    expect(http.newest()?.response_body).toBe(answer.body);
    await expectClean();
    const refreshed = await connection.token(refreshParameters(String(refresh_token)));
    expect(refreshed.status).toBe(200);
  });
});

async function published(server: HttpService) {
  const response = await fetch(`${server.url}/.well-known/jwks.json`);
  return createLocalJWKSet((await response.json()) as JSONWebKeySet);
}

describe('after: tokens that no API should accept', () => {
  const currentDate = new Date(NOW);

  it('behaviour 8.4: an expired token is valid apart from its times, and expires_in is unchanged', async () => {
    preset('expired_token');
    const answer = json(await exchange(await http.code()));
    const token = String(answer['access_token']);
    const keys = await published(http);
    await expect(jwtVerify(token, keys, { currentDate })).rejects.toMatchObject({
      code: 'ERR_JWT_EXPIRED',
    });
    const then = new Date(NOW - 361_000);
    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: then });
    expect(protectedHeader.typ).toBe('at+jwt');
    expect(payload).toMatchObject({ client_id: 'demo-app', exp: NOW / 1000 - 360 });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(86_400);
    expect(answer['expires_in']).toBe(86_400);
    await expectClean();
  });

  it('behaviour 8.4: a token signed with an unpublished key has an unknown kid', async () => {
    preset('unpublished_key');
    const answer = json(await exchange(await http.code({ scope: 'openid' })));
    const keys = await published(http);
    for (const name of ['access_token', 'id_token']) {
      const token = String(answer[name]);
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256' });
      await expect(jwtVerify(token, keys, { currentDate })).rejects.toMatchObject({
        code: 'ERR_JWKS_NO_MATCHING_KEY',
      });
    }
    await expectClean();
  });

  it('behaviour 8: an ID token under HS256 is expired, too, and signed with the client secret', async () => {
    const client_secret = 'a-secret-of-more-than-thirty-two-bytes';
    const hs256 = await ownHttpService({ signing_alg: 'HS256' }, { client_secret });
    scriptFor(hs256, { effect: { kind: 'expired_token' } });
    const { body } = await postJson(hs256.url, {
      ...exchangeParameters(hs256.url, await hs256.code({ scope: 'openid' })),
      client_secret,
    });
    const key = new TextEncoder().encode(client_secret);
    const token = String(body['id_token']);
    await expect(jwtVerify(token, key, { currentDate })).rejects.toMatchObject({
      code: 'ERR_JWT_EXPIRED',
    });
    const then = new Date(NOW - 361_000);
    expect((await jwtVerify(token, key, { currentDate: then })).payload.aud).toBe('demo-app');
  });

  it('behaviour 8.5: a rule that needs a JWT does not apply to an opaque token and counts no hit', async () => {
    const opaque = await ownHttpService({ access_token_format: 'opaque' });
    scriptFor(opaque, { effect: { kind: 'expired_token' } });
    const { status } = await postJson(
      opaque.url,
      exchangeParameters(opaque.url, await opaque.code()),
    );
    expect(status).toBe(200);
    expect(opaque.newest()?.fault).toBeNull();
    expect(opaque.service.faults.get('rule-0')).toMatchObject({ hits: 0, remaining: 1 });
  });
});

describe('the matching of requests', () => {
  it('behaviour 8.5: a rule for expires_in ignores an error response and waits for a success', async () => {
    preset('expires_in_absent');
    const refused = await exchange('unknown');
    expect(refused.status).toBe(400);
    expect(http.newest()?.fault).toBeNull();
    expect(hits()).toEqual([0]);
    expect(json(await exchange(await http.code()))).not.toHaveProperty('expires_in');
    expect(hits()).toEqual([1]);
  });

  const ASSERTION = ['{"alg":"ES256"}', '{"sub":"demo-app"}', '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const GRANT = { grant_type: 'refresh_token' };
  const CLIENT = { client_id: 'demo-app' };
  const basic = `Basic ${Buffer.from('demo-app:x').toString('base64')}`;
  it.each<[string, Draft['match'], string, Record<string, string>, boolean]>([
    ['a grant in JSON', GRANT, '{"grant_type":"refresh_token"}', {}, true],
    ['a grant in a form', GRANT, 'grant_type=refresh_token', FORM, true],
    ['another grant', GRANT, 'grant_type=authorization_code', FORM, false],
    ['a client in JSON', CLIENT, ' {"client_id":"demo-app"}', {}, true],
    ['a client in HTTP Basic', CLIENT, 'grant_type=x', { ...FORM, Authorization: basic }, true],
    ['a client in an assertion', CLIENT, `client_assertion=${ASSERTION}`, FORM, true],
    ['an invalid assertion', CLIENT, 'client_assertion=x.y.z', FORM, false],
    ['a client_id that is not a string', CLIENT, '{"client_id":7}', {}, false],
    ['invalid JSON', CLIENT, '{"client_id":"demo-app"', {}, false],
    ['a body of null', CLIENT, 'null', {}, false],
    ['invalid escapes', CLIENT, 'client_id=%zz', FORM, false],
    ['no body', GRANT, '', {}, false],
  ])('behaviour 8.1: by %s', async (_what, match, body, headers, hit) => {
    script({ when: 'instead', match, effect: { kind: 'answer', status: 503 } });
    const answer = await connection.send('POST', '/oauth/token', body, headers).outcome;
    expect(answer.status === 503).toBe(hit);
    expect(answer.status).not.toBe(500);
  });

  it('behaviour 8: by a client in the query', async () => {
    script({ when: 'instead', match: CLIENT, effect: { kind: 'answer', status: 503 } });
    const answer = await connection.send('GET', '/authorize?client_id=demo-app').outcome;
    expect(answer.status).toBe(503);
  });

  it('behaviour 8: rules also apply to the metadata and the JWK Set', async () => {
    script({ match: { path: '/.well-known/*' }, times: null, effect: { kind: 'broken_json' } });
    for (const path of ['jwks.json', 'openid-configuration', 'oauth-authorization-server']) {
      const answer = await connection.send('GET', `/.well-known/${path}`).outcome;
      expect(() => json(answer)).toThrow(SyntaxError);
    }
    await expectClean();
  });

  it('behaviour 8: a rule can script a response for an unknown path', async () => {
    const effect = { kind: 'answer' as const, status: 200, body: '[]' };
    script({ when: 'instead', match: { path: '/api/orders' }, effect });
    const answer = await connection.send('GET', '/api/orders').outcome;
    expect(answer).toMatchObject({ status: 200, body: '[]' });
    expect((await connection.send('GET', '/api/orders').outcome).status).toBe(404);
  });

  it('behaviour 7: the path of a rule is relative to the path of the issuer', async () => {
    const issuer = 'http://localhost:4280/tenant';
    const tenant = await ownHttpService({ issuer });
    scriptFor(tenant, { when: 'instead', effect: { kind: 'answer', status: 503 } });
    const over = openConnection(tenant.port);
    const below = await over.send('POST', '/tenant/oauth/token').outcome;
    expect(below.status).toBe(503);
    over.close();
  });

  it('behaviour 8: a body over the limit is rejected without a hit', async () => {
    script({ when: 'instead', times: null, effect: { kind: 'answer', status: 503 } });
    const answer = await postForm(http.url, 'x'.repeat(70_000));
    expect(answer.status).toBe(413);
    expect(hits()).toEqual([0]);
  });

  it('behaviour 8: a response in flight keeps its rule when the rules change', async () => {
    script({ effect: { kind: 'dribble', duration_ms: 120 } });
    const slow = await startExchange(http, connection);
    http.service.faults.replaceAll([]);
    expect(await slow.outcome).toMatchObject({ status: 200, broken: null });
    expect(http.newest()?.fault).toMatchObject({ id: 'rule-0' });
  });
});

describe('held connections', () => {
  const FIVE_MINUTES = 300_000;
  const dribbling = { effect: { kind: 'dribble' as const, duration_ms: FIVE_MINUTES } };

  it('behaviour 8: a slow body does not delay other requests', async () => {
    script(dribbling);
    const slow = await startExchange(http, connection);
    expect((await exchange(await http.code(), openOnce())).status).toBe(200);
    slow.hangUp();
    expect(await slow.outcome).toMatchObject({ status: 200, broken: 'ECONNRESET' });
  });

  async function startOwn(draft: Draft): Promise<HttpService> {
    const own = await startHttpService();
    scriptFor(own, { times: null, ...draft });
    return own;
  }

  it('behaviour 8: stopping the server cuts a slow body and records the sent part', async () => {
    const own = await startOwn(dribbling);
    const over = openConnection(own.port);
    const slow = await startExchange(own, over);
    await own.stop();
    expect(await slow.outcome).toMatchObject({ status: 200, broken: 'ECONNRESET' });
    expect(own.newest()).toMatchObject({ status: 200, response_body: '', fault: { id: 'rule-0' } });
    over.close();
  });

  it.each<[string, Draft]>([
    ['a delayed response', { delay_ms: FIVE_MINUTES }],
    ['silence', { when: 'instead', effect: { kind: 'drop' }, delay_ms: FIVE_MINUTES }],
  ])('behaviour 8: %s does not delay stopping the server', async (_what, draft) => {
    const own = await startOwn(draft);
    const body = JSON.stringify(exchangeParameters(own.url, await own.code()));
    const slow = await startSlowRequest(own.port, body);
    const stopped = own.stop();
    expect(await slow.finish()).toBe('');
    await stopped;
    expect(own.newest()).toMatchObject({ status: 0, response_body: '', fault: { id: 'rule-0' } });
  });

  it('behaviour 8: a pause ends with its connection and leaves no timer', async () => {
    const pauses = createPauses();
    const socket = new Socket();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pending = [pauses.pause(socket, FIVE_MINUTES), pauses.pause(socket, FIVE_MINUTES)];
    expect(vi.getTimerCount()).toBe(2);
    socket.destroy();
    expect(await Promise.all(pending)).toEqual([false, false]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    expect(await pauses.pause(socket, 1)).toBe(false);
  });

  it('behaviour 8: stopping the server ends all pauses, until it starts again', async () => {
    const pauses = createPauses();
    const socket = new Socket();
    const held = pauses.pause(socket, FIVE_MINUTES);
    pauses.cut();
    expect(await held).toBe(false);
    expect(socket.destroyed).toBe(true);
    expect(await pauses.pause(new Socket(), 1)).toBe(false);
    pauses.open();
    expect(await pauses.pause(new Socket(), 1)).toBe(true);
  });

  it('behaviour 8: many pauses of one connection share a listener', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const pauses = createPauses();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = new Socket().connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    await Promise.all(Array.from({ length: 20 }, () => pauses.pause(socket, 1)));
    expect(socket.listenerCount('close')).toBeLessThan(3);
    socket.destroy();
    server.close();
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});

it('behaviour 3: an internal error does not count as a hit of the rule', async () => {
  script({ effect: { kind: 'drop' } });
  const settings = http.service.settings();
  http.service.setSettings({ ...settings, signing_alg: 'none' as never });
  const answer = await exchange(await http.code());
  http.service.setSettings(settings);
  expect(answer.status).toBe(500);
  expect(http.faults).toHaveLength(1);
  expect(http.newest()?.fault).toBeNull();
  expect(hits()).toEqual([0]);
});
