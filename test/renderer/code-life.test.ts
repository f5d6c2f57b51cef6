import { describe, expect, it } from 'vitest';
import { codeLifeOf } from '../../src/renderer/sending/token-steps.ts';

const NOW = Date.UTC(2026, 0, 1);
const code = (seconds: number, spent = false) => ({
  expires_at: new Date(NOW + seconds * 1000).toISOString(),
  spent,
});

describe('a held code', () => {
  it('can be redeemed for the time that is left of it', () => {
    expect(codeLifeOf(code(581), NOW)).toEqual({ state: 'redeemable', left: '09:41' });
    expect(codeLifeOf(code(1), NOW)).toEqual({ state: 'redeemable', left: '00:01' });
  });

  it('has expired from the moment on that it names', () => {
    expect(codeLifeOf(code(0), NOW)).toEqual({ state: 'expired' });
    expect(codeLifeOf(code(-60), NOW)).toEqual({ state: 'expired' });
  });

  it('is redeemed once it was accepted, whatever time is left', () => {
    expect(codeLifeOf(code(581, true), NOW)).toEqual({ state: 'redeemed' });
    expect(codeLifeOf(code(-60, true), NOW)).toEqual({ state: 'redeemed' });
  });
});
