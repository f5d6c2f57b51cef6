// Where a user's own things are kept: the same folder as the window's (main/places.ts), which Electron
// would have to be there to name.

import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where each system has what programs keep for a user. @param home the user's folder */
export function applicationData(
  platform: NodeJS.Platform,
  { APPDATA, XDG_CONFIG_HOME }: Environment,
  home: string,
): string {
  if (platform === 'win32') return APPDATA || win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  // A relative one is to be ignored (XDG Base Directory Specification).
  const named = XDG_CONFIG_HOME !== undefined && posix.isAbsolute(XDG_CONFIG_HOME);
  return named ? XDG_CONFIG_HOME : posix.join(home, '.config');
}

/** GRANTBENCH_USER_DATA names another one. */
export function dataFolder(): string {
  const named = process.env['GRANTBENCH_USER_DATA'];
  if (named) return resolve(named);
  return join(applicationData(process.platform, process.env, homedir()), 'grantbench');
}
