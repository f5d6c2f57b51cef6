// What outlives a restart, so that access tokens do: signing keys, the epochs whose tokens can still be
// good, and the denial list. A file of its own, readable by its owner only, saved as a workspace is.

import { chmod, stat } from 'node:fs/promises';
import type { Denials } from '../core/denials.ts';
import type { DomainEvent } from '../core/events.ts';
import type { TokenService } from '../core/service.ts';
import { readSigningKey } from '../core/signing.ts';
import type { Kept } from './kept-schema.ts';
import { createSavedFile, sweepTemporaryFiles } from './workspace-file.ts';
import { readOrExplain, WorkspaceError } from './workspace.ts';

export interface Keep {
  /** Takes what was kept. @throws WorkspaceError when it cannot be read; the file stays as it is */
  readonly open: () => Promise<void>;
  readonly event: (event: DomainEvent) => void;
  /** The denial list has another entry. */
  readonly denied: () => void;
  /** Everything changed so far is saved, or could not be. */
  readonly flush: () => Promise<void>;
  /** From now on nothing is saved any more. */
  readonly end: () => void;
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

const OWNER_ONLY = 0o600;

/** Saved at the first token, then when tokens expire later than was said by then. */
const AHEAD_MS = 3_600_000;

/** Of the time between two saves so much at most goes into making the text: denials can be many. */
const SHARE = 1 / 20;

const CONFLICT =
  'was changed by another program, so nothing was kept over it: the keys and revocations of this run end with it.';

/** A copy or a backup may have come back open to all. */
async function closeToOthers(file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(file, OWNER_ONLY);
}

const inLines = (items: readonly object[]) =>
  items.map((item) => `\n    ${JSON.stringify(item)}`).join(',');

/** An entry a line: there may be 200,000 of them. */
function formatKept({ version, keys, epochs, denials }: Kept): string {
  const lists = Object.entries({ keys, epochs, denials });
  const members = lists.map(([name, items]) => `  "${name}": [${inLines(items)}\n  ]`);
  return `{\n  "version": ${version},\n${members.join(',\n')}\n}\n`;
}

export function createKeep(options: KeepOptions): Keep {
  const { service, denials, stopwatch } = options;
  const { keyring, tokens, ports } = service;
  const { clock, stores } = ports;
  let former: Kept['epochs'] = [];
  /** Until when tokens of this epoch are said to be good; 0 while there is none. */
  let until = 0;
  let timer: NodeJS.Timeout | null = null;
  let rest = 0;
  let ended = false;
  let told: string | null = null;

  const saved = createSavedFile({
    file: options.file,
    save: true,
    mode: OWNER_ONLY,
    conflict: CONFLICT,
    onState: () => {
      const { state, message } = saved.state();
      if (state === 'saving' || message === told) return;
      told = message;
      if (message !== null) options.onFault(message);
    },
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
  const text = (): string => {
    const begun = stopwatch();
    const made = formatKept(collect());
    rest = (stopwatch() - begun) / SHARE;
    return made;
  };
  const save = () => {
    timer = null;
    saved.changed(text);
  };
  const changed = () => {
    if (!ended) timer ??= setTimeout(save, rest).unref();
  };
  const take = async (kept: Kept) => {
    const now = clock.now();
    const read = kept.keys.map(({ jwk, created_at }) => readSigningKey(jwk, created_at));
    keyring.replaceAll(await Promise.all(read));
    former = kept.epochs.filter((epoch) => epoch.until > now);
    tokens.keepEpochs(former.map(({ epoch }) => epoch));
    denials.load(kept.denials.filter((denial) => denial.until > now));
  };
  const coverTokens = () => {
    if (tokens.access_until <= until) return;
    until = tokens.access_until + AHEAD_MS;
    changed();
  };
  const forget = () => {
    former = [];
    until = 0;
    changed();
  };
  return {
    open: async () => {
      const { file } = options;
      await sweepTemporaryFiles(file);
      const found = await readOrExplain(file, async () => {
        const read = await saved.read();
        if (read !== null) await closeToOthers(file);
        return read;
      });
      if (found === null) return;
      const { parseKept } = await import('./kept-schema.ts');
      const checked = await parseKept(found, clock.now());
      if ('problems' in checked) throw new WorkspaceError(file, checked.problems);
      await take(checked.value);
      saved.settle(found);
    },
    event: ({ type }) => {
      if (type === 'credentials') coverTokens();
      else if (type === 'reset') forget();
      else if (type === 'keys' || type === 'settings') changed();
    },
    denied: changed,
    flush: async () => {
      if (timer !== null) {
        clearTimeout(timer);
        save();
      }
      await saved.flush();
    },
    end: () => {
      ended = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
