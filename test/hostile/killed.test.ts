// A process killed at any moment while it stores a workspace, or keys and revocations, and a disk that stores only part of
// a file: what is on disk stays complete, and everything that was reported as saved holds at the next start.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { checkWorkspace } from '../../src/engine/workspace/document.ts';
import { childProgram, linesOf } from '../support/child-program.ts';
import { seededRandom } from '../support/core.ts';
import * as calls from '../support/form-calls.ts';
import { startHarness, temporaryFolder, workspaceFile } from '../support/harness.ts';

const ISSUER = 'http://sandbox.test';

const program = childProgram(new URL('support/killed-child.ts', import.meta.url));

/** Runs the program until its line with this word and number, then kills it. @param take gets each line in words */
async function killAt(
  args: readonly string[],
  [word, number]: readonly [string, number],
  take: (word: string, value: string) => void,
): Promise<void> {
  const child = program.start(...args);
  const closed = once(child, 'close');
  let count = 0;
  for await (const line of linesOf(child)) {
    const [first = '', value = ''] = line.split(' ');
    take(first, value);
    if (first === word && ++count === number) child.kill('SIGKILL');
  }
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
}

describe('a workspace', () => {
  const clients = Array.from({ length: 200 }, (_, index) => ({
    client_id: `client-${index}`,
    client_secret: 'a-secret',
    claims: { filling: 'x'.repeat(200) },
  }));

  /** Starts an engine, which removes the remains of a killed process. */
  async function expectNoRemains(file: string): Promise<void> {
    const workspace = { file, save: true };
    const engine = await createEngine({ port: 0, version: 'test', workspace });
    await engine.close();
    expect(await readdir(dirname(file))).toEqual(['workspace.json']);
  }

  it('is complete and never older than the last save, when the process is killed at 1 to 6 changes', async () => {
    const files = await Promise.all(Array.from({ length: 3 }, () => workspaceFile({ clients })));
    await Promise.all(
      files.map(async (file, lane) => {
        for (let round = 0; round < 2; round++) {
          let saved = 0;
          await killAt(['save', file], ['changed', 1 + lane + 3 * round], (word, limit) => {
            if (word === 'saved') saved = Number(limit);
          });
          const checked = await checkWorkspace(JSON.parse(await readFile(file, 'utf8')));
          if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
          expect(checked.value.clients).toHaveLength(200);
          expect(checked.value.settings.throttle.limit).toBeGreaterThanOrEqual(saved);
        }
        await expectNoRemains(file);
      }),
    );
  });

  it.skipIf(process.platform === 'win32')(
    'stays complete on a full disk, where saving fails with a message on stderr',
    async () => {
      const file = await workspaceFile({ clients });
      const before = await readFile(file, 'utf8');
      const command = `ulimit -f 16; exec "$0" "$@"`;
      const args = ['-c', command, process.execPath, program.file(), 'save', file];
      const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'pipe'] });
      const output: string[] = [];
      child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
      const closed = once(child, 'close');
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) lines.push(line);
      expect(lines.at(-1)).toMatch(/^failed workspace\.json could not be saved/);
      await closed;
      expect(output.join('')).toMatch(/^grantbench: workspace\.json could not be saved: EFBIG/);
      expect(await readFile(file, 'utf8')).toBe(before);
      await expectNoRemains(file);
    },
  );
});

describe('kept keys and revocations', () => {
  /** The tokens that the child reported as saved before it was killed, and whether they are valid. */
  async function keptUntil(file: string, steps: number): Promise<Map<string, boolean>> {
    const saved = new Map<string, boolean>();
    await killAt(['keep', file, ISSUER], ['step', steps], (word, token) => {
      if (word === 'revoking') saved.delete(token);
      if (word === 'good' || word === 'revoked') saved.set(token, word === 'good');
    });
    return saved;
  }

  it('keep valid tokens valid and revoked ones revoked, when the process is killed after 2 to 7 steps', async () => {
    const lanes = await Promise.all(
      Array.from({ length: 3 }, async () => join(await temporaryFolder(), 'keep.json')),
    );
    await Promise.all(
      lanes.map(async (file, lane) => {
        const known = new Map<string, boolean>();
        for (let round = 0; round < 2; round++) {
          const saved = await keptUntil(file, 2 + lane + 3 * round);
          for (const [token, good] of saved) known.set(token, good);
        }
        const random = seededRandom(lane);
        const harness = await startHarness({
          engine: { keep_file: file, issuer: ISSUER, random, now: Date.now },
        });
        const seen = new Map<string, unknown>();
        for (const token of known.keys()) {
          const { body } = await calls.introspect(harness, token);
          seen.set(token, (body as { active: unknown }).active);
        }
        expect(seen).toEqual(known);
        expect(new Set(seen.values())).toEqual(new Set([true, false]));
        await harness.engine.close();
        expect(await readdir(dirname(file))).toEqual(['keep.json']);
      }),
    );
  });
});
