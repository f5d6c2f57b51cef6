// Known values are found anywhere in a text, whatever their number; short ones only as whole values.

import { describe, expect, it } from 'vitest';
import { createKnownValues } from '../../src/redact/known-values.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { redactorOf } from '../support/redactor.ts';

describe('a secret of six characters or more', () => {
  it('is found in a text, any number of times', () => {
    const { words } = redactorOf('abcdef');
    expect(words('xabcdefy abcdef')).toBe('x[redacted]y [redacted]');
    expect(words(`in base64: ${btoa('user:abcdef')}`)).toBe('in base64: dXNlcj[redacted]=');
  });

  it('is found where it overlaps another, or shares a prefix with one', () => {
    const { words } = redactorOf('abcdefgh', 'fghijklm', 'abcdefghijkl');
    expect(words('-abcdefghijklm-')).toBe('-[redacted]-');
    expect(words('-abcdefgh-')).toBe('-[redacted]-');
  });

  it('is not found after its removal, unless another secret has the same value', () => {
    const { known, words } = redactorOf('a+secret', 'a secret', 'another');
    known.delete('a+secret');
    expect(words('a+secret')).toBe('[redacted]');
    known.delete('a secret');
    expect(words('a secret, a+secret')).toBe('a secret, a+secret');
    known.delete('a secret');
  });

  it('uses the configured name', () => {
    const known = createKnownValues();
    const { words } = createRedactor({ known, isIssued: () => false });
    known.add('some-secret', '[client_secret]');
    expect(words('"some-secret"')).toBe('"[client_secret]"');
  });

  it('is found when at least 16 characters of it precede the end of a text', () => {
    const secret = 'a secret of more than 32 characters, and a few';
    const { words } = redactorOf(secret);
    expect(words(`got ${secret.slice(0, 40)}`)).toBe('got [redacted]');
    expect(words(`got ${secret.slice(0, 16)}`)).toBe('got [redacted]');
    expect(words(`got ${secret.slice(0, 15)}`)).toBe(`got ${secret.slice(0, 15)}`);
  });
});

describe('secrets with a common prefix', () => {
  it('are all found, in whatever order they are added and removed', () => {
    const { known, words } = redactorOf('secret-a', 'secret-abc', 'secret-ab');
    expect(words('secret-abcd, secret-abd, secret-ad')).toBe(
      '[redacted]d, [redacted]d, [redacted]d',
    );
    known.delete('secret-abc');
    expect(words('secret-abcd, secret-ad')).toBe('[redacted]cd, [redacted]d');
    known.delete('secret-a');
    expect(words('secret-abcd, secret-ad')).toBe('[redacted]cd, secret-ad');
    known.delete('secret-ab');
    expect(words('secret-abcd')).toBe('secret-abcd');
    known.add('secret-a');
    expect(words('secret-abcd')).toBe('[redacted]bcd');
  });

  it('are redacted up to the end of a JSON string, even if others are longer', () => {
    const { requestBody } = redactorOf('secret-a', 'secret-abc');
    expect(requestBody('{"x":"secret-a"}')).toBe('{"x":"[redacted]"}');
  });

  it('keep one when another of the same length is removed', () => {
    const { known, words } = redactorOf('secret-a', 'secret-b');
    known.delete('secret-a');
    expect(words('secret-a secret-b')).toBe('secret-a [redacted]');
  });

  it('ignore the removal of an unknown secret', () => {
    const { known, words } = redactorOf('secret-a');
    known.delete('secret-b');
    known.delete('x');
    known.delete('');
    expect(words('secret-a')).toBe('[redacted]');
  });

  it('are recognized when cut off by the end of a text after at least 16 characters', () => {
    const long = 'x'.repeat(6) + 'abcdefghijklmnopqrstuvwxyz0123456789';
    const { words } = redactorOf(long, `${long}-and-more`);
    expect(words(`got ${long.slice(0, 16)}`)).toBe('got [redacted]');
    expect(words(`got ${long.slice(0, 15)}`)).toBe(`got ${long.slice(0, 15)}`);
    expect(words(`got ${long.slice(0, 16)}. So`)).toBe(`got ${long.slice(0, 16)}. So`);
    expect(words(`got ${long.slice(0, 15)}?`)).toBe(`got ${long.slice(0, 15)}?`);
  });
});

it('are found next to their own prefix, at both ends of a text', () => {
  const { words } = redactorOf('secret-a');
  expect(words('secretsecret-a secret secret-b secret-a')).toBe(
    'secret[redacted] secret secret-b [redacted]',
  );
  expect(words('secret')).toBe('secret');
  expect(words('')).toBe('');
});

describe('a shorter secret', () => {
  const { words, target, headerValue, requestBody } = redactorOf('a%2');

  it('is redacted as a whole value', () => {
    expect(words('a%2')).toBe('[redacted]');
    expect(target('/x/a%2/y?q=a%252')).toBe('/x/[redacted]/y?q=[redacted]');
    expect(headerValue('X-Note', 'a%2')).toBe('[redacted]');
    expect(requestBody('x=a%252&y=1')).toBe('x=[redacted]&y=1');
    expect(requestBody('{"x":"a%2","y":["a\\u00252"]}')).toBe(
      '{"x":"[redacted]","y":["[redacted]"]}',
    );
  });

  it('is shown after its removal while others are known', () => {
    const { known, words: shown } = redactorOf('abc', 'abcd', 'secret');
    known.delete('abc');
    expect([shown('abc'), shown('abcd'), shown('secret')]).toEqual([
      'abc',
      '[redacted]',
      '[redacted]',
    ]);
    known.delete('abcd');
    expect(shown('abcd')).toBe('abcd');
  });

  it('has up to five characters', () => {
    const { words: shown } = redactorOf('abcde', 'abcdef');
    expect([shown('abcde'), shown('xabcde'), shown('xabcdef')]).toEqual([
      '[redacted]',
      'xabcde',
      'x[redacted]',
    ]);
  });

  it('may be a word that is part of many names and sentences', () => {
    const shown = redactorOf('secret', 'password');
    expect(shown.words('The client_secret is wrong, or the password.')).toBe(
      'The client_secret is wrong, or the password.',
    );
    expect(shown.requestBody('client_secret=secret&note=password&password=x')).toBe(
      'client_secret=[redacted]&note=[redacted]&password=[redacted]',
    );
  });

  it('is never empty', () => {
    const known = createKnownValues();
    known.add('');
    known.add('a');
    expect([known.whole(''), known.whole('a')]).toEqual([undefined, '[redacted]']);
  });

  it('uses the configured name', () => {
    const known = createKnownValues();
    known.add('abc', '[code]');
    known.add('abc', '[client_secret]');
    expect([known.whole('abc'), known.whole('ab')]).toEqual(['[client_secret]', undefined]);
  });

  it('is not redacted within other text', () => {
    expect(words('a%2b')).toBe('a%2b');
    expect(requestBody('{"x":"a%2 and more"}')).toBe('{"x":"a%2 and more"}');
  });
});

describe('issued credentials', () => {
  const CODE = 'q3ZkT0V1bmRlcl9zY29yZS1kYXNoX2FuZC1tb3JlLWE';
  const KEY = CODE.replace('q', 'Q');
  const { requestBody, responseBody, headerValue, words } = createRedactor({
    known: createKnownValues(),
    isIssued: (value) => value === CODE,
  });

  it('are redacted where long values are shown', () => {
    expect(requestBody(`state=${CODE}&nonce=${KEY}`)).toBe(`state=[redacted]&nonce=${KEY}`);
    expect(responseBody(`{"kid":"${KEY}","x":"${CODE}"}`)).toBe(
      `{"kid":"${KEY}","x":"[redacted]"}`,
    );
    expect(headerValue('etag', `"${KEY}${CODE}"`)).toBe(`"${KEY}[redacted]"`);
    expect(words(`key ${KEY}, got ${CODE}`, { keys: true })).toBe(`key ${KEY}, got [redacted]`);
  });

  it('are redacted with every other long value elsewhere', () => {
    expect(words(`key ${KEY}, got ${CODE}`)).toBe('key [redacted], got [redacted]');
  });
});
