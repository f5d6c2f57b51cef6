// Opening and saving workspace files in the window: where they are is asked natively, what is wrong with
// one is told with every problem, and the workspace in use stays then.

import { basename } from 'node:path';
import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { WorkspaceError, type Engine } from '../engine/engine.ts';
import { describeProblems } from './problems.ts';
import { withRecent, type WindowSettingsStore } from './window-settings.ts';

export interface Workspaces {
  /** Asks for a file; answers whether a workspace was opened. */
  readonly open: () => Promise<boolean>;
  readonly openFile: (file: string) => Promise<boolean>;
  readonly saveAs: () => Promise<boolean>;
}

const FILTERS = [{ name: 'Workspace', extensions: ['json'] }];
const OPEN: OpenDialogOptions = {
  title: 'Open Workspace',
  filters: FILTERS,
  properties: ['openFile'],
};

const shown = () => BrowserWindow.getAllWindows()[0];

async function askOpen(): Promise<string | null> {
  const window = shown();
  const asked = window ? dialog.showOpenDialog(window, OPEN) : dialog.showOpenDialog(OPEN);
  return (await asked).filePaths[0] ?? null;
}

async function askSave(name: string): Promise<string | null> {
  const window = shown();
  const options: SaveDialogOptions = {
    title: 'Save Workspace As',
    filters: FILTERS,
    defaultPath: `${name.replace(/[^\w -]+/g, '-')}.json`,
  };
  const asked = window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
  return (await asked).filePath || null;
}

async function tell(what: string, error: unknown): Promise<void> {
  if (!(error instanceof WorkspaceError)) throw error;
  const window = shown();
  const box = {
    type: 'warning',
    title: 'Grantbench',
    message: `${basename(error.file)} ${what}`,
    detail: `${describeProblems(error)}\n\nThe current workspace is unchanged.`,
  } as const;
  await (window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box));
}

export function createWorkspaces(engine: Engine, settings: WindowSettingsStore): Workspaces {
  const remember = (file: string) =>
    settings.set({ workspace: file, recent: withRecent(settings.get().recent, file) });
  const attempt = async (file: string, what: string, run: (file: string) => Promise<void>) => {
    try {
      await run(file);
      remember(file);
      return true;
    } catch (error) {
      await tell(what, error);
      return false;
    }
  };
  const openFile = (file: string) => attempt(file, 'cannot be opened.', engine.openWorkspace);
  return {
    openFile,
    open: async () => {
      const file = await askOpen();
      return file !== null && openFile(file);
    },
    saveAs: async () => {
      const file = await askSave(engine.server().workspace.name);
      return file !== null && attempt(file, 'could not be saved.', engine.saveWorkspaceAs);
    },
  };
}
