// The counters as the table of the Throttling view shows them.

import { describe, expect, it } from 'vitest';
import type { Counter } from '../../src/control/schemas.ts';
import { isFull, isOpen, usedNow } from '../../src/renderer/views/throttling/CounterTable.tsx';

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);

const counter: Counter = {
  id: 'c',
  credential: 'abc',
  kind: 'refresh_token',
  client_id: 'demo-app',
  ip: '127.0.0.1',
  used: 30,
  limit: 30,
  limit_from: 'workspace',
  window_seconds: 60,
  opened_at: '2026-03-01T10:00:00.150Z',
  resets_at: '2026-03-01T10:01:00.150Z',
  allowed: 30,
  blocked: 1,
  last_seen_at: '2026-03-01T10:00:00.400Z',
};

describe('the window of a counter', () => {
  it('is open from its start, even though the page truncates its time to the second', () => {
    expect(isOpen(counter, at('10:00:00.000'))).toBe(true);
    expect(usedNow(counter, at('10:00:00.000'))).toBe(30);
    expect(isFull(counter, at('10:00:00.000'))).toBe(true);
  });

  it('behaviour 5: has ended at its end time, and when the clock was set back to before its start', () => {
    expect(isOpen(counter, at('10:01:00.000'))).toBe(true);
    expect(isOpen(counter, at('10:01:01.000'))).toBe(false);
    expect(usedNow(counter, at('10:01:01.000'))).toBe(0);
    expect(isOpen(counter, at('09:59:00.000'))).toBe(false);
  });
});
