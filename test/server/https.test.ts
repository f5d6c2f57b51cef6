// HTTPS over real sockets, with certificates generated for the tests.

import { Agent } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectPlainly } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { PortInUseError } from '../../src/engine/engine.ts';
import { redemption } from '../support/form-calls.ts';
import { startHarness } from '../support/harness.ts';
import { sendRaw } from '../support/http-service.ts';
import type { SecureHarness } from '../support/https.ts';
import {
  callSecurely,
  makeAuthority,
  makeCertificate,
  startSecureHarness,
} from '../support/https.ts';

interface ExchangeList {
  items: { number: number; method: string; path: string; status: number; error: string | null }[];
}

const exchanges = ({ get }: Pick<SecureHarness, 'get'>) => get<ExchangeList>('/exchanges');

const form = (parameters: Record<string, string>) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(parameters).toString(),
});

const codeExchange = (code: string) => form(redemption(code));

/** A TLS connection that trusts the certificate of the server. */
async function trusting(harness: SecureHarness, ALPNProtocols?: string[]) {
  const socket = connect({
    port: harness.port(),
    host: '127.0.0.1',
    servername: 'localhost',
    ca: harness.tls.cert,
    ...(ALPNProtocols === undefined ? {} : { ALPNProtocols }),
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  return socket;
}

/** For what leaves nothing behind but exchanges. */
const shared = await startSecureHarness(undefined, { atEnd: afterAll });

/** The server still responds and has had no internal error. */
async function expectHealthy(harness: SecureHarness): Promise<void> {
  const url = `https://127.0.0.1:${harness.port()}/oauth/token`;
  const answer = await callSecurely(url, harness.tls.cert, codeExchange(await harness.code()));
  expect(answer.status).toBe(200);
  expect(harness.faults).toEqual([]);
}

/** Everything received until the server ends the connection. */
const closed = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.once(event, () => resolve(received));
  });

/** A connection on which only these bytes were sent. */
async function silentAfter(port: number, bytes: Buffer): Promise<Socket> {
  const socket = connectPlainly(port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  if (bytes.length > 0) await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
}

const HELLO_BEGUN = Buffer.from([0x16, 0x03, 0x01]);
const BROKEN_HELLO = Buffer.from('\x16\x03\x01\x00\x05hello', 'latin1');

describe('behaviour 7: one scheme at a time', () => {
  it('the issuer, the URLs of the metadata and the state of the server use https', async () => {
    const issuer = `https://localhost:${shared.port()}`;
    expect(await shared.get('/server')).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
    });
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const url = `${issuer}/.well-known/${name}`;
      const { status, text } = await callSecurely(url, shared.tls.cert);
      expect(status).toBe(200);
      const metadata = JSON.parse(text) as Record<string, unknown>;
      expect(metadata['issuer']).toBe(issuer);
      const urls = Object.values(metadata).filter((value) => /^https?:/.test(String(value)));
      for (const one of urls) expect(one).toMatch(new RegExp(`^${issuer}(/|$)`));
    }
    const page = await callSecurely(issuer, shared.tls.cert);
    expect(page.text).toContain(`POST ${issuer}/oauth/token`);
    expect(page.text).not.toContain('http://localhost:' + String(shared.port()));
  });

  it('the server still uses HTTPS after a stop and start over control', async () => {
    const harness = await startSecureHarness();
    await harness.post('/server/stop');
    expect(await harness.post('/server/start')).toMatchObject({
      state: 'running',
      issuer: `https://localhost:${harness.port()}`,
    });
    await expectHealthy(harness);
  });
});

describe('architecture, Safety: the sockets', () => {
  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1');

  it.runIf(hasIpv6)('both loopback addresses serve HTTPS on the same port', async () => {
    expect(shared.engine.server().ipv6).toBe(true);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const url = `https://${host}:${shared.port()}/livez`;
      expect((await callSecurely(url, shared.tls.cert)).status).toBe(200);
    }
  });

  it('a port in use is rejected with a free one as suggestion', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const started = startSecureHarness(undefined, { engine: { port } });
    const error: unknown = await started.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(PortInUseError);
    expect(error).toMatchObject({ port, free_port: expect.any(Number) as number });
  });

  it('one connection serves many requests over HTTP/1.1', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const url = `https://localhost:${shared.port()}/livez`;
    const sockets = new Set<unknown>();
    agent.on('free', (socket) => sockets.add(socket));
    for (let count = 0; count < 5; count++) {
      expect((await callSecurely(url, shared.tls.cert, { agent })).status).toBe(200);
    }
    expect(sockets.size).toBe(1);
    const socket = await trusting(shared, ['h2', 'http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('a handshake whose first byte arrives alone succeeds', async () => {
    const wire = connectPlainly({ port: shared.port(), host: '127.0.0.1', noDelay: true });
    const inPieces = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        wire.write(chunk.subarray(0, 1));
        setImmediate(() => wire.write(chunk.subarray(1), done));
      },
      final: (done) => wire.end(done),
    });
    wire.on('data', (chunk: Buffer) => inPieces.push(chunk));
    wire.on('end', () => inPieces.push(null));
    const socket = connect({ socket: inPieces, servername: 'localhost', ca: shared.tls.cert });
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await closed(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a body in many chunks, and one over the limit, are handled as over HTTP', async () => {
    const url = `https://localhost:${shared.port()}/oauth/token`;
    const large = await callSecurely(url, shared.tls.cert, form({ code: 'x'.repeat(300_000) }));
    expect(large.status).toBe(413);
    await expectHealthy(shared);
  });
});

describe('input that is not HTTPS', () => {
  it('behaviour 3: plain HTTP is 400 with an explanation, and is captured with its method and path', async () => {
    const answer = await fetch(`http://127.0.0.1:${shared.port()}/oauth/token?x=1`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: 'demo-secret' }),
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      error_description: 'this port speaks HTTPS only; use https in the URL',
    });
    const number = Number(answer.headers.get('grantbench-exchange'));
    expect(await shared.get(`/exchanges/${number}`)).toMatchObject({
      method: 'POST',
      status: 400,
      error: 'invalid_request',
      cause: expect.stringContaining('plain HTTP') as string,
      request: { body: '', body_bytes: 'client_secret=demo-secret'.length },
    });
    await expectHealthy(shared);
  });

  it('behaviour 3: a large body over plain HTTP is discarded without waiting for it', async () => {
    const answer = await fetch(`http://127.0.0.1:${shared.port()}/`, {
      method: 'POST',
      body: 'x'.repeat(1_000_000),
    });
    expect(answer.status).toBe(400);
    await expectHealthy(shared);
  });

  it('behaviour 3: input that is neither TLS nor HTTP is 400, as malformed HTTP', async () => {
    const answer = await sendRaw(shared.port(), 'gibberish\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*the HTTP request is malformed/);
    await expectHealthy(shared);
  });

  it.each([
    ['the first byte of TLS alone', '\x16'],
    ['a zero byte', '\0'],
    ['an SSL 2 greeting', '\x80\x2e\x01\x03\x01'],
    ['an empty line', '\r\n'],
    ['the beginning of a method', 'PO'],
  ])('a connection that ends after %s has no effect', async (_what, bytes) => {
    const socket = await silentAfter(shared.port(), Buffer.from(bytes, 'latin1'));
    const end = closed(socket);
    socket.end();
    await end;
    await expectHealthy(shared);
  });

  it('behaviour 3.8: invalid TLS, a client that hangs up on the certificate, and one without a common cipher are captured as a failed handshake', async () => {
    const harness = await startSecureHarness();
    expect(await closed(await silentAfter(harness.port(), BROKEN_HELLO))).not.toContain('HTTP');
    const { cert: other } = await makeCertificate();
    const url = `https://127.0.0.1:${harness.port()}/`;
    await expect(callSecurely(url, other)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const captured = async () => (await exchanges(harness)).items;
    const agreeing = { host: '127.0.0.1', port: harness.port(), ca: other };
    const rsa = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' } as const;
    connect({ ...agreeing, ...rsa }).on('error', () => undefined);
    await expect.poll(captured).toHaveLength(3);
    const failed = { method: '-', path: '-', ip: '127.0.0.1', status: 0, error: null };
    expect(await captured()).toMatchObject([
      { ...failed, cause: 'no shared cipher' },
      { ...failed, cause: 'The client ended the TLS handshake before it sent a request' },
      { ...failed, cause: expect.stringMatching(/^[a-z ]+$/) as string },
    ]);
    await expectHealthy(harness);
  });

  it('a connection that sends nothing, and one that trusts the certificate and sends nothing, are not captured', async () => {
    const harness = await startSecureHarness();
    const silent = await silentAfter(harness.port(), Buffer.alloc(0));
    const sockets = [silent, await trusting(harness)];
    const ends = sockets.map(closed);
    for (const socket of sockets) socket.end();
    await Promise.all(ends);
    await expectHealthy(harness);
    expect((await exchanges(harness)).items).toMatchObject([{ path: '/oauth/token' }]);
  });

  it('TLS on an HTTP port is captured as such', async () => {
    const harness = await startHarness();
    const { port } = harness.engine.server();
    await expect(callSecurely(`https://localhost:${port}/`, '')).rejects.toThrow();
    const [exchange] = (await exchanges(harness)).items;
    expect(exchange).toMatchObject({
      status: 400,
      error: 'invalid_request',
      cause: expect.stringContaining('TLS') as string,
    });
  });
});

describe('stopping the server', () => {
  it('does not wait for connections that are idle, silent or in a handshake', async () => {
    const harness = await startSecureHarness();
    const port = harness.port();
    const silent = await silentAfter(port, Buffer.alloc(0));
    const begun = await silentAfter(port, HELLO_BEGUN);
    const plain = await silentAfter(port, Buffer.from('GET / HT'));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await callSecurely(`https://localhost:${port}/livez`, harness.tls.cert, { agent });
    const ends = Promise.all([silent, begun, plain].map(closed));
    await harness.engine.stop();
    await ends;
    expect((await exchanges(harness)).items).toMatchObject([{ path: '/livez' }]);
  });

  it('completes a request in flight', async () => {
    const harness = await startSecureHarness();
    const { body, ...head } = codeExchange(await harness.code());
    const socket = await trusting(harness);
    const answer = closed(socket);
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${head.headers['Content-Type']}\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    const stopped = harness.engine.stop();
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1\.1 100 [^]*HTTP\/1\.1 200 [^]*"access_token"/);
    await stopped;
  });
});

describe('control: POST /requests', () => {
  const request = { method: 'GET', path: '/livez' };

  it('sends over TLS, trusting our own certificate', async () => {
    const { post } = await startSecureHarness();
    expect(await post('/requests', request)).toMatchObject({ path: '/livez', status: 200 });
  });

  it('sends to a server with a CA-issued certificate for another name', async () => {
    const authority = await makeAuthority();
    const tls = await makeCertificate({ name: 'sandbox.test', addresses: [], authority });
    const { post } = await startSecureHarness(tls);
    expect(await post('/requests', request)).toMatchObject({ path: '/livez', status: 200 });
  });
});
