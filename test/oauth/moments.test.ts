// Moments in words: the calendar's days as the person's own clock has them.

import { expect, test } from 'vitest';
import { calendarDay } from '../../src/oauth/moments.ts';

test('a day of the calendar has its month in letters, as British English has it', () => {
  const days = Array.from({ length: 12 }, (_, month) => calendarDay(new Date(2031, month, 24)));
  const written = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  expect(days).toEqual(
    Array.from({ length: 12 }, (_, month) => written.format(new Date(2031, month, 24))),
  );
});
