// Actions on the whole workspace: export, import after a preview, restore, reset. The service keeps the workspaces that
// were replaced, so all of these can be undone.

import { createStore } from 'zustand/vanilla';
import { MOST_FORMER, WORKSPACE_FILE } from '../../control/names.ts';
import { countOf, credentialsInWords, endingInWords } from '../../control/questions.ts';
import type { FormerWorkspace, LiveCounts, WorkspacePreview } from '../../control/schemas.ts';
import { attempt } from './sandbox.ts';
import { control, problemOf } from '../connection/control.ts';
import { page } from '../connection/state.ts';
import { confirm } from '../ui/confirm.ts';
import { sentence } from '../ui/problems.ts';
import { notify, notifyWithKeptUndo } from '../ui/notify.tsx';
import { saveFile, chooseFile } from '../ui/save-file.ts';
import { enumerated, pluralize } from '../../words.ts';

/** Counts the live credentials of one client, or of all clients, before an action ends them: no Undo restores them. */
export async function liveCredentials(client_id?: string): Promise<LiveCounts> {
  const of = client_id === undefined ? {} : { client_id };
  const { live = [] } = await control.tokens.list({ ...of, limit: 1, live_counts: true });
  const sum = (kind: keyof LiveCounts) => live.reduce((all, one) => all + one[kind], 0);
  return {
    codes: sum('codes'),
    refresh_tokens: sum('refresh_tokens'),
    access_tokens: sum('access_tokens'),
  };
}

/** The file being previewed. */
const NOTHING = {
  /** Its name; null while no file is open. */
  file: null as string | null,
  text: '',
  /** The service's preview; null until it has answered. */
  preview: null as WorkspacePreview | null,
  /** Why the file cannot be previewed or imported; null if there is no problem so far. */
  failure: null as string | null,
};

type ImportState = Readonly<typeof NOTHING>;

const MOST_BYTES = 20_000_000;
const TOO_LARGE = 'The file is too large: a workspace may have at most 20 MB.';

export const importDialog = createStore<ImportState>(() => NOTHING);

export const closeImport = (): void => importDialog.setState(NOTHING, true);

/** Size of the text as it is sent, inside a JSON string. */
const bytesOf = (text: string) => new Blob([JSON.stringify(text)]).size;

/** Previews a file that was dropped or chosen. This changes nothing. */
export async function previewImport(file: File): Promise<void> {
  const text = file.size > MOST_BYTES ? '' : await file.text();
  const asked: ImportState = { ...NOTHING, file: file.name, text };
  importDialog.setState(asked, true);
  const show = (more: Partial<ImportState>) => {
    if (importDialog.getState() === asked) importDialog.setState(more);
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

export const chooseWorkspaceFile = (): void => chooseFile(previewImport);

const newestFormer = async (): Promise<FormerWorkspace | null> =>
  (await control.workspace.former()).items[0] ?? null;

/** Replaces the workspace, reports it, and offers Undo if the former workspace is kept. */
async function replaceWorkspace(message: string, replace: () => Promise<unknown>) {
  const before = await newestFormer();
  await replace();
  const former = await newestFormer();
  const kept = former !== null && former.id > (before?.id ?? 0);
  if (kept) notifyWithKeptUndo(message, () => void restoreWorkspace(former));
  else notify(message);
}

export const FORMER_LIMIT = `At most ${MOST_FORMER} former workspaces are kept, fewer if they are large; the oldest is dropped first.`;

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

/** @param ends credentials of clients that the next workspace does not contain */
export const endsInWords = (ends: LiveCounts): string =>
  `${endingInWords(ends)} Undo does not bring them back.`;

/** Whether the service keeps the current workspace, and for how long. @param name that of the current workspace */
export function undoWords(name: string, { unchanged, undo }: WorkspacePreview): string {
  if (unchanged) return `“${name}” already has these records and settings, so none would change.`;
  return undo
    ? `“${name}” is kept with its secrets until Grantbench stops. Undo restores it. ${FORMER_LIMIT}`
    : `“${name}” is too large to be kept, so this cannot be undone. Export it first.`;
}

/** Replaces the workspace with the previewed file; the dialog shows why that fails. */
export async function applyImport(): Promise<void> {
  const { text, preview } = importDialog.getState();
  const contents = preview?.contents ?? null;
  if (contents === null) return;
  try {
    const document = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>;
    await replaceWorkspace(`Imported “${contents.name}”`, async () => {
      await control.workspace.put(document);
      closeImport();
    });
  } catch (error) {
    importDialog.setState({ failure: sentence(problemOf(error).message) });
  }
}

/** Restores a workspace that was replaced. Asks first if credentials end with the current one. */
export const restoreWorkspace = ({ id, name }: FormerWorkspace): Promise<boolean> =>
  attempt(`“${name}” was not restored.`, async () => {
    const preview = await control.workspace.preview({ former: id });
    const { ends, unchanged, undo } = preview;
    const current = page.getState().server?.workspace.name ?? '';
    const lost = [...(countOf(ends) > 0 ? [endsInWords(ends)] : []), undoWords(current, preview)];
    const goOn =
      (countOf(ends) === 0 && (undo || unchanged)) ||
      (await confirm({
        title: `Restore “${name}”?`,
        body: `It replaces “${current}”. ${lost.join(' ')}`,
        confirm: 'Restore',
        danger: true,
      }));
    if (!goOn) return;
    await replaceWorkspace(`“${name}” is restored`, () => control.workspace.restore({ id }));
  });

/** What a reset returns to. There is not always a workspace file. */
export const resetTarget = (file: string | null): string =>
  file === null ? 'the initial workspace' : 'the workspace file';

/** What every reset deletes. */
async function lostByReset(): Promise<string> {
  const { totals } = page.getState();
  const counts = await liveCredentials();
  const lost = [
    ...(countOf(counts) > 0 ? [credentialsInWords(counts)] : []),
    ...(totals === null || totals.exchanges === 0 ? [] : [pluralize(totals.exchanges, 'exchange')]),
    ...(totals === null || totals.counters === 0 ? [] : [pluralize(totals.counters, 'counter')]),
  ];
  const clock = 'The clock returns to real time.';
  return lost.length === 0 ? clock : `Lost for good: ${enumerated(lost)}. ${clock}`;
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

/** Resets the sandbox, and returns to the workspace file or, without one, to the workspace at startup. */
export const resetWorkspace = (): Promise<boolean> =>
  attempt('The sandbox was not reset.', async () => {
    const { file = null, name = '' } = page.getState().server?.workspace ?? {};
    const preview = await control.workspace.preview({ reset: true });
    const next = `Everything in “${name}” is replaced by ${resetTarget(file)}, ${contentsInWords(preview.contents)}.`;
    const replaced = preview.unchanged ? [] : [next];
    const body = [await lostByReset(), ...replaced, undoWords(name, preview)].join(' ');
    const title = `Reset to ${resetTarget(file)}?`;
    if (!(await confirm({ title, body, ...CONFIRM_RESET }))) return;
    const and = preview.unchanged ? '' : ` and “${name}” was replaced`;
    await replaceWorkspace(`The sandbox was reset${and}`, () => control.reset({ workspace: true }));
  });

/** Exports the workspace with its secrets and keys, since the file is meant to be imported again. */
export const exportWorkspace = (): Promise<boolean> =>
  attempt('The workspace was not exported.', async () => {
    const workspace = await control.workspace.get();
    const name = workspace.name.replace(/[^\w -]+/g, '-').trim() || 'workspace';
    saveFile([`${JSON.stringify(workspace, null, 2)}\n`], `${name}${WORKSPACE_FILE}`);
  });
