// A server that stops without closing its connections: a stopped process, a machine that sleeps.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endOf } from '../../src/renderer/connection/control.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A WebSocket whose server responds while `responds` is set. */
function openSocket() {
  const socket = Object.assign(new EventTarget(), { responds: true, asked: 0, close: vi.fn() });
  const ended = vi.fn();
  const ask = () => {
    socket.asked += 1;
    if (socket.responds) socket.dispatchEvent(new Event('message'));
  };
  void endOf(socket as unknown as WebSocket, ask).then(ended);
  return { socket, ended };
}

test('a connection stays open while the server responds, and ends within 30 s of its last message', async () => {
  const { socket, ended } = openSocket();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ended).not.toHaveBeenCalled();
  socket.responds = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ended).toHaveBeenCalledOnce();
  expect(socket.close).toHaveBeenCalledOnce();
});

test('nothing is asked once the connection is closed', async () => {
  const { socket, ended } = openSocket();
  socket.dispatchEvent(new Event('close'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toHaveBeenCalledOnce();
  expect(socket.asked).toBe(0);
});
