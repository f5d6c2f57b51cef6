// Values assigned to the name of a secret: their exact position in a text.

import { describe, expect, it } from 'vitest';
import { assignmentsIn } from '../../src/redact/assignments.ts';

function found(text: string, loose: boolean, schemes: boolean): string[] {
  return assignmentsIn(text, { loose, schemes }).map(([start, end]) => text.slice(start, end));
}

it.each([
  ['client_secret=abc', ['abc']],
  ['client_secret = abc', ['abc']],
  ['client_secret=abc&code=def', ['abc', 'def']],
  ['code=a,code=b;code=c}code=d<code=e\ncode=f\tcode=g\rcode=h code=i', Array.from('abcdefghi')],
  ['code=\'abc\' code="def"', ['abc', 'def']],
  ["code='a b&c' x", ['a b&c']],
  ['code="a\\"b" x', ['a\\"b']],
  ['code="abc', ['abc']],
  ['code="a\\"', ['a\\']],
  ['code="', []],
  ['code=""', []],
  ['code="" x', []],
  ['code => abc', ['abc']],
  ['code=>abc', ['abc']],
  ['code==abc', ['abc']],
  ['code= abc', ['abc']],
  ['"code": "abc"', ['abc']],
  ["'code': 'abc'", ['abc']],
  ['"code":["a","b"] x', ['["a","b"]']],
  ['"code":{"a":"b"} x', ['{"a":"b"}']],
  ['{"id_token":{"email":null}} x', []],
  ['{"id_token":{"code":"abc"}} x', ['abc']],
  ['"id_token":"abc"', ['abc']],
  ['user[password]=abc', ['abc']],
  ['user[password]: abc', ['abc']],
  ['token=Bearer abc', ['abc']],
  ['token=bearer  abc', ['abc']],
  ['token=DPoP abc', ['abc']],
  ['token=other abc', ['other']],
  ['token=Bearer', ['Bearer']],
  ['code: abc', []],
  ['<code>abc</code>', []],
  ['code\n\nabc', []],
  ['code=[a b', ['[a']],
  ['scope=openid', []],
  ['the code is abc', []],
  ['code=', []],
  ['', []],
])('assignments in text: %j has %j', (text, secrets) => {
  expect(found(text, false, false)).toEqual(secrets);
});

it.each([
  ['code: abc', ['abc']],
  ['<code>abc</code>', ['abc']],
  ['<code abc', []],
  ['code>abc', []],
  ['x<code abc>', []],
  ['code=[a b] c', ['[a b]']],
  ['code={a b} c', ['{a b}']],
  ['name="code"\r\n\r\nabc\r\n--x', ['abc']],
  ['name="code"\n\nabc\n', ['abc']],
  ['name="code"\nabc', []],
  ['code\n\nabc', ['abc']],
  ['code\nabc', []],
  ['code abc\n\nx', []],
])('assignments in an unreadable body: %j has %j', (text, secrets) => {
  expect(found(text, true, false)).toEqual(secrets);
});

describe('credentials after the name of a scheme', () => {
  it.each([
    ['Basic dXNlcjpwYXNz', ['dXNlcjpwYXNz']],
    ['basic dXNlcjpw==', ['dXNlcjpw==']],
    ['Basic dXNl==, x', ['dXNl==']],
    ['Basic dXNl== x', ['dXNl==']],
    ['Basic dXNl==;x', ['dXNl==']],
    ['Bearer a.b~c+d/e-f_g x', ['a.b~c+d/e-f_g']],
    ['Digest abc', ['abc']],
    ['DPoP abc', ['abc']],
    ['Negotiate abc', ['abc']],
    ['got Bearer  abc, then', ['abc']],
    ['Bearer realm="x"', []],
    ['Bearer realm=x', []],
    ['Bearer "abc"', []],
    ['Bearer =', []],
    ['Bearer', []],
    ['Bearer\tabc', []],
    ['Other abc', []],
    ['Bearer code=abc', ['abc']],
  ])('%j has %j', (text, secrets) => {
    expect(found(text, false, true)).toEqual(secrets);
  });

  it('are not found where a scheme is not followed by credentials', () => {
    expect(found('Basic dXNlcjpwYXNz', false, false)).toEqual([]);
  });
});
