// The end of a headless run: the first signal drains, a second one ends at once.

import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
    drain().catch((error: unknown) => {
      process.stderr.write(`Ended with a fault: ${String(error)}\n`);
      process.exit(1);
    });
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => (begun ? process.exit(128 + constants.signals[signal]) : begin()));
  }
  return { add: (close) => void closers.push(close), begin };
}
