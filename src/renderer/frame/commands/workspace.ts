// The workspace as a whole, and what the window can do with its file.

import type { Command } from '../../navigation/command.ts';
import {
  chooseWorkspaceFile,
  exportWorkspace,
  resetSandbox,
  resetWorkspace,
} from '../../actions/workspace.ts';
import { showMirror } from '../mirror/mirror-store.ts';
import { appWindow, keepRunning, openWorkspace, saveWorkspaceAs } from '../../actions/window.ts';

const inWindow = (window: NonNullable<typeof appWindow>): readonly Command[] => [
  {
    id: 'open-workspace',
    title: 'Open workspace…',
    group: 'Workspace',
    needs: 'connection',
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
    needs: 'connection',
    run: () => saveWorkspaceAs(window),
  },
  {
    id: 'keep-running',
    title: 'Keep running when the window closes',
    group: 'Page',
    needs: 'connection',
    run: () => keepRunning(window, true),
  },
  {
    id: 'end-with-window',
    title: 'Quit when the window closes',
    group: 'Page',
    needs: 'connection',
    run: () => keepRunning(window, false),
  },
];

export const WORKSPACE: readonly Command[] = [
  ...(appWindow === null ? [] : inWindow(appWindow)),
  {
    id: 'import-workspace',
    title: 'Import workspace…',
    group: 'Workspace',
    needs: 'connection',
    run: chooseWorkspaceFile,
  },
  {
    id: 'export-workspace',
    title: 'Export workspace, secrets included',
    group: 'Workspace',
    needs: 'connection',
    run: exportWorkspace,
  },
  {
    id: 'reset',
    title: 'Reset the sandbox…',
    group: 'Workspace',
    needs: 'connection',
    run: resetSandbox,
  },
  {
    id: 'reset-workspace',
    title: 'Reset the sandbox and the workspace…',
    group: 'Workspace',
    needs: 'connection',
    run: resetWorkspace,
  },
];
