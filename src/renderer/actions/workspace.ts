// The workspace as a whole: exported, replaced by a file that is looked at first, by one that was replaced before, or by
// what it was read from. The service keeps what is replaced, so that all of these can be undone.

import { createStore } from 'zustand/vanilla';
import { countOf, credentialsInWords, endingInWords } from '../../control/questions.ts';
import type { FormerWorkspace, LiveCounts, WorkspacePreview } from '../../control/schemas.ts';
import { liveCredentials } from './ending.ts';
import { attempt } from './sandbox.ts';
import { control, problemOf } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { confirm } from '../ui/confirm.tsx';
import { sentence } from '../ui/problems.ts';
import { notify, notifyWithKeptUndo } from '../ui/notify.tsx';
import { saveFile } from '../ui/save-file.ts';
import { enumerated, pluralize } from '../ui/short-forms.ts';

/** A file that is looked at. */
interface Brought {
  /** Its name; null while there is none. */
  readonly file: string | null;
  readonly text: string;
  /** What the service says of it; null while it is asked. */
  readonly preview: WorkspacePreview | null;
  /** Why it could not be looked at or used; null while nothing is known against it. */
  readonly failure: string | null;
}

const NOTHING: Brought = { file: null, text: '', preview: null, failure: null };
const MOST_BYTES = 20_000_000;
const TOO_LARGE = 'The file is too large: a workspace may have at most 20 MB.';

export const brought = createStore<Brought>(() => NOTHING);

export const putAside = (): void => brought.setState(NOTHING, true);

/** As it is sent, within a string of JSON. */
const bytesOf = (text: string) => new Blob([JSON.stringify(text)]).size;

/** Looks at a file that was dropped or chosen. Nothing is changed by it. */
export async function bringIn(file: File): Promise<void> {
  const text = file.size > MOST_BYTES ? '' : await file.text();
  const asked: Brought = { ...NOTHING, file: file.name, text };
  brought.setState(asked, true);
  const show = (more: Partial<Brought>) => {
    if (brought.getState() === asked) brought.setState(more);
  };
  if (file.size > MOST_BYTES || bytesOf(text) > 1.5 * MOST_BYTES) {
    show({ failure: TOO_LARGE });
    return;
  }
  try {
    show({ preview: await control.workspace.preview({ text }) });
  } catch (error) {
    show({ failure: sentence(problemOf(error).message) });
  }
}

export function chooseWorkspaceFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void bringIn(file);
  });
  input.click();
}

const newestFormer = async (): Promise<FormerWorkspace | null> =>
  (await control.workspace.former()).items[0] ?? null;

/** Replaces the workspace, says so, and offers to take it back if what was replaced is kept. */
export async function replaceWorkspace(message: string, replace: () => Promise<unknown>) {
  const before = await newestFormer();
  await replace();
  const former = await newestFormer();
  const kept = former !== null && former.id > (before?.id ?? 0);
  if (kept) notifyWithKeptUndo(message, () => void restoreWorkspace(former));
  else notify(message);
}

/** “Demo”, with 3 clients, 2 users, 1 audience and 0 fault rules */
export const contentsInWords = (contents: WorkspacePreview['contents']): string =>
  contents === null
    ? ''
    : `“${contents.name}”, with ${enumerated([
        pluralize(contents.clients, 'client'),
        pluralize(contents.users, 'user'),
        pluralize(contents.audiences, 'audience'),
        pluralize(contents.faults, 'fault rule'),
      ])}`;

/** @param ends of clients that the next workspace does not have */
export const endsInWords = (ends: LiveCounts): string =>
  `${endingInWords(ends)} Undo does not bring them back.`;

/** @param undo whether it is kept */
export const undoWords = (name: string, undo: boolean): string =>
  undo
    ? `“${name}” is kept with its secrets until Grantbench stops: Undo brings it back.`
    : `“${name}” is too large to be kept, so this cannot be undone: export it first.`;

/** Puts it in the place of all there is; why that fails is shown beside it. */
export async function takeBrought(): Promise<void> {
  const { text, preview } = brought.getState();
  const contents = preview?.contents ?? null;
  if (contents === null) return;
  try {
    const document = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
    await replaceWorkspace(`“${contents.name}” is in use`, async () => {
      await control.workspace.put(document);
      putAside();
    });
  } catch (error) {
    brought.setState({ failure: sentence(problemOf(error).message) });
  }
}

/** Puts one that was replaced back, after a question if credentials end with it. */
export const restoreWorkspace = ({ id, name }: FormerWorkspace): Promise<boolean> =>
  attempt(`“${name}” was not restored.`, async () => {
    const { ends, undo } = await control.workspace.preview({ former: id });
    const current = page.getState().server?.workspace.name ?? '';
    const lost = [...(countOf(ends) > 0 ? [endsInWords(ends)] : []), undoWords(current, undo)];
    const goOn =
      (countOf(ends) === 0 && undo) ||
      (await confirm({
        title: `Restore “${name}”?`,
        body: `It replaces “${current}”. ${lost.join(' ')}`,
        confirm: 'Restore',
        danger: true,
      }));
    if (!goOn) return;
    await replaceWorkspace(`“${name}” is restored`, () => control.workspace.restore({ id }));
  });

/** What is read again when the workspace is reset: there is not always a file. */
export const resetTarget = (file: string | null): string =>
  file === null ? 'the initial workspace' : 'the workspace file';

/** What a reset deletes, whatever becomes of the workspace. */
async function lostByReset(): Promise<string> {
  const { totals } = page.getState();
  const counts = await liveCredentials();
  const lost = [
    ...(countOf(counts) > 0 ? [credentialsInWords(counts)] : []),
    ...(totals === null || totals.exchanges === 0 ? [] : [pluralize(totals.exchanges, 'exchange')]),
    ...(totals === null || totals.counters === 0 ? [] : [pluralize(totals.counters, 'counter')]),
  ];
  const clock = 'The clock returns to real time.';
  return lost.length === 0 ? clock : `${enumerated(lost)} are lost for good. ${clock}`;
}

const CONFIRM_RESET = { confirm: 'Reset', danger: true } as const;

export const resetSandbox = (): Promise<boolean> =>
  attempt('The sandbox was not reset.', async () => {
    const kept = 'Clients, users, settings, saved flows and requests are kept.';
    const body = `${await lostByReset()} ${kept}`;
    if (!(await confirm({ title: 'Reset the sandbox?', body, ...CONFIRM_RESET }))) return;
    await control.reset({ workspace: false });
    notify('The sandbox was reset');
  });

/** The same, and back to the workspace file or, without one, to the workspace of the start. */
export const resetWorkspace = (): Promise<boolean> =>
  attempt('The sandbox was not reset.', async () => {
    const { file = null, name = '' } = page.getState().server?.workspace ?? {};
    const { contents, undo } = await control.workspace.preview({ reset: true });
    const next = `Everything in “${name}” is replaced by ${resetTarget(file)}, ${contentsInWords(contents)}.`;
    const body = [await lostByReset(), next, undoWords(name, undo)].join(' ');
    const title = `Reset to ${resetTarget(file)}?`;
    if (!(await confirm({ title, body, ...CONFIRM_RESET }))) return;
    await replaceWorkspace(`The sandbox was reset, and “${name}” replaced`, () =>
      control.reset({ workspace: true }),
    );
  });

/** As a file, secrets and keys with it, since it is to be used again. */
export const exportWorkspace = (): Promise<boolean> =>
  attempt('The workspace was not exported.', async () => {
    const workspace = await control.workspace.get();
    const name = workspace.name.replace(/[^\w -]+/g, '-').trim() || 'workspace';
    saveFile([`${JSON.stringify(workspace, null, 2)}\n`], `${name}.json`);
  });
