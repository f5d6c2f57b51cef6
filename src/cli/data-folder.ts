// The user's data folder: the same as the window's (main/places.ts), without needing Electron.

import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folder that each system has for user data. @param home the user's home folder */
export function applicationData(
  platform: NodeJS.Platform,
  { APPDATA, XDG_CONFIG_HOME }: Environment,
  home: string,
): string {
  if (platform === 'win32') return APPDATA || win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  // A relative path must be ignored (XDG Base Directory Specification).
  const named = XDG_CONFIG_HOME !== undefined && posix.isAbsolute(XDG_CONFIG_HOME);
  return named ? XDG_CONFIG_HOME : posix.join(home, '.config');
}

/** Returns the data folder; GRANTBENCH_USER_DATA overrides it. */
export function dataFolder(): string {
  const named = process.env['GRANTBENCH_USER_DATA'];
  if (named) return resolve(named);
  return join(applicationData(process.platform, process.env, homedir()), 'grantbench');
}
