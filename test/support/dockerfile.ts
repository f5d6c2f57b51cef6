// Runs the steps of a Dockerfile without a container engine: each stage is a folder in place of its root file system.
// Steps that need an image, a network or another user are left to the caller.

import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface Step {
  readonly name: string;
  readonly rest: string;
}

/** The instructions in order; a backslash at the end of a line continues it. */
export async function readDockerfile(file: string): Promise<Step[]> {
  const text = (await readFile(file, 'utf8')).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest };
    });
}

/** The arguments of the last instruction with this name in exec form. */
export function execForm(steps: readonly Step[], name: string): string[] {
  const { rest = '[]' } = steps.findLast((step) => step.name === name) ?? {};
  return JSON.parse(rest.slice(rest.indexOf('['))) as string[];
}

interface Building {
  /** Contains a folder for each stage; the last one is named `final`. */
  readonly folder: string;
  /** The build context. */
  readonly context: string;
  /** Executes a RUN in its working folder. */
  readonly run: (command: string, cwd: string) => Promise<void>;
  /** Whether .dockerignore excludes a path of the context. */
  readonly ignores: (path: string) => boolean;
}

/** The root folder of the last stage. */
export async function carryOut(steps: readonly Step[], building: Building): Promise<string> {
  const { folder, context, run, ignores } = building;
  let [root, cwd] = ['', ''];
  for (const { name, rest } of steps) {
    if (name === 'FROM') root = join(folder, / AS (\w+)$/.exec(rest)?.[1] ?? 'final');
    if (name === 'WORKDIR') await mkdir((cwd = join(root, rest)), { recursive: true });
    if (name === 'RUN') await run(rest, cwd);
    if (name !== 'COPY') continue;
    const [, stage, list = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
    const from = stage === undefined ? context : join(folder, stage);
    const paths = list.split(' ');
    const target = join(cwd, paths.pop() ?? '');
    for (const path of paths) {
      // COPY of a folder copies its content; several files are copied into the target folder.
      const into = path === '.' || !list.endsWith('./') ? target : join(target, basename(path));
      const source = join(from, path);
      const filter = (each: string) =>
        stage !== undefined || !ignores(each.slice(source.length + 1) || path);
      await cp(source, into, { recursive: true, filter });
    }
  }
  return root;
}
