import { expect, it } from 'vitest';
import { headerOf } from '../../src/oauth/fields.ts';

it('a header is found whatever the case of its name; the first of several is returned, and null for none', () => {
  const headers = [
    ['Retry-After', '12'],
    ['retry-after', '40'],
  ] as const;
  expect(headerOf(headers, 'retry-after')).toBe('12');
  expect(headerOf(headers, 'ratelimit')).toBeNull();
});
