// What a run of a case shows: the table of docs/guides/check-your-app.md, written by hand.

import { describe, expect, test } from 'vitest';
import { CLIENT_CASES } from '../../src/core/client-checks/cases.ts';
import {
  awaitsGoodLogin,
  type CaseEvidence,
  isFault,
  verdictOf,
} from '../../src/core/client-checks/verdict.ts';
import { FAULT_PRESETS } from '../../src/core/faults/presets.ts';
import { faultSchema } from '../../src/core/records/schemas.ts';

const find = (id: string) => {
  const one = CLIENT_CASES.find((other) => other.id === id);
  if (one === undefined) throw new Error(id);
  return one;
};

const BAD = find('id-token-aud-other');
const GOOD = find('id-token-aud-list');
const BY_TRAFFIC = find('refresh-invalid-grant');

const evidence = (given: Partial<CaseEvidence>): CaseEvidence => ({
  reached: true,
  went_on: false,
  login: 'failed',
  login_tells: true,
  shown: null,
  good_after: true,
  goes_on_when_good: true,
  ...given,
});

test('behaviour 18.3: why a case was not reached is also true of a login that sent nothing', () => {
  const sent = /^The (authorization|token) request had|^The client has|: it did not request/;
  expect(CLIENT_CASES.filter(({ unreached }) => sent.test(unreached))).toEqual([]);
});

describe('behaviour 18.3: a response that the client must refuse', () => {
  test.each<[string, Partial<CaseEvidence>, string]>([
    ['failed login, good login after', {}, 'refused'],
    ['failed login, no good login after', { good_after: null }, 'unclear'],
    ['failed login, failed good login after', { good_after: false }, 'unclear'],
    ['successful login', { login: 'succeeded' }, 'accepted'],
    ['failed login, but it went on', { went_on: true }, 'accepted'],
    ['not reached', { reached: false }, 'not_reached'],
    ['not reached, successful login', { reached: false, login: 'succeeded' }, 'not_reached'],
    ['unknown end, silent, else it goes on', { login: 'unknown' }, 'refused'],
    ['unknown end, always silent', { login: 'unknown', goes_on_when_good: false }, 'unclear'],
    ['unknown end, no good login seen', { login: 'unknown', goes_on_when_good: null }, 'unclear'],
    [
      'an exit code that says nothing, silent, else it goes on',
      { login: 'succeeded', login_tells: false },
      'refused',
    ],
    [
      'an exit code that says nothing, always silent',
      { login: 'succeeded', login_tells: false, goes_on_when_good: false },
      'unclear',
    ],
  ])('%s', (_, given, result) => {
    expect(verdictOf(BAD, evidence(given)).result).toBe(result);
  });

  test('is decided by traffic alone where the login may end either way', () => {
    expect(verdictOf(BY_TRAFFIC, evidence({ login: 'succeeded' }))).toEqual({
      result: 'refused',
      why: 'The app did not send the rejected refresh token again.',
    });
    expect(verdictOf(BY_TRAFFIC, evidence({ went_on: true })).result).toBe('accepted');
    for (const one of CLIENT_CASES.filter(({ by_traffic, logout }) => by_traffic && !logout))
      expect(verdictOf(one, evidence({ login: 'unknown' })).result, one.id).toBe('refused');
  });
});

test.each<[string, Partial<CaseEvidence>, string]>([
  ['successful login', { login: 'succeeded' }, 'passed'],
  ['failed login', {}, 'refused'],
  ['unknown end, went on', { login: 'unknown', went_on: true }, 'passed'],
  ['unknown end, silent', { login: 'unknown' }, 'unclear'],
  ['not reached', { reached: false }, 'not_reached'],
])('behaviour 18.3: a response that the client must accept: %s', (_, given, result) => {
  expect(verdictOf(GOOD, evidence(given)).result).toBe(result);
});

describe('behaviour 18.3: a text that the app must not show', () => {
  const UNSEEN = find('authorization-error-iss-other');
  const shows = 'The app shows “scripted by a client check”.';
  const hides = 'The app does not show “scripted by a client check”';
  test.each<[string, Partial<CaseEvidence>, string, string, boolean]>([
    ['shown', { shown: true, good_after: null }, 'accepted', shows, false],
    [
      'not shown, good login after',
      { shown: false },
      'refused',
      `${hides}; a good login afterwards succeeded.`,
      false,
    ],
    [
      'not shown, no good login after',
      { shown: false, login: 'unknown', good_after: null },
      'unclear',
      `${hides}; no good login has confirmed the refusal yet.`,
      true,
    ],
    [
      'not shown, failed good login after',
      { shown: false, good_after: false },
      'unclear',
      `${hides}, but the good login afterwards failed too.`,
      false,
    ],
    [
      'nobody looked',
      { good_after: null },
      'unclear',
      'Nobody has said whether the app shows “scripted by a client check”.',
      false,
    ],
    ['the code was redeemed', { went_on: true }, 'accepted', 'The app redeemed the code.', false],
    ['successful login', { login: 'succeeded' }, 'accepted', 'The login succeeded.', false],
  ])('%s', (_, given, result, why, awaits) => {
    const all = evidence(given);
    expect(verdictOf(UNSEEN, all)).toEqual({ result, why });
    expect(awaitsGoodLogin(UNSEEN, all)).toBe(awaits);
  });
});

test('behaviour 18.3: where a client may do either, it passes once it is reached', () => {
  const either = find('id-token-kid-absent-several-keys');
  for (const login of ['succeeded', 'failed'] as const) {
    const result = verdictOf(either, evidence({ login })).result;
    expect([result, isFault(either, result)]).toEqual(['passed', false]);
  }
  expect(verdictOf(either, evidence({ reached: false })).result).toBe('not_reached');
});

test('a fault is what the client did against what is expected', () => {
  expect(isFault(BAD, 'accepted')).toBe(true);
  expect(isFault(BAD, 'refused')).toBe(false);
  expect(isFault(GOOD, 'refused')).toBe(true);
  expect(isFault(GOOD, 'passed')).toBe(false);
});

test('every case has a name of its own and rules that the schema of fault rules takes', () => {
  expect(new Set(CLIENT_CASES.map(({ id }) => id)).size).toBe(CLIENT_CASES.length);
  for (const { id, rules } of CLIENT_CASES) {
    for (const rule of rules)
      expect(faultSchema.safeParse({ ...rule, id }).error, id).toBeUndefined();
  }
});

test('every kind of effect of a case is also in a preset', () => {
  const kinds = CLIENT_CASES.flatMap(({ rules }) => rules.map(({ effect }) => effect.kind));
  const inPresets = FAULT_PRESETS.map(({ fault }) => fault.effect.kind);
  expect([...new Set(kinds)].filter((kind) => !inPresets.includes(kind))).toEqual([]);
});

test('every case has advice for the common libraries, once for each', () => {
  for (const { id, libraries } of CLIENT_CASES) {
    const names = libraries.map(({ library }) => library);
    expect(names.slice(0, 2), id).toEqual(['openid-client', 'oauth4webapi']);
    expect(new Set(names).size, id).toBe(names.length);
  }
});
