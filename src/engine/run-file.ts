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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing has ever run here.
    return [];
  }
}

/** Removes what killed processes have left behind, half written or whole. @returns the others' numbers */
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
  forgetDead(folder);
  const draft = join(folder, `.${pid}.draft`);
  rmSync(draft, { force: true });
  const started_at = Math.round(performance.timeOrigin);
  const entry: Instance = { pid, ...instance, started_at };
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
    // Gone in this moment, or not of our making.
    return null;
  }
}

/** Those that run, newest first. What killed processes have left behind is removed. */
export function listInstances(data: string): readonly Instance[] {
  return forgetDead(folderIn(data))
    .map((pid) => ({ pid, instance: readInstance(fileOf(data, pid)) }))
    .flatMap(({ pid, instance }) => (instance?.pid === pid ? [instance] : []))
    .sort((a, b) => b.started_at - a.started_at);
}
