// The chart of the throttle and its marks: counts per second, and the first throttled request of each window.

import { describe, expect, it, onTestFinished } from 'vitest';
import {
  chartWords,
  periodWords,
  rateData,
  secondsAhead,
  secondWords,
  totalsOf,
  marksOf,
} from '../../src/renderer/views/throttling/rate-data.ts';
import {
  secondsToReset,
  withKnownResets,
  withLimitHit,
  type LimitHit,
} from '../../src/renderer/views/throttling/limit-hit.ts';
import {
  changeForm,
  chosenOf,
  FIRST_FORM,
  hammer,
  startHammer,
} from '../../src/renderer/views/throttling/hammer.ts';
import { repeatOf } from '../../src/renderer/sending/repeat-request.ts';
import type { Counter } from '../../src/control/schemas.ts';
import { RATE_SECONDS } from '../../src/control/topics.ts';
import { lastSeconds, type SecondCounts } from '../../src/renderer/connection/rates.ts';
import {
  applyBatch,
  EMPTY,
  withConnection,
  withReset,
  withTime,
  type State,
  type TickingClock,
} from '../../src/renderer/connection/state.ts';
import { client, settings } from '../support/core.ts';
import { exchangeOf, feedBatch } from '../support/exchanges.ts';
import { startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

const NOW = 1_000_000;
const T = Date.UTC(2026, 0, 1);

const counts = (allowed: number, throttled = 0) => ({
  requests: allowed + throttled,
  allowed,
  throttled,
});

/** One second of the server's counts: requests from the app, and requests sent by Grantbench. */
const second = (app: ReturnType<typeof counts>, own = counts(0)): SecondCounts => ({
  ...counts(app.allowed + own.allowed, app.throttled + own.throttled),
  app,
});

const open = withConnection(EMPTY, 'open', NOW);

/** The state after a batch with these counts of the seconds. */
const afterReport = (
  state: State,
  running: number,
  seconds: Readonly<Record<number, SecondCounts>>,
  now = NOW,
) => {
  const reported = Object.entries(seconds).map(([at, one]) => ({ ...one, second: Number(at) }));
  const rates = { second: running, seconds: reported };
  return applyBatch(state, feedBatch({ rates }), now);
};

const shown = ({ rates }: State, length: number) =>
  rates === null
    ? null
    : lastSeconds(rates, length).map(({ requests, allowed, throttled, app }) => ({
        requests,
        allowed,
        throttled,
        app,
      }));

const QUIET = second(counts(0));

describe('allowed and throttled requests per second', () => {
  it('are known from the first batch on, including those before the page was opened', () => {
    expect(shown(open, 3)).toBeNull();
    const first = afterReport(open, 500, { 498: second(counts(30, 10)), 500: second(counts(1)) });
    expect(shown(first, 3)).toEqual([second(counts(30, 10)), QUIET, second(counts(1))]);
  });

  it('follow the server’s reports of a second, including the current one', () => {
    const first = afterReport(open, 500, { 500: second(counts(1)) });
    const more = afterReport(first, 501, { 500: second(counts(4)), 501: second(counts(2)) });
    expect(shown(more, 2)).toEqual([second(counts(4)), second(counts(2))]);
  });

  it('are zero in seconds without a report, and are dropped after two minutes', () => {
    const busy = afterReport(open, 500, { 500: second(counts(7)) });
    expect(shown(withTime(busy, NOW + 2900), 3)).toEqual([second(counts(7)), QUIET, QUIET]);
    const late = withTime(busy, NOW + RATE_SECONDS * 1000);
    expect(late.rates?.seconds).toEqual([]);
  });

  it('advance by whole seconds only, so that none is lost between two updates', () => {
    let state = afterReport(open, 500, { 500: second(counts(7)) });
    for (let look = 1; look <= 4; look++) state = withTime(state, NOW + look * 750);
    expect(state.rates?.second).toBe(503);
  });

  it('do not advance while the connection is lost, since these seconds are unknown', () => {
    const busy = afterReport(open, 500, { 500: second(counts(7)) });
    const lost = withConnection(busy, 'lost', NOW + 1000);
    expect(withTime(lost, NOW + 60_000).rates).toBe(busy.rates);
    const again = withConnection(lost, 'open', NOW + 90_000);
    expect(withTime(again, NOW + 91_000).rates).toBe(busy.rates);
  });

  it('come from the server alone after reconnecting, including those in between', () => {
    const lost = withConnection(afterReport(open, 500, { 500: second(counts(7)) }), 'lost', NOW);
    const again = withConnection(lost, 'open', NOW + 5000);
    const same = afterReport(
      again,
      505,
      { 500: second(counts(7)), 503: second(counts(2)) },
      NOW + 5000,
    );
    expect(shown(same, 6)).toMatchObject([{ allowed: 7 }, {}, {}, { allowed: 2 }, QUIET, QUIET]);
    const other = afterReport(again, 3, { 3: second(counts(1)) }, NOW + 5000);
    expect(shown(other, 2)).toEqual([QUIET, second(counts(1))]);
  });

  it('start over after a reset', () => {
    const reset = withReset(afterReport(open, 500, { 500: second(counts(7)) }));
    expect(shown(reset, 1)).toEqual([QUIET]);
  });

  it('are stacked: the app’s, Grantbench’s own, and throttled requests on top', () => {
    const data = rateData([second(counts(3)), second(counts(2, 4), counts(5, 1)), QUIET]);
    expect(data).toEqual([
      [-2.5, -1.5, -0.5],
      [null, 12, null],
      [null, 11, null],
      [null, 6, null],
      [3, 2, null],
    ]);
  });

  it('have a text alternative to the chart', () => {
    expect(chartWords([QUIET], [], 'now')).toBe(
      'No token request was counted in the last two minutes.',
    );
    const reached = { kind: 'hit', at: -11.2, label: 'first 429, #31' } as const;
    expect(chartWords([second(counts(30, 10))], [reached], 'now')).toBe(
      '30 requests of the app allowed and 10 throttled in the last two minutes, at most 40 in a second. first 429, #31, 12 seconds ago',
    );
  });

  it('separate Grantbench’s own requests, so that the hammer shows on the chart', () => {
    const own = second(counts(0), counts(30, 10));
    expect(totalsOf([own])).toEqual({
      app: { allowed: 0, throttled: 0 },
      own: { allowed: 30, throttled: 10 },
    });
    expect(chartWords([own], [], 'now')).toBe(
      '30 requests of Grantbench’s own allowed and 10 throttled, none of the app, in the last two minutes, at most 40 in a second.',
    );
    expect(chartWords([own, second(counts(1))], [], 'now')).toMatch(
      /^1 request of the app allowed and 0 throttled, 30 requests of Grantbench’s own allowed and 10 throttled in/,
    );
    expect(secondWords([own, QUIET], 0)).toBe(
      '1 s ago: 0 allowed, 0 throttled; Grantbench’s own: 30 allowed, 10 throttled',
    );
    expect(secondWords([own, QUIET], 1)).toBe('This second: 0 allowed, 0 throttled');
  });

  it('name their two minutes when these do not end now', () => {
    expect(periodWords('now')).toBe('in the last 2 min');
    expect(periodWords('paused')).toBe('in the 2 min before the pause');
    expect(chartWords([QUIET], [], 'lost')).toBe(
      'No token request was counted in the two minutes before the connection was lost.',
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

describe('the marks for the first throttled request and for the reset of its window', () => {
  it('stand at their times, the reset in the future until it happens', () => {
    expect(marksOf([hit()], clock(), T + 2000)).toEqual([
      { kind: 'hit', at: -2, label: 'first 429, #31' },
      { kind: 'resets', at: 40, label: 'resets in 40 s' },
    ]);
    const [, after] = marksOf([hit()], clock(), T + 50_000);
    expect(after).toEqual({ kind: 'resets', at: -8, label: 'window reset' });
  });

  it('follow the sandbox clock: they move closer when it advances, and are hidden while it is frozen', () => {
    const advanced = clock({ now: new Date(T + 30_000).toISOString() });
    expect(marksOf([hit()], advanced, T)[1]).toMatchObject({ at: 12, label: 'resets in 12 s' });
    expect(marksOf([hit()], clock({ frozen: true }), T)).toHaveLength(1);
    const beyond = clock({ now: new Date(T + 90_000).toISOString() });
    expect(marksOf([hit()], beyond, T)).toHaveLength(1);
  });

  it('extend the chart by up to a minute into the future', () => {
    expect(secondsAhead([{ kind: 'resets', at: 30, label: '' }])).toBe(34);
    expect(secondsAhead([{ kind: 'resets', at: 3600, label: '' }])).toBe(0);
    expect(secondsAhead([{ kind: 'hit', at: 0.4, label: '' }])).toBe(0);
  });

  it('state a coming reset only while a counter has that window', () => {
    const counter = (resets_at: number, blocked = 1) =>
      ({ blocked, resets_at: new Date(resets_at).toISOString() }) as Counter;
    const resetOf = (counters: readonly Counter[], now = T) =>
      withKnownResets([hit()], counters, now)[0]?.resets_at;
    expect(resetOf([counter(T + 41_300)])).toBe(T + 42_000);
    for (const counters of [[], [counter(T + 5000)], [counter(T + 41_300, 0)]]) {
      expect(resetOf(counters)).toBeNull();
      expect(resetOf(counters, T + 42_000)).toBe(T + 42_000);
    }
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

  it('are taken from RateLimit when Retry-After is off, and are unknown without both', () => {
    const [limitHit] = take([], refused(31, T, [['RateLimit', '"token-ip";r=0;t=42']]));
    expect(limitHit?.resets_at).toBe(T + 42_000);
    const silent = take([], refused(31, T, []), refused(32, T + 99_000, []));
    expect(silent[0]?.limit).toBeNull();
    expect(silent).toHaveLength(1);
    expect(silent[0]?.resets_at).toBeNull();
  });

  it('ignore responses that the throttle did not send, such as a 429 from a fault', () => {
    expect(take([], exchangeOf({ number: 1 }))).toEqual([]);
    expect(take([], exchangeOf({ number: 2, status: 429, throttled: false }))).toEqual([]);
  });

  it('use the seconds in the response', () => {
    expect(secondsToReset(refused(31, T, [['Retry-After', '58']]))).toBe(58);
    const dated: [string, string] = ['Retry-After', 'Thu, 01 Jan 2026 00:00:12 GMT'];
    expect(secondsToReset(refused(31, T, [dated]))).toBeNull();
  });
});

describe('the hammer’s request', () => {
  const { throttle } = settings();
  const clients = [
    client({
      client_id: 'codes',
      grant_types: ['authorization_code'],
      throttle: { limit: 3, window_seconds: 9 },
    }),
    client({ client_id: 'demo' }),
  ];

  it('is a refresh by the oldest client, repeated slightly above the limit, by default', () => {
    const chosen = chosenOf(FIRST_FORM, clients, throttle);
    expect(chosen?.client.client_id).toBe('demo');
    expect(chosen?.grant).toBe('refresh_token');
    expect(chosen && repeatOf(chosen.pace)).toEqual({ times: 40, parallel: 10 });
  });

  it('uses a grant and the limit of the chosen client', () => {
    const form = { ...FIRST_FORM, client_id: 'codes', way: 'rate', per_second: 5 } as const;
    const chosen = chosenOf(form, clients, throttle);
    expect(chosen?.grant).toBe('authorization_code');
    expect(chosen && repeatOf(chosen.pace)).toEqual({ times: 13, per_second: 5 });
  });

  it('is not sent with a new token where the newest one is chosen and there is none', async () => {
    await openPage(await startHarness());
    onTestFinished(() => changeForm(FIRST_FORM));
    changeForm({ credential: 'newest', times: 3 });
    await startHammer();
    const { repeated } = hammer.getState();
    expect(repeated).toMatchObject({ state: 'failed', tally: { sent: 0 } });
    expect(String(repeated?.error)).toContain('has no active refresh token. Choose “New”.');
  });

  it('does not exist when no client can send a request', () => {
    expect(chosenOf(FIRST_FORM, [], throttle)).toBeNull();
    const mute = client({ grant_types: ['authorization_code'], redirect_uris: [] });
    expect(chosenOf(FIRST_FORM, [mute], throttle)).toBeNull();
  });
});
