// Workspace files that the system has us open: named on the command line of this start or of a second one, or by
// an event of macOS.

import { resolve } from 'node:path';
import { app } from 'electron';

/** The file type that installers register; Windows and macOS do not tell upper from lower case. */
const SUFFIX = '.grantbench.json';

/** The last one, whatever flags Chromium has put beside it. @param folder that a relative path starts from */
export function workspaceFileIn(args: readonly string[], folder: string): string | null {
  const named = args.findLast((arg) => !arg.startsWith('-') && arg.toLowerCase().endsWith(SUFFIX));
  return named === undefined ? null : resolve(folder, named);
}

export interface OpenedFiles {
  /** Gives the file of this start, if there is one, and each later one. */
  readonly follow: (open: (file: string) => void) => void;
}

/** Must be called before the app is ready: macOS may have a file for us by then. */
export function listenForFiles(): OpenedFiles {
  let early = workspaceFileIn(process.argv.slice(1), process.cwd());
  let open = (file: string) => {
    early = file;
  };
  app.on('open-file', (event, file) => {
    event.preventDefault();
    open(file);
  });
  app.on('second-instance', (_event, args, folder) => {
    const file = workspaceFileIn(args, folder);
    if (file !== null) open(file);
  });
  return {
    follow: (listener) => {
      open = listener;
      if (early !== null) listener(early);
    },
  };
}
