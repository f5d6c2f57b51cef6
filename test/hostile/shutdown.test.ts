// SIGTERM ends the process, whatever connections are open. Exit code 0 means that it closed everything; the forced
// exit at the end of the grace period has code 1.

import { expect, test } from 'vitest';
import { openSocket, openSockets, type RawSocket, type SocketOrder } from './support/raw-socket.ts';
import { simpleGet, startSandbox } from './support/sandbox-process.ts';

const HOST = 'Host: localhost\r\n';
const CONNECT = `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`;
const UPGRADE = `GET /rpc HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
const MANY = 50;

const ENDED_BY_ITSELF = { code: 0, signal: null };

/** Clients that have read their response and never close their side. */
async function halfOpen(order: SocketOrder, bytes: string): Promise<RawSocket[]> {
  const sockets = await openSockets(MANY, order);
  await Promise.all(
    sockets.map(async (socket) => {
      await socket.send(bytes);
      await socket.until(/^HTTP\/1\.1 4\d\d /);
    }),
  );
  return sockets;
}

test.each([
  ['over HTTP, and at the control server', []],
  ['over HTTPS, after plain HTTP on its port, and at the control server', ['--https']],
])(
  'clients that stay half-open after CONNECT or a refused upgrade, or that stall at any point, do not delay the end: %s',
  async (_, flags) => {
    const { oauth, control, terminate } = await startSandbox(...flags);
    const isSecure = oauth.secure === true;
    const places = [oauth, control, ...(isSecure ? [{ port: oauth.port }] : [])];
    const sockets = await Promise.all([
      ...places.map((place) => halfOpen(place, CONNECT)),
      ...(isSecure ? [] : places.map((place) => halfOpen(place, UPGRADE))),
      ...places.map(stall),
    ]);
    expect(await terminate()).toMatchObject(ENDED_BY_ITSELF);
    for (const socket of sockets.flat()) socket.destroy();
  },
);

/** Clients that stall at each point of a request, and one that was answered after the server had read the others. */
async function stall(order: SocketOrder): Promise<RawSocket[]> {
  const { port } = order;
  const moments = [
    '',
    'GET /livez HTTP/1.1\r\nX-Half: ',
    `POST /oauth/token HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"gr`,
    'garbage\r\n\r\n',
    simpleGet('/livez', port),
    `GET /livez HTTP/1.1\r\n${HOST}\r\n${CONNECT}`,
    // Without TLS: over https, an incomplete handshake.
    '\x16\x03\x01',
  ];
  const sockets = await Promise.all(
    moments.map(async (bytes) => {
      const socket = await openSocket(bytes.startsWith('\x16') ? { port } : order);
      await socket.send(bytes);
      return socket;
    }),
  );
  const last = await openSocket(order);
  await last.send(simpleGet('/livez', port));
  await last.until(/^HTTP\/1\.1 /);
  return [...sockets, last];
}

test('clients that do not read their responses do not delay the end', async () => {
  const { oauth, control, terminate } = await startSandbox();
  for (const { port } of [oauth, control]) {
    const sockets = await openSockets(5, { port, reading: false });
    const request = `GET /docs HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
    for (const socket of sockets) void socket.send(request.repeat(2000));
  }
  await oauth.expectAnswer();
  await control.expectAnswer();
  expect(await terminate()).toMatchObject(ENDED_BY_ITSELF);
});
