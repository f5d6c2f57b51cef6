// The files in which the window remembers things about itself: replaced whole, readable by their owner
// only, and written at once, since a window that closes waits for nothing. Remembering is a convenience:
// where it fails that is said on stderr, and the window goes on.

import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A link stays one. */
function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It is not there yet.
    return file;
  }
}

export function writeSmallFile(file: string, text: string): void {
  const place = placeOf(file);
  const temporary = `${place}.tmp-${process.pid}`;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    const why = (error as Error).message;
    process.stderr.write(`grantbench: ${basename(file)} could not be saved: ${why}\n`);
  }
}
