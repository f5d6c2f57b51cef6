// The end of a headless run: the first signal drains, a second one ends at once. Whatever is connected,
// and whatever is at fault, the process is gone within its grace.

import { constants } from 'node:os';
import { withoutCredentials } from '../../../redact/redactor.ts';

/** Servers cut what does not end within 5 s; this is for a fault in that, or in what is closed with them. */
const GRACE_MS = 8000;

/** On Windows, Ctrl+Break is SIGBREAK, which is all that a program can send another one there. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

export interface Shutdown {
  /** What to close, in this order. */
  add(close: () => Promise<void>): void;
  begin(): void;
}

export function createShutdown(): Shutdown {
  const closers: (() => Promise<void>)[] = [];
  let begun = false;

  async function drain(): Promise<void> {
    for (const close of closers) await close();
    process.exit(0);
  }

  function begin(): void {
    if (begun) return;
    begun = true;
    setTimeout(() => {
      process.stderr.write(
        `Stopped before everything was closed, which took more than ${GRACE_MS / 1000} s.\n`,
      );
      process.exit(1);
    }, GRACE_MS);
    drain().catch((error: unknown) => {
      process.stderr.write(`Stopped with an error: ${withoutCredentials(String(error))}\n`);
      process.exit(1);
    });
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => (begun ? process.exit(128 + constants.signals[signal]) : begin()));
  }
  return { add: (close) => void closers.push(close), begin };
}
