// The --keep file and its journal. Everything is saved to the file as a workspace is, except single revocations,
// which are immediately appended to the journal and saved to the file with the next save. This file knows nothing of
// the content.

import type { Denial } from '../../core/model/denial.ts';
import { closeToOthers, followLinks, sweepTemporaryFiles } from '../files/atomic-file.ts';
import { createSavedFile } from '../files/saved-file.ts';
import { type Checked, readOrExplain, WorkspaceError } from '../workspace/document.ts';
import type { Kept } from './parse-kept.ts';
import { createRevocationJournal, type RevocationJournal } from './revocation-journal.ts';

export interface FoundState {
  /** null if nothing was kept yet. */
  readonly kept: Kept | null;
  /** Revocations of a run that was killed before it saved them. */
  readonly journalled: Kept['denials'];
}

interface KeptFileOptions {
  readonly file: string;
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
  readonly onState?: () => void;
  readonly onTrouble: (message: string) => void;
  /** Returns a snapshot of the document to save. */
  readonly collect: () => Kept;
}

const CONFLICT =
  'was changed by another program, so it was not overwritten. The keys and revocations of this run are lost when it ends.';

function valueOf<T>(file: string, result: Checked<T>): T {
  if ('value' in result) return result.value;
  throw new WorkspaceError(file, result.problems);
}

interface StoredTexts {
  /** null if there is no file yet. */
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

/** One entry per line, of up to 200,000. */
function* formatList(name: string, items: Iterable<object>): Generator<string> {
  let lead = `,\n  "${name}": [`;
  for (const item of items) {
    yield `${lead}\n    ${JSON.stringify(item)}`;
    lead = ',';
  }
  yield `${lead === ',' ? '' : lead}\n  ]`;
}

/** Generates the document that parse-kept.ts reads, in parts on demand. */
function* formatKept({ version, keys, epochs, denials }: Kept): Generator<string> {
  yield `{\n  "version": ${version}`;
  yield* formatList('keys', keys);
  yield* formatList('epochs', epochs);
  yield* formatList('denials', denials);
  yield '\n}\n';
}

/** The running save that callers wait for. */
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

/** Returns the path of the journal, next to the file or the target of its link. */
async function openJournal(
  { file, stopwatch, onTrouble }: KeptFileOptions,
  saveInstead: () => Promise<void>,
): Promise<RevocationJournal> {
  const beside = `${await followLinks(file)}.journal`;
  await sweepTemporaryFiles(beside);
  return createRevocationJournal({ file: beside, stopwatch, onTrouble, saveInstead });
}

export function createKeptFile(options: KeptFileOptions) {
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
    /** @param now the creation time of keys of unknown age @throws WorkspaceError */
    read: async (now: number): Promise<FoundState> => {
      await sweepTemporaryFiles(file);
      journal = await openJournal(options, saveInstead);
      const text = await readOrExplain(file, saved.read);
      if (text !== null) await closeToOthers(file);
      const lines = await readOrExplain(`${file}.journal`, journal.read);
      const found = await parseStored(file, { text, lines }, now);
      if (text !== null) saved.settle();
      return found;
    },
    /** Includes the journal in the next save. */
    foldJournal,
    /** Saves soon after a change. */
    changed,
    /** Saves immediately, because a caller is waiting. */
    changedForGood: () => {
      changed();
      awaited.start();
    },
    /** Called for a new entry of the denial list; without an entry, the list was cleared. */
    denied: (entry: Denial | null) => {
      if (ended) return;
      if (entry !== null) journal?.add(entry);
      const due = entry === null || journal?.isLong() !== false;
      if (due || saved.state().state === 'failed') changed();
    },
    /**
     * Resolves when everything that invalidates tokens is on disk or writing has failed: entries of the denial list,
     * removed keys, a reset. null if nothing is pending.
     */
    synced: (): Promise<void> | null => {
      const journalled = journal?.synced() ?? null;
      const saving = awaited.underWay();
      if (journalled === null || saving === null) return journalled ?? saving;
      return Promise.all([journalled, saving]).then(() => undefined);
    },
    /** Why the last save failed; null if it did not. */
    problem: () => saved.state().message,
    /** Resolves when all changes so far were saved or saving has failed. */
    flush: async (): Promise<void> => {
      await journal?.idle();
      foldJournal();
      await saved.flush();
      await journal?.idle();
    },
    /** Stops saving. */
    end: async (): Promise<void> => {
      ended = true;
      saved.settle();
      await saved.flush();
    },
  };
}
