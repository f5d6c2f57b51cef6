// What the Tokens view says before it ends a credential or sends it again.

import { describe, expect, test } from 'vitest';
import type { Client, Credential, Lineage } from '../../src/control/schemas.ts';
import {
  expireConsequence,
  lineageConsequence,
  offlineNotice,
  othersAlive,
  replayForecast,
  replayObstacle,
  revokeConsequence,
} from '../../src/renderer/views/tokens/consequences.ts';
import { asOf, isLive, lifeInWords, lifeLeft } from '../../src/renderer/views/tokens/credential.ts';
import { ownId } from '../../src/renderer/views/tokens/own-token.ts';
import { replayRequest } from '../../src/renderer/views/tokens/replay.ts';

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
  test('expires by itself, without anybody telling', () => {
    expect(asOf(credential(), NOW)).toEqual(credential());
    expect(asOf(credential(), NOW + 60_000)).toMatchObject({ state: 'expired', ended_at: at(60) });
    expect(isLive(asOf(credential(), NOW + 60_000))).toBe(false);
  });

  test('behaviour 4: one that has ended stays as it ended', () => {
    const revoked = credential({ state: 'revoked', ended_at: at(-1) });
    expect(asOf(revoked, NOW + 3_600_000)).toEqual(revoked);
  });

  test('tells what is left, or when it ended', () => {
    expect(lifeLeft(credential(), NOW)).toEqual({ whole: 120, left: 60 });
    expect(lifeInWords(credential(), NOW)).toBe('1 min left');
    expect(lifeInWords(credential({ state: 'revoked', ended_at: at(-200) }), NOW)).toBe(
      'revoked 3 min ago',
    );
    expect(lifeInWords(code({ state: 'redeemed', ended_at: at(0) }), NOW)).toBe('redeemed now');
  });
});

describe('ending a credential', () => {
  test('behaviour 2: says that an offline verifier cannot know, of a JWT that would still be good', () => {
    expect(offlineNotice(credential(), JWT, NOW)).toContain(OFFLINE);
    expect(offlineNotice(credential(), null, NOW)).toContain(OFFLINE);
    expect(offlineNotice(credential(), 'opaque', NOW)).toBeNull();
    expect(offlineNotice(credential(), 'a.b', NOW)).toBeNull();
    expect(offlineNotice(credential(), JWT, NOW + 60_000)).toBeNull();
    expect(offlineNotice(refresh(), JWT, NOW)).toBeNull();
    expect(expireConsequence(credential(), JWT, NOW)).toContain(OFFLINE);
  });

  test('RFC 7009 2.1: a refresh token takes along whatever of its lineage is live', () => {
    const members = [
      code({ state: 'redeemed' }),
      credential(),
      credential({ id: '1.4' }),
      credential({ id: '1.5', expires_at: at(-1) }),
      refresh(),
      refresh({ id: '1.6' }),
    ];
    expect(othersAlive(lineage(members), '1.3', NOW)).toBe('1 refresh token and 2 access tokens');
    const said = revokeConsequence(refresh(), lineage(members), 'x', NOW);
    expect(said).toBe(
      'Its whole lineage is revoked with it: 1 refresh token and 2 access tokens more (RFC 7009 2.1). This cannot be undone.',
    );
    expect(lineageConsequence(lineage(members), NOW)).toContain(
      'This revokes 2 refresh tokens and 2 access tokens.',
    );
  });

  test('an access token or a code ends alone', () => {
    const said = revokeConsequence(credential(), lineage([credential(), refresh()]), 'opaque', NOW);
    expect(said).toBe(
      'Only this one is revoked; the rest of its lineage is not affected. This cannot be undone.',
    );
    expect(lineageConsequence(lineage([code({ state: 'redeemed' })]), NOW)).toContain(
      'None of its credentials is live any more.',
    );
  });
});

describe('sending a credential again', () => {
  const off = { enabled: false, grace_seconds: 0 };
  const forecast = (one: Credential, rotation = off, revoked: string | null = null) =>
    replayForecast(one, lineage([one], revoked), rotation, NOW);

  test.each([
    ['a code that waits', code(), 200],
    ['a code with a challenge', code({ code_challenge_method: 'S256' }), 400],
    ['an expired code', code({ expires_at: at(-1) }), 400],
    ['a revoked code', code({ state: 'revoked' }), 400],
    ['a live refresh token', refresh(), 200],
    ['an expired refresh token', refresh({ state: 'expired' }), 400],
    ['a revoked refresh token', refresh({ state: 'revoked' }), 400],
  ])('%s revokes nothing', (_, one, status) => {
    expect(forecast(one)).toMatchObject({ status, revokes: false });
  });

  test('RFC 6749 4.1.2: a used code revokes its lineage, once', () => {
    const used = code({ state: 'redeemed' });
    expect(forecast(used)).toMatchObject({ status: 400, revokes: true });
    expect(forecast(used, off, at(-1))).toMatchObject({ status: 400, revokes: false });
  });

  test('RFC 9700 4.14.2: a replaced refresh token does, outside its grace window', () => {
    const rotated = refresh({ state: 'rotated', ended_at: at(-10) });
    expect(forecast(rotated, { enabled: true, grace_seconds: 5 })).toMatchObject({ revokes: true });
    expect(forecast(rotated, { enabled: true, grace_seconds: 11 })).toMatchObject({
      status: 200,
      revokes: false,
    });
  });

  test('cannot be done with an access token, without the client, or without its key', () => {
    const client = { token_endpoint_auth_method: 'client_secret_post' } as Client;
    const signing = { token_endpoint_auth_method: 'private_key_jwt' } as Client;
    expect(replayObstacle(code(), client)).toBeNull();
    expect(replayObstacle(credential(), client)).toMatch(/access token/);
    expect(replayObstacle(code(), null)).toMatch(/no longer registered/);
    expect(replayObstacle(refresh(), signing)).toMatch(/key/);
  });

  test('spec 4.1: goes out as the documented request', () => {
    const client = { client_id: 'demo-app', client_secret: 's', default_audience: null } as Client;
    const issuer = 'http://localhost:4280';
    const sent = replayRequest(code({ audience: null }), 'the-code', client, issuer);
    expect(sent).toMatchObject({ method: 'POST', path: '/oauth/token' });
    expect(JSON.parse(sent.body ?? '')).toEqual({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      client_secret: 's',
      audience: issuer,
      redirect_uri: 'http://a.test/cb',
      code: 'the-code',
    });
    expect(replayRequest(refresh(), 'the-token', client, issuer).body).toBe(
      'grant_type=refresh_token&client_id=demo-app&client_secret=s&refresh_token=the-token',
    );
  });
});

test('behaviour 2: a token of ours names its number in jti, or in sid', () => {
  const own = (payload: Record<string, unknown>) =>
    ownId({ header: {}, payload, parts: ['', '', ''] }, 'http://localhost:4280');
  const iss = 'http://localhost:4280';
  expect(own({ iss, jti: '-xPZLuUx.1a.2' })).toBe('1a.2');
  expect(own({ iss, sid: 'abc.7.3' })).toBe('7.3');
  expect(own({ iss: 'https://other.example', jti: 'abc.7.3' })).toBeNull();
  expect(own({ iss, jti: 'e6f1' })).toBeNull();
  expect(own({ iss, jti: 5 })).toBeNull();
});
