// The running instances of this user on this machine, each with a file in the data folder, so that commands find
// them. A file contains the control token, so only its owner may read it. A start must not become slower, so this
// only uses node:fs.

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
import { isAlive } from './is-alive.ts';

export interface Instance {
  readonly pid: number;
  readonly kind: 'serve' | 'window';
  readonly issuer: string;
  /** The port of the OAuth endpoints. */
  readonly port: number;
  readonly control: { readonly url: string; readonly token: string };
  /** When the process was started, in ms since the epoch in machine time. */
  readonly started_at: number;
}

const folderIn = (data: string) => join(data, 'run');

const fileOf = (data: string, pid: number) => join(folderIn(data), `${pid}.json`);

export function forgetInstance(data: string, pid: number): void {
  rmSync(fileOf(data, pid), { force: true });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No instance has ever run here.
    return [];
  }
}

/** Removes the files of killed processes, including incomplete ones. @returns the numbers of the other processes */
function forgetDead(folder: string): number[] {
  const alive: number[] = [];
  for (const name of names(folder)) {
    const [, dot, number] = /^(\.?)(\d+)\.(?:json|draft)$/.exec(name) ?? [];
    const pid = Number(number);
    if (number === undefined) continue;
    if (!isAlive(pid)) rmSync(join(folder, name), { force: true });
    else if (dot === '') alive.push(pid);
  }
  return alive;
}

/** When this process started. performance.timeOrigin says the same, but loads modules at each start. */
const STARTED_AT = Math.round(Date.now() - process.uptime() * 1000);

/**
 * Adds this process to the list, or replaces its entry.
 * @param data the user's data folder, which is created
 * @throws Error of the system if the file cannot be written; commands then need --control
 */
export function announceInstance(
  data: string,
  instance: Omit<Instance, 'pid' | 'started_at'>,
): void {
  const { pid } = process;
  const folder = folderIn(data);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  forgetDead(folder);
  const draft = join(folder, `.${pid}.draft`);
  rmSync(draft, { force: true });
  const entry: Instance = { pid, ...instance, started_at: STARTED_AT };
  writeFileSync(draft, JSON.stringify(entry), { mode: 0o600, flag: 'wx' });
  renameSync(draft, fileOf(data, pid));
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
    // The file was just removed, or was not written by Grantbench.
    return null;
  }
}

/** Returns the running instances, newest first, and removes the files of killed processes. */
export function listInstances(data: string): readonly Instance[] {
  return forgetDead(folderIn(data))
    .map((pid) => ({ pid, instance: readInstance(fileOf(data, pid)) }))
    .flatMap(({ pid, instance }) => (instance?.pid === pid ? [instance] : []))
    .sort((a, b) => b.started_at - a.started_at);
}
