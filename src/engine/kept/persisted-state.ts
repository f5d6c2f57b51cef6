// The state that keeps access tokens valid after a restart: signing keys, epochs with unexpired tokens, and the
// denial list. Decides what is kept and after which events; kept-file.ts saves it.

import type { Denials } from '../../core/stores/denials.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import { readSigningKey } from '../key-material.ts';
import { KEPT_BOUNDS } from '../../core/records/bounds.ts';
import { createKeptFile, type FoundState } from './kept-file.ts';
import type { Kept } from './parse-kept.ts';

export type PersistedState = ReturnType<typeof createPersistedState>;

interface KeptParts {
  readonly service: TokenService;
  readonly denials: Denials;
  /** Whether a key is already kept elsewhere. */
  readonly isFiled: (kid: string) => boolean;
}

interface PersistedStateOptions extends KeptParts {
  readonly file: string;
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
  /** Called when `problem` may have changed. */
  readonly onState: () => void;
  /** Called if the state cannot be saved; it remains valid for this run. */
  readonly onFault: (fault: unknown) => void;
}

/** Considers a clock that was moved forward, because the next run starts with machine time. */
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
      .slice(0, KEPT_BOUNDS.keys)
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

export function createPersistedState(options: PersistedStateOptions) {
  const { service, stopwatch, onState, onFault } = options;
  const epochs = createCoveredEpochs(service.epoch);
  const file = createKeptFile({
    file: options.file,
    stopwatch,
    onState,
    onTrouble: onFault,
    collect: () => collect(options, epochs),
  });
  return {
    /** Loads the kept state. @throws WorkspaceError if it cannot be read; the file is then unchanged */
    open: async () => {
      await restore(options, epochs, await file.read(service.ports.clock.now()));
      file.foldJournal();
    },
    event: ({ type }: DomainEvent) => {
      if (type === 'credentials' && epochs.extend()) file.changed();
      if (type === 'reset') epochs.forget();
      if (type === 'reset' || type === 'keys') file.changedForGood();
      if (type === 'settings') file.changed();
    },
    denied: file.denied,
    synced: file.synced,
    problem: file.problem,
    flush: file.flush,
    end: file.end,
  };
}

type CoveredEpochs = ReturnType<typeof createCoveredEpochs>;

/** Saved at the first token, and whenever tokens expire later than the saved time. */
const AHEAD_MS = 3_600_000;

export function createCoveredEpochs(current: TokenService['epoch']) {
  let former: Kept['epochs'] = [];
  /** The time until which tokens of this epoch are covered; 0 without tokens. */
  let until = 0;
  return {
    /** Accepts tokens of these kept epochs. */
    restore: (epochs: Kept['epochs']) => {
      former = epochs;
      current.keep(former);
    },
    /** Extends the covered time; returns whether tokens now expire later than before. */
    extend: (): boolean => {
      if (current.access_until <= until) return false;
      until = current.access_until + AHEAD_MS;
      return true;
    },
    /** After a reset, earlier epochs are removed, and this one has issued no tokens. */
    forget: () => {
      former = [];
      until = 0;
    },
    /** Oldest first; if there are too many, the newest ones. */
    list: () => [...former, { epoch: current.name, until }].slice(-KEPT_BOUNDS.epochs),
  };
}
