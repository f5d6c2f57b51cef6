// A process killed during a save, and a disk that stores only part of a file: the workspace file on disk stays
// complete.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { checkWorkspace } from '../../src/engine/workspace/document.ts';
import { childProgram, linesOf } from '../support/child-program.ts';
import { workspaceFile } from '../support/harness.ts';

/** Starts an engine, which removes the remains of a killed process. */
async function openAndClose(file: string): Promise<void> {
  const engine = await createEngine({ port: 0, version: 'test', workspace: { file, save: true } });
  await engine.close();
}

describe('a process killed during a save', () => {
  const program = childProgram(new URL('../support/saving-child.ts', import.meta.url));

  const clients = Array.from({ length: 200 }, (_, index) => ({
    client_id: `client-${index}`,
    client_secret: 'a-secret',
    claims: { filling: 'x'.repeat(200) },
  }));

  /** Runs until this line, then kills the process. @returns the last limit reported as saved */
  async function killAfter(file: string, changes: number): Promise<number> {
    const child = program.start(file);
    const closed = once(child, 'close');
    let saved = 0;
    let changed = 0;
    for await (const line of linesOf(child)) {
      const [word, number] = line.split(' ');
      if (word === 'saved') saved = Number(number);
      if (word === 'changed' && ++changed === changes) child.kill('SIGKILL');
    }
    await closed;
    expect(child.signalCode).toBe('SIGKILL');
    return saved;
  }

  it('leaves a complete file that is never older than the last save, killed at 1 to 10 changes', async () => {
    const files = await Promise.all(Array.from({ length: 5 }, () => workspaceFile({ clients })));
    await Promise.all(
      files.map(async (file, lane) => {
        for (let round = 0; round < 2; round++) {
          const saved = await killAfter(file, 1 + lane + 5 * round);
          const checked = await checkWorkspace(JSON.parse(await readFile(file, 'utf8')));
          if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
          expect(checked.value.clients).toHaveLength(200);
          expect(checked.value.settings.throttle.limit).toBeGreaterThanOrEqual(saved);
        }
        await openAndClose(file);
        expect(await readdir(dirname(file))).toEqual(['workspace.json']);
      }),
    );
  }, 120_000);

  it.skipIf(process.platform === 'win32')(
    'on a full disk fails to save with a message on stderr, and the file stays complete',
    async () => {
      const file = await workspaceFile({ clients });
      const before = await readFile(file, 'utf8');
      const command = `ulimit -f 16; exec "$0" "$@"`;
      const child = spawn('sh', ['-c', command, process.execPath, program.file(), file], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const output: string[] = [];
      child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
      const closed = once(child, 'close');
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) lines.push(line);
      expect(lines.at(-1)).toMatch(/^failed workspace\.json could not be saved/);
      await closed;
      expect(output.join('')).toMatch(/^grantbench: workspace\.json could not be saved: EFBIG/);
      expect(await readFile(file, 'utf8')).toBe(before);
      await openAndClose(file);
      expect(await readdir(dirname(file))).toEqual(['workspace.json']);
    },
  );
});
