// What another process uses of the machine.

import pidusage from 'pidusage';

/**
 * `processorMs`: the time that all threads of the process have spent on processors, in user and system mode
 * (Linux counts it in steps of 10 ms); `megabytes`: its resident memory, in MB of 1,000,000 bytes.
 */
export async function usage(pid) {
  const { ctime, memory } = await pidusage(pid);
  return { processorMs: ctime, megabytes: memory / 1e6 };
}
