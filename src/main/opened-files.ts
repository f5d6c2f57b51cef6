// Workspace files that the operating system asks us to open: on the command line of this start or of a second one, or
// through a macOS event.

import { resolve } from 'node:path';
import { app } from 'electron';
import { WORKSPACE_FILE } from '../control/names.ts';

/** The last workspace file among the arguments; Chromium may add flags. @param folder base of relative paths */
export function workspaceFileIn(args: readonly string[], folder: string): string | null {
  // Windows and macOS ignore the case of a file type.
  const named = args.findLast(
    (arg) => !arg.startsWith('-') && arg.toLowerCase().endsWith(WORKSPACE_FILE),
  );
  return named === undefined ? null : resolve(folder, named);
}

/**
 * Must be called before the app is ready, since macOS may send a file before that. Returns a function that sets who
 * opens the files: the one of this start, if there is one, and each later one.
 */
export function listenForFiles(): (openFile: (file: string) => void) => void {
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
  return (openFile) => {
    open = openFile;
    if (early !== null) openFile(early);
  };
}
