// Saving the largest possible workspace does not block the event loop.

import { describe, expect, it } from 'vitest';
import { childProgram, firstLine } from '../support/child-program.ts';
import { workspaceFile } from '../support/harness.ts';

describe('the largest possible workspace', () => {
  const program = childProgram(new URL('../support/large-saving-child.ts', import.meta.url));

  it('is saved while requests are answered, and blocks the event loop for less than a second', async () => {
    const file = await workspaceFile();
    const child = program.start(file);
    const report = await firstLine<{
      state: string;
      bytes: number;
      answered: [status: number, count: number][];
      longest_ms: number;
    }>(child);
    expect(report.state).toBe('saved');
    expect(report.bytes).toBeGreaterThan(100 * 1024 * 1024);
    expect(report.answered.map(([status]) => status)).toEqual([200]);
    expect(report.longest_ms).toBeLessThan(1000);
  }, 120_000);
});
