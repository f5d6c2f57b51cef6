// The time that a process has waited for a core, which is subtracted from measured delays on a shared machine. Linux
// counts it for the main thread (schedstat); elsewhere it is zero.

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
      // The process has ended.
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
