// Settings of the window, kept for this user of the machine and not in a workspace: recent workspaces, the address to
// listen on, whether the app keeps running without a window, and whether commands may reach it.

import { mkdirSync, readFileSync } from 'node:fs';
import { WINDOW_THEMES } from '../control/names.ts';
import { basename, dirname } from 'node:path';
import { messageOf } from '../engine/errors.ts';
import { replaceFileSync } from '../engine/files/atomic-file.ts';

export interface WindowSettings {
  /** The workspace file in use; null for the default one in the user's data folder. */
  readonly workspace: string | null;
  /** Paths, newest first. */
  readonly recent: readonly string[];
  readonly keep_running: boolean;
  /** The port to listen on; null for the default. */
  readonly port: number | null;
  /** The address to listen on; null for loopback. */
  readonly host: string | null;
  readonly https: boolean;
  /** Whether commands and scripts may reach the sandbox. */
  readonly automation: boolean;
  /** The theme that the page used last. The window needs it before the page has loaded. */
  readonly theme: (typeof WINDOW_THEMES)[number];
}

export type WindowSettingsStore = ReturnType<typeof createWindowSettings>;

const DEFAULTS: WindowSettings = {
  workspace: null,
  recent: [],
  keep_running: false,
  port: null,
  host: null,
  https: false,
  automation: false,
  theme: 'system',
};
const MOST_RECENT = 8;

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;

interface Stored {
  readonly settings: WindowSettings;
  /** Members that a newer version wrote; they are written back unchanged. */
  readonly others: Readonly<Record<string, unknown>>;
  /** Why the text of the file cannot be used; null if it can, or if there is none. */
  readonly problem: string | null;
}

function parse(text: string): Stored {
  const { workspace, recent, keep_running, port, host, https, automation, theme, ...others } =
    JSON.parse(text) as Record<string, unknown>;
  const paths = Array.isArray(recent) ? recent : [];
  const settings = {
    workspace: typeof workspace === 'string' ? workspace : null,
    recent: paths.filter((path) => typeof path === 'string').slice(0, MOST_RECENT),
    keep_running: keep_running === true,
    port: isPort(port) ? port : null,
    host: typeof host === 'string' && host !== '' ? host : null,
    https: https === true,
    automation: automation === true,
    theme: WINDOW_THEMES.find((known) => known === theme) ?? DEFAULTS.theme,
  };
  return { settings, others, problem: null };
}

const withDefaults = (problem: string | null): Stored => ({
  settings: DEFAULTS,
  others: {},
  problem,
});

/** Returns the defaults for a missing or damaged file. */
function read(file: string): Stored {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return withDefaults(null);
  }
  try {
    return parse(text);
  } catch (error) {
    return withDefaults(messageOf(error));
  }
}

export const withRecent = (recent: readonly string[], file: string): readonly string[] =>
  [file, ...recent.filter((other) => other !== file)].slice(0, MOST_RECENT);

export function createWindowSettings(file: string) {
  const { settings: stored, others, problem } = read(file);
  let settings = stored;
  const listeners: (() => void)[] = [];
  return {
    /** If it is not null, nothing is saved, so that the file can be corrected. */
    problem,
    get: () => settings,
    set: (changed: Partial<WindowSettings>) => {
      settings = { ...settings, ...changed };
      const text = `${JSON.stringify({ ...others, ...settings }, null, 2)}\n`;
      if (problem === null) remember(file, text);
      listeners.forEach((listener) => listener());
    },
    onChange: (listener: () => void) => {
      listeners.push(listener);
    },
  };
}

/**
 * Writes a file that only its owner can read. It is written synchronously, since a closing window waits for nothing. A
 * failure is reported on stderr, and the app continues.
 */
export function remember(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFileSync({ file, text });
  } catch (error) {
    process.stderr.write(`grantbench: ${basename(file)} could not be saved: ${messageOf(error)}\n`);
  }
}
