// A file that a command writes: whole or not at all. What is no file (a pipe, a device) is written to as
// it is, for it must not be replaced by one.

import {
  closeSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { CommandError } from '../command-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that comes meanwhile is taken afterwards: writing is one step of this process. */
function undisturbed(work: () => void): void {
  const ignore = () => undefined;
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}

function replace(file: string, text: string): void {
  const draft = `${file}.tmp-${process.pid}`;
  try {
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
    closeSync(openSync(draft, 'wx', mode));
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** @throws CommandError when it could not be written; the former file is then as it was */
export function saveText(file: string, text: string): void {
  try {
    undisturbed(() => {
      if (!existsSync(file)) return replace(file, text);
      if (statSync(file).isFile()) replace(realpathSync(file), text);
      else writeFileSync(file, text);
    });
  } catch (error) {
    throw new CommandError(1, `${file} could not be written: ${(error as Error).message}.`);
  }
}
