// The files in which the window remembers things about itself: readable by their owner only, and written
// at once, since a window that closes waits for nothing. Remembering is a convenience: where it fails that
// is reported on stderr, and the window goes on.

import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { replaceFileSync } from '../engine/files/atomic-file-sync.ts';

export function remember(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFileSync({ file, text });
  } catch (error) {
    const why = (error as Error).message;
    process.stderr.write(`grantbench: ${basename(file)} could not be saved: ${why}\n`);
  }
}
