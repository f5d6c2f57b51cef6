// The chart of the throttle and its marks: what is counted per second, when a request is first throttled.

import { describe, expect, it } from 'vitest';
import {
  chartWords,
  rateData,
  secondsAhead,
} from '../../src/renderer/views/throttling/chart/rate-data.ts';
import { marksOf } from '../../src/renderer/views/throttling/chart/marks.ts';
import {
  secondsToReset,
  throttledWords,
  withLimitHit,
  type LimitHit,
} from '../../src/renderer/sending/limit-hit.ts';
import { AT_REST, chosenOf } from '../../src/renderer/views/throttling/hammer/hammer-state.ts';
import {
  EMPTY,
  takeRate,
  takeThrottleRate,
  THROTTLE_SECONDS,
  withConnection,
  type State,
  type TickingClock,
} from '../../src/renderer/connection/state.ts';
import { client, settings } from '../support/core.ts';
import { exchangeOf } from '../support/exchanges.ts';

const NOW = 1_000_000;
const T = Date.UTC(2026, 0, 1);

const totals = (allowed: number, throttled: number): State['totals'] => ({
  exchanges: 0,
  exchange_bytes: 0,
  live_credentials: 0,
  counters: 0,
  blocked_counters: 0,
  requests: allowed + throttled,
  allowed,
  throttled,
  app: { requests: allowed + throttled, allowed, throttled },
});

const EMPTY_TOTALS = { ...totals(0, 0) } as NonNullable<State['totals']>;

const counted = (state: State, allowed: number, throttled: number, machine_ms: number) =>
  takeThrottleRate({ ...state, totals: totals(allowed, throttled) }, machine_ms);

describe('allowed and throttled per second', () => {
  it('are what the totals grew by, from the second look on', () => {
    const first = counted(EMPTY, 100, 50, NOW);
    const second = counted(first, 130, 60, NOW + 1000);
    expect(second.throttle_rates.all.seconds).toEqual([
      { allowed: 0, throttled: 0 },
      { allowed: 30, throttled: 10 },
    ]);
  });

  it('are those of the app apart from what Grantbench sent itself', () => {
    const seen = (allowed: number, of_app: number, machine_ms: number, state: State) => {
      const app = { requests: of_app, allowed: of_app, throttled: 0 };
      const known = { ...EMPTY_TOTALS, requests: allowed, allowed, app };
      return takeThrottleRate(takeRate({ ...state, totals: known }), machine_ms);
    };
    const state = seen(12, 4, NOW + 1000, seen(2, 1, NOW, EMPTY));
    expect(state.rates).toEqual({ app: [0, 3], all: [0, 10] });
    expect(state.throttle_rates.app.seconds.at(-1)).toEqual({ allowed: 3, throttled: 0 });
    expect(state.throttle_rates.all.seconds.at(-1)).toEqual({ allowed: 10, throttled: 0 });
  });

  it('are spread over the seconds that nobody looked, as in a page in the background', () => {
    const first = counted(EMPTY, 0, 0, NOW);
    const { seconds } = counted(first, 40, 8, NOW + 4020).throttle_rates.all;
    expect(seconds.slice(1)).toEqual(
      Array.from({ length: 4 }, () => ({ allowed: 10, throttled: 2 })),
    );
  });

  it('are kept for two minutes and no longer', () => {
    let state = counted(EMPTY, 0, 0, NOW);
    for (let second = 1; second <= 200; second++) {
      state = counted(state, second, 0, NOW + second * 1000);
    }
    expect(state.throttle_rates.all.seconds).toHaveLength(THROTTLE_SECONDS);
    const late = counted(state, 1200, 0, NOW + 3_600_000);
    expect(late.throttle_rates.all.seconds).toHaveLength(THROTTLE_SECONDS);
  });

  it('begin anew with a connection: another server has counted from its own start', () => {
    const before = counted(counted(EMPTY, 0, 0, NOW), 5, 0, NOW + 1000);
    const again = counted(withConnection(before, 'open', NOW + 1500), 9000, 9000, NOW + 2000);
    expect(again.throttle_rates.all.seconds.at(-1)).toEqual({ allowed: 0, throttled: 0 });
  });

  it('are drawn with the throttled ones on top, the newest at the right', () => {
    const data = rateData([
      { allowed: 3, throttled: 0 },
      { allowed: 2, throttled: 4 },
    ]);
    expect(data).toEqual([
      [-1.5, -0.5],
      [3, 6],
      [3, 2],
    ]);
  });

  it('are told in words to whoever does not see the chart', () => {
    expect(chartWords([{ allowed: 0, throttled: 0 }], [], 'all')).toBe(
      'No token request was counted in the last two minutes.',
    );
    expect(chartWords([{ allowed: 0, throttled: 0 }], [], 'app')).toBe(
      'No token request of the app was counted in the last two minutes.',
    );
    const reached = { kind: 'hit', at: -11.2, label: 'first 429, #31' } as const;
    expect(chartWords([{ allowed: 30, throttled: 10 }], [reached], 'all')).toBe(
      '30 requests allowed and 10 throttled in the last two minutes, at most 40 in a second. first 429, #31, 12 seconds ago',
    );
  });
});

const hit = (members: Partial<LimitHit> = {}): LimitHit => ({
  run: 1,
  exchange: 31,
  limit: '30 requests in 60 s',
  at_ms: T,
  offset_ms: 0,
  resets_at: T + 42_000,
  ...members,
});

const clock = (members: Partial<TickingClock> = {}): TickingClock => ({
  now: new Date(T).toISOString(),
  frozen: false,
  offset_seconds: 0,
  received_ms: T,
  ...members,
});

describe('when a request is first throttled, and when its window resets', () => {
  it('lie at their moments, the second one ahead until it has come', () => {
    expect(marksOf([hit()], clock(), T + 2000)).toEqual([
      { kind: 'hit', at: -2, label: 'first 429, #31' },
      { kind: 'resets', at: 40, label: 'resets in 40 s' },
    ]);
    const [, after] = marksOf([hit()], clock(), T + 50_000);
    expect(after).toEqual({ kind: 'resets', at: -8, label: 'window reset' });
  });

  it('follow a clock that is moved: nearer when it is advanced, nowhere while it stands', () => {
    const advanced = clock({ now: new Date(T + 30_000).toISOString() });
    expect(marksOf([hit()], advanced, T)[1]).toMatchObject({ at: 12, label: 'resets in 12 s' });
    expect(marksOf([hit()], clock({ frozen: true }), T)).toHaveLength(1);
    const beyond = clock({ now: new Date(T + 90_000).toISOString() });
    expect(marksOf([hit()], beyond, T)).toHaveLength(1);
  });

  it('make the chart look ahead for up to a minute', () => {
    expect(secondsAhead([{ kind: 'resets', at: 30, label: '' }])).toBe(34);
    expect(secondsAhead([{ kind: 'resets', at: 3600, label: '' }])).toBe(0);
    expect(secondsAhead([{ kind: 'hit', at: 0.4, label: '' }])).toBe(0);
  });

  const refused = (number: number, at: number, headers: [string, string][]) =>
    exchangeOf({
      number,
      status: 429,
      throttled: true,
      at: new Date(at).toISOString(),
      response: { headers },
    });
  const take = (hits: readonly LimitHit[], ...refusals: ReturnType<typeof refused>[]) =>
    refusals.reduce((known, one) => withLimitHit(known, one, 1, T, 0), hits);

  it('are taken from the first 429 of each window', () => {
    const wait: [string, string][] = [['Retry-After', '12']];
    const hits = take(
      [],
      refused(31, T, wait),
      refused(32, T + 20, wait),
      refused(70, T + 12_000, wait),
    );
    expect(hits.map(({ exchange: number }) => number)).toEqual([31, 70]);
    expect(hits[0]?.resets_at).toBe(T + 12_000);
  });

  it('are known from RateLimit where Retry-After is switched off, and unknown without both', () => {
    const [told] = take([], refused(31, T, [['RateLimit', '"token-ip";r=0;t=42']]));
    expect(told?.resets_at).toBe(T + 42_000);
    const silent = take([], refused(31, T, []), refused(32, T + 99_000, []));
    expect(silent[0]?.limit).toBeNull();
    expect(silent).toHaveLength(1);
    expect(silent[0]?.resets_at).toBeNull();
  });

  it('are not taken from responses that the throttle did not reject, a faulty 429 among them', () => {
    expect(take([], exchangeOf({ number: 1 }))).toEqual([]);
    expect(take([], exchangeOf({ number: 2, status: 429, throttled: false }))).toEqual([]);
  });

  it('are told as the number of responses before, and the seconds that the response names', () => {
    expect(throttledWords(31)).toBe('Throttled after 30 responses');
    expect(throttledWords(2)).toBe('Throttled after 1 response');
    expect(secondsToReset(refused(31, T, [['Retry-After', '58']]))).toBe(58);
    const dated: [string, string] = ['Retry-After', 'Thu, 01 Jan 2026 00:00:12 GMT'];
    expect(secondsToReset(refused(31, T, [dated]))).toBeNull();
  });
});

describe('what the hammer sends', () => {
  const { throttle } = settings();
  const clients = [
    client({
      client_id: 'codes',
      grant_types: ['authorization_code'],
      throttle: { limit: 3, window_seconds: 9 },
    }),
    client({ client_id: 'demo' }),
  ];

  it('is a refresh of the oldest client, a few more times than the limit, unless one chooses', () => {
    const chosen = chosenOf(AT_REST.form, clients, throttle);
    expect(chosen?.client.client_id).toBe('demo');
    expect(chosen?.grant).toBe('refresh_token');
    expect(chosen?.pace).toEqual({ count: 40, parallel: 10, per_second: null });
  });

  it('keeps to the grants and to the limit of the client chosen', () => {
    const form = { ...AT_REST.form, client_id: 'codes', way: 'rate', per_second: 5 } as const;
    const chosen = chosenOf(form, clients, throttle);
    expect(chosen?.grant).toBe('authorization_code');
    expect(chosen?.pace).toEqual({ count: 13, parallel: 100, per_second: 5 });
  });

  it('is nothing where no client could send anything', () => {
    expect(chosenOf(AT_REST.form, [], throttle)).toBeNull();
    const mute = client({ grant_types: ['authorization_code'], redirect_uris: [] });
    expect(chosenOf(AT_REST.form, [mute], throttle)).toBeNull();
  });
});
