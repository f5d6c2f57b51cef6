// The workspace as a whole, and what the window can do with its file.

import { attempt, reset } from '../actions.ts';
import type { Command } from '../command.ts';
import { windowControl } from '../control.ts';
import { exportWorkspace } from '../workspace-export.ts';
import { chooseWorkspaceFile } from '../workspace-import.ts';
import { tell } from '../ui/notify.tsx';

type Window = NonNullable<typeof windowControl>['window'];

const keepRunning = (window: Window, keep_running: boolean) => () =>
  attempt('This was not remembered.', async () => {
    await window.keepRunning({ keep_running });
    tell(
      keep_running
        ? 'Closing the window leaves the server running; the tray brings it back'
        : 'Closing the window ends Grantbench',
    );
  });

const inWindow = (window: Window): readonly Command[] => [
  {
    id: 'open-workspace',
    title: 'Open workspace…',
    group: 'Workspace',
    run: () =>
      attempt('No workspace was opened.', async () => {
        await window.open();
      }),
  },
  {
    id: 'save-workspace-as',
    title: 'Save workspace as…',
    group: 'Workspace',
    run: () =>
      attempt('The workspace was not saved.', async () => {
        await window.saveAs();
      }),
  },
  {
    id: 'keep-running',
    title: 'Keep running when the window closes',
    group: 'Page',
    run: keepRunning(window, true),
  },
  {
    id: 'end-with-window',
    title: 'Quit when the window closes',
    group: 'Page',
    run: keepRunning(window, false),
  },
];

export const WORKSPACE: readonly Command[] = [
  ...(windowControl === null ? [] : inWindow(windowControl.window)),
  {
    id: 'import-workspace',
    title: 'Import workspace…',
    group: 'Workspace',
    run: chooseWorkspaceFile,
  },
  {
    id: 'export-workspace',
    title: 'Export workspace, secrets included',
    group: 'Workspace',
    run: exportWorkspace,
  },
  { id: 'reset', title: 'Reset the sandbox…', group: 'Workspace', run: () => reset(false) },
  {
    id: 'reset-workspace',
    title: 'Reset to the workspace file…',
    group: 'Workspace',
    run: () => reset(true),
  },
];
