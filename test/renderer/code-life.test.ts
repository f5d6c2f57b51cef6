import { describe, expect, it } from 'vitest';
import { codeLifeOf } from '../../src/renderer/sending/code-life.ts';

const NOW = Date.UTC(2026, 0, 1);
const code = (seconds: number, spent = false) => ({
  expires_at: new Date(NOW + seconds * 1000).toISOString(),
  spent,
});

describe('the code that the walk holds', () => {
  it('can be redeemed for its remaining lifetime', () => {
    expect(codeLifeOf(code(581), 'issued', NOW)).toEqual({ state: 'redeemable', left: '09:41' });
    expect(codeLifeOf(code(1), 'issued', NOW)).toEqual({ state: 'redeemable', left: '00:01' });
  });

  it('has expired from its expiry time on', () => {
    expect(codeLifeOf(code(0), 'issued', NOW)).toEqual({ state: 'expired' });
    expect(codeLifeOf(code(-60), 'issued', NOW)).toEqual({ state: 'expired' });
  });

  it('counts as redeemed once it was accepted, whatever its remaining lifetime', () => {
    expect(codeLifeOf(code(581, true), 'issued', NOW)).toEqual({ state: 'redeemed' });
    expect(codeLifeOf(code(-60, true), 'issued', NOW)).toEqual({ state: 'redeemed' });
  });

  it('ends when it is redeemed or revoked elsewhere', () => {
    for (const state of ['redeemed', 'revoked', 'denied', 'expired'] as const) {
      expect(codeLifeOf(code(581), state, NOW)).toEqual({ state });
    }
    expect(codeLifeOf(code(581), 'approved', NOW)).toMatchObject({ state: 'redeemable' });
    expect(codeLifeOf(code(581), undefined, NOW)).toMatchObject({ state: 'redeemable' });
  });
});
