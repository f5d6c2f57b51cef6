// Parsing a text as a token: its parts, their content without a key, and their problems.

import { describe, expect, test } from 'vitest';
import { base64OfText, decodeBase64url, encodeBase64url } from '../../src/oauth/base64.ts';
import { decodeJwt, jwtOf, readToken } from '../../src/oauth/jwt.ts';

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'RS256', kid: 'one' };
const PAYLOAD = { sub: 'ada', name: 'Ada Ünal' };
const TOKEN = `${encode(HEADER)}.${encode(PAYLOAD)}.c2ln`;
const BASE64 = 'is base64, not base64url: it has + and / instead of - and _ (RFC 7515 2)';
const PADDED = 'has = padding, which base64url in a token must not have (RFC 7515 2)';

describe('base64url, RFC 7515 2', () => {
  const bytes = (text: string) => Array.from(decodeBase64url(text).bytes ?? []);

  test('decodes every valid length', () => {
    expect([bytes(''), bytes('_w'), bytes('-_8'), bytes('AAEC')]).toEqual([
      [],
      [255],
      [251, 255],
      [0, 1, 2],
    ]);
    expect(decodeBase64url('AAEC').problems).toEqual([]);
    expect(decodeBase64url('AAEC').bytes).toHaveLength(3);
    expect(bytes('-_8==')).toEqual([251, 255]);
    expect(bytes('_w==')).toEqual([255]);
  });

  test('encodes without padding, and a text in base64 with padding', () => {
    expect(encodeBase64url(Uint8Array.of(251, 255))).toBe('-_8');
    expect(encodeBase64url(Uint8Array.of(255))).toBe('_w');
    expect(base64OfText('ü>?')).toBe('w7w+Pw==');
  });

  test.each([
    ['ab%d', 'is not base64url: it must not contain “%” at character 3'],
    ['abü', 'is not base64url: it must not contain U+00FC at character 3'],
    ['ab\n', 'is not base64url: it must not contain U+000A at character 3'],
    ['ab!', 'is not base64url: it must not contain “!” at character 3'],
    ['ab~', 'is not base64url: it must not contain “~” at character 3'],
    ['a b', 'is not base64url: it must not contain U+0020 at character 2'],
    ['ab😀', 'is not base64url: it must not contain U+1F600 at character 3'],
    ['a', 'cannot have 1 character: one is missing, or there is one too many'],
    ['abcde', 'cannot have 5 characters: one is missing, or there is one too many'],
  ])('reports why %j cannot be decoded', (text, problem) => {
    expect(decodeBase64url(text)).toEqual({ bytes: null, problems: [problem] });
  });

  test('reports large numbers with separators', () => {
    const problemsOf = (text: string) => decodeBase64url(text).problems;
    expect(problemsOf(`${'a'.repeat(1000)}%`)).toEqual([
      'is not base64url: it must not contain “%” at character 1,001',
    ]);
    expect(problemsOf('a'.repeat(1001))).toEqual([
      'cannot have 1,001 characters: one is missing, or there is one too many',
    ]);
  });

  test.each([
    ['+/8=', [251, 255], [BASE64, PADDED]],
    ['-+8', [251, 239], [BASE64]],
    ['_/8', [255, 255], [BASE64]],
    ['-_8=', [251, 255], [PADDED]],
    ['====', [], [PADDED]],
  ])('decodes %s, and reports only what is wrong with it', (text, decoded, problems) => {
    expect(bytes(text)).toEqual(decoded);
    expect(decodeBase64url(text).problems).toEqual(problems);
  });

  test.each([
    ['ab=cd', [PADDED, 'has a = that is not at the end']],
    ['a=b==', [PADDED, 'has a = that is not at the end']],
    ['=ab+', [BASE64, PADDED, 'has a = that is not at the end']],
    ['abcde===', [PADDED, 'cannot have 5 characters: one is missing, or there is one too many']],
  ])('cannot decode %s, and reports each problem', (text, problems) => {
    expect(decodeBase64url(text)).toEqual({ bytes: null, problems });
  });
});

describe('the parts of a token', () => {
  const jws = (token: string) => {
    const read = readToken(token);
    if (read.kind !== 'jws') throw new Error(`read as ${read.kind}`);
    return read;
  };

  test('RFC 7515 3.1: a signed token has three parts, two of them JSON objects', () => {
    const { header, payload, signature } = jws(TOKEN);
    expect(header).toEqual({ text: encode(HEADER), json: HEADER, decoded: null, problems: [] });
    expect(payload.json).toEqual(PAYLOAD);
    expect(signature).toBe('c2ln');
    expect(decodeJwt(TOKEN)).toEqual({
      parts: TOKEN.split('.'),
      header: HEADER,
      payload: PAYLOAD,
    });
  });

  test('RFC 7516 3.1: an encrypted token has five parts and a readable header', () => {
    const header = { alg: 'RSA-OAEP', enc: 'A256GCM' };
    const read = readToken(`${encode(header)}.a2V5.aXY.Y2lwaGVy.dGFn`);
    expect(read).toEqual({
      kind: 'jwe',
      header: { text: encode(header), json: header, decoded: null, problems: [] },
      parts: [encode(header), 'a2V5', 'aXY', 'Y2lwaGVy', 'dGFn'],
    });
    expect(jwtOf(read)).toBeNull();
  });

  test('a text without dots has a length, and one with other numbers of dots has parts', () => {
    expect(readToken('u7DkY3_opaque-1')).toEqual({ kind: 'opaque', length: 15 });
    expect(readToken('a.b.c.d')).toEqual({ kind: 'neither', parts: ['a', 'b', 'c', 'd'] });
    expect(readToken('a.b.c.d.e.f')).toMatchObject({ kind: 'neither' });
  });

  test.each([
    ['an empty text', '', 'nothing'],
    ['a text without dots', 'u7DkY3_opaque-1', 'opaque'],
    ['a text of four parts', 'a.b.c.d', 'neither'],
    ['a text of three dots', '...', 'neither'],
    ['a text of 100,000 dots', '.'.repeat(100_000), 'neither'],
    ['a text of two dots', '..', 'jws'],
    ['a text of two parts', 'a.b', 'jws'],
  ])('%s is no sound token', (_, token, kind) => {
    expect(readToken(token).kind).toBe(kind);
    expect(decodeJwt(token)).toBeNull();
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['no JSON', encode('not json'), 'is not JSON'],
    ['an array', encode([1]), 'is an array, not a JSON object'],
    ['a string', encode('"x"'), 'is a string, not a JSON object'],
    ['a number', encode(7), 'is a number, not a JSON object'],
    ['a boolean', encode(true), 'is a boolean, not a JSON object'],
    ['null', encode(null), 'is null, not a JSON object'],
    ['no text', '_w', 'decodes to 1 bytes that are not UTF-8 text'],
    ['much that is no text', '_'.repeat(4000), 'decodes to 3,000 bytes that are not UTF-8 text'],
    ['another alphabet', '%%', 'is not base64url: it must not contain “%” at character 1'],
  ])('report a header or a payload that is %s, which makes no token', (_, part, problem) => {
    const token = `${encode(HEADER)}.${part}.c2ln`;
    expect(jws(token).header.json).toEqual(HEADER);
    expect(jws(token).payload.problems).toEqual([problem]);
    const other = `${part}.${encode(PAYLOAD)}.c2ln`;
    expect(jws(other).header.problems).toEqual([problem]);
    for (const text of [token, other]) {
      expect([jwtOf(jws(text)), decodeJwt(text)]).toEqual([null, null]);
    }
  });

  test('show the decoded text of a part that is not a JSON object', () => {
    const part = (text: string) => jws(`${encode(text)}.${encode(PAYLOAD)}.x`).header;
    expect(part('{"alg":')).toEqual({
      text: encode('{"alg":'),
      json: null,
      decoded: '{"alg":',
      problems: ['is not JSON'],
    });
    expect(part('[1]').decoded).toBe('[1]');
  });

  test('a part has its problems of encoding and of content', () => {
    const padded = Buffer.from('[1]').toString('base64');
    expect(padded).toBe('WzFd');
    const part = (text: string) => jws(`${text}.${encode(PAYLOAD)}.x`).header.problems;
    expect(part(`${padded}====`)).toEqual([PADDED, 'is an array, not a JSON object']);
    expect(part('eA==')).toEqual([PADDED, 'is not JSON']);
    expect(part('_w==')).toEqual([PADDED, 'decodes to 1 bytes that are not UTF-8 text']);
  });

  test('a text that ends before its signature is parsed as far as possible', () => {
    const read = jws(TOKEN.slice(0, TOKEN.lastIndexOf('.')));
    expect(read.signature).toBeNull();
    expect(read.payload.json).toEqual(PAYLOAD);
    expect(jwtOf(read)).toBeNull();
  });

  test('a text in plain base64 is parsed, but reported as invalid for a verifier', () => {
    const padded = Buffer.from(JSON.stringify(PAYLOAD)).toString('base64');
    const read = jws(`${encode(HEADER)}.${padded}.c2ln`);
    expect(jwtOf(read)?.payload).toEqual(PAYLOAD);
    expect(read.payload.problems).not.toEqual([]);
    expect(decodeJwt(`${encode(HEADER)}.${padded}.c2ln`)).toBeNull();
  });

  test('parts that are missing are empty', () => {
    expect(jws('.').payload.problems).toEqual(['is empty']);
    expect(jwtOf(readToken('opaque'))).toBeNull();
  });

  test('a text of two megabytes is parsed', () => {
    const claims = { filler: 'x'.repeat(1_500_000) };
    expect(jws(`${encode(HEADER)}.${encode(claims)}.c2ln`).payload.json).toEqual(claims);
  });
});
