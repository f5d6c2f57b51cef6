// Copy as: runs each snippet whose runtime is installed against a recording server, and compares its request with the
// one that the composer sends.

import { describe, expect, it } from 'vitest';
import { createOutgoing, sendOutgoing } from '../../src/engine/handlers/send-request.ts';
import { LANGUAGES } from '../../src/renderer/snippets/languages.ts';
import type { RequestText } from '../../src/renderer/snippets/snippet.ts';
import { startEcho, type Arrived, type Echo } from '../support/echo.ts';
import { missing, runCode } from '../support/snippet-runtimes.ts';

type Sent = Omit<RequestText, 'url'> & { readonly target: string };

const HOSTILE = `'"\\ \n\r\n\t$HOME \${x} $(id) \`id\` !x %41 %PATH% ^x #{y} {z} \\u0041 \\n \u2028\u00a0\u202e é 漢字 🎉 </script> ''' """ @file`;

const REQUESTS: readonly Sent[] = [
  {
    method: 'POST',
    target: '/oauth/token',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: '{\n  "grant_type": "authorization_code",\n  "code": "it\'s \\"quoted\\""\n}\n',
  },
  {
    method: 'POST',
    target: '/oauth/token?a=b%20c&d=',
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: 'grant_type=refresh_token&client_secret=a%26b%3D+c%27%22%5C&refresh_token=%E6%BC%A2*~',
  },
  {
    method: 'PUT',
    target: '/register',
    headers: [
      ['Content-Type', 'text/plain; charset="utf-8"'],
      ['X-Hostile', `'"\\ $HOME \${x} $(id) \`id\` !x %41 %PATH% ^x #{y}`],
      ['X-Empty', ''],
    ],
    body: HOSTILE,
  },
  { method: 'POST', target: '/a', headers: [], body: '{"a": 1} ' },
  {
    method: 'GET',
    target: '/userinfo',
    headers: [['Authorization', 'Bearer a.b-c_d~e+f/g=']],
    body: '',
  },
];

/** Some clients cannot send a header twice. */
const TWICE: Sent = {
  method: 'POST',
  target: '/a',
  headers: [
    ['X-Twice', '1'],
    ['X-Twice', '2'],
  ],
  body: '',
};

async function composed(
  { port, origin, taken }: Echo,
  all: readonly Sent[],
): Promise<readonly Arrived[]> {
  const address = { host: '127.0.0.1', port, cert: null };
  const host = ['Host', new URL(origin).host] as const;
  for (const sent of all) {
    const headers = [host, ...sent.headers];
    const outgoing = createOutgoing({ ...sent, path: sent.target, headers }, address, []);
    await sendOutgoing(outgoing, new AbortController().signal);
  }
  return taken();
}

const valuesOf = ({ headers }: Arrived, name: string) =>
  headers.filter(([header]) => header === name).map(([, value]) => value);

const LENGTH = 'content-length';

/** The complete request as composed, without an added Content-Type. */
function expectSame(arrived: Arrived, composed: Arrived): void {
  expect(arrived.method).toBe(composed.method);
  expect(arrived.target).toBe(composed.target);
  expect(arrived.body.toString()).toBe(composed.body.toString());
  expect(arrived.body.equals(composed.body)).toBe(true);
  const names = new Set(composed.headers.map(([name]) => name));
  for (const name of names) {
    if (name === 'connection') continue;
    if (name === LENGTH && composed.body.length === 0) continue;
    expect(valuesOf(arrived, name), name).toEqual(valuesOf(composed, name));
  }
  if (!names.has('content-type')) expect(valuesOf(arrived, 'content-type')).toEqual([]);
}

describe.for(LANGUAGES)('copied as $name, a request', (language) => {
  it('arrives as the composer sends it, whatever its content', async ({ skip }) => {
    const reason = missing(language.id);
    if (reason !== null) skip(reason);
    const echo = await startEcho();
    const write = (sent: Sent) => language.write({ ...sent, url: `${echo.origin}${sent.target}` });
    expect(REQUESTS.flatMap((sent) => write(sent).notes)).toEqual([]);
    const all = [...REQUESTS, TWICE].filter((sent) => write(sent).notes.length === 0);
    const expected = await composed(echo, all);
    await runCode(
      language.id,
      all.map((sent) => write(sent).text),
    );
    const arrived = echo.taken();
    expect(arrived).toHaveLength(expected.length);
    arrived.forEach((one, index) => expectSame(one, expected[index]!));
  });
});

const JSON_TYPE: readonly [string, string] = ['Content-Type', 'application/json'];

function notesOf(id: string, members: Partial<RequestText>): string {
  const request = { method: 'POST', url: 'http://localhost:4280/a', headers: [], body: '' };
  const language = LANGUAGES.find((one) => one.id === id)!;
  return language.write({ ...request, ...members }).notes.join(' ');
}

describe('a snippet', () => {
  it('notes a body that the client does not send with the method', () => {
    expect(notesOf('fetch', { method: 'GET', body: '{}' })).toBe('fetch sends no body with GET.');
    expect(notesOf('curl', { method: 'HEAD', body: '{}' })).toBe('curl sends no body with HEAD.');
    expect(notesOf('fetch', { method: 'TRACE' })).toBe('fetch does not send TRACE.');
  });

  it('notes a header that the client joins or sets itself', () => {
    const twice = { headers: [JSON_TYPE, ['content-type', 'a/b']] } as const;
    for (const id of ['fetch', 'python', 'csharp']) {
      expect(notesOf(id, twice)).toContain('joins the repeated header content-type into one.');
    }
    for (const id of ['curl', 'axios', 'java', 'go', 'httpie']) {
      expect(notesOf(id, twice)).toBe('');
    }
    expect(notesOf('java', { headers: [['Host', 'a']] })).toBe('HttpClient sets Host itself.');
    expect(notesOf('axios', { headers: [['__proto__', 'a']] })).toContain('__proto__');
    expect(notesOf('httpie', { headers: [['X-A', 'a\\:b']] })).toContain('drops the backslash');
    expect(notesOf('httpie', { headers: [['X-A', 'a\\\\:b']] })).toBe('');
  });

  it('notes a path that the client normalizes, and header values beyond ASCII', () => {
    for (const path of ['/a/../b', '/a?b={c}', '/a?%7e', '/a%2fb', "/a?b='c'", '/a#b']) {
      expect(notesOf('go', { url: `http://localhost:4280${path}` }), path).toContain('differently');
      expect(notesOf('curl', { url: `http://localhost:4280${path}` }), path).toBe('');
    }
    expect(notesOf('python', { headers: [['X-A', 'é']] })).toContain('non-ASCII');
  });

  it('omits Content-Length, which the client sets', () => {
    const { text } = LANGUAGES[0].write({
      method: 'POST',
      url: 'http://localhost:4280/a',
      headers: [['Content-Length', '2']],
      body: '{}',
    });
    expect(text).not.toContain('Length');
  });
});
