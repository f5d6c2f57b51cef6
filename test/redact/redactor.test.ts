// Redaction removes values under the name of a secret, wherever and however they are written; the rest stays byte for
// byte.

import { describe, expect, it } from 'vitest';
import { createKnownValues } from '../../src/redact/known-values.ts';
import {
  createClientRedactor,
  createSecretCheck,
  withoutCredentials,
} from '../../src/redact/redactor.ts';
import { redactorOf } from '../support/redactor.ts';

const TOKEN = 'q3ZkT0V1bmRlcl9zY29yZS1kYXNoX2FuZC1tb3JlLWI2';
const ISSUED = `${TOKEN.slice(0, -2)}E`;
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

const {
  requestBody: body,
  responseBody: redactResponseBody,
  headerValue: redactHeader,
} = redactorOf();

it.each([
  ['{"code":"abc"}', '{"code":"[redacted]"}'],
  [
    '{"token":"abc","token_type_hint":"access_token"}',
    '{"token":"[redacted]","token_type_hint":"access_token"}',
  ],
  ['{ "code" : "abc" ,\n "x": 1 }', '{ "code" : "[redacted]" ,\n "x": 1 }'],
  ['{"client_secret":"a\\"b","x":"y"}', '{"client_secret":"[redacted]","x":"y"}'],
  ['{"\\u0063ode":"abc"}', '{"\\u0063ode":"[redacted]"}'],
  ['{"CODE":"abc"}', '{"CODE":"[redacted]"}'],
  ['{"code":"a","code":"b"}', '{"code":"[redacted]","code":"[redacted]"}'],
  ['{"code":123}', '{"code":"[redacted]"}'],
  ['{"code":["a",{"b":"c"}],"x":1}', '{"code":"[redacted]","x":1}'],
  ['{"code":{"a":{"b":"c"}},"x":1}', '{"code":"[redacted]","x":1}'],
  ['[{"refresh_token":"a"},{"x":"code"}]', '[{"refresh_token":"[redacted]"},{"x":"code"}]'],
  ['{"a":{"code_verifier":"v"}}', '{"a":{"code_verifier":"[redacted]"}}'],
  ['{"grant_type":"authorization_code"}', '{"grant_type":"authorization_code"}'],
  [`{"refreshToken":"${TOKEN}"}`, '{"refreshToken":"[redacted]"}'],
  [`{"bearer":"${JWT}"}`, '{"bearer":"[redacted]"}'],
  [
    `{"state":"${TOKEN}","code_challenge":"${TOKEN}"}`,
    `{"state":"${TOKEN}","code_challenge":"${TOKEN}"}`,
  ],
  ['"code"', '"code"'],
  ['{}', '{}'],
])('the JSON body %s is redacted', (text, expected) => {
  expect(body(text)).toBe(expected);
});

it.each([
  ['code=abc&x=1', 'code=[redacted]&x=1'],
  ['token=abc&token_type_hint=x', 'token=[redacted]&token_type_hint=x'],
  ['access_token=abc', 'access_token=[redacted]'],
  ['x=1&client_secret=a%26b', 'x=1&client_secret=[redacted]'],
  ['c%6fde=abc', 'c%6fde=[redacted]'],
  ['code=a&code=b', 'code=[redacted]&code=[redacted]'],
  ['code=&x=1', 'code=&x=1'],
  ['code', 'code'],
  [
    'grant_type=authorization_code&client_id=demo-app',
    'grant_type=authorization_code&client_id=demo-app',
  ],
  [`refreshToken=${TOKEN}`, 'refreshToken=[redacted]'],
  [`assertion=${JWT}&x=y`, 'assertion=[redacted]&x=y'],
])('the form %s is redacted', (text, expected) => {
  expect(body(text)).toBe(expected);
});

describe('unreadable bodies', () => {
  it.each([
    ['{"code": "abc", "x": }', 'abc'],
    ['{"code": "abc', 'abc'],
    ["{'code': 'abc'}", 'abc'],
    ['code: abc', 'abc'],
    ['client_secret = abc; x', 'abc'],
    ['code=abc and more', 'abc'],
    ['name="client_secret"\r\n\r\nabc\r\n--boundary', 'abc'],
    ['<code>x</code> refresh_token="abc"', 'abc'],
    [`something ${TOKEN} else`, TOKEN],
    [`{"a" ${JWT}`, JWT],
    ['{"code":"a\\', 'a\\'],
  ])(
    '%j loses values after names of secrets, and text that looks like a credential',
    (text, secret) => {
      const redacted = body(text);
      expect(redacted).not.toContain(secret);
      expect(redacted).toContain('[redacted]');
    },
  );

  it.each([
    ['{"9qzv6-0-YdOWOevBmS', '{"[redacted]'],
    [
      '{"grant_type":"refresh_token", "9qzv6-0-YdOWOevBmS',
      '{"grant_type":"refresh_token", "[redacted]',
    ],
    ['{"code":"x"} 9qzv6-0-YdOWOevB', '{"code":"[redacted]"} [redacted]'],
    ['1234567890123456', '[redacted]'],
  ])('%j that ends within a credential loses its beginning', (cut, shown) => {
    expect(body(cut)).toBe(shown);
  });

  it.each([
    '{"x":"Y","grant_type":"authorization_code',
    '{"9qzv6-0-YdOWO',
    '{"note":"9qzv6-0-YdOWOevBmS"}',
    '{"note":"9qzv6-0-YdOWOevBmS"',
  ])('%j keeps what is the name of a grant, is too short or is whole', (text) => {
    expect(body(text)).toBe(text);
  });

  it('lose known secrets at any position', () => {
    const { requestBody } = redactorOf('demo-secret');
    expect(requestBody('hello demo-secret, bye')).toBe('hello [redacted], bye');
    expect(requestBody('{"note":"demo-secret"}')).toBe('{"note":"[redacted]"}');
  });

  it('keep words that contain a very short secret', () => {
    expect(redactorOf('a').requestBody('{"note":"a cat"}')).toBe('{"note":"a cat"}');
  });
});

describe('responses', () => {
  it('lose tokens by name, and keep keys and identifiers', () => {
    const text = JSON.stringify({
      access_token: JWT,
      refresh_token: TOKEN,
      id_token: JWT,
      expires_in: 1,
      keys: [{ kid: TOKEN }],
    });
    expect(JSON.parse(redactResponseBody(text))).toEqual({
      access_token: '[redacted]',
      refresh_token: '[redacted]',
      id_token: '[redacted]',
      expires_in: 1,
      keys: [{ kid: TOKEN }],
    });
  });

  it('lose the secrets in the forms of our pages, by name', () => {
    const field = (name: string, value: string) => `<input name="${name}" value="${value}" />`;
    const kept = field('state', TOKEN) + field('sub', 'ada') + field('iss', 'http://localhost');
    const page = field('code', TOKEN) + kept + field('grantbench_form', TOKEN);
    expect(redactResponseBody(page)).toBe(
      field('code', '[redacted]') + kept + field('grantbench_form', '[redacted]'),
    );
    for (let end = 0; end <= page.indexOf(kept); end++) {
      expect(redactResponseBody(page.slice(0, end))).not.toContain(TOKEN.slice(0, 4));
    }
  });

  it('behaviour 8: lose tokens also where a fault rule truncated the JSON at any character', () => {
    const text = JSON.stringify({ token_type: 'Bearer', access_token: JWT, expires_in: 1 });
    for (let end = 0; end <= text.length; end++) {
      expect(redactResponseBody(text.slice(0, end))).not.toContain(JWT.slice(0, 4));
    }
  });
});

it('RFC 7662: keep the members of an introspection response', () => {
  const text = JSON.stringify({ active: true, token_type: 'Bearer', jti: 'e.1.2', sub: 'ada' });
  expect(redactResponseBody(text)).toBe(text);
});

describe('targets and headers', () => {
  it.each([
    ['/oauth/token', '/oauth/token'],
    ['/cb?code=abc&state=x', '/cb?code=[redacted]&state=x'],
    ['/userinfo?access_token=abc', '/userinfo?access_token=[redacted]'],
    ['/oauth/introspect?token=abc', '/oauth/introspect?token=[redacted]'],
    ['http://a.test/cb?x=1#access_token=abc', 'http://a.test/cb?x=1#access_token=[redacted]'],
    [`/x?y=${TOKEN}`, '/x?y=[redacted]'],
    [`/api/${TOKEN}/x`, '/api/[redacted]/x'],
    ['/x?%zz=1&code=%zz', '/x?%zz=1&code=[redacted]'],
  ])('%s', (target, expected) => {
    expect(redactorOf().target(target)).toBe(expected);
  });

  it.each([
    ['Authorization', 'Basic YTpi', 'Basic [redacted]'],
    ['authorization', 'Bearer abc def', 'Bearer [redacted]'],
    ['Authorization', 'abc', '[redacted]'],
    ['Authorization', 'Bearer a.b.c', 'Bearer [redacted]'],
    ['Authorization', 'Digest abc', 'Digest [redacted]'],
    ['Authorization', 'DPoP\tabc', 'DPoP [redacted]'],
    ['Authorization', 'Negotiate abc', 'Negotiate [redacted]'],
    ['Authorization', 'Basic', '[redacted]'],
    ['Authorization', 'Secret abc', '[redacted]'],
    ['WWW-Authenticate', 'Basic abc', 'Basic abc'],
    ['Proxy-Authenticate', 'Basic abc', 'Basic abc'],
    ['ETag', `"${TOKEN}"`, `"${TOKEN}"`],
    [
      'WWW-Authenticate',
      'Bearer realm="grantbench", error="invalid_token"',
      'Bearer realm="grantbench", error="invalid_token"',
    ],
    ['Proxy-Authorization', 'Basic YTpi', 'Basic [redacted]'],
    ['Cookie', 'a=b', '[redacted]'],
    ['Set-Cookie', 'a=b; HttpOnly', '[redacted]'],
    ['Location', 'http://a.test/cb?code=abc', 'http://a.test/cb?code=[redacted]'],
    ['Referer', 'http://a.test/?code=abc', 'http://a.test/?code=[redacted]'],
    ['X-Token', JWT, '[redacted]'],
    ['Content-Type', `Basic ${TOKEN}`, 'Basic [redacted]'],
    [
      'traceparent',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ],
    ['Content-Type', 'application/json', 'application/json'],
  ])('%s: %s', (name, value, expected) => {
    expect(redactHeader(name, value)).toBe(expected);
  });
});

it.each([
  ['a=1&code=2', 'a=1&code=[redacted]'],
  ['state=1&code:2', 'state=1&code:[redacted]'],
  ['=1&a=code:2', '=1&a=code:[redacted]'],
  ['a=1 code:2', 'a=1 code:[redacted]'],
])('as a form, %j is shown as %j', (text, shown) => {
  expect(body(text)).toBe(shown);
});

it('a colon is an assignment in a text body, but not within a form value', () => {
  expect(body('a=1&state=code:abc')).toBe('a=1&state=code:abc');
  expect(body('a=1&state=code:abc ')).toBe('a=1&state=code:[redacted] ');
  expect(body('a=1&state=code%3Aabc ')).toBe('a=1&state=code%3Aabc ');
});

it('a multipart part with the name of a secret is redacted completely', () => {
  const part = (value: string) => `--x\r\nfoo: name="code"\r\n\r\n${value}\r\n--x--`;
  expect(body(part('ab cd, ef'))).toBe(part('[redacted]'));
});

it('a scheme marks credentials in any body, and a colon marks none in a header', () => {
  expect(body('then Bearer abc!')).toBe('then Bearer [redacted]!');
  expect(redactHeader('X-Note', 'code: abc')).toBe('code: abc');
});

describe('a JSON value', () => {
  it('is redacted in part when it is a string, and completely when it is a number', () => {
    const { requestBody } = redactorOf('123456789');
    expect(requestBody('{"a":"x 123456789 y","b":123456789,"c":12345678}')).toBe(
      '{"a":"x [redacted] y","b":"[redacted]","c":12345678}',
    );
    expect(requestBody('["x\\u0031\\u00323456789"]')).toBe('["x[redacted]"]');
  });

  it('may be long only under names of long values that are not secret', () => {
    expect(body(`{"nonce":"${TOKEN}","other":"${TOKEN}"}`)).toBe(
      `{"nonce":"${TOKEN}","other":"[redacted]"}`,
    );
  });

  it.each(['"x"', ' ["x"]', '\n{"x":1}'])('%j is treated as a JSON response', (text) => {
    const { responseBody } = redactorOf('abc');
    expect(responseBody(text.replace('x', 'abc'))).not.toContain('abc');
  });
});

it('member names lose text that looks like a credential', () => {
  const { headerName } = redactorOf('some-secret');
  expect([headerName('x-note'), headerName(''), headerName(`x-${TOKEN}`)]).toEqual([
    'x-note',
    '',
    '[redacted]',
  ]);
  expect(headerName('x-some-secret')).toBe('x-[redacted]');
});

it('long values are shown under their names in any order', () => {
  const form = `nonce=${TOKEN}&a=${TOKEN}&state=${TOKEN}&b=${TOKEN}`;
  expect(body(form)).toBe(`nonce=${TOKEN}&a=[redacted]&state=${TOKEN}&b=[redacted]`);
  const mixed = (a: string) => `state=${TOKEN}&a=${a} {"nonce":"${TOKEN}"}`;
  expect(body(mixed(TOKEN))).toBe(mixed('[redacted]'));
});

it('without known values, shapes and names are still redacted', () => {
  expect(withoutCredentials(`code=abc, ${JWT}, ${TOKEN}, plain words`)).toBe(
    'code=[redacted], [redacted], [redacted], plain words',
  );
});

it('client secrets are redacted where issued credentials are unknown and long values are shown', () => {
  const { words } = createClientRedactor([{ client_secret: null }, { client_secret: 'a-secret' }]);
  expect(words(`a-secret, ${TOKEN}`, { keys: true })).toBe(`[redacted], ${TOKEN}`);
});

it.each([
  ['some-secret', true],
  ['x some%2Dsecret', true],
  [btoa('user:some-secret'), true],
  [encodeURIComponent(btoa('some%2Dsecret')), true],
  [ISSUED, true],
  [JWT, true],
  [TOKEN, false],
  ['tiny', false],
  ['code=abc', false],
  ['Fp0Rl7SuY1cQzB5n', false],
  ['', false],
])('a check for secrets: %j has one: %j', (text, expected) => {
  const known = createKnownValues();
  for (const secret of ['some-secret', 'tiny']) known.add(secret);
  const hasSecret = createSecretCheck({ known, isIssued: (value) => value === ISSUED });
  expect(hasSecret(text)).toBe(expected);
});

it('a body truncated anywhere shows no part of the secret', () => {
  const json = `{"client_id":"app","client_secret":"s3cr3t-value","x":"y"}`;
  const form = `client_id=app&client_secret=s3cr3t-value&x=y`;
  for (const text of [json, form]) {
    for (let end = 0; end <= text.length; end++) {
      expect(body(text.slice(0, end))).not.toContain('s3');
    }
  }
});
