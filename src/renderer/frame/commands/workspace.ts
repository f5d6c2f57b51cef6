// The workspace as a whole, and what the window can do with its file.

import { reset } from '../../actions/sandbox.ts';
import type { Command } from '../../navigation/command.ts';
import { exportWorkspace } from '../../actions/workspace-export.ts';
import { chooseWorkspaceFile } from '../../actions/workspace-import.ts';
import { showMirror } from '../mirror/mirror-store.ts';
import { appWindow, keepRunning, openWorkspace, saveWorkspaceAs } from '../../actions/window.ts';

const inWindow = (window: NonNullable<typeof appWindow>): readonly Command[] => [
  {
    id: 'open-workspace',
    title: 'Open workspace…',
    group: 'Workspace',
    run: () => openWorkspace(window),
  },
  {
    id: 'mirror-provider',
    title: 'Mirror a provider…',
    group: 'Workspace',
    run: showMirror,
  },
  {
    id: 'save-workspace-as',
    title: 'Save workspace as…',
    group: 'Workspace',
    run: () => saveWorkspaceAs(window),
  },
  {
    id: 'keep-running',
    title: 'Keep running when the window closes',
    group: 'Page',
    run: () => keepRunning(window, true),
  },
  {
    id: 'end-with-window',
    title: 'Quit when the window closes',
    group: 'Page',
    run: () => keepRunning(window, false),
  },
];

export const WORKSPACE: readonly Command[] = [
  ...(appWindow === null ? [] : inWindow(appWindow)),
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
