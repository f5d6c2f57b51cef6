// What outlives a restart, so that access tokens do: signing keys, the epochs whose tokens can still be
// good, and the denial list. A file of its own, saved as a workspace is, but for single revocations: those
// go to a journal beside it at once, and into the file with the next save.

import type { Denial, Denials } from '../../core/stores/denials.ts';
import type { DomainEvent } from '../../core/model/events.ts';
import type { TokenService } from '../../core/service.ts';
import { readSigningKey } from '../../core/issuing/signing-key.ts';
import { closeToOthers, sweepTemporaryFiles } from '../files/atomic-file.ts';
import { followLinks } from '../files/links.ts';
import type { Kept } from './format.ts';
import type { RevocationJournal } from './revocation-journal.ts';
import { createRevocationJournal } from './revocation-journal.ts';
import { createSavedFile } from '../files/saved-file.ts';
import type { Checked } from '../workspace/document.ts';
import { readOrExplain, WorkspaceError } from '../workspace/document.ts';

export interface Keep {
  /** Takes what was kept. @throws WorkspaceError when it cannot be read; the file stays as it is */
  readonly open: () => Promise<void>;
  readonly event: (event: DomainEvent) => void;
  /** The denial list has another entry; none: it was emptied. */
  readonly denied: (entry: Denial | null) => void;
  /**
   * Whatever made tokens no good so far is on disk, or could not be written: entries of the denial list,
   * keys taken out, a reset. null when nothing is on its way there.
   */
  readonly synced: () => Promise<void> | null;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  /** From now on nothing is saved any more. */
  readonly end: () => Promise<void>;
}

export interface KeepOptions {
  readonly file: string;
  readonly service: TokenService;
  readonly denials: Denials;
  /** Whether a key is kept elsewhere already. */
  readonly isFiled: (kid: string) => boolean;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  /** Told when it cannot be saved: it is good for this run all the same. */
  readonly onFault: (fault: unknown) => void;
}

/** Saved at the first token, then when tokens expire later than was said by then. */
const AHEAD_MS = 3_600_000;

const CONFLICT =
  'was changed by another program, so nothing was kept over it: the keys and revocations of this run end with it.';

/** An entry a line: there may be 200,000 of them. */
function* formatList(name: string, items: Iterable<object>): Generator<string> {
  let lead = `,\n  "${name}": [`;
  for (const item of items) {
    yield `${lead}\n    ${JSON.stringify(item)}`;
    lead = ',';
  }
  yield `${lead === ',' ? '' : lead}\n  ]`;
}

function* formatKept({ version, keys, epochs, denials }: Kept): Generator<string> {
  yield `{\n  "version": ${version}`;
  yield* formatList('keys', keys);
  yield* formatList('epochs', epochs);
  yield* formatList('denials', denials);
  yield '\n}\n';
}

interface Found {
  /** null: nothing was kept yet. */
  readonly kept: Kept | null;
  /** Of a run that was killed before it saved them. */
  readonly journalled: Kept['denials'];
}

function checked<T>(file: string, result: Checked<T>): T {
  if ('value' in result) return result.value;
  throw new WorkspaceError(file, result.problems);
}

export function createKeep(options: KeepOptions): Keep {
  const { service, denials, stopwatch } = options;
  const { keyring, tokens, ports } = service;
  const { clock, stores } = ports;
  let former: Kept['epochs'] = [];
  /** Until when tokens of this epoch are said to be good; 0 while there is none. */
  let until = 0;
  let ended = false;
  let journal: RevocationJournal | null = null;
  let savingNow: Promise<void> | null = null;

  const saved = createSavedFile({
    file: options.file,
    save: true,
    stopwatch,
    conflict: CONFLICT,
    onSaved: () => journal?.cut(),
    onTrouble: options.onFault,
  });

  /** Where the clock was moved ahead: the next run begins at the machine's time again. */
  const settleExpired = () => {
    if (clock.offset() <= 0) return;
    stores.expireAll(clock.now());
    stores.denyEnded(clock.now() - clock.offset());
  };
  const collect = (): Kept => {
    settleExpired();
    const past = clock.now() - Math.max(0, clock.offset());
    const matters = (one: { until: number }) => one.until > past;
    return {
      version: 1,
      keys: keyring
        .list()
        .filter(({ kid }) => !options.isFiled(kid))
        .map(({ created_at, private_jwk }) => ({ created_at, jwk: private_jwk })),
      epochs: [...former, { epoch: tokens.epoch, until }].filter(matters),
      denials: denials.list().filter(matters),
    };
  };
  const document = () => {
    const kept = collect();
    journal?.mark();
    return formatKept(kept);
  };
  const changed = () => {
    if (!ended) saved.changed(document);
  };
  /** Not as soon as it costs little, but now: somebody waits for it. */
  const changedForGood = () => {
    changed();
    const saving = saved.flush().then(() => {
      if (savingNow === saving) savingNow = null;
    });
    savingNow = saving;
  };
  const denied = (entry: Denial | null) => {
    if (ended) return;
    if (entry !== null) journal?.add(entry);
    const due = entry === null || journal?.isLong() !== false;
    if (due || saved.state().state === 'failed') changed();
  };
  const take = async ({ kept, journalled }: Found) => {
    const now = clock.now();
    const isGood = (one: { until: number }) => one.until > now;
    if (kept !== null) {
      const read = kept.keys.map(({ jwk, created_at }) => readSigningKey(jwk, created_at));
      keyring.replaceAll(await Promise.all(read));
      former = kept.epochs.filter(isGood);
      tokens.keepEpochs(former);
    }
    denials.load([...(kept?.denials ?? []), ...journalled].filter(isGood));
  };
  const openJournal = async (): Promise<RevocationJournal> => {
    const file = `${await followLinks(options.file)}.journal`;
    await sweepTemporaryFiles(file);
    const saveInstead = async () => {
      changed();
      await saved.flush();
    };
    return createRevocationJournal({ file, stopwatch, onTrouble: options.onFault, saveInstead });
  };
  const read = async (file: string, opened: RevocationJournal): Promise<Found> => {
    const text = await readOrExplain(file, saved.read);
    if (text !== null) await closeToOthers(file);
    const lines = await readOrExplain(`${file}.journal`, opened.read);
    if (text === null && lines.length === 0) return { kept: null, journalled: [] };
    const { parseKept, parseJournal } = await import('./format.ts');
    const kept = text === null ? null : checked(file, await parseKept(text, clock.now()));
    if (text !== null) saved.settle();
    return { kept, journalled: checked(`${file}.journal`, parseJournal(lines)) };
  };
  const coverTokens = () => {
    if (tokens.access_until <= until) return;
    until = tokens.access_until + AHEAD_MS;
    changed();
  };
  const forget = () => {
    former = [];
    until = 0;
    changedForGood();
  };
  return {
    open: async () => {
      const { file } = options;
      await sweepTemporaryFiles(file);
      const opened = await openJournal();
      await take(await read(file, opened));
      journal = opened;
      if (opened.isThere()) changed();
    },
    event: ({ type }) => {
      if (type === 'credentials') coverTokens();
      else if (type === 'reset') forget();
      else if (type === 'keys') changedForGood();
      else if (type === 'settings') changed();
    },
    denied,
    synced: () => {
      const journalled = journal?.synced() ?? null;
      if (journalled === null || savingNow === null) return journalled ?? savingNow;
      return Promise.all([journalled, savingNow]).then(() => undefined);
    },
    flush: async () => {
      await journal?.idle();
      if (journal?.isThere() === true) changed();
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
