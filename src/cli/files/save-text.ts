// A file that a command writes: whole or not at all, and readable by whom it was.

import { replaceFileSync } from '../../engine/files/atomic-file-sync.ts';
import { CommandError } from '../command-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals received meanwhile are ignored: writing is one step of this process. */
function undisturbed(work: () => void): void {
  const ignore = () => undefined;
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

/** @throws CommandError when it could not be written; the former file is then as it was */
export function saveText(file: string, text: string): void {
  try {
    undisturbed(() => {
      replaceFileSync({ file, text, keepMode: true });
    });
  } catch (error) {
    throw new CommandError(1, `${file} could not be written: ${(error as Error).message}.`);
  }
}
