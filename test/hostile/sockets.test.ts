// Malformed input over raw sockets: each gets one response in order, in the JSON of the server, and the connection
// ends.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStaticFiles } from '../../src/engine/control-server/static-files.ts';
import { startHarness, temporaryFolder, type Harness } from '../support/harness.ts';
import { startSecureHarness } from '../support/https.ts';
import { openSocket, type SocketOrder } from './support/raw-socket.ts';
import { simpleGet } from './support/sandbox-process.ts';

/** The port is inserted when the request is sent, because the control server checks the Host header. */
const HOST = 'Host: localhost\r\n';
const CONNECT = `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`;

interface Place extends SocketOrder {
  readonly name: string;
  readonly harness: Harness;
}

let places: readonly Place[];
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const atEnd = (end: () => Promise<void>) => {
    ends.unshift(end);
  };
  const plain = await startHarness({ atEnd });
  const secure = await startSecureHarness(undefined, { atEnd });
  places = [
    { name: 'http', harness: plain, port: plain.engine.server().port },
    { name: 'https', harness: secure, port: secure.port(), secure: true },
    { name: 'control', harness: plain, port: Number(new URL(plain.control.url).port) },
  ];
});

afterAll(async () => {
  for (const end of ends) await end();
});

/** Everything received until the server sends FIN. */
async function exchange(order: SocketOrder, bytes: string): Promise<string> {
  const socket = await openSocket(order);
  await socket.send(bytes.replaceAll(HOST, `Host: localhost:${order.port}\r\n`));
  const text = await socket.ended;
  socket.destroy();
  return text;
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const lastBody = (text: string) =>
  JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4)) as Record<string, string>;

/** The message of an error response of either server. */
const wordsOf = ({ error_description, message }: Record<string, string>) =>
  error_description ?? message;

const request = (method: string, target: string, headers = '', body = '') =>
  `${method} ${target} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

async function expectUnharmed({ name, harness, ...order }: Place): Promise<void> {
  const path = name === 'control' ? '/docs' : '/livez';
  expect(statuses(await exchange(order, simpleGet(path, order.port)))).toEqual([200]);
  expect(harness.faults).toEqual([]);
}

describe('behaviour 3.8: malformed input is refused once, in JSON, and the connection ends', () => {
  it.each([
    ['CONNECT', CONNECT, 405, ''],
    ...['/', '*', 'x'].map((target): [string, string, number, string] => [
      `CONNECT ${target}, without a port`,
      `CONNECT ${target} HTTP/1.1\r\n${HOST}\r\n`,
      405,
      '',
    ]),
    ['garbage', 'garbage\r\n\r\n', 400, 'malformed'],
    ['binary data', '\0\x01\x02\u00ff\u00fe\r\n\r\n', 400, 'malformed'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed'],
    ['the beginning of a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\u00fc\x03\x03', 400, ''],
    ['an unknown HTTP version', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400, 'malformed'],
    ['an unknown method', request('BREW', '/pot'), 400, 'malformed'],
    [
      'a header name with a space, folded',
      `GET / HTTP/1.1\r\nHost : x\r\n folded\r\n\r\n`,
      400,
      'malformed',
    ],
    ['a target with a space', 'GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'malformed'],
    [
      'headers over 64 KiB',
      `GET / HTTP/1.1\r\nX-Big: ${'y'.repeat(70_000)}\r\n\r\n`,
      431,
      '64 KiB',
    ],
    ['a target over 64 KiB', request('GET', '/a'.repeat(40_000)), 431, '64 KiB'],
    [
      'a negative length',
      request('POST', '/oauth/token', 'Content-Length: -1\r\n'),
      400,
      'malformed',
    ],
    [
      'a length that overflows',
      request('POST', '/', `Content-Length: ${'9'.repeat(20)}\r\n`, 'x'),
      400,
      'malformed',
    ],
    [
      'a chunk with an extension of 20 KB',
      request(
        'POST',
        '/oauth/token',
        'Transfer-Encoding: chunked\r\n',
        `5;${'a=b;'.repeat(5000)}\r\nabcde\r\n0\r\n\r\n`,
      ),
      400,
      'malformed',
    ],
    ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}bad header\r\n\r\n`, 400, 'malformed'],
    [
      'an invalid chunk',
      request('POST', '/oauth/token', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'),
      400,
      'malformed',
    ],
    ['two lengths', request('GET', '/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400, ''],
    [
      'a length and chunks',
      request('POST', '/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'),
      400,
      '',
    ],
  ])('%s', async (_name, bytes, status, words) => {
    for (const place of places) {
      const text = await exchange(place, bytes);
      expect([place.name, statuses(text)]).toEqual([place.name, [status]]);
      expect(text).toMatch(/^Content-Type: application\/json\r$/m);
      expect(text).toMatch(/^Connection: close\r$/m);
      expect(wordsOf(lastBody(text))).toContain(words);
      await expectUnharmed(place);
    }
  });
});

describe('an unusual request gets one response below 500', () => {
  const CLOSE = 'Connection: close\r\n';
  it.each([
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['no Host', `GET / HTTP/1.1\r\n${CLOSE}\r\n`],
    ['two Hosts', `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${CLOSE}\r\n`],
    ['three thousand headers', request('GET', '/', `${CLOSE}${'X-Y: z\r\n'.repeat(3000)}`)],
    [
      'a body in two encodings',
      request(
        'POST',
        '/oauth/token',
        `${CLOSE}Transfer-Encoding: gzip, chunked\r\n`,
        '0\r\nX: y\r\n\r\n',
      ),
    ],
    [
      'two expectations, one of them known',
      request(
        'POST',
        '/oauth/token',
        `${CLOSE}Expect: 100-continue, nope\r\nContent-Length: 3\r\n`,
        'a=b',
      ),
    ],
  ])('%s', async (_name, bytes) => {
    for (const place of places) {
      const answered = statuses(await exchange(place, bytes)).filter((status) => status !== 100);
      expect(answered).toHaveLength(1);
      expect(answered[0]).toBeLessThan(500);
      await expectUnharmed(place);
    }
  });
});

describe('the Expect header', () => {
  it('with anything but 100-continue is answered with 417, with or without a body', async () => {
    for (const place of places) {
      for (const [method, expectation] of [
        ['GET', 'nope'],
        ['POST', 'nope'],
        ['POST', '"'],
        ['POST', ''],
      ] as const) {
        const body = method === 'POST' ? 'x'.repeat(100_000) : '';
        const headers = `Expect: ${expectation}\r\nContent-Length: ${body.length}\r\n`;
        const text = await exchange(place, request(method, '/oauth/token', headers, body));
        expect([place.name, statuses(text)]).toEqual([place.name, [417]]);
        expect(wordsOf(lastBody(text))).toBe(
          'the Expect header must be 100-continue or left out (RFC 9110 10.1.1)',
        );
      }
      await expectUnharmed(place);
    }
  });

  it('is captured with its exchange', async () => {
    const harness = await startHarness();
    const { port } = harness.engine.server();
    const text = await exchange({ port }, request('GET', '/livez', 'Expect: nope\r\n'));
    const number = /^Grantbench-Exchange: (\d+)\r$/m.exec(text)?.[1];
    expect(await harness.get(`/exchanges/${number}`)).toMatchObject({
      method: 'GET',
      path: '/livez',
      status: 417,
      error: 'invalid_request',
      cause: expect.stringContaining('Expect') as string,
    });
  });

  it('with a foreign Host is forbidden at the control server', async () => {
    const { control } = await startHarness({ start: false });
    const bytes =
      'GET /docs HTTP/1.1\r\nHost: evil.example\r\nExpect: nope\r\nConnection: close\r\n\r\n';
    const text = await exchange({ port: Number(new URL(control.url).port) }, bytes);
    expect(statuses(text)).toEqual([403]);
  });

  it('is ignored in HTTP/1.0', async () => {
    const { engine } = await startHarness();
    const { port } = engine.server();
    const text = await exchange({ port }, 'GET /livez HTTP/1.0\r\nExpect: nope\r\n\r\n');
    expect(statuses(text)).toEqual([200]);
  });
});

describe('pipelined requests are answered in order', () => {
  it('before CONNECT, whose following bytes are not read', async () => {
    for (const place of places) {
      const ahead = request('GET', '/none').repeat(20);
      const text = await exchange(place, ahead + CONNECT + request('GET', '/none'));
      expect(statuses(text)).toEqual([...Array<number>(20).fill(404), 405]);
      await expectUnharmed(place);
    }
  });

  it('before malformed HTTP', async () => {
    for (const place of places) {
      const text = await exchange(place, `${request('GET', '/none').repeat(20)}garbage\r\n\r\n`);
      expect(statuses(text)).toEqual([...Array<number>(20).fill(404), 400]);
    }
  });

  it('before a refused upgrade', async () => {
    const [, , control] = places;
    const upgrade = request('GET', '/rpc', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
    const text = await exchange(control!, request('GET', '/none').repeat(3) + upgrade);
    expect(statuses(text)).toEqual([404, 404, 404, 401]);
  });

  it('for a thousand requests in one packet', async () => {
    for (const place of places) {
      const last = simpleGet('/none', place.port);
      const text = await exchange(place, request('GET', '/none').repeat(1000) + last);
      expect(statuses(text)).toEqual(Array(1001).fill(404));
    }
  });
});

describe('a target of any form gets a response below 500', () => {
  it.each([
    'http://localhost/livez',
    'http://evil.example/api/clients',
    'HTTP://localhost',
    'https://localhost:1/livez?x=1',
    'ftp://localhost/',
    'localhost:80',
    'https://user:password@x:99999/oauth/token',
    '*',
    '?',
    '/?',
    '/#',
    '/\\',
    '//x/y',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/',
    '/assets/..%2f..%2fpackage.json',
    '/api/../docs',
    '/api/clients/%ff',
    '/oauth/token/',
    '/oauth//token',
    '/OAUTH/TOKEN',
    '/.well-known/openid-configuration/x',
    '//localhost/livez',
    '/..//../livez',
    '/%',
    '/%00',
    '/?%ff',
    `/${'a/'.repeat(20_000)}`,
    `/?${'a=b&'.repeat(10_000)}`,
  ])('%.40s', async (target) => {
    for (const place of places) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'DELETE']) {
        const bytes = request(method, target, 'Connection: close\r\nContent-Length: 0\r\n');
        const [status = 0, ...more] = statuses(await exchange(place, bytes));
        expect(more).toEqual([]);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }
      expect(place.harness.faults).toEqual([]);
    }
  });
});

describe('an upgrade at the OAuth endpoints is handled as an ordinary request', () => {
  it.each(['websocket', 'h2c', 'TLS/1.0'])('to %s', async (protocol) => {
    const [http, https] = places;
    for (const place of [http!, https!]) {
      const socket = await openSocket(place);
      await socket.send(
        request('GET', '/livez', `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`),
      );
      await socket.until(/200 OK[^]*\r\n\r\n\{/);
      await socket.send(simpleGet('/livez', place.port));
      expect(statuses(await socket.ended)).toEqual([200, 200]);
      socket.destroy();
    }
  });
});

describe('content for many slow readers is in memory once', () => {
  it('for a file of the page, until it changes', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'page.txt');
    await writeFile(file, 'one');
    const read = createStaticFiles(folder);
    const [first, second] = await Promise.all([read('/page.txt'), read('/page.txt')]);
    expect((await read('/page.txt'))?.body).toBe(first?.body);
    expect(second?.body).toEqual(first?.body);
    await writeFile(file, 'another');
    expect((await read('/page.txt'))?.body.toString()).toBe('another');
  });
});
