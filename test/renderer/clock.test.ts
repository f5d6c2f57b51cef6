// Times as users read and type them in their time zone, and the offset of the sandbox clock.

import { afterEach, expect, test } from 'vitest';
import {
  fullMoment,
  momentInZones,
  offsetFrom,
  offsetInWords,
  readMoment,
  typedMoment,
  utcTime,
  zoneName,
} from '../../src/renderer/connection/clock.ts';

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
])('the zone name in %s', (zone, moment, name) => {
  process.env['TZ'] = zone;
  expect(zoneName(moment)).toBe(name);
});

test('a full time has a date, a time and a zone', () => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(fullMoment(JANUARY)).toBe('15 Jan 2026, 10:02:40 UTC+1');
});

test('the date is shown once when the zone differs, and UTC is not repeated in UTC', () => {
  process.env['TZ'] = 'UTC';
  expect(utcTime(JANUARY)).toBeNull();
  expect(momentInZones(JANUARY)).toBe('15 Jan 2026, 09:02:40 UTC');
  process.env['TZ'] = 'Europe/Berlin';
  expect(momentInZones(JANUARY)).toBe('15 Jan 2026, 10:02:40 UTC+1 (09:02:40 UTC)');
  process.env['TZ'] = 'Pacific/Auckland';
  const morning = Date.UTC(2026, 0, 14, 20, 0, 0);
  expect(momentInZones(morning)).toBe('15 Jan 2026, 09:00:00 UTC+13 (14 Jan 2026, 20:00:00 UTC)');
});

test.each([
  [0, null],
  [0.4, null],
  [60, '1 min ahead'],
  [-60, '1 min behind'],
  [3600, '1 h ahead'],
  [-172_800, '2 d behind'],
])('an offset of %s s cannot be mistaken for a time zone', (seconds, words) => {
  expect(offsetInWords(seconds)).toBe(words);
});

test('an offset is ahead of another clock, or behind it', () => {
  expect(offsetFrom('machine time', 60)).toBe('1 min ahead of machine time');
  expect(offsetFrom('machine time', -60)).toBe('1 min behind machine time');
  expect(offsetFrom('machine time', 0)).toBeNull();
});

test.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])(
  'a time is typed in the same format as it is shown, in %s',
  (zone) => {
    process.env['TZ'] = zone;
    expect(readMoment(typedMoment(JULY))).toBe(JULY);
  },
);

test.each([
  ['2026-01-15 22:02:40', '2026-01-15T22:02:40Z'],
  ['2026-01-15T22:02:40', '2026-01-15T22:02:40Z'],
  [' 2026-1-5 9:02 ', '2026-01-05T09:02:00Z'],
  ['2026-02-30 10:00:00', null],
  ['2026-01-15 24:00:00', null],
  ['2026-01-15 10:60', null],
  ['15.01.2026 10:00', null],
  ['', null],
])('typed times use the 24-hour clock: %j', (text, moment) => {
  process.env['TZ'] = 'UTC';
  expect(readMoment(text)).toBe(moment === null ? null : Date.parse(moment));
});
