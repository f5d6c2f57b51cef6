// The instances that run on this machine for this user, each with a file of its own below the data
// folder: how commands find them. A file holds the control token, so only its owner may read it. It must
// cost a start next to nothing: node's file system and no more.

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface Instance {
  readonly pid: number;
  readonly kind: 'serve' | 'window';
  readonly issuer: string;
  /** Of the OAuth endpoints. */
  readonly port: number;
  readonly control: { readonly url: string; readonly token: string };
  /** When the process was started: machine time, in ms since 1970. */
  readonly started_at: number;
}

const folderIn = (data: string) => join(data, 'run');

const fileOf = (data: string, pid: number) => join(folderIn(data), `${pid}.json`);

/** Takes the instance off the list again, as after its end. */
export function forgetInstance(data: string, pid: number): void {
  rmSync(fileOf(data, pid), { force: true });
}

/**
 * Puts this process on the list, or replaces what the list says of it.
 * @param data the user's data folder; it is made
 * @throws Error of the system when that cannot be written: commands then need to be told the address
 */
export function announceInstance(
  data: string,
  instance: Omit<Instance, 'pid' | 'started_at'>,
): void {
  const { pid } = process;
  const folder = folderIn(data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const draft = join(folder, `.${pid}.draft`);
  rmSync(draft, { force: true });
  const started_at = Math.round(performance.timeOrigin);
  const entry: Instance = { pid, ...instance, started_at };
  writeFileSync(draft, JSON.stringify(entry), { mode: 0o600, flag: 'wx' });
  renameSync(draft, fileOf(data, pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isInstance(value: unknown): value is Instance {
  const { pid, issuer, port, control, started_at } = Object(value) as Partial<Instance>;
  const { url, token } = Object(control) as Partial<Instance['control']>;
  const texts = [issuer, url, token].every((text) => typeof text === 'string');
  const numbers = [pid, port, started_at].every((number) => Number.isSafeInteger(number));
  return texts && numbers;
}

function readInstance(file: string): Instance | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isInstance(value) ? value : null;
  } catch {
    // Gone in this moment, or not of our making.
    return null;
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    // Nothing has ever run here.
    return [];
  }
}

/** Those that run, newest first. What killed processes have left behind is removed. */
export function listInstances(data: string): readonly Instance[] {
  const found: Instance[] = [];
  for (const name of names(folderIn(data))) {
    const pid = Number.parseInt(name, 10);
    const instance = isAlive(pid) ? readInstance(fileOf(data, pid)) : null;
    if (instance !== null && instance.pid === pid) found.push(instance);
    else if (!isAlive(pid)) forgetInstance(data, pid);
  }
  return found.sort((a, b) => b.started_at - a.started_at);
}
