// The resident memory of another process, where the system tells it without extra software.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const KB_PER_MB = 1000 / 1.024;

const readers = {
  linux: (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]),
  darwin: (pid) =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })),
};

export const canReadMemory = () => process.platform in readers;

/** In MB of 1,000,000 bytes; the systems tell KiB. */
export const residentMegabytes = (pid) => readers[process.platform](pid) / KB_PER_MB;
