// Behaviour 3.13 over real HTTP: which requests are retries, and of which.

import { beforeEach, describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/core/records/schemas.ts';
import { createRetries, RETRY_BOUNDS } from '../../src/server/retries.ts';
import {
  exchangeParameters,
  postForm,
  postJson,
  SECRET,
  sharedHttpService,
} from '../support/http-service.ts';

const http = await sharedHttpService();
beforeEach(() => {
  http.service.faults.replaceAll([]);
});

const newest = () => {
  const exchange = http.newest();
  if (exchange === undefined) throw new Error('no exchange');
  return exchange;
};

/** Sends a token request. Returns the number of its exchange and what it repeats. */
async function send(parameters: Record<string, string>, post = postForm) {
  await post(http.url, parameters).catch(() => undefined);
  const { number, status, retry_of } = newest();
  return { number, status, retry_of };
}

const code = (value: string, members: Record<string, string> = {}) => ({
  ...exchangeParameters(http.url, value),
  ...members,
});

function script(effect: Record<string, unknown>, when: 'instead' | 'after' = 'after') {
  const rule = { id: 'rule', when, match: { path: '/oauth/token' }, times: 1, effect };
  http.service.faults.replaceAll([faultSchema.parse(rule)]);
}

describe('behaviour 3.13: a retry names its first try', () => {
  it('and so do all further ones; a success ends the series', async () => {
    const value = await http.code();
    const wrong = { client_secret: 'wrong' };
    const first = await send(code(value, wrong));
    expect(first).toMatchObject({ status: 401, retry_of: null });
    expect(await send(code(value, wrong))).toMatchObject({ status: 401, retry_of: first.number });
    expect(await send(code(value))).toMatchObject({ status: 200, retry_of: first.number });

    const again = await send(code(value));
    expect(again).toMatchObject({ status: 400, retry_of: null });
    expect(await send(code(value))).toMatchObject({ status: 400, retry_of: again.number });
  });

  it('whatever the format of the body', async () => {
    const value = await http.code();
    const first = await send(code(value, { client_secret: 'wrong' }), postJson);
    expect(await send(code(value))).toMatchObject({ status: 200, retry_of: first.number });
  });

  it.each([
    ['another credential', { code: 'another' }],
    ['another client', { client_id: 'other-app' }],
    ['another grant', { grant_type: 'refresh_token' }],
  ])('%s is no retry', async (_, members) => {
    await send(code('unknown'));
    expect(await send(code('unknown', members))).toMatchObject({ retry_of: null });
  });

  it('another path or sender is none either', async () => {
    const form = new URLSearchParams({
      token: 'unknown',
      client_id: 'demo-app',
      client_secret: '?',
    });
    const introspect = async (path: string, headers = {}) => {
      await fetch(`${http.url}${path}`, { method: 'POST', body: form, headers });
      return newest();
    };
    const { number } = await introspect('/oauth/introspect');
    expect((await introspect('/oauth/revoke')).retry_of).toBeNull();
    const own = { 'Grantbench-Sent-By': 'scenario' };
    expect((await introspect('/oauth/introspect', own)).retry_of).toBeNull();
    expect((await introspect('/oauth/introspect')).retry_of).toBe(number);
  });

  it('an access token in the Authorization header is what a request presents', async () => {
    const userinfo = async (token: string) => {
      await fetch(`${http.url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
      return newest();
    };
    const { number } = await userinfo('unknown');
    expect((await userinfo('unknown')).retry_of).toBe(number);
    expect((await userinfo('another')).retry_of).toBeNull();
  });

  it('a request that presents nothing repeats none', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      await fetch(`${http.url}/nowhere`);
      expect(newest()).toMatchObject({ status: 404, retry_of: null });
    }
  });

  it.each([
    ['no response', { kind: 'drop' }, 'instead', 0],
    ['a scripted response', { kind: 'answer', status: 503 }, 'instead', 503],
    ['a changed response', { kind: 'broken_json' }, 'after', 200],
  ] as const)('%s of a fault rule is a failure', async (_, effect, when, status) => {
    const value = await http.code();
    script(effect, when);
    const first = await send(code(value));
    expect(first).toMatchObject({ status, retry_of: null });
    expect(await send(code(value))).toMatchObject({ retry_of: first.number });
  });

  it('a response that a fault rule delays is none', async () => {
    const value = await http.code();
    script({ kind: 'truth' });
    expect(await send(code(value))).toMatchObject({ status: 200 });
    expect(await send(code(value))).toMatchObject({ status: 400, retry_of: null });
  });

  it('a throttled request is repeated by the next one of its client', async () => {
    http.configure({ throttle: { limit: 1 } });
    const value = await http.code();
    await send(code(value));
    await send(code(value));
    const throttled = newest();
    expect(throttled).toMatchObject({ status: 429 });
    expect(await send(code(value))).toMatchObject({ retry_of: throttled.number });
  });

  it('a pending device is polled, not retried', async () => {
    const body = new URLSearchParams({ client_id: 'demo-app', client_secret: SECRET });
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    http.changeClient({ grant_types: [grant_type] });
    const response = await fetch(`${http.url}/oauth/device_authorization`, {
      method: 'POST',
      body,
    });
    const { device_code } = (await response.json()) as { device_code: string };
    const poll = () =>
      send({ grant_type, device_code, client_id: 'demo-app', client_secret: SECRET });
    expect(await poll()).toMatchObject({ status: 400, retry_of: null });
    expect(newest().error).toBe('authorization_pending');
    expect(await poll()).toMatchObject({ status: 400, retry_of: null });
  });
});

const attempt = (number: number, code: string, started = number) => ({
  number,
  started,
  duration_ms: 0.5,
  method: 'POST',
  target: '/oauth/token',
  ip: '127.0.0.1',
  sent_by: 'app',
  request_headers: [],
  status: 400,
  error: 'invalid_grant',
  fault: null,
  request_body: Buffer.from(`grant_type=authorization_code&code=${code}`),
});

it('behaviour 3.13: a request sent before the first try was answered is no retry', () => {
  const retries = createRetries();
  expect(retries.of(attempt(1, 'a', 10), 'demo-app')).toBeNull();
  expect(retries.of(attempt(2, 'a', 10.2), 'demo-app')).toBeNull();
  expect(retries.of(attempt(3, 'a', 10.5), 'demo-app')).toBe(1);
});

it('behaviour 3.13: only the newest failed requests are remembered, until they are cleared', () => {
  const retries = createRetries();
  for (let number = 0; number <= RETRY_BOUNDS.entries; number += 1)
    retries.of(attempt(number, `code-${number}`), 'demo-app');
  expect(retries.of(attempt(2000, 'code-1'), 'demo-app')).toBe(1);
  expect(retries.of(attempt(2001, 'code-0'), 'demo-app')).toBeNull();
  retries.clear();
  expect(retries.of(attempt(2002, 'code-1'), 'demo-app')).toBeNull();
});
