// One record per action of the page: its title, its shortcut, and when it can run. A view's button or a native menu runs
// a command by its id. The frame supplies the commands; this module must not know them.

import { reachOf, type Need } from '../connection/reach.ts';
import type { State } from '../connection/state.ts';

type RunById = (id: string) => Promise<void>;

let load = (): Promise<RunById> => Promise.resolve(() => Promise.resolve());
let loading: Promise<RunById> | null = null;

/** Sets how the commands are loaded, once, at startup. Their code is loaded when the first one runs. */
export function offerCommands(loadCommands: () => Promise<RunById>): void {
  load = loadCommands;
}

/** All wait for one load, so commands run in the order of the calls: a second import may resolve before the first. */
const runner = () =>
  (loading ??= load().catch((fault: unknown) => {
    loading = null;
    throw fault;
  }));

export async function runCommand(id: string): Promise<void> {
  const run = await runner();
  await run(id);
}

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** As @mantine/hooks spells it: `alt+1`, `mod+K`. */
  readonly shortcut?: string;
  /** What it requires; absent if it concerns the page only. */
  readonly needs?: Need;
  readonly enabled?: (state: State) => boolean;
  readonly run: () => unknown;
}

export type CommandEntry = Omit<Command, 'group'>;

export const commandsIn = (group: string, entries: readonly CommandEntry[]): readonly Command[] =>
  entries.map((entry) => ({ ...entry, group }));

/** Commands that all have the same requirement. */
export const needing = (needs: Need, entries: readonly CommandEntry[]): readonly CommandEntry[] =>
  entries.map((entry) => ({ ...entry, needs }));

/** Whether there is something that the command can be used on. */
export const isApplicable = ({ enabled }: Command, state: State): boolean =>
  enabled?.(state) ?? true;

/** Why the command cannot run now; null if it can. */
export function reasonAgainst(command: Command, state: State): string | null {
  const obstacle = command.needs === undefined ? null : reachOf(state).obstacles[command.needs];
  return obstacle ?? (isApplicable(command, state) ? null : 'It is not possible now.');
}

export const isEnabled = (command: Command, state: State): boolean =>
  reasonAgainst(command, state) === null;

const APPLE = /Mac|iP(hone|ad)|darwin/.test(window.grantbench?.platform ?? navigator.userAgent);
const KEY_NAMES: Record<string, string> = APPLE
  ? { mod: '⌘', shift: '⇧', alt: '⌥' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' };

/** A shortcut as this platform writes it: `Ctrl K`, `⌘K`. */
export const keysOf = (shortcut: string): string =>
  shortcut
    .split('+')
    .map((key) => KEY_NAMES[key] ?? key)
    .join(APPLE ? '' : ' ');
