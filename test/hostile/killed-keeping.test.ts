// A process killed at any moment while it stores keys and revocations: everything it reported as saved holds at the
// next start.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childProgram, linesOf } from '../support/child-program.ts';
import { seededRandom } from '../support/core.ts';
import {
  call,
  CREDENTIALS,
  startHarness,
  temporaryFolder,
  workspaceFile,
  workspaceInput,
  type Harness,
} from '../support/harness.ts';

const ISSUER = 'http://sandbox.test';

async function isActive({ url }: Harness, token: string): Promise<unknown> {
  const { body } = await call(url(), 'POST', '/oauth/introspect', {
    raw: new URLSearchParams({ ...CREDENTIALS, token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return (body as { active: unknown }).active;
}

describe('a process killed at any moment', () => {
  const program = childProgram(new URL('../support/keeping-child.ts', import.meta.url));

  /** The tokens that the child reported as saved before it was killed, and which of them it revoked. */
  async function killAfter(file: string, steps: number): Promise<Map<string, boolean>> {
    const child = program.start(file, ISSUER);
    const closed = once(child, 'close');
    const saved = new Map<string, boolean>();
    let count = 0;
    for await (const line of linesOf(child)) {
      const [word, token = ''] = line.split(' ');
      if (word === 'revoking') saved.delete(token);
      if (word === 'good' || word === 'revoked') saved.set(token, word === 'good');
      if (word === 'step' && ++count === steps) child.kill('SIGKILL');
    }
    await closed;
    expect(child.signalCode).toBe('SIGKILL');
    return saved;
  }

  it('keeps valid tokens valid and revoked ones revoked, killed after 2 to 10 steps', async () => {
    const lanes = await Promise.all(
      Array.from({ length: 3 }, async () => join(await temporaryFolder(), 'keep.json')),
    );
    await Promise.all(
      lanes.map(async (file, lane) => {
        const known = new Map<string, boolean>();
        for (let round = 0; round < 3; round++) {
          const saved = await killAfter(file, 2 + lane + 3 * round);
          for (const [token, good] of saved) known.set(token, good);
        }
        const workspace = { file: await workspaceFile(workspaceInput()), save: false };
        const random = seededRandom(lane);
        const harness = await startHarness({
          engine: { keep_file: file, issuer: ISSUER, random, workspace, now: Date.now },
        });
        onTestFinished(() => harness.engine.close());
        const seen = new Map<string, unknown>();
        for (const token of known.keys()) seen.set(token, await isActive(harness, token));
        expect(seen).toEqual(known);
        expect(new Set(seen.values())).toEqual(new Set([true, false]));
        await harness.engine.close();
        expect(await readdir(dirname(file))).toEqual(['keep.json']);
      }),
    );
  }, 120_000);
});
