// Loaded into a server under attack before its own code: measures the event loop and the heap from inside and reports
// them over IPC. The product is unaware of it. Waiting time for a core is subtracted from each delay.

import { createWaitingTime } from './harness/waiting-time.mjs';

const TICK_MS = 20;
const REPORTED_FROM_MS = 500;

const waitingTime = createWaitingTime('self');
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
  if (own > REPORTED_FROM_MS) process.send?.({ event: 'delay', own, wall });
  settle();
}

/** Collects twice, to free objects released by finalizers. Its own time is not counted. */
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
// Neither may keep the server running.
process.channel?.unref();
