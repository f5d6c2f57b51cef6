// The embeddable library as a test author uses it, over real HTTP.

import { AssertionError } from 'node:assert';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Grantbench, type GrantbenchOptions, startGrantbench } from '../../src/index.ts';

async function start(options?: GrantbenchOptions): Promise<Grantbench> {
  const grantbench = await startGrantbench(options);
  onTestFinished(() => grantbench.close());
  return grantbench;
}

function post({ tokenEndpoint, client }: Grantbench, members: Record<string, string>) {
  const { client_id, client_secret } = client;
  return fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, ...members }),
  });
}

const redeem = (grantbench: Grantbench, code: string) =>
  post(grantbench, {
    grant_type: 'authorization_code',
    audience: grantbench.issuer,
    redirect_uri: grantbench.client.redirect_uri,
    code,
  });

const refresh = (grantbench: Grantbench, refresh_token: string) =>
  post(grantbench, { grant_type: 'refresh_token', refresh_token });

async function refreshable(grantbench: Grantbench): Promise<string> {
  const { refresh_token } = await grantbench.issueTokens();
  return refresh_token ?? '';
}

describe('startGrantbench', () => {
  it('starts on a free port and issues a code that can be redeemed', async () => {
    const grantbench = await start();
    const { code } = await grantbench.issueCode();
    const response = await redeem(grantbench, code);
    expect(response.status, await grantbench.explain(response)).toBe(200);
    expect(grantbench.tokenEndpoint).toBe(`${grantbench.issuer}/oauth/token`);
    expect(grantbench.client).toEqual({
      client_id: 'demo-app',
      client_secret: 'demo-secret',
      redirect_uri: 'http://localhost:3000/callback',
    });
  });

  it('issues tokens for the requested user, audience and scope', async () => {
    const grantbench = await start();
    const audience = 'https://orders.example/api';
    const tokens = await grantbench.issueTokens({ audience, scope: 'orders:read', sub: 'ada' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: audience, sub: 'ada' });
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'orders:read',
    });
  });

  it('fails the next two requests with 429 and evaluates the third', async () => {
    const grantbench = await start();
    const { code } = await grantbench.issueCode();
    await grantbench.fail({ times: 2, status: 429 });
    const answers = [];
    for (let index = 0; index < 3; index += 1) answers.push(await redeem(grantbench, code));
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    expect(await grantbench.explain(answers[0]!)).toMatch(/^exchange 1: .* 429 .*injected fault/);
  });

  it('accepts the id of a preset, and a fault rule', async () => {
    const grantbench = await start();
    expect(await grantbench.fail('lost')).toMatchObject({ when: 'after' });
    const effect = { kind: 'drop' } as const;
    expect(await grantbench.fail({ when: 'instead', effect })).toMatchObject({
      effect,
      times: null,
    });
  });

  it('advances the clock, so a code expires', async () => {
    const grantbench = await start();
    const { code } = await grantbench.issueCode();
    await grantbench.freeze();
    await grantbench.advance(601);
    expect(await (await redeem(grantbench, code)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await grantbench.lastExchange())?.why?.detail).toMatch(/expired/);
  });

  it('throttles until throttling is turned off', async () => {
    const grantbench = await start();
    const token = await refreshable(grantbench);
    await grantbench.throttle({ limit: 1 });
    const statuses = [await refresh(grantbench, token), await refresh(grantbench, token)];
    await grantbench.throttle('off');
    statuses.push(await refresh(grantbench, token));
    expect(statuses.map(({ status }) => status)).toEqual([200, 429, 200]);
  });

  it('lists exchanges, newest first, and explains a response received by any client', async () => {
    const grantbench = await start();
    const { code } = await grantbench.issueCode();
    await redeem(grantbench, code);
    const again = await redeem(grantbench, code);
    expect((await grantbench.exchanges()).map(({ status }) => status)).toEqual([400, 200]);
    expect(await grantbench.exchanges({ error: 'invalid_client' })).toEqual([]);
    const line = await grantbench.explain({ headers: Object.fromEntries(again.headers) });
    expect(line).toMatch(/^exchange 2: POST \/oauth\/token got 400 invalid_grant: /);
    expect(line).toContain('exchange 1');
    expect(line).not.toContain(code);
  });

  it('fails a test whose app sends redundant token requests, naming the exchanges', async () => {
    const grantbench = await start();
    const token = await refreshable(grantbench);
    await refresh(grantbench, token);
    await grantbench.expectNoOverFetch();
    await refresh(grantbench, token);
    const failure: unknown = await grantbench.expectNoOverFetch().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AssertionError);
    expect(failure).toMatchObject({ actual: [2], expected: [] });
    expect((failure as Error).message).toMatch(/exchange 2 \(demo-app\)/);
  });

  it('resets to its initial state', async () => {
    const grantbench = await start({ users: [{ sub: 'grace' }] });
    await grantbench.fail({ status: 503, times: null });
    await grantbench.advance(60);
    await grantbench.control.users.remove({ sub: 'grace' });
    await grantbench.reset();
    expect((await grantbench.control.users.list({})).items).toMatchObject([{ sub: 'grace' }]);
    expect((await grantbench.control.faults.list({})).items).toEqual([]);
    expect((await grantbench.control.clock.get()).offset_seconds).toBe(0);
  });

  it('provides every control operation with its errors, and returns copies', async () => {
    const { control } = await start();
    const settings = await control.settings.get();
    settings.throttle.limit = 1;
    expect((await control.settings.get()).throttle.limit).toBe(30);
    await expect(control.clients.get({ client_id: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const unknown = control as unknown as { nonsense: { now: () => Promise<unknown> } };
    await expect(unknown.nonsense.now()).rejects.toThrow(/no control operation nonsense\.now/);
  });
});

describe('startGrantbench: several instances in one process', () => {
  it('share no port, key, client, clock, counter or fault', async () => {
    const all = await Promise.all(
      ['one', 'two', 'three'].map((client_id) =>
        start({
          clients: [{ client_id, client_secret: 's', redirect_uris: ['http://a.test/cb'] }],
        }),
      ),
    );
    const [one, two, three] = all as [Grantbench, Grantbench, Grantbench];
    await one.advance(3600);
    await two.fail({ status: 503 });
    const { code } = await three.issueCode();
    expect((await redeem(one, code)).status).toBe(400);
    expect((await redeem(two, code)).status).toBe(503);
    expect((await redeem(three, code)).status).toBe(200);
    expect(new Set(all.map(({ issuer }) => issuer)).size).toBe(3);
    expect(await Promise.all(all.map(async (each) => (await each.exchanges()).length))).toEqual([
      1, 1, 1,
    ]);
    const kids = await Promise.all(
      all.map(async ({ control }) => (await control.keys.list()).items[0]?.kid),
    );
    expect(new Set(kids).size).toBe(3);
    expect((await two.control.clock.get()).offset_seconds).toBe(0);
  });

  it('close independently, any number of times, and free their ports', async () => {
    const [one, other] = [await start(), await start()];
    await one.close();
    await one.close();
    await expect(fetch(one.issuer)).rejects.toThrow();
    const calls = [one.issueCode, one.freeze, one.exchanges, one.control.settings.get];
    for (const call of calls) await expect(call()).rejects.toThrow('this sandbox is closed');
    expect((await fetch(`${other.issuer}/livez`)).status).toBe(200);
    const port = Number(new URL(one.issuer).port);
    expect((await start({ port })).issuer).toBe(one.issuer);
  });
});

describe('startGrantbench: options', () => {
  it('accept a workspace object or file, whose members other options override', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'grantbench-library-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'workspace.json');
    const clients = [{ client_id: 'shop', client_secret: 'secret' }];
    const settings = { signing_alg: 'ES256', throttle: { limit: 5, window_seconds: 7 } } as const;
    await writeFile(file, JSON.stringify({ version: 1, clients, settings }));
    for (const workspace of [file, { clients, settings }]) {
      const { client, control } = await start({ workspace, settings: { throttle: { limit: 9 } } });
      expect(client).toEqual({ client_id: 'shop', client_secret: 'secret', redirect_uri: '' });
      expect((await control.settings.get()).throttle).toMatchObject({
        limit: 9,
        window_seconds: 7,
      });
    }
  });

  it('set the start time of the sandbox clock', async () => {
    const { control } = await start({ now: '2031-05-06T07:08:09Z' });
    expect((await control.clock.get()).now).toMatch(/^2031-05-06T07:08:/);
  });

  it('serve HTTPS with a generated certificate, which is returned for trust', async () => {
    const { issuer, certificate } = await start({ https: true });
    expect(issuer).toMatch(/^https:\/\/localhost:\d+$/);
    expect(certificate).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown one', { prot: 1 }, /^startGrantbench: prot is not a known option/],
    ['options that are not an object', 'x', /^startGrantbench: options must be an object$/],
    ['a port beyond the range', { port: 70_000 }, /^startGrantbench: port must be a whole number/],
    ['a time without zone', { now: '2031-05-06' }, /^startGrantbench: now must be a Date or/],
    ['half a certificate', { https: { cert: 'x' } }, /^startGrantbench: https must be true, false/],
    ['null for an unknown setting', { settings: { colour: null } }, /settings\.colour is not a/],
    ['an invalid certificate', { https: { cert: 'x', key: 'y' } }, /^tls\.cert must contain/],
    [
      'invalid records, naming each one',
      { clients: [{ client_id: '' }], settings: { throttle: { limit: 0 } } },
      /^startGrantbench: (?=.*settings\.throttle\.limit must be at least 1)(?=.*clients\[0\]\.client_id must not be empty)/,
    ],
    [
      'an invalid workspace object, naming the path',
      { workspace: { version: 1, users: [{ sub: 5 }] } },
      /^startGrantbench: workspace\.users\[0\]\.sub must be a string/,
    ],
    [
      'a workspace that is not an object',
      { workspace: 5 },
      /^startGrantbench: workspace must be a JSON object$/,
    ],
    ['a missing file', { workspace: '/nowhere/w.json' }, /w\.json: there is no such file$/],
  ])('refuse %s', async (_name, options, words) => {
    await expect(startGrantbench(options as GrantbenchOptions)).rejects.toThrow(words);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', {}, /^fail: needs the id of a preset/],
    [
      'a status that is not an error',
      { status: 200 },
      /^fail: status must be a whole number from 400/,
    ],
    ['an unknown preset', 'nonsense', /preset must be one of throttled_twice, /],
    ['an unknown member', { status: 503, tmes: 2 }, /^fail: tmes is not a known member; beside/],
  ])('fail refuses %s', async (_name, order, words) => {
    const grantbench = await start();
    await expect(grantbench.fail(order as string)).rejects.toThrow(words);
  });

  it('an invalid argument is rejected with the name of its field', async () => {
    const grantbench = await start();
    await expect(grantbench.issueCode({ client_id: 'nobody' })).rejects.toThrow(/client_id/);
    await expect(grantbench.advance(-1)).rejects.toThrow(/advance_seconds/);
    const filter = { eror: 'invalid_grant' } as object;
    await expect(grantbench.exchanges(filter)).rejects.toThrow('eror is not a known member');
    await expect(grantbench.control.tokens.list({ ...filter })).rejects.toThrow(/^eror is not/);
    await expect(grantbench.explain({ headers: {} })).rejects.toThrow(/no Grantbench-Exchange/);
  });

  it('client and issueCode throw when no client is registered', async () => {
    const grantbench = await start({ clients: [] });
    expect(() => grantbench.client).toThrow(/no client is registered/);
    await expect(grantbench.issueCode()).rejects.toThrow(/no client is registered/);
  });
});
