// How long a count of live access tokens is cached.

import { describe, expect, it } from 'vitest';
import { createLiveTokens } from '../../src/engine/feed/watch.ts';

function counted(live: number) {
  const state = { live, walks: 0, ms: 1000 };
  const tokens = createLiveTokens(
    () => {
      state.walks += 1;
      return state.live;
    },
    () => state.ms,
  );
  return { state, tokens };
}

describe('live access tokens', () => {
  it('are counted each time while there are none', () => {
    const { state, tokens } = counted(0);
    expect([tokens(), tokens()]).toEqual([0, 0]);
    expect(state.walks).toBe(2);
  });

  it('are counted again once the count is older than a hundredth of a millisecond per token', () => {
    const { state, tokens } = counted(100_000);
    expect(tokens()).toBe(100_000);
    state.live = 5;
    state.ms += 999;
    expect(tokens()).toBe(100_000);
    state.ms += 1;
    expect(tokens()).toBe(5);
    expect(state.walks).toBe(2);
  });
});
