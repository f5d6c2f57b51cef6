// A workspace file that is brought in: read, looked at before it takes the place of what there is, and
// taken back if wanted. Until then nothing is changed.

import { createStore } from 'zustand/vanilla';
import { isJsonObject } from '../../oauth/json-object.ts';
import { attempt } from './sandbox.ts';
import { control, problemOf } from '../connection/control.ts';
import { readJson } from '../ui/json-text.ts';
import { sentence } from '../ui/problems.ts';
import { notify, notifyWithUndo } from '../ui/notify.tsx';

export type WorkspaceDocument = Readonly<Record<string, unknown>>;

interface Brought {
  /** The file's name; null while no file is looked at. */
  readonly file: string | null;
  readonly document: WorkspaceDocument | null;
  /** Why it cannot be used, a problem each; empty while nothing is known against it. */
  readonly problems: readonly string[];
}

const NOTHING: Brought = { file: null, document: null, problems: [] };
const MOST_BYTES = 20_000_000;

export const brought = createStore<Brought>(() => NOTHING);

export const putAside = (): void => brought.setState(NOTHING, true);

function readDocument(text: string): Pick<Brought, 'document' | 'problems'> {
  const read = readJson(text);
  if (!read.ok) return { document: null, problems: [read.problem] };
  if (isJsonObject(read.value)) return { document: read.value, problems: [] };
  return { document: null, problems: ['A workspace must be a JSON object.'] };
}

/** Looks at a file that was dropped or chosen. */
export async function bringIn(file: File): Promise<void> {
  if (file.size > MOST_BYTES) {
    const problems = ['The file is too large: a workspace may have at most 20 MB.'];
    brought.setState({ file: file.name, document: null, problems });
    return;
  }
  brought.setState({ file: file.name, ...readDocument(await file.text()) });
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

const nameOf = (document: WorkspaceDocument) =>
  typeof document['name'] === 'string' ? `“${document['name']}”` : 'The workspace';

/** Puts it in the place of all there is; its problems are shown beside it. */
export async function takeBrought(): Promise<void> {
  const { document } = brought.getState();
  if (document === null) return;
  try {
    const former = await control.workspace.get();
    await control.workspace.put(document);
    putAside();
    const undo = () =>
      attempt('The previous workspace was not restored.', async () => {
        await control.workspace.put({ saved_flows: [], saved_requests: [], ...former });
        notify(`“${former.name}” is restored`);
      });
    notifyWithUndo(`${nameOf(document)} is in use`, () => void undo());
  } catch (error) {
    brought.setState({ problems: problemOf(error).message.split('; ').map(sentence) });
  }
}
