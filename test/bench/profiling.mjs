// `--profile`: every measured process is started with V8's sampling profiler, which writes what it saw when the process
// ends. Windows ends processes without giving them the time for it.

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EXTENSION = '.cpuprofile';

let folder;
let processes = 0;

/** Profiles all further processes into this folder, and removes the results of an earlier run. */
export function profileInto(path) {
  folder = path;
  processes = 0;
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder).filter((file) => file.endsWith(EXTENSION));
  for (const file of old) rmSync(join(folder, file));
}

/** @returns the profile of the one process that `work` starts and ends */
export async function profiled(work) {
  const former = folder;
  folder = mkdtempSync(join(tmpdir(), 'grantbench-profile-'));
  try {
    await work();
    const [file] = readdirSync(folder);
    if (file === undefined) throw new Error('the process has left no profile');
    return JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    folder = former;
  }
}

/** The options of Node for a process with this name. */
export function profilingOptions(name) {
  if (!folder) return [];
  const file = `${String((processes += 1)).padStart(2, '0')}-${name}${EXTENSION}`;
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${file}`];
}
