// Opening and saving workspace files in the window: where they are is asked natively, what is wrong with
// one is told with every problem, and the workspace in use stays then.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { countOf, endingInWords } from '../control/questions.ts';
import { WorkspaceError, type Engine } from '../engine/engine.ts';
import { replaceFileSync } from '../engine/files/atomic-file.ts';
import { readIfThere } from '../engine/files/file-text.ts';
import { createRunExclusive } from '../engine/promises.ts';
import { askPerson, describeProblems, type NativeQuestion } from './dialogs.ts';
import { withRecent, type WindowSettingsStore } from './window-settings.ts';

export interface SavedAndOpened {
  /** null when nobody chose one, or it could not be written, which is told. */
  readonly file: string | null;
  /** Whether it is the workspace now: the person may keep the one that is not saved. */
  readonly opened: boolean;
}

export interface Workspaces {
  /** Asks for a file; answers whether a workspace was opened. */
  readonly open: () => Promise<boolean>;
  readonly openFile: (file: string) => Promise<boolean>;
  readonly saveAs: () => Promise<boolean>;
  /** Asks where to write the text of another workspace, writes it there and opens it. */
  readonly saveAndOpen: (name: string, text: string) => Promise<SavedAndOpened>;
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

async function warn(file: string, what: string, why: string): Promise<void> {
  const window = shown();
  const box = {
    type: 'warning',
    title: 'Grantbench',
    message: `${basename(file)} ${what}`,
    detail: `${why}\n\nThe current workspace is unchanged.`,
  } as const;
  await (window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box));
}

async function tell(what: string, error: unknown): Promise<void> {
  if (!(error instanceof WorkspaceError)) throw error;
  await warn(error.file, what, describeProblems(error));
}

/** Answers whether it was written; a refusal of the system is told. */
async function write(file: string, text: string): Promise<boolean> {
  try {
    replaceFileSync({ file, text, keepMode: true });
    return true;
  } catch (error) {
    await warn(file, 'could not be saved.', (error as Error).message);
    return false;
  }
}

/** Links lead to the same file, and so does another case of its letters on Windows and macOS. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => stat(file, { bigint: true }).catch(() => null)),
  );
  if (!first || !second) return one === other;
  return first.dev === second.dev && first.ino === second.ino;
}

/** What of this workspace would be lost that is in no file; null where all of it is. */
async function unsaved(engine: Engine, file: string): Promise<NativeQuestion | null> {
  await engine.flush();
  const { name, state, message } = engine.server().workspace;
  if (state === 'saved') return null;
  return {
    message: `${name} has changes that are not saved.`,
    detail: `${message ?? 'It is in memory only.'}\n\nThey are lost if you open ${basename(file)}.`,
    confirm: 'Open',
  };
}

/** The credentials that would end; null where none would, and where the file cannot be read or used. */
async function ending(engine: Engine, file: string): Promise<NativeQuestion | null> {
  const found = await readIfThere(file).catch(() => null);
  if (found === null) return null;
  const { workspace } = await engine.getControl();
  const { problems, ends } = await workspace.preview({ text: found.text });
  if (problems.length > 0 || countOf(ends) === 0) return null;
  const { name } = engine.server().workspace;
  return {
    message: `Open ${basename(file)} in place of ${name}?`,
    detail: `${endingInWords(ends)} Opening ${name} again does not bring them back.`,
    confirm: 'Open',
  };
}

/** What would be gone with the next workspace: the person decides, once. */
async function mayLeave(engine: Engine, file: string): Promise<boolean> {
  const changes = await unsaved(engine, file);
  const ends = await ending(engine, file);
  const first = changes ?? ends;
  if (first === null) return true;
  const details = [changes, ends].filter((asked) => asked !== null).map(({ detail }) => detail);
  return askPerson({ ...first, detail: details.join('\n\n') });
}

/** @param usual the file of the workspace while no other was opened */
export function createWorkspaces(
  engine: Engine,
  settings: WindowSettingsStore,
  usual: string,
): Workspaces {
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
  /** One file at a time: several may be opened at once from outside. */
  const runExclusive = createRunExclusive();
  const openFile = (file: string) =>
    runExclusive(async () => {
      // It is here already; read again, it would end every token.
      const { workspace } = settings.get();
      const isHere = workspace !== null && (await isSameFile(file, workspace));
      if (isHere && engine.server().workspace.state === 'saved') return true;
      if (!(await mayLeave(engine, file))) return false;
      return attempt(file, 'cannot be opened.', engine.openWorkspace);
    });
  const saveAndOpen = async (name: string, text: string): Promise<SavedAndOpened> => {
    const nothing = { file: null, opened: false };
    const file = await askSave(name);
    if (file === null) return nothing;
    const isInFile = engine.server().workspace.file !== null;
    if (isInFile && (await isSameFile(file, settings.get().workspace ?? usual))) {
      await warn(file, 'is the file of the current workspace.', 'Choose another file.');
      return nothing;
    }
    if (!(await write(file, text))) return nothing;
    return { file, opened: await openFile(file) };
  };
  return {
    saveAndOpen,
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
