// Behaviour 6: one clock, moved over the control API, applies to introspection, userinfo, refreshes, throttle windows
// and all countdowns.

import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { form, introspect, refresh, userinfo } from '../support/form-calls.ts';
import type { Answer, Harness } from '../support/harness.ts';
import { START, startHarness, startSignedIn } from '../support/harness.ts';

const DAY = 86_400;
const time = (seconds: number) => new Date(START + seconds * 1000).toISOString();

const advance = (harness: Harness, advance_seconds: number) =>
  harness.patch('/clock', { advance_seconds });
const cause = async (harness: Harness, { headers }: Answer) => {
  const number = String(headers['grantbench-exchange']);
  return (await harness.get<{ cause: string | null }>(`/exchanges/${number}`)).cause;
};

/** Whether introspection and userinfo accept it; they must agree. */
async function isLive(harness: Harness, token: string): Promise<boolean> {
  const reported = await introspect(harness, token);
  const { active } = reported.body as { active: boolean };
  expect((await userinfo(harness, token)).status).toBe(active ? 200 : 401);
  return active;
}

describe('a token that expires by advancing the clock', () => {
  it('behaviour 4.3: is rejected by introspection and userinfo, and the trace says when it expired', async () => {
    const { harness, access_token } = await startSignedIn();
    await advance(harness, DAY - 1);
    expect(await isLive(harness, access_token)).toBe(true);
    await advance(harness, 4);
    const reported = await introspect(harness, access_token);
    expect([reported.status, reported.text]).toEqual([200, '{"active":false}']);
    expect(await cause(harness, reported)).toBe('expired 3 s ago');
    const refused = await userinfo(harness, access_token);
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'the access token has expired' },
    ]);
    expect(await cause(harness, refused)).toBe('expired 3 s ago');
  });

  it('stays expired when the clock is set back or reset, like other ended credentials', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    await harness.code();
    await advance(harness, 31 * DAY);
    for (const move of [{ now: time(60) }, { reset: true }]) {
      await harness.patch('/clock', move);
      expect(await harness.get('/tokens/2.1')).toMatchObject({ kind: 'code', state: 'expired' });
      expect(await isLive(harness, access_token)).toBe(false);
      const reported = await introspect(harness, refresh_token);
      expect(reported.text).toBe('{"active":false}');
      expect(await cause(harness, reported)).toBe('expired before the clock was set back');
      expect((await refresh(harness, refresh_token)).status).toBe(400);
    }
  });
});

describe('a frozen clock', () => {
  it('lets nothing expire until it is resumed', async () => {
    const harness = await startHarness();
    await harness.patch('/clock', { frozen: true });
    const { access_token } = await harness.signIn();
    harness.machine.now += 3 * DAY * 1000;
    expect(await isLive(harness, access_token)).toBe(true);
    await advance(harness, DAY - 1);
    await harness.patch('/clock', { frozen: false });
    expect(await isLive(harness, access_token)).toBe(true);
    harness.machine.now += 1000;
    expect(await isLive(harness, access_token)).toBe(false);
  });
});

describe('countdowns', () => {
  const lifetimes = { access_token: 600, refresh_token: 9000, refresh_token_idle: 1000 };
  const counting = { workspace: { settings: { expiry_members: true, lifetimes } } };

  it('behaviour 6.2: agree in claims, introspection, control API and the Date of each response', async () => {
    const harness = await startHarness(counting);
    await advance(harness, 11.25);
    const { access_token, refresh_token } = await harness.signIn();
    await advance(harness, 100);
    const access = (await introspect(harness, access_token)).body as Record<string, number>;
    const held = (await introspect(harness, refresh_token)).body as Record<string, number>;
    expect(access).toMatchObject({ iat: START / 1000 + 11, exp: START / 1000 + 611 });
    expect(decodeJwt(access_token)).toMatchObject({ iat: access['iat'], exp: access['exp'] });
    expect(held).toMatchObject({
      exp: START / 1000 + 1011,
      refresh_token_timeout: 900,
      authorization_expires_in: 8900,
    });
    const items = await harness.list<{ kind: string; expires_at: string }>('/tokens');
    const expires = Object.fromEntries(items.map(({ kind, expires_at }) => [kind, expires_at]));
    expect(expires).toMatchObject({ access_token: time(611), refresh_token: time(1011.25) });

    const date = new Date(START + 111_250).toUTCString();
    for (const answer of [
      await introspect(harness, access_token),
      await userinfo(harness, access_token),
      await form(harness, '/oauth/revoke', { token: access_token }),
      await userinfo(harness, access_token),
    ]) {
      expect(answer.headers.date).toBe(date);
    }
    expect(await harness.get('/clock')).toMatchObject({ now: time(111.25) });
  });
});
