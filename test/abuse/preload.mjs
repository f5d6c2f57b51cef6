// Loaded into a server under attack before its own code: measures the event loop and the heap from inside,
// and tells them over IPC. The product knows nothing of it.
//
// On a shared machine a process may wait for a core; that is no fault of its own. Linux counts how long the
// main thread stood in line (schedstat), and this much is taken off each delay.

import { openSync, readSync } from 'node:fs';

const TICK_MS = 20;
const TOLD_FROM_MS = 500;

function createWaitingTime() {
  try {
    const file = openSync('/proc/self/schedstat', 'r');
    const buffer = Buffer.alloc(100);
    return () => {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
    };
  } catch {
    return () => 0;
  }
}

const waitingTime = createWaitingTime();
let last = performance.now();
let waited = waitingTime();
let longest = { own: 0, wall: 0 };

function settle() {
  last = performance.now();
  waited = waitingTime();
}

function look() {
  const wall = performance.now() - last - TICK_MS;
  const own = wall - (waitingTime() - waited);
  if (own > longest.own) longest = { own, wall };
  if (own > TOLD_FROM_MS) process.send?.({ event: 'delay', own, wall });
  settle();
}

/** Twice, so that what finalisers let go of is gone too. Its own time is not the product's. */
function heapInUse() {
  look();
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  settle();
  return heapUsed + external;
}

process.on('message', ({ id, ask }) => {
  if (ask === 'delay') look();
  const answer = ask === 'heap' ? { heap: heapInUse() } : longest;
  if (ask === 'delay') longest = { own: 0, wall: 0 };
  process.send?.({ event: 'answer', id, answer });
});

setInterval(look, TICK_MS).unref();
// Neither may keep a server alive that would end.
process.channel?.unref();
