import { expect, it } from 'vitest';
import { formBody, headerOf, jsonBody, redirectParameters } from '../../src/oauth/fields.ts';

it('a header is found whatever the case of its name; the first of several is returned, and null for none', () => {
  const headers = [
    ['Retry-After', '12'],
    ['retry-after', '40'],
  ] as const;
  expect(headerOf(headers, 'retry-after')).toBe('12');
  expect(headerOf(headers, 'ratelimit')).toBeNull();
});

it('RFC 6749 4.1.2: the parameters of a redirect are those of its query and of its fragment', () => {
  const read = (location: string) => [...redirectParameters(location)];
  expect(read('http://a.example/cb?code=c%2B1&state=s')).toEqual([
    ['code', 'c+1'],
    ['state', 's'],
  ]);
  expect(read('http://a.example/cb?x=1#error=access_denied')).toEqual([
    ['x', '1'],
    ['error', 'access_denied'],
  ]);
  expect(read('http://a.example/cb#code=c')).toEqual([['code', 'c']]);
  expect(read('http://a.example/cb')).toEqual([]);
  expect(read('http://a.example/cb?')).toEqual([]);
  expect(read('http://a.example/cb#state=a?b')).toEqual([['state', 'a?b']]);
});

it('both body formats keep the order and repeated names', () => {
  const members = [
    ['a', '1 +'],
    ['b', 2],
    ['a', 'ü'],
  ] as const;
  expect(formBody(members)).toBe('a=1+%2B&b=2&a=%C3%BC');
  expect(jsonBody(members)).toBe('{\n  "a": "1 +",\n  "b": 2,\n  "a": "ü"\n}');
});
