// Where a user's own things are kept: the same folder as the window's (main/places.ts), which Electron
// would have to be there to name.

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

function applicationData(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return APPDATA || join(homedir(), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  // A relative one is to be ignored (XDG Base Directory Specification).
  const named = XDG_CONFIG_HOME !== undefined && isAbsolute(XDG_CONFIG_HOME);
  return named ? XDG_CONFIG_HOME : join(homedir(), '.config');
}

/** GRANTBENCH_USER_DATA names another one. */
export function dataFolder(): string {
  const named = process.env['GRANTBENCH_USER_DATA'];
  return named ? resolve(named) : join(applicationData(), 'grantbench');
}
