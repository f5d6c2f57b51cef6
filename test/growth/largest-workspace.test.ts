// Saving the largest possible workspace does not block the event loop.

import { describe, expect, it } from 'vitest';
import { childProgram, firstLine } from '../support/child-program.ts';
import { workspaceFile } from '../support/harness.ts';

describe('the largest possible workspace', () => {
  const program = childProgram(new URL('../support/large-saving-child.ts', import.meta.url));

  it('is saved while hundreds of requests are answered', async () => {
    const file = await workspaceFile();
    const child = program.start(file);
    const report = await firstLine<{
      state: string;
      bytes: number;
      answered: [status: number, count: number][];
    }>(child);
    expect(report.state).toBe('saved');
    expect(report.bytes).toBeGreaterThan(100 * 1024 * 1024);
    // If saving blocked the event loop, only the four requests sent before each of the two saves would be answered.
    const answered = new Map(report.answered);
    expect([...answered.keys()]).toEqual([200]);
    expect(answered.get(200)).toBeGreaterThan(200);
  }, 120_000);
});
