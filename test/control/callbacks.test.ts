// docs/reference/control-api.md over REST: loopback callbacks, each for the redirect of one sign-in.

import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Callback } from '../../src/control/schemas.ts';
import { authorizePath } from '../support/form-calls.ts';
import { freePort } from '../support/free-port.ts';
import { call, expectError, startHarness, type Harness } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';
import { takenPort } from '../support/taken-port.ts';

const FIVE_MINUTES_MS = 300_000;

const open = ({ post }: Harness, order: object = {}) => post<Callback>('/callbacks', order);
const read = ({ get }: Harness, { id }: Callback, wait = 0) =>
  get<Callback>(`/callbacks/${id}?wait_seconds=${wait}`);

/** Requests the redirect as a browser does. */
function redirect(
  { redirect_uri, state }: Callback,
  more: Record<string, string> = {},
  path?: string,
) {
  const { origin, pathname } = new URL(redirect_uri);
  const query = new URLSearchParams({ code: 'the-code', state, ...more }).toString();
  return call(origin, 'GET', `${path ?? pathname}?${query}`);
}

const refused = (callback: Callback) =>
  expect(redirect(callback)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

describe('behaviour 7.22: a callback', () => {
  it('listens on a free loopback port, and receives the redirect with its state', async () => {
    const harness = await startHarness();
    const callback = await open(harness);
    expect(callback).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/) as string,
      status: 'waiting',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
      state: expect.stringMatching(/^[\w-]{22}$/) as string,
      redirect_to: null,
      seconds_left: 300,
    });
    const waiting = read(harness, callback, 60);
    const answer = await redirect(callback, { iss: 'http://localhost' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('You can close this page.');
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    const query = `code=the-code&state=${callback.state}&iss=http%3A%2F%2Flocalhost`;
    const received = { status: 'received', redirect_to: `${callback.redirect_uri}?${query}` };
    expect(await waiting).toMatchObject(received);
    expect(await read(harness, callback)).toMatchObject(received);
  });

  it('receives an error like a code', async () => {
    const harness = await startHarness();
    const callback = await open(harness);
    await redirect(callback, { code: '', error: 'access_denied' });
    const { redirect_to } = await read(harness, callback, 60);
    expect(new URL(redirect_to ?? '').searchParams.get('error')).toBe('access_denied');
  });

  it('ignores another state, another path and another method', async () => {
    const harness = await startHarness();
    const callback = await open(harness);
    const { origin, pathname } = new URL(callback.redirect_uri);
    const strays = await Promise.all([
      redirect(callback, { state: 'guessed' }),
      redirect(callback, { state: '' }),
      redirect(callback, {}, '/other'),
      redirect(callback, {}, `${pathname}/`),
      redirect(callback, {}, '//'),
      call(origin, 'GET', pathname),
      call(origin, 'POST', `${pathname}?code=c&state=${callback.state}`),
    ]);
    expect(strays.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect(await read(harness, callback)).toMatchObject({ status: 'waiting', redirect_to: null });
  });

  it('receives only one redirect', async () => {
    const harness = await startHarness();
    const callback = await open(harness);
    const codes = ['first', 'second'];
    const both = await Promise.allSettled(codes.map((code) => redirect(callback, { code })));
    const taken = codes.filter((_, index) => {
      const one = both[index];
      return one?.status === 'fulfilled' && one.value.status === 200;
    });
    expect(taken).toHaveLength(1);
    const { redirect_to } = await read(harness, callback, 60);
    expect(new URL(redirect_to ?? '').searchParams.get('code')).toBe(taken[0]);
    await refused(callback);
    expect(await read(harness, callback)).toMatchObject({ redirect_to });
  });

  it('waits five minutes of machine time, whatever the sandbox clock says', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await startHarness();
    const callback = await open(harness);
    await harness.patch('/clock', { advance_seconds: 3600 });
    vi.advanceTimersByTime(FIVE_MINUTES_MS - 1000);
    expect(await read(harness, callback)).toMatchObject({ status: 'waiting', seconds_left: 1 });
    vi.advanceTimersByTime(1000);
    expect(await read(harness, callback)).toMatchObject({ status: 'expired', seconds_left: 0 });
    await refused(callback);
  });

  it('can be closed by its opener, and closes with the engine', async () => {
    const harness = await startHarness();
    const closed = await open(harness);
    const waiting = harness.api('GET', `/callbacks/${closed.id}?wait_seconds=60`);
    expect((await harness.api('DELETE', `/callbacks/${closed.id}`)).status).toBe(204);
    expectError(await waiting, 404, 'not_found');
    expectError(await harness.api('DELETE', `/callbacks/${closed.id}`), 404, 'not_found');
    await refused(closed);
    const left = await open(harness);
    await harness.engine.close();
    await refused(left);
  });

  it('listens on a registered port, for localhost on both loopback addresses, and nowhere else', async () => {
    const harness = await startHarness();
    const port = await freePort();
    const redirect_uri = `http://localhost:${port}`;
    const callback = await open(harness, { redirect_uri });
    expect(callback.redirect_uri).toBe(redirect_uri);
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      await expect(call(`http://${address}:${port}`, 'GET', '/')).rejects.toThrow();
    }
    const query = `/?code=c&state=${callback.state}`;
    expect((await call(`http://127.0.0.1:${port}`, 'GET', query)).status).toBe(200);
  });

  const shared = shareHarness({ start: false });

  it('rejects a redirect URI longer than one that can be registered', async () => {
    const { api } = shared();
    const redirect_uri = `http://127.0.0.1/${'a'.repeat(2000)}`;
    const answer = await api('POST', '/callbacks', { redirect_uri });
    expectError(answer, 422, 'invalid', 'redirect_uri', /2000/);
  });

  it('says that the port is in use', async () => {
    const order = { redirect_uri: `http://127.0.0.1:${await takenPort()}/callback` };
    const answer = await shared().api('POST', '/callbacks', order);
    expectError(answer, 409, 'conflict', 'redirect_uri', /is already in use/);
  });

  it.each([
    'https://localhost/callback',
    'http://example.com/callback',
    'http://127.0.0.1.example.com/callback',
    'http://localhost@example.com/callback',
    'http://0.0.0.0/callback',
    'http://localhost/callback#fragment',
    'http://localhost:99999/callback',
    'callback',
  ])('is rejected for %s', async (redirect_uri) => {
    const answer = await shared().api('POST', '/callbacks', { redirect_uri });
    expectError(answer, 422, 'invalid', 'redirect_uri', /^redirect_uri must begin with/);
  });

  it('behaviour 13.1: attributes its sign-in to the workbench, and other sign-ins to the app', async () => {
    const harness = await startHarness({ workspace: { settings: { authorize: 'auto' } } });
    await harness.patch('/clients/demo-app', { application_type: 'native' });
    const callback = await open(harness, { redirect_uri: 'http://127.0.0.1/callback' });
    await harness.patch('/clients/demo-app', { redirect_uris: ['http://127.0.0.1/callback'] });
    const { redirect_uri } = callback;
    const authorize = (state: string) =>
      call(harness.url(), 'GET', authorizePath({ redirect_uri, state }));
    const own = await authorize(callback.state);
    await authorize('x'.repeat(22));
    expect(own.headers.location).toContain(callback.redirect_uri);
    const items = await harness.list<{ sent_by: string }>('/exchanges');
    expect(items.map(({ sent_by }) => sent_by)).toEqual(['app', 'workbench']);
  });

  it('is limited to four at a time, and registers nothing', async () => {
    const harness = await startHarness();
    const before = await harness.get('/clients/demo-app');
    const four = await Promise.all([1, 2, 3, 4].map(() => open(harness)));
    expectError(await harness.api('POST', '/callbacks', {}), 429, 'too_many');
    await harness.api('DELETE', `/callbacks/${four[0]?.id ?? ''}`);
    await open(harness);
    expect(await harness.get('/clients/demo-app')).toEqual(before);
  });
});
