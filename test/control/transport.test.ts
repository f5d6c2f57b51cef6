// docs/internals/security.md: which requests the control server accepts, and how it rejects others. Tokens, Host and
// Origin, malformed requests, static files, the OpenAPI document.

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import { createOpenApiDocument } from '../../src/engine/control-server/openapi.ts';
import { startControlServer } from '../../src/engine/control-server/server.ts';
import { PortInUseError } from '../../src/engine/engine.ts';
import {
  type AtEnd,
  call,
  expectError,
  startHarness,
  temporaryFolder,
  TOKEN,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';
import { takenPort } from '../support/taken-port.ts';

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const PROTOCOLS = ['grantbench', `token.${TOKEN}`];

const shared = shareHarness({ start: false });

/** A connection to the control server on which these bytes were sent. */
function sendBytes(port: string, bytes: string) {
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return socket;
}

const openSocket = (url: string, protocols: string[], headers = {}) =>
  new WebSocket(`${url.replace(/^http/, 'ws')}/rpc`, protocols, { headers });

/** A WebSocket with the token, which is open. */
async function connected(url: string): Promise<WebSocket> {
  const socket = openSocket(url, PROTOCOLS);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

async function page(atEnd: AtEnd): Promise<string> {
  const folder = join(await temporaryFolder(atEnd), 'page');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Grantbench</title>');
  await writeFile(join(folder, 'assets', 'index-a1b2c3d4.js'), 'export {};');
  await writeFile(join(folder, 'assets', 'style-a1b2c3d4.css'), 'a{}');
  await writeFile(join(folder, 'assets', 'inter-a1b2c3d4.woff2'), 'font');
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, '.hidden.txt'), 'hidden');
  await writeFile(join(folder, 'data.bin'), 'unknown type');
  await writeFile(join(folder, '..', 'secret.txt'), 'outside');
  return folder;
}

describe('/api needs the control token', () => {
  it.each([
    ['none', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a longer token', { authorization: `Bearer ${TOKEN}x` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['the token in another header', { 'x-control-token': TOKEN }],
  ])('is 401 unauthorized with %s', async (_, headers) => {
    const { control } = shared();
    for (const path of ['/api/clients', '/api/none', '/api', '/api/events']) {
      const answer = await call(control.url, 'GET', path, { headers });
      expectError(answer, 401, 'unauthorized', undefined, /Bearer/);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('allows no operation without it', async () => {
    const { control } = shared();
    const document = await call(control.url, 'GET', '/openapi.json');
    const { paths } = document.body as { paths: Record<string, Record<string, unknown>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), `/api${path}`] as const),
    );
    expect(operations.length).toBeGreaterThan(60);
    for (const [method, path] of operations) {
      expectError(await call(control.url, method, path), 401, 'unauthorized');
    }
  });

  it('accepts no token from the query string', async () => {
    const { control } = shared();
    const answer = await call(control.url, 'GET', `/api/clients?token=${TOKEN}`);
    expect(answer.status).toBe(401);
  });

  it('generates a token of 256 bits by default', async () => {
    const { control } = await startHarness({ start: false, control: { token: undefined } });
    expect(control.token).toMatch(/^[\w-]{43}$/);
    const headers = { authorization: `Bearer ${control.token}` };
    expect((await call(control.url, 'GET', '/api/clients', { headers })).status).toBe(200);
  });

  it('does not start with a token that a subprotocol cannot contain', async () => {
    const { engine } = shared();
    const options = { host: '127.0.0.1', port: 0, page: null, token: 'a token' };
    await expect(startControlServer(engine, options)).rejects.toThrow(/token/);
  });

  it('has neither a token nor a path in its URL', async () => {
    const { control } = shared();
    expect(control.url).toMatch(/^http:\/\/localhost:\d+$/);
  });
});

describe('a foreign Host or Origin is 403 forbidden', () => {
  const hosts = [
    'evil.example',
    'localhost',
    'localhost:1',
    '127.0.0.1.evil.example',
    '[::2]:4281',
  ];
  const origins = [
    'http://evil.example',
    'null',
    'http://localhost:1',
    'https://localhost.evil.example',
    '',
  ];
  it.each([...hosts.map((host) => ({ host })), ...origins.map((origin) => ({ origin }))])(
    '%j',
    async (foreign) => {
      const headers = { ...AUTHORIZED, ...foreign };
      for (const path of ['/api/clients', '/', '/openapi.json']) {
        const answer = await call(shared().control.url, 'GET', path, { headers });
        expectError(answer, 403, 'forbidden');
      }
    },
  );

  it('no Host at all', async () => {
    const { port } = new URL(shared().control.url);
    const request = `GET /api/clients HTTP/1.0\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    const [answer] = (await once(sendBytes(port, request), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
    'accepts %s with the bound port',
    async (name) => {
      const { control } = shared();
      const host = `${name}:${new URL(control.url).port}`;
      const headers = { ...AUTHORIZED, host, origin: `http://${host}` };
      expect((await call(control.url, 'GET', '/api/clients', { headers })).status).toBe(200);
    },
  );

  it('accepts an allowed host with any port, or only with a given port', async () => {
    const allowHosts = ['bench.test', 'other.test:8443'];
    const { control } = await startHarness({ start: false, control: { allowHosts } });
    const status = async (host: string) =>
      (await call(control.url, 'GET', '/api/clients', { headers: { ...AUTHORIZED, host } })).status;
    expect(await status('bench.test')).toBe(200);
    expect(await status('bench.test:99')).toBe(200);
    expect(await status('other.test:8443')).toBe(200);
    expect(await status('other.test')).toBe(403);
    expect(await status('notbench.test')).toBe(403);
  });

  it('there is no CORS: no response allows another origin, and preflights fail', async () => {
    const { control } = shared();
    const origin = control.url;
    const preflight = await call(control.url, 'OPTIONS', '/api/clients', {
      headers: { ...AUTHORIZED, origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(404);
    const answer = await call(control.url, 'GET', '/api/clients', {
      headers: { ...AUTHORIZED, origin },
    });
    for (const { headers } of [preflight, answer]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('the WebSocket at /rpc', () => {
  async function refusal(url: string, protocols: string[], headers = {}): Promise<number> {
    const socket = openSocket(url, protocols, headers);
    return new Promise((resolve, reject) => {
      socket.on('unexpected-response', (_, { statusCode = 0 }) => {
        resolve(statusCode);
        socket.terminate();
      });
      socket.on('open', () => reject(new Error('it opened')));
      socket.on('error', () => undefined);
    });
  }

  it('accepts the token as a subprotocol and selects grantbench', async () => {
    expect((await connected(shared().control.url)).protocol).toBe('grantbench');
  });

  it('rejects a missing or wrong token, and a foreign name', async () => {
    const { control } = shared();
    expect(await refusal(control.url, [])).toBe(401);
    expect(await refusal(control.url, ['grantbench'])).toBe(401);
    expect(await refusal(control.url, ['grantbench', 'token.wrong'])).toBe(401);
    expect(await refusal(control.url, [`token.${TOKEN}`])).toBe(401);
    expect(await refusal(control.url, PROTOCOLS, { origin: 'http://evil.example' })).toBe(403);
    expect(await refusal(control.url, PROTOCOLS, { host: 'evil.example' })).toBe(403);
    expect(await refusal(`${control.url}/other`, PROTOCOLS)).toBe(404);
  });

  it.each([
    ['without a key', 'Sec-WebSocket-Version: 13\r\n'],
    ['with an invalid key', 'Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n'],
    [
      'with an unsupported version',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 99\r\n',
    ],
  ])('rejects an upgrade %s and closes the connection', async (_, lines) => {
    const { control, faults } = shared();
    const { port } = new URL(control.url);
    const socket = sendBytes(
      port,
      `GET /rpc HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}` +
        `Sec-WebSocket-Protocol: grantbench, token.${TOKEN}\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'end');
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(faults).toEqual([]);
  });

  it('survives a client that disconnects during its rejection', async () => {
    const { control, faults } = shared();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = openSocket(control.url, ['grantbench']);
        socket.on('error', () => undefined);
        socket.on('unexpected-response', () => socket.terminate());
        await new Promise((resolve) => socket.once('close', resolve));
      }),
    );
    const headers = AUTHORIZED;
    expect((await call(control.url, 'GET', '/api/clients', { headers })).status).toBe(200);
    expect(faults).toEqual([]);
  });

  it('survives a frame that is not a message', async () => {
    // The library reports each on stderr.
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => reported.mockRestore());
    const harness = shared();
    const socket = await connected(harness.control.url);
    for (const frame of ['', 'null', '{', '[]', '{"i":1}', '\u0000', '{"i":"1","p":{"u":"/x"}}']) {
      socket.send(frame);
    }
    const client = await harness.connect();
    expect(await client.clock.get()).toMatchObject({ frozen: false });
  });
});

describe('an unknown operation', () => {
  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/none'],
    ['PUT', '/api/clients'],
    ['DELETE', '/api/clients'],
    ['HEAD', '/api/clients'],
    ['GET', '/api/clients/demo-app/more'],
    ['GET', '/apix'],
    ['GET', '/rpc'],
    ['GET', '/'],
    ['GET', '/none.html'],
  ])('%s %s is 404 with code and message', async (method, path) => {
    const { control } = shared();
    const answer = await call(control.url, method, path, { headers: AUTHORIZED });
    expect(answer.status).toBe(404);
    if (method !== 'HEAD') expectError(answer, 404, 'not_found');
  });

  it.each([
    ['malformed JSON', '{"client_id": ', /line 1, column 15/],
    ['text', 'client_id=x', /line 1, column 1/],
    [
      'a repeated member',
      '{"client_id": "a", "client_id": "b"}',
      /client_id is present more than once/,
    ],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
  ])('a body of %s is 400', async (_, raw, message) => {
    const { api } = shared();
    const answer = await api('POST', '/clients', undefined, { raw });
    expectError(answer, 400, 'bad_request', undefined, message);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'x',
  ])('a body of type %s is 415', async (type) => {
    const { api } = shared();
    const headers = { 'Content-Type': type };
    const answer = await api('POST', '/clients', undefined, { raw: '{}', headers });
    expectError(answer, 415, 'bad_request', undefined, /application\/json/);
  });

  it('a body over 32 MiB is 413, and the next request is served', async () => {
    const { api } = shared();
    const raw = Buffer.alloc(33_554_433, 0x20);
    expectError(await api('POST', '/clients', undefined, { raw }), 413, 'bad_request');
    expect((await api('GET', '/clients')).status).toBe(200);
  });

  it('operations without a body accept no body, an empty body or {}', async () => {
    const { api } = shared();
    for (const options of [{}, { raw: '' }, { raw: '{}' }]) {
      expect((await api('POST', '/reset', undefined, options)).status).toBe(200);
    }
  });

  it.each([
    ['GET', '/clients?limt=5', 'limt', /^limt is not a query parameter .* has limit and after$/],
    ['GET', '/clients?limit=5&after=&x=', 'x', /^x is not/],
    ['GET', '/clients?', undefined, null],
    ['GET', '/clients/demo-app?client_id=other', 'client_id', /which has none$/],
    ['GET', '/exchanges/1?number=2', 'number', /which has secrets$/],
    ['GET', '/clock?now=1', 'now', /which has none$/],
    ['POST', '/reset?clients=true', 'clients', /which has none$/],
    ['DELETE', '/clients/demo-app?cascade=1', 'cascade', /which has none$/],
  ])('%s %s names an unknown query parameter', async (method, path, field, message) => {
    const answer = await shared().api(method, path);
    if (message === null) expect(answer.status).toBe(200);
    else expectError(answer, 422, 'invalid', field, message);
  });

  it('a header with a file name does not make the body a file', async () => {
    const { api } = shared();
    const headers = { 'Content-Disposition': 'attachment; filename="x.json"' };
    const answer = await api('POST', '/clients', { client_id: 'x' }, { headers });
    expect(answer.body).toMatchObject({ client_id: 'x' });
  });
});

describe('every response', () => {
  it('forbids sniffing, framing, caching and referrers', async () => {
    const { api } = shared();
    const answers = [await api('GET', '/clients'), await api('GET', '/clients/none')];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-type': expect.stringMatching(/^application\/json/) as string,
      });
    }
  });
});

describe('the page’s files need no token', () => {
  const withPage = shareHarness(async (atEnd) => ({
    start: false,
    control: { page: await page(atEnd) },
  }));

  it.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
    ['/?x=1', 'text/html; charset=utf-8', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
    ['/assets/index-a1b2c3d4.js', 'text/javascript; charset=utf-8', 'immutable'],
    ['/assets/style-a1b2c3d4.css', 'text/css; charset=utf-8', 'immutable'],
    ['/assets/inter-a1b2c3d4.woff2', 'font/woff2', 'immutable'],
  ])('%s is %s', async (path, type, cache) => {
    const { control } = withPage();
    const answer = await call(control.url, 'GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['cache-control']).toContain(cache);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  const unserved = [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/..%5csecret.txt',
    '/%00/index.html',
    '/index.html%00',
    '/.hidden.txt',
    '/data.bin',
    '/assets',
    '/assets/',
    '//etc/hostname.txt',
    `/${'a'.repeat(300)}.js`,
    `/${'a'.repeat(10_000)}.js`,
    `/${'a/'.repeat(5000)}b.js`,
    encodeURI(`/assets/${'ä'.repeat(200)}-a1b2c3d4.js`),
    '/index.html/inside.js',
    '/a%00.js',
  ];
  it.each(unserved.map((path) => [path.slice(0, 40), path]))(
    '%s is not found',
    async (_, path = '') => {
      const { control, faults } = withPage();
      const answer = await call(control.url, 'GET', path);
      expectError(answer, 404, 'not_found');
      expect(answer.text).not.toContain('outside');
      expect(faults).toEqual([]);
    },
  );

  it('are only read', async () => {
    const { control } = withPage();
    const head = await call(control.url, 'HEAD', '/');
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await call(control.url, 'POST', '/', { body: {} });
    expectError(post, 405, 'method_not_allowed');
    expect(post.headers['allow']).toBe('GET, HEAD');
  });
});

it('GET /openapi.json is the document, whose content test/control/openapi.test.ts shows', async () => {
  const answer = await call(shared().control.url, 'GET', '/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(await createOpenApiDocument('0.0.0-test'));
});

describe('the control port', () => {
  it('is named in a PortInUseError when it is in use', async () => {
    const port = await takenPort();
    const { engine } = shared();
    const failure = startControlServer(engine, { host: '127.0.0.1', port, page: null });
    await expect(failure).rejects.toBeInstanceOf(PortInUseError);
    await expect(failure).rejects.toMatchObject({ port });
  });

  it('is served on both loopback addresses', async () => {
    const { control } = shared();
    const { port } = new URL(control.url);
    for (const host of ['127.0.0.1', '[::1]']) {
      const answer = await call(`http://${host}:${port}`, 'GET', '/api/clock', {
        headers: AUTHORIZED,
      });
      expect(answer.status).toBe(200);
    }
  });

  it.runIf(process.platform === 'linux')('binds and names another control host', async () => {
    const { control } = await startHarness({ start: false, control: { host: '127.0.0.2' } });
    expect(control.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    const { port } = new URL(control.url);
    const headers = AUTHORIZED;
    expect((await call(control.url, 'GET', '/api/clock', { headers })).status).toBe(200);
    await expect(call(`http://127.0.0.1:${port}`, 'GET', '/', {})).rejects.toThrow();
  });

  it('is named localhost on all addresses, and other names are still rejected', async () => {
    const { control } = await startHarness({ start: false, control: { host: '0.0.0.0' } });
    expect(control.url).toMatch(/^http:\/\/localhost:\d+$/);
    const headers = { ...AUTHORIZED, host: `0.0.0.0:${new URL(control.url).port}` };
    expectError(await call(control.url, 'GET', '/api/clock', { headers }), 403, 'forbidden');
  });

  it('close() ends open sockets, streams and waits promptly', async () => {
    const control = await startControlServer(shared().engine, {
      host: '127.0.0.1',
      port: 0,
      page: null,
      token: TOKEN,
    });
    const socket = await connected(control.url);
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    const headers = AUTHORIZED;
    const waiting = call(control.url, 'GET', '/api/exchanges?wait_seconds=60', { headers });
    const stream = call(control.url, 'GET', '/api/events', { headers });
    const ended = Promise.allSettled([waiting, stream]);
    await control.close();
    await Promise.all([closed, ended]);
  });
});
