// The file of what is kept and the journal beside it, as one place: everything is saved to the file as a
// workspace is, but for single revocations, which go to the journal at once and into the file with the next
// save. What is in the document is for others to know.

import type { Denial } from '../../core/model/denial.ts';
import { closeToOthers, followLinks, sweepTemporaryFiles } from '../files/atomic-file.ts';
import { createSavedFile } from '../files/saved-file.ts';
import { type Checked, readOrExplain, WorkspaceError } from '../workspace/document.ts';
import { formatKept } from './format-kept.ts';
import type { Kept } from './parse-kept.ts';
import { createRevocationJournal, type RevocationJournal } from './revocation-journal.ts';

export interface KeptFile {
  /** @param now when keys of unknown age are said to be made @throws WorkspaceError */
  readonly read: (now: number) => Promise<FoundState>;
  /** What is in the journal goes into the file with the next save. */
  readonly foldJournal: () => void;
  /** Something changed: saves soon. */
  readonly changed: () => void;
  /** Saves not as soon as it costs little, but now: somebody waits for it. */
  readonly changedForGood: () => void;
  /** The denial list has another entry; none: it was emptied. */
  readonly denied: (entry: Denial | null) => void;
  /** Revocations and what changed for good are on disk, or could not be written; null when they are. */
  readonly synced: () => Promise<void> | null;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  /** From now on nothing is saved any more. */
  readonly end: () => Promise<void>;
}

export interface FoundState {
  /** null: nothing was kept yet. */
  readonly kept: Kept | null;
  /** Of a run that was killed before it saved them. */
  readonly journalled: Kept['denials'];
}

interface KeptFileOptions {
  readonly file: string;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  readonly onTrouble: (message: string) => void;
  /** What is to be saved, taken hold of at once. */
  readonly collect: () => Kept;
}

const CONFLICT =
  'was changed by another program, so it was not overwritten. The keys and revocations of this run are lost when it ends.';

function valueOf<T>(file: string, result: Checked<T>): T {
  if ('value' in result) return result.value;
  throw new WorkspaceError(file, result.problems);
}

interface StoredTexts {
  /** null: there is no file yet. */
  readonly text: string | null;
  readonly lines: readonly unknown[];
}

async function parseStored(file: string, stored: StoredTexts, now: number): Promise<FoundState> {
  const { text, lines } = stored;
  if (text === null && lines.length === 0) return { kept: null, journalled: [] };
  const { parseKept, parseJournal } = await import('./parse-kept.ts');
  const kept = text === null ? null : valueOf(file, await parseKept(text, now));
  return { kept, journalled: valueOf(`${file}.journal`, parseJournal(lines)) };
}

/** A save that somebody waits for, as long as it is under way. */
function createAwaitedSave(flush: () => Promise<void>) {
  let underWay: Promise<void> | null = null;
  return {
    start: () => {
      const saving = flush().then(() => {
        if (underWay === saving) underWay = null;
      });
      underWay = saving;
    },
    underWay: () => underWay,
  };
}

/** The journal beside the file, where a link leads also the file's. */
async function openJournal(
  { file, stopwatch, onTrouble }: KeptFileOptions,
  saveInstead: () => Promise<void>,
): Promise<RevocationJournal> {
  const beside = `${await followLinks(file)}.journal`;
  await sweepTemporaryFiles(beside);
  return createRevocationJournal({ file: beside, stopwatch, onTrouble, saveInstead });
}

export function createKeptFile(options: KeptFileOptions): KeptFile {
  const { file } = options;
  let journal: RevocationJournal | null = null;
  let ended = false;

  const saved = createSavedFile({
    ...options,
    save: true,
    conflict: CONFLICT,
    onSaved: () => journal?.cut(),
  });
  const awaited = createAwaitedSave(saved.flush);
  const document = () => {
    const kept = options.collect();
    journal?.mark();
    return formatKept(kept);
  };
  const changed = () => {
    if (!ended) saved.changed(document);
  };
  const saveInstead = async () => {
    changed();
    await saved.flush();
  };
  const foldJournal = () => {
    if (journal?.isThere() === true) changed();
  };
  return {
    read: async (now) => {
      await sweepTemporaryFiles(file);
      journal = await openJournal(options, saveInstead);
      const text = await readOrExplain(file, saved.read);
      if (text !== null) await closeToOthers(file);
      const lines = await readOrExplain(`${file}.journal`, journal.read);
      const found = await parseStored(file, { text, lines }, now);
      if (text !== null) saved.settle();
      return found;
    },
    foldJournal,
    changed,
    changedForGood: () => {
      changed();
      awaited.start();
    },
    denied: (entry) => {
      if (ended) return;
      if (entry !== null) journal?.add(entry);
      const due = entry === null || journal?.isLong() !== false;
      if (due || saved.state().state === 'failed') changed();
    },
    synced: () => {
      const journalled = journal?.synced() ?? null;
      const saving = awaited.underWay();
      if (journalled === null || saving === null) return journalled ?? saving;
      return Promise.all([journalled, saving]).then(() => undefined);
    },
    flush: async () => {
      await journal?.idle();
      foldJournal();
      await saved.flush();
      await journal?.idle();
    },
    end: async () => {
      ended = true;
      saved.settle();
      await saved.flush();
    },
  };
}
