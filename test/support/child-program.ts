// Programs of test/support that a test starts as separate processes, to kill them or fill them.

import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { beforeAll, onTestFinished } from 'vitest';
import { bundle } from './bundle.ts';

export type Child = ChildProcessByStdio<null, Readable, null>;

export interface ChildProgram {
  /** The path of the bundled program, available when the tests run. */
  readonly file: () => string;
  /** Starts the program; it is killed when the test ends. */
  readonly start: (...args: string[]) => Child;
}

/** Bundles this file as a program before the tests of the calling block. */
export function childProgram(url: URL): ChildProgram {
  let file = '';
  beforeAll(async () => {
    const built = await bundle(fileURLToPath(url));
    file = built.file;
    return built.remove;
  });
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return child;
  };
  return { file: () => file, start };
}

export const linesOf = (child: Child) => createInterface({ input: child.stdout });

/** The first line of its output, parsed as JSON. */
export async function firstLine<T>(child: Child): Promise<T> {
  for await (const line of linesOf(child)) return JSON.parse(line) as T;
  throw new Error('The program ended without printing a line.');
}
