// A workspace read from its file, and saved to it on demand. Saving after each change is the saved file's
// business.

import type { Workspace } from '../../core/records/schemas.ts';
import type { SavedDocument, SavedFile } from '../files/saved-file.ts';
import { parseWorkspace, readOrExplain, WorkspaceError } from './document.ts';

/** Returns null for a file that is missing but may be. @throws WorkspaceError */
export async function readWorkspace(
  { file, read }: SavedFile,
  { may_be_missing }: { readonly may_be_missing: boolean },
): Promise<Workspace | null> {
  const text = await readOrExplain(file, read);
  if (text === null && may_be_missing) return null;
  if (text === null)
    throw new WorkspaceError(file, [{ path: '', message: 'there is no such file' }]);
  const checked = await parseWorkspace(text);
  if ('value' in checked) return checked.value;
  throw new WorkspaceError(file, checked.problems);
}

/** Saves once: it is not tried again. @throws WorkspaceError */
export async function saveWorkspace(
  { file, saveNow }: SavedFile,
  document: SavedDocument,
): Promise<void> {
  try {
    await saveNow(document);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const problem = { path: '', message: `could not be saved: ${why}` };
    throw new WorkspaceError(file, [problem], { cause });
  }
}
