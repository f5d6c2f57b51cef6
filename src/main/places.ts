// Where the app keeps its files, and which port it uses. Two environment variables give a test or a second sandbox its
// own: GRANTBENCH_USER_DATA (a folder) and GRANTBENCH_PORT.

import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';

export interface Places {
  /** The user's data folder, which contains the files below. */
  readonly data: string;
  /** The build's output: main, preload and the page. */
  readonly bundle: string;
  readonly icon: string;
  readonly workspace: string;
  /** Signing keys and everything else that lets tokens survive a restart. */
  readonly kept: string;
  readonly window_state: string;
  readonly window_settings: string;
  /** The port from GRANTBENCH_PORT; null if it is not set. */
  readonly port: number | null;
}

function port(): number | null {
  const value = process.env['GRANTBENCH_PORT'];
  if (!value) return null;
  const wanted = Number(value);
  if (/^\d+$/.test(value) && wanted <= 65_535) return wanted;
  process.stderr.write('grantbench: GRANTBENCH_PORT is not a port (0 to 65535) and is ignored\n');
  return null;
}

/** Must run before anything asks for a path, including the single-instance lock. */
export function choosePlaces(bundle: string): Places {
  const override = process.env['GRANTBENCH_USER_DATA'];
  const data = override ? resolve(override) : join(app.getPath('appData'), 'grantbench');
  app.setName('Grantbench');
  app.setPath('userData', data);
  return {
    data,
    bundle,
    icon: join(bundle, '..', 'resources', 'icon.png'),
    workspace: join(data, 'workspace.json'),
    kept: join(data, 'keys.json'),
    window_state: join(data, 'window-state.json'),
    window_settings: join(data, 'window-settings.json'),
    port: port(),
  };
}

/** Creates and removes a folder in the data folder. @throws Error of the system */
export function checkData({ data }: Places): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  rmdirSync(mkdtempSync(join(data, 'check-')));
}
