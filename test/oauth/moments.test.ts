// Durations and moments in words, as the person's own clock has them.

import { describe, expect, test } from 'vitest';
import { calendarDay, clockInWords, momentInFull } from '../../src/oauth/moments.ts';

const NOW = new Date(2026, 10, 21, 10, 2, 12).getTime();

describe('moments in words', () => {
  const at = (...parts: [number, number, number, number, number, number]) =>
    new Date(...parts).getTime();

  test.each([
    [at(2026, 10, 21, 10, 2, 9), '10:02:09'],
    [at(2026, 10, 22, 0, 0, 0), '00:00:00 tomorrow'],
    [at(2026, 10, 20, 23, 59, 59), '23:59:59 yesterday'],
    [at(2026, 11, 21, 8, 0, 0), '08:00:00 on 21 Dec'],
    [at(2031, 0, 2, 8, 0, 0), '08:00:00 on 2 Jan 2031'],
  ])('name the day as seen from now: %#', (moment, words) => {
    expect(clockInWords(moment, NOW)).toBe(words);
  });

  test('are short within a minute and have the clock beyond', () => {
    expect(momentInFull(NOW - 3000, NOW)).toBe('3 s ago');
    expect(momentInFull(NOW, NOW)).toBe('now');
    expect(momentInFull(NOW + 86_399_000, NOW)).toBe('in 23 h 59 min (10:02:11 tomorrow)');
  });

  test.each([1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY])('survive %s', (moment) => {
    expect(momentInFull(moment, NOW)).toBe('at a time outside the calendar');
  });
});

test('a day of the calendar has its month in letters', () => {
  const days = Array.from({ length: 12 }, (_, month) => calendarDay(new Date(2031, month, 24)));
  expect(days.map((day) => day.split(' ')[1])).toEqual([
    'Jan',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sept',
    'Oct',
    'Nov',
    'Dec',
  ]);
  expect(days[8]).toBe('24 Sept 2031');
});
