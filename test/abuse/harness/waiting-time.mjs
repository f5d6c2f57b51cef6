// How long a process has stood in line for a core. On a shared machine that is no fault of its own, and is taken
// off what it is held to. Linux counts it for the main thread (schedstat); elsewhere it is taken for none.

import { openSync, readSync } from 'node:fs';

/** @param pid a number or `self` @returns milliseconds since it began, each time it is called */
export function createWaitingTime(pid) {
  const file = openSchedule(pid);
  if (file === null) return () => 0;
  const buffer = Buffer.alloc(100);
  let last = 0;
  return () => {
    try {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      last = Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6;
    } catch {
      // The process has ended: it waits no more.
    }
    return last;
  };
}

function openSchedule(pid) {
  try {
    return openSync(`/proc/${pid}/schedstat`, 'r');
  } catch {
    return null;
  }
}
