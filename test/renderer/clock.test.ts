// The time zone of the person, as its distance from UTC.

import { afterEach, expect, test } from 'vitest';
import { fullMoment, zoneName } from '../../src/renderer/connection/clock.ts';

const own = process.env['TZ'];

afterEach(() => {
  if (own === undefined) delete process.env['TZ'];
  else process.env['TZ'] = own;
});

const JANUARY = Date.UTC(2026, 0, 15, 9, 2, 40);
const JULY = Date.UTC(2026, 6, 15, 9, 2, 40);

test.each([
  ['UTC', JANUARY, 'UTC'],
  ['Europe/Berlin', JANUARY, 'UTC+1'],
  ['Europe/Berlin', JULY, 'UTC+2'],
  ['Asia/Kolkata', JANUARY, 'UTC+5:30'],
  ['America/New_York', JANUARY, 'UTC-5'],
  ['America/St_Johns', JANUARY, 'UTC-3:30'],
])('in %s', (zone, moment, name) => {
  process.env['TZ'] = zone;
  expect(zoneName(moment)).toBe(name);
});

test('a moment has its day, its time and its zone', () => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(fullMoment(JANUARY)).toBe('15 Jan 2026, 10:02:40 UTC+1');
});
