// Behaviour 5 over real HTTP: the modes, each family of headers, a client's own limit, and the address that is counted
// behind a proxy.

import { describe, expect, it } from 'vitest';
import { type Answer, CREDENTIALS, type Harness } from '../support/harness.ts';
import { resetHarness } from '../support/shared-harness.ts';

const NAMES = {
  ratelimit_headers: ['ratelimit-policy', 'ratelimit'],
  x_ratelimit_headers: ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  retry_after_header: ['retry-after'],
} as const;

type Family = keyof typeof NAMES;

const FAMILIES = Object.keys(NAMES) as Family[];

const rateHeaders = ({ headers }: Answer) =>
  Object.keys(headers)
    .filter((name) => /ratelimit|retry-after/.test(name))
    .toSorted();

const shared = resetHarness();

/** Signs in. @returns a function that refreshes with these headers */
async function refreshing(throttle: object, client: object = {}) {
  const harness = shared();
  const { refresh_token } = await harness.signIn();
  await harness.patch('/settings', { throttle });
  await harness.patch('/clients/demo-app', client);
  const refresh = (headers: Record<string, string | string[]> = {}) =>
    harness.token({ ...CREDENTIALS, grant_type: 'refresh_token', refresh_token }, headers);
  return { harness, refresh };
}

async function statuses(refresh: () => Promise<Answer>, times: number): Promise<number[]> {
  const seen = [];
  for (let count = 0; count < times; count++) seen.push((await refresh()).status);
  return seen;
}

async function refreshCounter({ get }: Harness) {
  const { items } = await get<{ items: Record<string, unknown>[] }>('/throttle');
  return items.find(({ kind }) => kind === 'refresh_token');
}

describe('behaviour 5: the modes', () => {
  it('behaviour 5.3: observe counts and sends the headers, but never throttles', async () => {
    const { harness, refresh } = await refreshing({ mode: 'observe', limit: 2 });
    expect(await statuses(refresh, 3)).toEqual([200, 200, 200]);
    const over = await refresh();
    expect(rateHeaders(over)).toEqual(
      [...NAMES.ratelimit_headers, ...NAMES.x_ratelimit_headers].toSorted(),
    );
    expect(over.headers).toMatchObject({
      ratelimit: '"token-ip";r=0;t=60',
      'x-ratelimit-remaining': '0',
    });
    expect(await refreshCounter(harness)).toMatchObject({ used: 4, limit: 2, blocked: 0 });
  });

  it('behaviour 5.3: off neither counts nor sends headers', async () => {
    const { harness, refresh } = await refreshing({ mode: 'off', limit: 1 });
    await harness.api('DELETE', '/throttle');
    expect(await statuses(refresh, 3)).toEqual([200, 200, 200]);
    expect(rateHeaders(await refresh())).toEqual([]);
    expect(await refreshCounter(harness)).toBeUndefined();
  });
});

describe('behaviour 5: the families of headers', () => {
  it.each(FAMILIES)('behaviour 5.8, 5.9: %s turns off only its own family', async (family) => {
    const { refresh } = await refreshing({ limit: 1, [family]: false });
    await refresh();
    const others = FAMILIES.filter((other) => other !== family).flatMap((other) => NAMES[other]);
    const refused = await refresh();
    expect(refused.status).toBe(429);
    expect(rateHeaders(refused)).toEqual(others.toSorted());
  });
});

describe("behaviour 5.10: a client's own limit", () => {
  it.each([
    [{ limit: 0, window_seconds: 10 }, 'throttle.limit'],
    [{ limit: 5, window_seconds: 86_401 }, 'throttle.window_seconds'],
    [{ limit: 5 }, 'throttle.window_seconds'],
    [{ limit: 5, window_seconds: 10, mode: 'off' }, 'throttle.mode'],
    ['off', 'throttle'],
  ])('that is invalid is rejected with its field: %j', async (throttle, field) => {
    const answer = await shared().api('PATCH', '/clients/demo-app', { throttle });
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ code: 'invalid', field }),
    ]);
  });
});

describe('behaviour 5: behind a trusted proxy', () => {
  const trusted = { limit: 1000, trust_proxy: true };

  it.each<[string, string | string[], string]>([
    ['the only entry', '203.0.113.7', '203.0.113.7'],
    ['the last of several', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['spaces and tabs around it', ' 198.51.100.1 ,\t203.0.113.7 ', '203.0.113.7'],
    ['the last of several headers', ['198.51.100.1, 192.0.2.1', '203.0.113.7'], '203.0.113.7'],
    ['empty entries after it', '203.0.113.7, ,', '203.0.113.7'],
    ['an IPv4 address with a port', '203.0.113.7:51234', '203.0.113.7'],
    ['IPv6', '2001:db8::1', '2001:db8::1'],
    ['IPv6 in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['IPv6 in brackets with a port', '[2001:db8::1]:443', '2001:db8::1'],
    ['IPv6 in another spelling', '2001:DB8:0:0::1', '2001:db8::1'],
    ['IPv4 as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['IPv4 as IPv6 in hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
    ['loopback', '::1', '127.0.0.1'],
  ])('behaviour 5.7: the client address is %s', async (_name, header, ip) => {
    const { harness, refresh } = await refreshing(trusted);
    expect((await refresh({ 'X-Forwarded-For': header })).status).toBe(200);
    expect(await refreshCounter(harness)).toMatchObject({ ip, used: 1 });
  });

  it.each([
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '[2001:db8::1',
    '203.0.113.7, not an address',
    '<script>alert(1)</script>',
    `${'9'.repeat(4000)}.1.1.1`,
    ', ,',
  ])(
    'behaviour 5.7: an invalid entry is ignored in favour of the socket address: %s',
    async (header) => {
      const { harness, refresh } = await refreshing(trusted);
      expect((await refresh({ 'X-Forwarded-For': header })).status).toBe(200);
      expect(await refreshCounter(harness)).toMatchObject({ ip: '127.0.0.1' });
    },
  );

  it('entries before the last one are ignored, because clients can forge them', async () => {
    const { refresh } = await refreshing({ limit: 1, trust_proxy: true });
    const from = (first: string) => refresh({ 'X-Forwarded-For': `${first}, 203.0.113.7` });
    expect((await from('198.51.100.1')).status).toBe(200);
    expect((await from('198.51.100.2')).status).toBe(429);
  });

  it('the exchange shows the counted address', async () => {
    const { harness, refresh } = await refreshing(trusted);
    const answer = await refresh({ 'X-Forwarded-For': '[2001:db8::1]:443' });
    const number = String(answer.headers['grantbench-exchange']);
    expect(await harness.get(`/exchanges/${number}`)).toMatchObject({ ip: '2001:db8::1' });
  });
});
