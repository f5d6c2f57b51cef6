// What outlives a restart, so that access tokens do: signing keys, the epochs whose tokens can still be
// good, and the denial list. Knows what of the service is kept and after which events; where and how it
// is saved is the kept file's business.

import type { Denial } from '../../core/model/denial.ts';
import type { Denials } from '../../core/stores/denials.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import { readSigningKey } from '../../core/issuing/signing-key.ts';
import { KEPT_BOUNDS } from './bounds.ts';
import { createKeptFile, type FoundState } from './kept-file.ts';
import type { Kept } from './parse-kept.ts';

export interface PersistedState {
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

interface KeptParts {
  readonly service: TokenService;
  readonly denials: Denials;
  /** Whether a key is kept elsewhere already. */
  readonly isFiled: (kid: string) => boolean;
}

interface PersistedStateOptions extends KeptParts {
  readonly file: string;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
  /** Told when it cannot be saved: it is good for this run all the same. */
  readonly onFault: (fault: unknown) => void;
}

/** Where the clock was moved ahead: the next run begins at the machine's time again. */
function endExpired({ clock, stores }: TokenService['ports']): void {
  if (clock.offset() <= 0) return;
  stores.expireAll(clock.now());
  stores.denyEnded(clock.now() - clock.offset());
}

function collect({ service, denials, isFiled }: KeptParts, epochs: CoveredEpochs): Kept {
  const { keyring, ports } = service;
  const { clock } = ports;
  endExpired(ports);
  const past = clock.now() - Math.max(0, clock.offset());
  const matters = (one: { until: number }) => one.until > past;
  return {
    version: 1,
    keys: keyring
      .list()
      .filter(({ kid }) => !isFiled(kid))
      .slice(0, KEPT_BOUNDS.keys.entries)
      .map(({ created_at, private_jwk }) => ({ created_at, jwk: private_jwk })),
    epochs: epochs.list().filter(matters),
    denials: denials.list().filter(matters),
  };
}

async function restore(
  { service, denials }: KeptParts,
  epochs: CoveredEpochs,
  { kept, journalled }: FoundState,
): Promise<void> {
  const now = service.ports.clock.now();
  const isGood = (one: { until: number }) => one.until > now;
  if (kept !== null) {
    const read = kept.keys.map(({ jwk, created_at }) => readSigningKey(jwk, created_at));
    service.keyring.replaceAll(await Promise.all(read));
    epochs.restore(kept.epochs.filter(isGood));
  }
  denials.load([...(kept?.denials ?? []), ...journalled].filter(isGood));
}

export function createPersistedState(options: PersistedStateOptions): PersistedState {
  const { service, stopwatch, onFault } = options;
  const epochs = createCoveredEpochs(service.epoch);
  const file = createKeptFile({
    file: options.file,
    stopwatch,
    onTrouble: onFault,
    collect: () => collect(options, epochs),
  });
  const afterEvent = ({ type }: DomainEvent) => {
    if (type === 'credentials' && epochs.extend()) file.changed();
    if (type === 'reset') epochs.forget();
    if (type === 'reset' || type === 'keys') file.changedForGood();
    if (type === 'settings') file.changed();
  };
  return {
    open: async () => {
      await restore(options, epochs, await file.read(service.ports.clock.now()));
      file.foldJournal();
    },
    event: afterEvent,
    denied: file.denied,
    synced: file.synced,
    flush: file.flush,
    end: file.end,
  };
}

interface CoveredEpochs {
  /** Recognises tokens of these epochs, which were kept. */
  readonly restore: (epochs: Kept['epochs']) => void;
  /** Whether tokens now expire later than was covered; they are covered then. */
  readonly extend: () => boolean;
  /** After a reset: the earlier epochs are gone, and this one has issued nothing. */
  readonly forget: () => void;
  /** Oldest first; of too many the newest. */
  readonly list: () => Kept['epochs'];
}

/** Saved at the first token, then when tokens expire later than was covered by then. */
const AHEAD_MS = 3_600_000;

export function createCoveredEpochs(current: TokenService['epoch']): CoveredEpochs {
  let former: Kept['epochs'] = [];
  /** Until when tokens of this epoch are covered; 0 while there is none. */
  let until = 0;
  return {
    restore: (epochs) => {
      former = epochs;
      current.keep(former);
    },
    extend: () => {
      if (current.access_until <= until) return false;
      until = current.access_until + AHEAD_MS;
      return true;
    },
    forget: () => {
      former = [];
      until = 0;
    },
    list: () => [...former, { epoch: current.name, until }].slice(-KEPT_BOUNDS.epochs.entries),
  };
}
