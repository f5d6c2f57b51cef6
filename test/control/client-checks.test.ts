// Client checks over the control operations: one at a time, apart from the fault rules, gone when they end.

import { once } from 'node:events';
import { createRouterClient } from '@orpc/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import { type ControlSocket, createSocketClient } from '../../src/control/socket-client.ts';
import { GRACE_MS } from '../../src/engine/active-client-check.ts';
import { type Grantbench, startGrantbench } from '../../src/index.ts';
import { type Harness, startHarness, TOKEN } from '../support/harness.ts';

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

async function start(): Promise<Grantbench> {
  const bench = await startGrantbench();
  onTestFinished(() => bench.close());
  await bench.control.settings.update({ profile: 'interop' });
  return bench;
}

const redeem = async ({ tokenEndpoint, client, ...bench }: Grantbench) => {
  const { code } = await bench.issueCode({ client_id: client.client_id, scope: 'openid' });
  const { client_id, client_secret, redirect_uri } = client;
  const grant = { grant_type: 'authorization_code', code, redirect_uri };
  const body = new URLSearchParams({ client_id, client_secret, ...grant });
  const response = await fetch(tokenEndpoint, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const userinfo = ({ issuer }: Grantbench, access_token: unknown) =>
  fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${String(access_token)}` } });

describe('a case', () => {
  it('reaches the app, sees it go on, and ends with a result', async () => {
    const bench = await start();
    const { clientChecks } = bench.control;
    await clientChecks.start({ case: 'token-type-unknown' });
    const { body } = await redeem(bench);
    expect(body['token_type']).toBe('unknown');
    await userinfo(bench, body['access_token']);
    const { active } = await clientChecks.get();
    expect(active).toMatchObject({
      case: 'token-type-unknown',
      after_exchange: 0,
      reached_exchange: 1,
      seen_exchange: 2,
    });
    const result = await clientChecks.end({ login: 'failed' });
    expect(result).toMatchObject({
      result: 'accepted',
      fault: true,
      why: 'The app used the tokens.',
    });
    expect((await redeem(bench)).body['token_type']).toBe('Bearer');
    expect(await clientChecks.get()).toEqual({ active: null });
  });

  it('behaviour 18.3: is refused once a good login has succeeded afterwards', async () => {
    const bench = await start();
    const { clientChecks } = bench.control;
    await clientChecks.start({ case: 'access-token-missing' });
    await redeem(bench);
    expect(await clientChecks.end({ login: 'failed' })).toMatchObject({ result: 'unclear' });
    for (const login of ['succeeded', 'failed', 'unknown'] as const) {
      await clientChecks.start({ case: 'good-login' });
      const sent_nothing = await clientChecks.end({ login });
      expect(sent_nothing, login).toMatchObject({ result: 'not_reached' });
      const { items } = await clientChecks.results();
      expect(items, login).toMatchObject([{ result: 'unclear', awaits_good_login: true }]);
    }
    await clientChecks.start({ case: 'good-login' });
    await redeem(bench);
    await clientChecks.end({ login: 'succeeded' });
    const { items } = await clientChecks.results();
    expect(items).toMatchObject([{ id: 'access-token-missing', result: 'refused', fault: false }]);
    await clientChecks.clear();
    expect((await clientChecks.results()).items).toEqual([]);
  });

  it('is not reached by a login that sends nothing of its kind', async () => {
    const { control } = await start();
    await control.clientChecks.start({ case: 'userinfo-sub-other' });
    expect(await control.clientChecks.end({ login: 'succeeded' })).toMatchObject({
      result: 'not_reached',
      why: 'The login did not ask for UserInfo.',
    });
  });

  it('behaviour 18.2: applies only to its client, wherever a request names one', async () => {
    const bench = await start();
    const other = await bench.control.clients.create({
      client_id: 'other-app',
      client_name: 'Other',
      redirect_uris: ['http://localhost:3001/callback'],
    });
    await bench.control.clientChecks.start({ case: 'token-500', client_id: other.client_id });
    expect((await redeem(bench)).status).toBe(200);
    expect((await bench.control.clientChecks.get()).active).toMatchObject({
      reached_exchange: null,
    });
  });

  it('behaviour 18.2: is tried before the fault rules, is none of them, and is in no workspace', async () => {
    const bench = await start();
    await bench.fail({ status: 503, times: 1 });
    await bench.control.clientChecks.start({ case: 'token-500' });
    expect((await redeem(bench)).status).toBe(500);
    expect((await bench.control.faults.list({})).items).toMatchObject([{ hits: 0 }]);
    expect(JSON.stringify(await bench.control.workspace.get())).not.toContain('client-check');
    await bench.control.clientChecks.stop();
    expect((await redeem(bench)).status).toBe(503);
  });

  it('behaviour 18.1: ends by itself when its time is over', async () => {
    fakeTime();
    const bench = await start();
    const { clientChecks } = bench.control;
    await clientChecks.start({ case: 'token-500', time_limit_seconds: 1 });
    vi.advanceTimersByTime(999);
    expect((await clientChecks.get()).active).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(await clientChecks.get()).toEqual({ active: null });
    expect((await redeem(bench)).status).toBe(200);
    expect((await clientChecks.results()).items).toMatchObject([{ result: 'not_reached' }]);
  });

  it.each([
    [{ case: 'nope' }, 'case must be good-login or the id of a case: see GET /client-checks/cases'],
    [{ case: 'token-500', client_id: 'nobody' }, 'there is no client "nobody"'],
    [{ case: 'token-500', time_limit_seconds: 0 }, /time_limit_seconds/],
  ])('rejects %j', async (order, message) => {
    const { control } = await start();
    await expect(control.clientChecks.start(order)).rejects.toThrow(message);
    expect(await control.clientChecks.get()).toEqual({ active: null });
  });

  it('behaviour 18.1: is the only one, and there is none to end without it', async () => {
    const { control } = await start();
    await expect(control.clientChecks.end({ login: 'failed' })).rejects.toThrow(
      'no case is active',
    );
    await control.clientChecks.start({ case: 'token-500' });
    await expect(control.clientChecks.start({ case: 'token-html' })).rejects.toThrow(
      'another case is active: end it first',
    );
  });
});

describe('behaviour 18.1: a case that is started over a connection that follows the feed', () => {
  /** A page, or another client over a connection. */
  async function connect({ engine }: Harness, { follows = true } = {}) {
    const closed = new AbortController();
    const context = { connection: closed.signal };
    const client = createRouterClient(await engine.getRouter(), { context });
    if (follows) await client.events();
    return { clientChecks: client.clientChecks, close: () => closed.abort() };
  }
  const TOKEN_500 = { case: 'token-500' };

  function startOnFakeTime(): Promise<Harness> {
    fakeTime();
    return startHarness();
  }

  it('ends ten seconds after the connection closes', async () => {
    const harness = await startOnFakeTime();
    const { clientChecks, close } = await connect(harness);
    await clientChecks.start({ case: 'id-token-kid-absent-several-keys' });
    close();
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(await harness.get('/client-checks')).toMatchObject({ active: { seconds_left: 291 } });
    vi.advanceTimersByTime(1);
    expect(await harness.get('/client-checks')).toEqual({ active: null });
    expect(await harness.get('/client-checks/results')).toMatchObject({
      items: [{ result: 'not_reached' }],
    });
  });

  it('goes on while another follower is there, or comes within that time', async () => {
    const harness = await startOnFakeTime();
    const [starter, other] = [await connect(harness), await connect(harness)];
    await starter.clientChecks.start(TOKEN_500);
    starter.close();
    vi.advanceTimersByTime(GRACE_MS);
    expect((await other.clientChecks.get()).active).not.toBeNull();
    other.close();
    vi.advanceTimersByTime(GRACE_MS - 1);
    const reloaded = await connect(harness);
    vi.advanceTimersByTime(GRACE_MS);
    expect((await reloaded.clientChecks.get()).active).not.toBeNull();
    reloaded.close();
    vi.advanceTimersByTime(GRACE_MS);
    expect(await harness.get('/client-checks')).toEqual({ active: null });
  });

  it.each<[string, (harness: Harness) => Promise<unknown>]>([
    ['over HTTP', ({ post }) => post('/client-checks', TOKEN_500)],
    [
      'over a connection that does not follow the feed',
      async (harness) => {
        const { clientChecks, close } = await connect(harness, { follows: false });
        await clientChecks.start(TOKEN_500);
        close();
      },
    ],
  ])('is not one that is started %s: that keeps its time limit', async (_, begin) => {
    const harness = await startOnFakeTime();
    const page = await connect(harness);
    await begin(harness);
    page.close();
    vi.advanceTimersByTime(GRACE_MS);
    expect((await harness.get('/client-checks'))['active']).not.toBeNull();
  });

  it('counts a WebSocket as such a connection', async () => {
    const harness = await startOnFakeTime();
    const url = harness.control.url.replace(/^http/, 'ws');
    const socket = new WebSocket(`${url}/rpc`, ['grantbench', `token.${TOKEN}`]);
    await once(socket, 'open');
    const client = createSocketClient(socket as unknown as ControlSocket);
    await client.events();
    await client.clientChecks.start(TOKEN_500);
    socket.terminate();
    await expect
      .poll(() => {
        vi.advanceTimersByTime(GRACE_MS);
        return harness.get('/client-checks');
      })
      .toEqual({ active: null });
  });
});

describe('behaviour 18.3: a case with a text that the app must not show', () => {
  const ID = 'authorization-error-iss-other';

  it('lists the text, and is decided by who has looked', async () => {
    const { control } = await start();
    const { clientChecks } = control;
    const one = (await clientChecks.cases()).items.find(({ id }) => id === ID);
    expect(one?.look_for).toBe('scripted by a client check');
    await clientChecks.start({ case: ID });
    expect(await clientChecks.update({ shown: true })).toMatchObject({ case: ID, shown: true });
    expect(await clientChecks.end({ login: 'failed' })).toMatchObject({ result: 'not_reached' });
    expect((await control.workspace.get()).client_checks).toMatchObject([{ shown: true }]);
  });

  it('has nothing to say in another case, and without one', async () => {
    const { clientChecks } = (await start()).control;
    await expect(clientChecks.update({ shown: true })).rejects.toThrow('no case is active');
    await clientChecks.start({ case: 'token-500' });
    await expect(clientChecks.update({ shown: true })).rejects.toThrow(
      'shown is about look_for, which the case token-500 does not have',
    );
  });
});

it('behaviour 18.4: takes no command, whatever it is called', async () => {
  const { control } = await start();
  for (const name of ['command', 'restart', 'exec']) {
    const order = { case: 'token-500', [name]: ['node', '-e', '0'] };
    await expect(control.clientChecks.start(order)).rejects.toThrow(name);
  }
  expect(await control.clientChecks.get()).toEqual({ active: null });
});

describe('behaviour 18.3: what a case has shown', () => {
  it('stays with the workspace, where a good login in a later run confirms it', async () => {
    const first = await start();
    await first.control.clientChecks.start({ case: 'access-token-missing' });
    await redeem(first);
    await first.control.clientChecks.end({ login: 'failed' });
    const { keys: _keys, ...workspace } = await first.control.workspace.get();
    expect(workspace.client_checks).toMatchObject([
      { case: 'access-token-missing', client_id: null, reached: true, login: 'failed' },
    ]);

    const later = await start();
    await later.control.workspace.put(workspace);
    const { clientChecks } = later.control;
    expect((await clientChecks.results()).items).toMatchObject([
      { id: 'access-token-missing', result: 'unclear', reached_exchange: null },
    ]);
    await clientChecks.start({ case: 'good-login' });
    await redeem(later);
    await clientChecks.end({ login: 'succeeded' });
    expect((await clientChecks.results()).items).toMatchObject([{ result: 'refused' }]);
  });

  it('is kept by a reset and by a workspace without results, and emptied by an empty list', async () => {
    const { control } = await start();
    await control.clientChecks.start({ case: 'token-500' });
    await control.clientChecks.end({ login: 'failed' });
    await control.reset({});
    const { client_checks, ...others } = await control.workspace.get();
    expect(client_checks).toHaveLength(1);
    await control.workspace.put(others);
    expect((await control.clientChecks.results()).items).toHaveLength(1);
    await control.workspace.put({ ...others, client_checks: [] });
    expect((await control.clientChecks.results()).items).toEqual([]);
  });

  const RECORD = {
    client_id: null,
    reached: true,
    went_on: false,
    login: 'failed' as const,
    login_tells: true,
    good_after: null,
    goes_on_when_good: null,
    ended_at: '2026-03-02T10:00:00.000Z',
  };

  it('of a case that this release does not know is kept, and is no result', async () => {
    const { control } = await start();
    const record = { ...RECORD, case: 'of-another-release', shown: null };
    const workspace = await control.workspace.get();
    await control.workspace.put({ ...workspace, client_checks: [record] });
    expect((await control.workspace.get()).client_checks).toEqual([record]);
    expect((await control.clientChecks.results()).items).toEqual([]);
  });

  it('is the newest of each case and client, and of 1,000 the newest', async () => {
    const { control } = await start();
    const record = (n: number) => ({ ...RECORD, case: 'token-500', client_id: `app-${n}` });
    const workspace = await control.workspace.get();
    const client_checks = Array.from({ length: 1000 }, (_, n) => record(n));
    await control.workspace.put({ ...workspace, client_checks });
    for (const login of ['failed', 'succeeded'] as const) {
      await control.clientChecks.start({ case: 'token-500' });
      await control.clientChecks.end({ login });
    }
    const kept = (await control.workspace.get()).client_checks ?? [];
    expect(kept).toHaveLength(1000);
    expect(kept[0]).toMatchObject({ client_id: 'app-1' });
    expect(kept.at(-1)).toMatchObject({ client_id: null, login: 'succeeded' });
    const over = { ...workspace, client_checks: [...client_checks, record(1000)] };
    await expect(control.workspace.put(over)).rejects.toThrow(/client_checks .*1,?000/);
  });
});

describe('what the app does by traffic alone', () => {
  it('sees the same refresh token sent again after invalid_grant', async () => {
    const bench = await start();
    const { refresh_token } = await bench.issueTokens();
    const { client_id, client_secret } = bench.client;
    const grant = { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' };
    const body = () => new URLSearchParams({ client_id, client_secret, ...grant });
    await bench.control.clientChecks.start({ case: 'refresh-invalid-grant' });
    await fetch(bench.tokenEndpoint, { method: 'POST', body: body() });
    const once = await bench.control.clientChecks.get();
    expect(once.active).toMatchObject({ reached_exchange: 1, seen_exchange: null });
    await fetch(bench.tokenEndpoint, { method: 'POST', body: body() });
    const end = await bench.control.clientChecks.end({ login: 'unknown' });
    expect(end).toMatchObject({ result: 'accepted', seen_exchange: 2 });
  });

  it('sees a request sent again before Retry-After', async () => {
    const bench = await start();
    await bench.control.clientChecks.start({ case: 'token-429' });
    await redeem(bench);
    await redeem(bench);
    const end = await bench.control.clientChecks.end({ login: 'failed' });
    expect(end).toMatchObject({
      result: 'accepted',
      why: 'The app sent the request again before Retry-After.',
    });
  });

  it('takes three requests for a DPoP nonce for tries, and a fourth for a loop', async () => {
    const bench = await start();
    const ask = (headers: Record<string, string>) =>
      fetch(bench.tokenEndpoint, { method: 'POST', headers, body: new URLSearchParams() });
    const active = async () => (await bench.control.clientChecks.get()).active;
    await bench.control.clientChecks.start({ case: 'dpop-nonce-always' });
    await ask({});
    // The case does not apply without a proof.
    expect(await active()).toMatchObject({ reached_exchange: null });
    for (const proof of ['first', 'second', 'third']) {
      const { status, headers } = await ask({ DPoP: proof });
      expect([status, headers.get('dpop-nonce')]).toEqual([400, 'a-nonce-of-a-client-check']);
    }
    expect(await active()).toMatchObject({ seen_exchange: null });
    await ask({ DPoP: 'a proof' });
    expect(await bench.control.clientChecks.end({ login: 'failed' })).toMatchObject({
      result: 'accepted',
      why: 'The app sent the request more than three times.',
    });
  });
});
