// What is removed from text that was pasted as a token.

import { describe, expect, test } from 'vitest';
import { cleanToken } from '../../src/renderer/views/tokens/paste-store.ts';

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'RS256', kid: 'one' };
const PAYLOAD = { sub: 'ada', name: 'Ada Ünal' };
const TOKEN = `${encode(HEADER)}.${encode(PAYLOAD)}.c2ln`;

describe('a pasted token', () => {
  test.each([
    ['nothing from a bare token', TOKEN, []],
    ['spaces around it', `\n  ${TOKEN}\t `, ['spaces around it']],
    ['quotes', `"${TOKEN}"`, ['quotes']],
    ['nested quotes', `'"${TOKEN}"'`, ['quotes']],
    ['the scheme', `Bearer ${TOKEN}`, ['“Bearer”']],
    ['the scheme of a bound token', `DPoP ${TOKEN}`, ['“DPoP”']],
    ['the header name', `authorization: bearer  ${TOKEN}`, ['the header’s name', '“Bearer”']],
    [
      'a quoted header value',
      `"Bearer ${TOKEN}",`,
      ['a comma or semicolon after it', 'quotes', '“Bearer”'],
    ],
    [
      'line breaks inside',
      `${TOKEN.slice(0, 20)}\r\n${TOKEN.slice(20)}`,
      ['line breaks and spaces inside it'],
    ],
    [
      'the token response around it',
      JSON.stringify({ access_token: TOKEN }),
      ['the JSON around its access_token'],
    ],
    [
      'the JSON around an id_token',
      JSON.stringify({ id_token: TOKEN }),
      ['the JSON around its id_token'],
    ],
  ])('is read without %s', (_, text, removed) => {
    expect(cleanToken(text)).toEqual({ token: TOKEN, removed });
  });

  test.each(['', '   ', '"', '{"token_type": "Bearer"}', '{broken'])(
    'is not found in %j',
    (text) => {
      expect(cleanToken(text).token).toBe(text.replace(/\s/g, ''));
    },
  );
});
