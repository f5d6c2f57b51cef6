// Copy as curl: in a POSIX shell, the command reproduces the request that was sent, whatever it contains.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../../src/renderer/exchange/curl.ts';
import { hidesSecrets, masked } from '../../src/renderer/exchange/secrets.ts';
import { piecesOf } from '../../src/renderer/exchange/WhyTab.tsx';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';

const ISSUER = 'http://localhost:4280';

/** Stands in for curl: prints its arguments and its input. */
const STUB = `curl() { for one in "$@"; do printf '%s' "$one" | base64 -w0; echo; done; echo; [ -t 0 ] || base64 -w0; }`;

function run(members: ExchangeMembers, issuer = ISSUER) {
  const script = `${STUB}\n${curlOf(exchangeOf(members), issuer)}`;
  const output = execFileSync('sh', ['-c', script], { input: '', encoding: 'utf8' });
  const [given = '', input = ''] = output.split('\n\n');
  const decode = (text: string) => Buffer.from(text, 'base64');
  const words = given.split('\n').map((word) => decode(word).toString());
  const after = (option: string) =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  return { words, after, input: decode(input) };
}

describe('copy as curl', () => {
  it('sends the same method, URL, headers and body', () => {
    const { words, after } = run({
      path: '/oauth/token?x=1',
      request: {
        headers: [
          ['Host', '127.0.0.1:9'],
          ['Content-Type', 'application/json'],
          ['X-A', '1'],
          ['X-A', '2'],
        ],
        body: '{"a":1}',
      },
    });
    expect(words).toContain('http://127.0.0.1:9/oauth/token?x=1');
    expect(after('-X')).toEqual(['POST']);
    expect(after('-H')).toEqual(['Content-Type: application/json', 'X-A: 1', 'X-A: 2']);
    expect(after('--data-raw')).toEqual(['{"a":1}']);
  });

  it.each([
    `it's "quoted" \\ and $HOME \`id\` !x`,
    `''''`,
    'line one\nline two\r\n\ttab\n',
    '@file',
    '-d',
    'é 漢字 🎉',
    '%41+&=',
  ])('keeps the body %j as it is', (body) => {
    const { after } = run({ request: { body, headers: [['content-type', 'text/plain']] } });
    expect(after('--data-raw')).toEqual([body]);
  });

  it('pipes a body that cannot be an argument', () => {
    const nul = run({ request: { body: 'a\0é' } });
    expect(nul.after('--data-binary')).toEqual(['@-']);
    expect(nul.input).toEqual(Buffer.from('a\0é'));
    const bytes = Buffer.from([0xff, 0x00, 0x27]);
    const binary = run({ request: { body: bytes.toString('base64'), body_encoding: 'base64' } });
    expect(binary.input).toEqual(bytes);
  });

  it('adds options where curl would otherwise send something else', () => {
    const untyped = run({ request: { headers: [['X-Empty', '']], body: 'a=1' } });
    expect(untyped.after('-H')).toEqual(['X-Empty;', 'Content-Type:']);
    expect(run({ method: 'HEAD' }).words).toContain('--head');
    const brackets = run({ path: '/a?b[]={1,2}' });
    expect(brackets.after('--globoff')).toEqual(['http://localhost:4280/a?b[]={1,2}']);
    const asterisk = run({ method: 'OPTIONS', path: '*' });
    expect(asterisk.after('--request-target')).toEqual(['*']);
  });

  it('keeps the scheme of the service', () => {
    const headers: [string, string][] = [['host', 'localhost:4280']];
    const { words } = run({ path: '/livez', request: { headers } }, 'https://localhost:4280');
    expect(words).toContain('https://localhost:4280/livez');
  });

  it('escapes a header that tries to close its quotes', () => {
    const { after } = run({ request: { headers: [['X-Q', `'; rm -rf / #`]] } });
    expect(after('-H')).toEqual([`X-Q: '; rm -rf / #`]);
  });
});

describe('secrets in a text', () => {
  it('are masked when the page has them', () => {
    expect(masked('{"client_secret": "s\\"3"}')).toBe('{"client_secret": "••••••••"}');
    expect(masked('client_secret=abc&code=x')).toBe('client_secret=••••••••&code=x');
    expect(masked('client_secret = a b\ncode = x')).toBe('client_secret = ••••••••\ncode = x');
    expect(masked('Authorization: Basic abc=')).toBe('Authorization: Basic ••••••••');
  });

  it('stay marked as redacted when the engine redacted them', () => {
    for (const text of ['"client_secret":"[redacted]"', 'client_secret=[redacted]']) {
      expect(masked(text)).toBe(text);
      expect(hidesSecrets(text)).toBe(true);
    }
    expect(hidesSecrets('grant_type=refresh_token')).toBe(false);
  });
});

describe('a sentence', () => {
  it('is split into text and references to exchanges', () => {
    expect(piecesOf('used at 10:02:11 by exchange 41, after exchange 7')).toEqual([
      { text: 'used at 10:02:11 by ', number: null },
      { text: 'exchange 41', number: 41 },
      { text: ', after ', number: null },
      { text: 'exchange 7', number: 7 },
    ]);
    expect(piecesOf('used by exchange ?')).toEqual([{ text: 'used by exchange ?', number: null }]);
    expect(piecesOf('')).toEqual([]);
  });
});
