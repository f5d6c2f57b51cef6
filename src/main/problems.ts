// What went wrong at the start, told so that the person can put it right.

import { once } from 'node:events';
import { basename } from 'node:path';
import { app, dialog, shell, type BrowserWindow } from 'electron';
import type { WorkspaceError } from '../engine/engine.ts';

/** A box taller than the screen has no reachable buttons. */
const MOST_LINES = 20;

function describe({ file, problems }: WorkspaceError): string {
  const lines = problems.map(({ path, message }) => `${path} ${message}`.trim());
  const rest = lines.length - MOST_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more`] : lines;
  return [file, ...shown].join('\n');
}

/** The files stay as they are; the app runs without them: on the demo workspace, or with new keys. */
export async function tellUnreadable(
  window: BrowserWindow,
  errors: readonly WorkspaceError[],
): Promise<void> {
  const [first] = errors;
  if (first === undefined) return;
  const text = errors.map(describe).join('\n\n');
  process.stderr.write(`grantbench: cannot use ${text.replaceAll('\n', '; ')}\n`);
  if (!window.isVisible()) await once(window, 'show');
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Grantbench',
    message: `${errors.map(({ file }) => basename(file)).join(' and ')} cannot be used.`,
    detail: `${text}\n\nNothing was written to it. Put it right and start Grantbench again, or go on without it: what you do then is kept in memory only.`,
    buttons: ['Go On', 'Show File', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) shell.showItemInFolder(first.file);
  if (response === 2) app.quit();
}

export function endWithFault(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`grantbench: ${text}\n`);
  dialog.showErrorBox('Grantbench met a fault and ends', text);
  app.exit(1);
}
