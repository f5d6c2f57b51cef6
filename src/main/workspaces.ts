// Opens and saves workspace files in the window. A native dialog asks where they are. If a file cannot be used, all its
// problems are reported, and the current workspace stays.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { WORKSPACE_FILE } from '../control/names.ts';
import { countOf, endingInWords } from '../control/questions.ts';
import { WorkspaceError, type Engine } from '../engine/engine.ts';
import { messageOf } from '../engine/errors.ts';
import { replaceFileSync } from '../engine/files/atomic-file.ts';
import { readIfThere } from '../engine/files/file-text.ts';
import { createRunExclusive } from '../engine/promises.ts';
import {
  confirmNatively,
  describeProblems,
  showMessage,
  shownWindow,
  type NativeQuestion,
} from './dialogs.ts';
import { withRecent, type WindowSettingsStore } from './window-settings.ts';

export interface SavedAndOpened {
  /** null if no file was chosen, or if it could not be written, which is reported. */
  readonly file: string | null;
  /** Whether it is the current workspace now: replacing one with unsaved changes may be declined. */
  readonly opened: boolean;
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

const FILTERS = [{ name: 'Workspace', extensions: ['json'] }];
const OPEN: OpenDialogOptions = {
  title: 'Open Workspace',
  filters: FILTERS,
  properties: ['openFile'],
};

async function askOpen(): Promise<string | null> {
  const window = shownWindow();
  const asked = window ? dialog.showOpenDialog(window, OPEN) : dialog.showOpenDialog(OPEN);
  return (await asked).filePaths[0] ?? null;
}

async function askSave(name: string): Promise<string | null> {
  const window = shownWindow();
  const options: SaveDialogOptions = {
    title: 'Save Workspace As',
    filters: FILTERS,
    defaultPath: `${name.replace(/[^\w -]+/g, '-')}${WORKSPACE_FILE}`,
  };
  const asked = window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options);
  return (await asked).filePath || null;
}

const warn = (file: string, what: string, why: string) =>
  showMessage({
    type: 'warning',
    message: `${basename(file)} ${what}`,
    detail: `${why}\n\nThe current workspace is unchanged.`,
  });

async function reportProblems(what: string, error: unknown): Promise<void> {
  if (!(error instanceof WorkspaceError)) throw error;
  await warn(error.file, what, describeProblems(error));
}

/** Resolves to whether the file was written; a failure is reported. */
async function write(file: string, text: string): Promise<boolean> {
  try {
    replaceFileSync({ file, text, keepMode: true });
    return true;
  } catch (error) {
    await warn(file, 'could not be saved.', messageOf(error));
    return false;
  }
}

/** Compares the files, not the names: links and, on Windows and macOS, case may differ. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => stat(file, { bigint: true }).catch(() => null)),
  );
  if (!first || !second) return one === other;
  return first.dev === second.dev && first.ino === second.ino;
}

/**
 * The question to ask if the current workspace has unsaved changes; null if it has none.
 * @param act what would lose them
 */
async function unsavedQuestion(
  engine: Engine,
  act: string,
  confirm: string,
): Promise<NativeQuestion | null> {
  await engine.flush();
  const { name, state, message } = engine.server().workspace;
  if (state === 'saved') return null;
  return {
    message: `${name} has unsaved changes.`,
    detail: `${message ?? 'It is in memory only.'}\n\nThe changes are lost if you ${act}.`,
    confirm,
  };
}

/** The question to ask if credentials would end; null if none would, or if the file cannot be used. */
async function endingQuestion(engine: Engine, file: string): Promise<NativeQuestion | null> {
  const found = await readIfThere(file).catch(() => null);
  if (found === null) return null;
  const { workspace } = await engine.getControl();
  const { problems, ends } = await workspace.preview({ text: found.text });
  if (problems.length > 0 || countOf(ends) === 0) return null;
  const { name } = engine.server().workspace;
  return {
    message: `Open ${basename(file)} in place of ${name}?`,
    detail: `${endingInWords(ends)} Opening ${name} again does not restore them.`,
    confirm: 'Open',
  };
}

/** Asks once about everything that would be lost. */
async function isConfirmed(engine: Engine, file: string): Promise<boolean> {
  const changes = await unsavedQuestion(engine, `open ${basename(file)}`, 'Open');
  const ends = await endingQuestion(engine, file);
  const first = changes ?? ends;
  if (first === null) return true;
  const details = [changes, ends].filter((asked) => asked !== null).map(({ detail }) => detail);
  return confirmNatively({ ...first, detail: details.join('\n\n') });
}

/** @param defaultFile the workspace file in use until another one is opened */
export function createWorkspaces(
  engine: Engine,
  settings: WindowSettingsStore,
  defaultFile: string,
) {
  /** The replaced workspace is recent too: nothing else leads back to the file in the data folder. */
  const remember = (file: string) => {
    const { workspace, recent } = settings.get();
    const former = withRecent(recent, workspace ?? defaultFile);
    settings.set({ workspace: file, recent: withRecent(former, file) });
  };
  const attempt = async (file: string, what: string, run: (file: string) => Promise<void>) => {
    try {
      await run(file);
      remember(file);
      return true;
    } catch (error) {
      await reportProblems(what, error);
      return false;
    }
  };
  /** Opens one file at a time, since the system may request several at once. */
  const runExclusive = createRunExclusive();
  const openFile = (file: string) =>
    runExclusive(async () => {
      if (!(await isConfirmed(engine, file))) return false;
      return attempt(file, 'cannot be opened.', engine.openWorkspace);
    });
  const saveAndOpen = async (name: string, text: string): Promise<SavedAndOpened> => {
    const nothing = { file: null, opened: false };
    const file = await askSave(name);
    if (file === null) return nothing;
    const isInFile = engine.server().workspace.file !== null;
    if (isInFile && (await isSameFile(file, settings.get().workspace ?? defaultFile))) {
      await warn(file, 'is the file of the current workspace.', 'Choose another file.');
      return nothing;
    }
    if (!(await write(file, text))) return nothing;
    return { file, opened: await openFile(file) };
  };
  return {
    /** Asks where to save the text of another workspace, saves it there and opens it. */
    saveAndOpen,
    openFile,
    /** Asks for a file; resolves to whether a workspace was opened. */
    open: async () => {
      const file = await askOpen();
      return file !== null && openFile(file);
    },
    /** Asks before changes are lost that could not be saved. Without a file, the start has said that nothing is. */
    mayQuit: async () => {
      if (engine.server().workspace.file === null) return true;
      const question = await unsavedQuestion(engine, 'quit', 'Quit');
      return question === null || confirmNatively(question);
    },
    saveAs: async () => {
      const file = await askSave(engine.server().workspace.name);
      return file !== null && attempt(file, 'could not be saved.', engine.saveWorkspaceAs);
    },
  };
}
