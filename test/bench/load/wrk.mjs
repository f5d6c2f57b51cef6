// Load by wrk, which needs less of the machine than a generator in JavaScript.

import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folder } from '../orders.mjs';

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));

let files = 0;

/** The name and version, or undefined when wrk is not installed. */
export function installedWrk() {
  const { stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  return /^wrk \S+/.exec(stdout ?? '')?.[0];
}

/** Whole seconds only. */
export async function loadByWrk(url, bodies, { connections, seconds }) {
  const file = join(folder, `bodies-${(files += 1)}.txt`);
  writeFileSync(file, bodies.join('\n'), { mode: 0o600 });
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT];
  const { stdout } = await promisify(execFile)('wrk', [...options, url, '--', file]);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}
