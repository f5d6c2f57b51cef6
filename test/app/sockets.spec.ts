// Malformed and half-open connections to the window's endpoint: its process survives them and still ends cleanly.

import { once } from 'node:events';
import { openSocket, openSockets, type SocketOrder } from '../hostile/support/raw-socket.ts';
import { freePort } from '../support/free-port.ts';
import { expect, isAlive, test } from './launch.ts';

const CONNECT = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';

/** Sends the request and a reset in two packets; the reset arrives before or after the response. */
async function connectAndReset(order: SocketOrder, awaitAnswer: boolean): Promise<void> {
  const socket = await openSocket(order);
  await socket.send(CONNECT);
  if (awaitAnswer) await socket.until(/^HTTP\/1\.1 405 /);
  socket.reset();
}

test('the endpoint keeps answering after CONNECT and a reset; SIGTERM ends the window with half-open clients connected', async ({
  launch,
}) => {
  const port = await freePort();
  const { app, bench } = await launch({ port });
  await bench.ready();
  for (let round = 0; round < 50; round++) await connectAndReset({ port }, round % 2 === 0);
  expect(await isAlive(port)).toBe(true);
  // On Windows, SIGTERM ends a process without its handlers.
  if (process.platform === 'win32') return;

  const sockets = await openSockets(50, { port });
  for (const socket of sockets) {
    await socket.send(CONNECT);
    await socket.until(/^HTTP\/1\.1 405 /);
  }
  const child = app.process();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  for (const socket of sockets) socket.destroy();
});
