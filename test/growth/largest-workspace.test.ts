// The largest workspace there can be does not hold up the event loop while it is saved.

import { describe, expect, it } from 'vitest';
import { childProgram, firstLine } from '../support/child-program.ts';
import { workspaceFile } from '../support/harness.ts';

describe('the largest workspace there can be', () => {
  const program = childProgram(new URL('../support/large-saving-child.ts', import.meta.url));

  it('is saved while requests are answered, and the event loop stands still for less than a second', async () => {
    const file = await workspaceFile();
    const child = program.start(file);
    const told = await firstLine<{
      state: string;
      bytes: number;
      answered: [status: number, count: number][];
      longest_ms: number;
    }>(child);
    expect(told.state).toBe('saved');
    expect(told.bytes).toBeGreaterThan(100 * 1024 * 1024);
    expect(told.answered.map(([status]) => status)).toEqual([200]);
    expect(told.longest_ms).toBeLessThan(1000);
  }, 120_000);
});
