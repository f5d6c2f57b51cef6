// Native dialogs, which script in the page cannot answer: questions, and errors at startup with what to do about them.

import { app, BrowserWindow, dialog, type MessageBoxOptions, shell } from 'electron';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { WorkspaceError } from '../engine/engine.ts';
import { messageOf, traceOf } from '../engine/errors.ts';
import { withoutCredentials } from '../redact/redactor.ts';
import type { Unreadable } from './engine.ts';

export interface NativeQuestion {
  readonly message: string;
  readonly detail: string;
  /** Label of the button that confirms. */
  readonly confirm: string;
}

export type ConfirmNatively = (question: NativeQuestion) => Promise<boolean>;

/** The window that a dialog belongs to; undefined while the app runs without one. */
export const shownWindow = () => BrowserWindow.getAllWindows()[0];

/** Resolves to the index of the button. */
export async function showMessage(options: MessageBoxOptions): Promise<number> {
  const window = shownWindow();
  const box = { title: 'Grantbench', ...options };
  const asked = window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box);
  return (await asked).response;
}

/** Resolves to whether the question was confirmed; closing the dialog declines it. */
export const confirmNatively: ConfirmNatively = async ({ message, detail, confirm }) => {
  const buttons = [confirm, 'Cancel'];
  const question = { message, detail, buttons, defaultId: 1, cancelId: 1 };
  return (await showMessage({ type: 'question', ...question })) === 0;
};

/** A box taller than the screen has no reachable buttons. */
const MOST_LINES = 20;

const CONSEQUENCE = {
  workspace: 'Without it, Grantbench uses the demo workspace and saves nothing.',
  kept: 'Without it, Grantbench signs with new keys, which are lost when it quits, and rejects earlier tokens.',
  settings:
    'Without it, Grantbench uses the default workspace, port and address, and remembers no others.',
} as const;

/** The file on the first line, then one line for each problem. */
export function describeProblems(error: WorkspaceError): string {
  const lines = error.problems.map(({ path, message }) => `${path} ${message}`.trim());
  const rest = lines.length - MOST_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more`] : lines;
  return [error.file, ...shown].join('\n');
}

const describe = ({ error, what }: Unreadable) =>
  `${describeProblems(error)}\n\n${CONSEQUENCE[what]}`;

/** Reports files that could not be read. They stay unchanged, so that they can be corrected. */
export async function reportUnreadable(
  window: BrowserWindow,
  unreadable: readonly Unreadable[],
): Promise<void> {
  const [first] = unreadable;
  if (first === undefined) return;
  const text = unreadable.map(describe).join('\n\n');
  process.stderr.write(`grantbench: cannot use ${text.replace(/\n+/g, '; ')}\n`);
  if (!window.isVisible()) await once(window, 'show');
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Grantbench',
    message: `${unreadable.map(({ error }) => basename(error.file)).join(' and ')} cannot be used.`,
    detail: `${text}\n\nNothing was overwritten. Restore or correct the file and start Grantbench again.`,
    buttons: ['Continue', 'Show File', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) shell.showItemInFolder(first.error.file);
  if (response === 2) app.quit();
}

function endWith(title: string, text: string): void {
  process.stderr.write(`grantbench: ${text}\n`);
  dialog.showErrorBox(title, text);
  app.exit(1);
}

export const endWithFault = (error: unknown): void =>
  endWith('Grantbench has an internal error and must close', withoutCredentials(traceOf(error)));

/** Ends the app, which cannot run without its data folder. */
export const endWithoutData = (folder: string, error: unknown): void =>
  endWith(
    'Grantbench cannot start',
    `The data folder ${folder} cannot be used: ${messageOf(error)}`,
  );
