// Formats durations and moments in the user's time zone.

import { describe, expect, test } from 'vitest';
import {
  calendarDay,
  clockInWords,
  momentInFull,
  momentInWords,
  pastInFull,
  pastInWords,
} from '../../src/oauth/moments.ts';
import { durationInWords } from '../../src/words.ts';
import { words } from '../support/words.ts';

const NOW = new Date(2026, 10, 21, 10, 2, 12).getTime();

describe('a formatted duration', () => {
  test.each([
    [0, '0 s'],
    [0.6, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [184, '3 min 4 s'],
    [3599.6, '1 h'],
    [5400, '1 h 30 min'],
    [86_340, '23 h 59 min'],
    [86_399, '1 d'],
    [86_400, '1 d'],
    [90_000, '1 d 1 h'],
    [2_592_000, '30 d'],
    [315_360_000, '3,650 d'],
    [-5, '0 s'],
  ])('is rounded to the smaller of two units: %s', (seconds, words) => {
    expect(durationInWords(seconds)).toBe(words);
  });

  test('is the same when a lifetime is announced, begins, and is reported', () => {
    const lifetime = 86_400;
    const words = [lifetime, lifetime - 0.3, lifetime - 1].map(durationInWords);
    expect(new Set(words)).toEqual(new Set(['1 d']));
  });
});

describe('relative times', () => {
  test.each([
    ['2018-01-15T10:00:00Z', '2026-11-21T10:00:00Z', '8 y 310 d ago'],
    ['2024-02-29T10:00:00Z', '2026-02-28T10:00:00Z', '1 y 364 d ago'],
    ['2025-11-21T10:00:00Z', '2026-11-21T10:00:00Z', '1 y ago'],
    ['2025-11-21T10:00:01Z', '2026-11-21T10:00:00Z', '365 d ago'],
    ['2036-11-21T10:00:00Z', '2026-11-21T10:00:00Z', 'in 10 y'],
    ['2027-11-22T09:59:59Z', '2026-11-21T10:00:00Z', 'in 1 y'],
    ['2027-11-22T10:00:00Z', '2026-11-21T10:00:00Z', 'in 1 y 1 d'],
    ['2026-11-21T10:00:00Z', '2028-11-21T09:59:59Z', '1 y 365 d ago'],
    ['4026-11-21T10:00:00Z', '2026-11-21T10:00:00Z', 'in 2,000 y'],
    ['2026-11-21T10:00:00.499Z', '2026-11-21T10:00:00Z', 'now'],
    ['2026-11-21T10:00:00.500Z', '2026-11-21T10:00:00Z', 'in 1 s'],
  ])('count years by the calendar, leap days included: %s from %s', (at, now, words) => {
    expect(momentInWords(Date.parse(at), Date.parse(now))).toBe(words);
  });

  test('of past events are never in the future, although now is cut to the second', () => {
    expect(pastInFull(NOW + 900, NOW)).toBe('just now');
    expect(pastInWords(NOW + 86_400_000, NOW)).toBe('before the clock was set back');
    expect(pastInFull(NOW - 999, NOW)).toBe('just now');
    expect(pastInFull(NOW - 1000, NOW)).toBe('1 s ago');
    expect(pastInFull(NOW - 3000, NOW)).toBe('3 s ago');
    expect(pastInFull(NOW - 184_000, NOW)).toBe('3 min 4 s ago (09:59:08)');
  });
});

describe('absolute times', () => {
  const at = (...parts: [number, number, number, number, number, number]) =>
    new Date(...parts).getTime();

  test.each([
    [at(2026, 10, 21, 10, 2, 9), '10:02:09'],
    [at(2026, 10, 22, 0, 0, 0), '00:00:00 tomorrow'],
    [at(2026, 10, 20, 23, 59, 59), '23:59:59 yesterday'],
    [at(2026, 11, 21, 8, 0, 0), '08:00:00 on 21 Dec'],
    [at(2031, 0, 2, 8, 0, 0), '08:00:00 on 2 Jan 2031'],
    [at(2025, 10, 21, 8, 0, 0), '08:00:00 on 21 Nov 2025'],
    [at(2026, 10, 23, 0, 0, 0), '00:00:00 on 23 Nov'],
    [at(2026, 10, 19, 23, 59, 59), '23:59:59 on 19 Nov'],
  ])('name the day relative to now: %#', (moment, words) => {
    expect(clockInWords(moment, NOW)).toBe(words);
  });

  test('are short within a minute and include the time of day beyond it', () => {
    expect(momentInFull(NOW - 3000, NOW)).toBe('3 s ago');
    expect(momentInFull(NOW, NOW)).toBe('now');
    expect(momentInFull(NOW + 86_399_000, NOW)).toBe('in 1 d (10:02:11 tomorrow)');
    expect(momentInFull(NOW - 59_000, NOW)).toBe('59 s ago');
    expect(momentInFull(NOW - 60_000, NOW)).toBe('1 min ago (10:01:12)');
    expect(momentInFull(NOW + 60_000, NOW)).toBe('in 1 min (10:03:12)');
  });

  test('ECMA-262 21.4.1.1: go to the last moment of the calendar', () => {
    expect(momentInFull(8.64e15, NOW)).toMatch(/^in 273,7\d\d y/);
    expect(momentInFull(8.64e15 + 1, NOW)).toBe('at a time outside the calendar');
  });

  test.each([1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY])('handle %s', (moment) => {
    expect(momentInFull(moment, NOW)).toBe('at a time outside the calendar');
  });
});

test('a calendar day spells its month', () => {
  const days = Array.from({ length: 12 }, (_, month) => calendarDay(new Date(2031, month, 24)));
  expect(days.map((day) => day.split(' ')[1])).toEqual(
    words('Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'),
  );
  expect(days[8]).toBe('24 Sept 2031');
});
