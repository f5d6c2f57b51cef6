// The consequences that the Tokens view states before it ends a credential.

import { describe, expect, test } from 'vitest';
import type { Credential, Lineage } from '../../src/control/schemas.ts';
import {
  expireConsequence,
  lineageConsequence,
  offlineNotice,
  othersAlive,
  revokeConsequence,
  ownId,
} from '../../src/renderer/views/tokens/token-actions.ts';
import {
  asOf,
  isLive,
  lifeInWords,
  lifeLeft,
  timesOf,
} from '../../src/renderer/views/tokens/credential.ts';
import { expInWords, lifeOf } from '../../src/oauth/claims.ts';

const NOW = new Date(2026, 10, 21, 10, 0, 0).getTime();
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

function credential(members: Partial<Credential> = {}): Credential {
  return {
    id: '1.2',
    kind: 'access_token',
    state: 'active',
    value: null,
    lineage_id: '1',
    client_id: 'demo-app',
    sub: 'ada',
    audience: 'https://orders.example/api',
    scope: '',
    redirect_uri: null,
    code_challenge_method: null,
    issued_at: at(-60),
    expires_at: at(60),
    ended_at: null,
    issued_by: 1,
    ended_by: null,
    ...members,
  };
}

const code = (members: Partial<Credential> = {}) =>
  credential({
    id: '1.1',
    kind: 'code',
    state: 'issued',
    redirect_uri: 'http://a.test/cb',
    ...members,
  });
const refresh = (members: Partial<Credential> = {}) =>
  credential({ id: '1.3', kind: 'refresh_token', ...members });

function lineage(members: readonly Credential[], revoked_at: string | null = null): Lineage {
  return {
    lineage_id: '1',
    client_id: 'demo-app',
    sub: 'ada',
    audience: null,
    scope: '',
    created_at: at(-60),
    revoked_at,
    count: members.length,
    exchanges: [],
    members: members.map((member) => ({ ...member, parent_id: null })),
  };
}

const JWT = [{ alg: 'ES256' }, { sub: 'ada' }, 'signature']
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const OFFLINE = 'An API that verifies the JWT offline cannot know this and may accept it until';

describe('a credential by the sandbox clock', () => {
  test('expires without an event from the server', () => {
    expect(asOf(credential(), NOW)).toEqual(credential());
    expect(asOf(credential(), NOW + 60_000)).toMatchObject({ state: 'expired', ended_at: at(60) });
    expect(isLive(asOf(credential(), NOW + 60_000))).toBe(false);
  });

  test('behaviour 4: keeps its final state once it has ended', () => {
    const revoked = credential({ state: 'revoked', ended_at: at(-1) });
    expect(asOf(revoked, NOW + 3_600_000)).toEqual(revoked);
  });

  test('behaviour 2.13: is inactive while its key is retired, and expires then as well', () => {
    const inactive = credential({ state: 'inactive' });
    expect(isLive(inactive)).toBe(false);
    expect(lifeInWords(asOf(inactive, NOW), NOW)).toBe('inactive');
    expect(asOf(inactive, NOW + 60_000)).toMatchObject({ state: 'expired', ended_at: at(60) });
    expect(times(inactive, true, NOW)).toEqual(['Issued: 1 min ago', 'Expires: in 1 min']);
    expect(offlineNotice(inactive, JWT, NOW)).toMatch(
      /^Its key was retired or the issuer has changed, so introspection and userinfo reject it\. An API that does not know this may accept it until /,
    );
  });

  test('shows its remaining lifetime, or when it ended', () => {
    expect(lifeLeft(credential(), NOW)).toEqual({ whole: 120, left: 60 });
    expect(lifeInWords(credential(), NOW)).toBe('1 min left');
    expect(lifeInWords(credential({ state: 'revoked', ended_at: at(-200) }), NOW)).toBe(
      'revoked 3 min ago',
    );
    expect(lifeInWords(code({ state: 'redeemed', ended_at: at(0) }), NOW)).toBe(
      'redeemed just now',
    );
  });

  const times = (...args: Parameters<typeof timesOf>) =>
    timesOf(...args).map(({ name, words }) => `${name}: ${words.replace(/ \(.*/, '')}`);
  const early = (members: Partial<Credential>) =>
    credential({ issued_at: at(-3600), expires_at: at(82_740), ended_at: at(-5), ...members });

  test('behaviour 2: shows its exp claim separately when it was expired early', () => {
    const expired = early({ state: 'expired' });
    expect(times(expired, true, NOW)).toEqual([
      'Issued: 1 h ago',
      'Expired: 5 s ago',
      'exp claim: in 22 h 59 min',
    ]);
    const life = lifeOf({ iat: NOW / 1000 - 3600, exp: NOW / 1000 + 82_740 }, NOW);
    expect(life && expInWords(life, NOW, true)).toBe('exp claim: still expires in 22 h 59 min');
    expect(life && expInWords(life, NOW, false)).toBe('exp claim: expires in 22 h 59 min');
  });

  test('shows a lifetime that ended early when it has no claims', () => {
    expect(times(early({ kind: 'refresh_token', state: 'rotated' }), false, NOW)).toEqual([
      'Issued: 1 h ago',
      'Rotated: 5 s ago',
      'Lifetime: would end in 22 h 59 min',
    ]);
    const long = early({ kind: 'refresh_token', state: 'revoked', expires_at: at(-1) });
    expect(times(long, false, NOW).at(-1)).toBe('Lifetime: would have ended 1 s ago');
  });

  test('shows when it expires while live, and when it expired afterwards', () => {
    expect(times(credential(), true, NOW)).toEqual(['Issued: 1 min ago', 'Expires: in 1 min']);
    const over = asOf(credential(), NOW + 90_000);
    expect(times(over, true, NOW + 90_000)).toEqual([
      'Issued: 2 min 30 s ago',
      'Expired: 30 s ago',
    ]);
  });
});

describe('ending a credential', () => {
  test('behaviour 2: warns that offline verifiers still accept a JWT that has not expired', () => {
    expect(offlineNotice(credential(), JWT, NOW)).toContain(OFFLINE);
    expect(offlineNotice(credential(), null, NOW)).toContain(OFFLINE);
    expect(offlineNotice(credential(), 'opaque', NOW)).toBeNull();
    expect(offlineNotice(credential(), 'a.b', NOW)).toBeNull();
    expect(offlineNotice(credential(), JWT, NOW + 60_000)).toBeNull();
    expect(offlineNotice(refresh(), JWT, NOW)).toBeNull();
    expect(expireConsequence(credential(), JWT, NOW)).toContain(OFFLINE);
  });

  test('RFC 7009 2.1: a refresh token revokes all live credentials of its lineage', () => {
    const members = [
      code({ state: 'redeemed' }),
      credential(),
      credential({ id: '1.4' }),
      credential({ id: '1.5', expires_at: at(-1) }),
      refresh(),
      refresh({ id: '1.6' }),
    ];
    expect(othersAlive(lineage(members), '1.3', NOW)).toBe('1 refresh token and 2 access tokens');
    const shown = revokeConsequence(refresh(), lineage(members), 'x', NOW);
    expect(shown).toBe(
      'Its whole lineage is revoked with it: 1 refresh token and 2 access tokens more (RFC 7009 2.1). This cannot be undone.',
    );
    expect(lineageConsequence(lineage(members), NOW)).toContain(
      'This revokes 2 refresh tokens and 2 access tokens.',
    );
  });

  test('ending an access token or a code does not affect others', () => {
    const shown = revokeConsequence(
      credential(),
      lineage([credential(), refresh()]),
      'opaque',
      NOW,
    );
    expect(shown).toBe(
      'Only this credential is revoked; the rest of its lineage is not affected. This cannot be undone.',
    );
    expect(lineageConsequence(lineage([code({ state: 'redeemed' })]), NOW)).toContain(
      'None of its credentials is live.',
    );
  });
});

test('behaviour 2: a token issued here has its number in jti or in sid', () => {
  const own = (payload: Record<string, unknown>) =>
    ownId({ header: {}, payload, parts: ['', '', ''] }, 'http://localhost:4280');
  const iss = 'http://localhost:4280';
  expect(own({ iss, jti: '-xPZLuUx.1a.2' })).toBe('1a.2');
  expect(own({ iss, sid: 'abc.7.3' })).toBe('7.3');
  expect(own({ iss: 'https://other.example', jti: 'abc.7.3' })).toBeNull();
  expect(own({ iss, jti: 'e6f1' })).toBeNull();
  expect(own({ iss, jti: 5 })).toBeNull();
});
