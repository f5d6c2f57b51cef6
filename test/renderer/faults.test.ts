// Fault rules as the page describes and edits them: summaries, queues, the form's draft, the request that tries a rule.

import { describe, expect, it } from 'vitest';
import { faultSchema, type Fault } from '../../src/control/fault-schemas.ts';
import {
  altersResponse,
  draftOf,
  duplicateOf,
  newDraft,
  problemsOf,
  recordOf,
  ruleOf,
  type FaultDraft,
} from '../../src/renderer/views/faults/fault-draft.ts';
import { presetGroups } from '../../src/renderer/views/faults/FaultsView.tsx';
import { covers, queuesOf, shadowOf, shownOf } from '../../src/renderer/views/faults/Queues.tsx';
import {
  chanceInWords,
  isActive,
  leftInWords,
  matchInWords,
  titleOf,
  whatInWords,
} from '../../src/renderer/views/faults/rule-words.ts';
import {
  ruleTests,
  testRequestFor,
  testRequestInWords,
  testRule,
} from '../../src/renderer/views/faults/rule-test.ts';
import { change, EMPTY, withFaults, withReset } from '../../src/renderer/connection/state.ts';
import { statusWords, isSuccess } from '../../src/renderer/ui/status.tsx';
import { client } from '../support/core.ts';
import { faultState, PRESETS } from '../support/faults.ts';
import { startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

const ANY: Fault['match'] = { path: null, method: null, grant_type: null, client_id: null };
const TOKEN: Fault['match'] = { ...ANY, path: '/oauth/token', method: 'POST' };

describe('a status', () => {
  it('behaviour 8: 0 is not a success, and reads as no response', () => {
    expect(isSuccess(0)).toBe(false);
    expect(statusWords(0)).toBe('no response');
    expect([200, 302, 399].every(isSuccess)).toBe(true);
    expect([400, 429, 503].some(isSuccess)).toBe(false);
    expect(statusWords(429)).toBe('429');
  });
});

describe('a rule in words', () => {
  it.each([
    ['throttled_twice', '429 too_many_requests'],
    ['html_instead_of_json', '502 with text/html'],
    ['dropped', 'no response'],
    ['silent', 'no response, after 30 s'],
    ['slow', 'the normal response, after 5 s'],
    ['lost', 'the response is dropped'],
    ['cut', 'half of the response'],
    ['dribbled', 'the response, spread over 10 s'],
    ['broken_json', 'truncated JSON'],
    ['wrong_content_type', 'the response as text/html'],
    ['expires_in_absent', 'expires_in left out'],
    ['expires_in_huge', 'a huge expires_in'],
    ['expired_token', 'tokens that have expired'],
    ['unpublished_key', 'tokens signed by an unknown key'],
  ])('describes the preset %s as: %s', (id, words) => {
    const { fault } = PRESETS.find((preset) => preset.id === id)!;
    expect(whatInWords(fault)).toBe(words);
  });

  it('describes a scripted response by its error, else by its content type, else by its status', () => {
    const answer = (body: string, headers: [string, string][] = []) =>
      whatInWords(
        faultState({ effect: { kind: 'answer', status: 503, headers, body }, delay_ms: 400 }),
      );
    expect(answer('')).toBe('503, after 400 ms');
    expect(answer('[1]', [['content-type', 'application/json; charset=utf-8']])).toBe(
      '503 with application/json, after 400 ms',
    );
    expect(answer('down')).toBe('503, after 400 ms');
  });

  it.each([
    [ANY, 'any request'],
    [{ ...ANY, method: 'POST' }, 'any POST'],
    [{ ...ANY, path: '/oauth/*' }, '/oauth/*'],
    [
      { ...TOKEN, grant_type: 'refresh_token', client_id: 'checkout' },
      'POST /oauth/token, grant refresh_token, client checkout',
    ],
  ])('describes which requests it applies to: %o', (match, words) => {
    expect(matchInWords(match)).toBe(words);
  });

  it.each([
    [1, ''],
    [0.2, '1 in 5'],
    [0.37, '37%'],
    [0.005, '0.5%'],
    [0, '0%'],
  ])('shows the probability %d as "%s"', (probability, words) => {
    expect(chanceInWords(probability)).toBe(words);
  });

  it('shows how many times are left, and whether it is active', () => {
    expect(leftInWords(faultState())).toBe('no limit');
    expect(leftInWords(faultState({ times: 3, remaining: 2 }))).toBe('2 of 3');
    const spent = faultState({ times: 3, remaining: 0 });
    expect(leftInWords(spent)).toBe('none of 3');
    expect([faultState(), spent, faultState({ enabled: false })].map(isActive)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is named by its effect when it has no name', () => {
    expect(titleOf(faultState({ name: 'Down' }))).toBe('Down');
    expect(titleOf(faultState({ effect: { kind: 'drop' } }))).toBe('No response');
  });
});

describe('queues', () => {
  const twice = faultState({ id: 'twice', times: 2 });
  const thrice = faultState({ id: 'thrice', times: 3 });
  const always = faultState({ id: 'always' });
  const ids = (rules: readonly ReturnType<typeof faultState>[]) =>
    queuesOf(rules).map(({ stops, ends }) => [stops.map(({ id }) => id), ends]);

  it('behaviour 8: rules for the same requests apply one after another, then responses are normal', () => {
    const [queue] = queuesOf([twice, thrice]);
    expect(queue!.stops.map(({ id, remaining }) => [id, remaining])).toEqual([
      ['twice', 2],
      ['thrice', 3],
    ]);
    expect(queue!.ends).toBe(true);
  });

  it('behaviour 8: no rule applies after an unlimited rule', () => {
    expect(ids([twice, always, thrice])).toEqual([[['twice', 'always'], false]]);
    expect(shadowOf([twice, always, thrice], 2)?.id).toBe('always');
    expect(shadowOf([twice, always, thrice], 1)).toBeNull();
  });

  it('behaviour 8: a rule with a probability leaves some requests to the next rule and to normal responses', () => {
    const chancy = faultState({ id: 'chancy', probability: 0.2 });
    expect(ids([chancy, thrice])).toEqual([[['chancy', 'thrice'], true]]);
    expect(shadowOf([chancy, thrice], 1)).toBeNull();
  });

  it('rules that are off or used up are skipped', () => {
    const off = faultState({ id: 'off', enabled: false });
    expect(queuesOf([off, faultState({ id: 'spent', times: 1, remaining: 0 })])).toEqual([]);
    expect(shadowOf([off, twice], 1)).toBeNull();
    expect(shadowOf([always, off], 1)).toBeNull();
  });

  it('a narrower kind of request has a queue of its own that includes the broader rules', () => {
    const checkout = faultState({ id: 'c', match: { ...TOKEN, client_id: 'checkout' } });
    expect(ids([twice, checkout])).toEqual([
      [['twice'], true],
      [['twice', 'c'], false],
    ]);
  });

  it('a queue says whether another rule applies to some of its requests first', () => {
    const exceptions = (rules: readonly ReturnType<typeof faultState>[]) =>
      queuesOf(rules).map(({ hasExceptions }) => hasExceptions);
    const checkout = faultState({ id: 'c', match: { ...ANY, client_id: 'checkout' } });
    const token = faultState({ id: 't', match: TOKEN });
    expect(exceptions([checkout, always])).toEqual([false, true]);
    expect(exceptions([checkout, token])).toEqual([false, true]);
    // An unlimited rule applies first, and a limited one leaves requests to later rules.
    const any = { match: ANY };
    expect(exceptions([faultState(any), checkout])).toEqual([false, false]);
    expect(exceptions([faultState({ ...any, times: 2 }), checkout])).toEqual([true, false]);
    const other = faultState({ id: 'o', match: { ...ANY, client_id: 'other' } });
    expect(exceptions([checkout, other])).toEqual([false, false]);
  });

  it.each([
    ['/oauth/*', '*/token', true],
    ['/oauth/*k*', '/o*token', true],
    ['/oauth/*', '/userinfo*', false],
    ['*/token', '*/revoke', false],
    ['/oauth/*', '/userinfo', false],
  ])('a rule for %s may come before one for %s: %s', (first, second, expected) => {
    const [one, two] = [first, second].map((path) =>
      faultState({ id: path, match: { ...ANY, path } }),
    );
    expect(queuesOf([one!, two!])[1]!.hasExceptions).toBe(expected);
  });

  it('a rule without a method is no exception for preflights, which it does not match', () => {
    const any = faultState({ id: 'any', match: { ...TOKEN, method: null } });
    const preflight = faultState({ id: 'preflight', match: { ...TOKEN, method: 'OPTIONS' } });
    expect(queuesOf([any, preflight])[1]).toMatchObject({
      stops: [preflight],
      hasExceptions: false,
    });
  });

  it('a rule covers another when it matches every request that the other matches', () => {
    expect(covers(ANY, TOKEN)).toBe(true);
    expect(covers(TOKEN, ANY)).toBe(false);
    expect(covers(ANY, { ...ANY, method: 'OPTIONS' })).toBe(false);
    expect(covers({ ...ANY, path: '/oauth/*' }, TOKEN)).toBe(true);
    expect(covers({ ...TOKEN, grant_type: 'refresh_token' }, TOKEN)).toBe(false);
  });
});

describe('the list', () => {
  it('keeps unchanged rule objects, so that their rows do not render again', () => {
    const [one, two] = [faultState({ id: 'one' }), faultState({ id: 'two' })];
    const listed = [{ ...two, hits: 1 }, { ...one }];
    const { faults } = withFaults({ ...EMPTY, faults: [one, two] }, listed);
    expect(faults).toEqual(listed);
    expect(faults[1]).toBe(one);
  });
});

describe('a long list of rules', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => faultState({ id: `rule-${index + 1}` }));
  const placesOf = (...args: Parameters<typeof shownOf>) =>
    shownOf(...args).map(([index]) => index + 1);
  const first = Array.from({ length: 50 }, (_, index) => index + 1);

  it('is unfolded only by the user, however many rules are added', () => {
    for (const count of [51, 52, 53, 120, 200]) {
      expect(placesOf(many(count), false, null)).toEqual(first);
    }
    expect(placesOf(many(60), true, null)).toHaveLength(60);
  });

  it('shows the rule that was just added and keeps the others folded', () => {
    expect(placesOf(many(53), false, 'rule-53')).toEqual([...first, 53]);
    expect(placesOf(many(53), false, 'rule-7')).toEqual(first);
  });
});

describe('preset groups', () => {
  it('contain every preset once, grouped by what a client notices', () => {
    const groups = presetGroups(PRESETS);
    const held = groups.flatMap(({ presets }) => presets.map(({ id }) => id));
    expect(held.toSorted()).toEqual(PRESETS.map(({ id }) => id).toSorted());
    const groupOf = (id: string) =>
      groups.find(({ presets }) => presets.some((preset) => preset.id === id))?.title;
    expect(groupOf('throttled_twice')).toBe('Scripted errors');
    expect(groupOf('gateway_timeout')).toBe('Delayed, dropped or cut off');
    expect(groupOf('expires_in_string')).toBe('Changed responses');
    expect(presetGroups([])).toEqual([]);
  });
});

describe('the draft', () => {
  const draft = (members: Partial<FaultDraft> = {}): FaultDraft => ({ ...newDraft(), ...members });
  const effect = (members: Partial<FaultDraft['effect']>) =>
    draft({ effect: { ...newDraft().effect, ...members } });

  it.each(PRESETS.map(({ id, fault }) => [id, fault] as const))(
    'keeps every member of the preset %s',
    (id, fault) => {
      const rule = { id, ...fault };
      expect(faultSchema.parse(ruleOf(draftOf(rule)))).toEqual(rule);
      expect(problemsOf(draftOf(rule))).toEqual({});
    },
  );

  it('keeps the input for one kind of effect while another is shown', () => {
    const typed = effect({ body: 'mine', status: 418 });
    const other = { ...typed, effect: { ...typed.effect, kind: 'drop' as const } };
    expect(ruleOf(other)).toMatchObject({ effect: { kind: 'drop' } });
    const back = { ...other, effect: { ...other.effect, kind: 'answer' as const } };
    expect(ruleOf(back)).toMatchObject({ effect: { kind: 'answer', status: 418, body: 'mine' } });
  });

  it('behaviour 8: an effect that changes the normal response always applies after validation', () => {
    expect(ruleOf(effect({ kind: 'cut' }))).toMatchObject({ when: 'after' });
    expect(ruleOf(effect({ kind: 'drop' }))).toMatchObject({ when: 'instead' });
    expect((['answer', 'drop'] as const).some(altersResponse)).toBe(false);
  });

  it.each<[string, FaultDraft, string, RegExp]>([
    ['no status', effect({ status: '' }), 'effect.status', /whole number/],
    ['a body with 204', effect({ status: 204 }), 'effect.body', /empty with status 204/],
    [
      'a header without name',
      effect({ headers: [['', 'x']] }),
      'effect.headers.0.0',
      /header name/,
    ],
    [
      'a path without slash',
      draft({ match: { ...newDraft().match, path: 'oauth' } }),
      'match.path',
      /begin with \//,
    ],
    ['letters for a number', draft({ delay_ms: 'soon' }), 'delay_ms', /whole number/],
    ['an id beyond ASCII', draft({ id: 'ä' }), 'id', /./],
  ])('reports %s at its field', (_what, wrong, field, message) => {
    const problems = problemsOf(wrong);
    expect(Object.keys(problems)).toEqual([field]);
    expect(problems[field]).toMatch(message);
  });

  it('uses the defaults for empty numbers', () => {
    const rule = ruleOf(draft({ times: '', probability: '', seed: '', delay_ms: '' }));
    expect(faultSchema.parse({ id: 'x', ...rule })).toMatchObject({
      times: null,
      probability: 1,
      seed: 1,
      delay_ms: 0,
    });
  });

  it('a duplicate has no id yet, and a record has no counts', () => {
    const rule = recordOf(faultState({ name: 'Down', hits: 3 }));
    expect(rule).not.toHaveProperty('hits');
    expect(duplicateOf(rule)).toMatchObject({ id: '', name: 'Down (copy)' });
  });
});

describe('the request that tries a rule', () => {
  const demo = client();
  const service = client({ client_id: 'service', grant_types: ['client_credentials'] });
  const words = (match: Partial<Fault['match']>, clients = [service, demo]) =>
    testRequestInWords(testRequestFor({ match: { ...ANY, ...match } }, clients));

  it('is a token request that the oldest suitable client can make', () => {
    expect(words(TOKEN)).toBe('POST /oauth/token, authorization_code by demo-app');
    expect(words({ ...TOKEN, grant_type: 'refresh_token' })).toMatch(/refresh_token by demo-app/);
    expect(words({ ...TOKEN, grant_type: 'client_credentials' })).toMatch(/by service/);
    expect(words({ ...TOKEN, client_id: 'service' })).toMatch(/client_credentials by service/);
    expect(words({ method: 'POST' })).toBe('POST /oauth/token, authorization_code by demo-app');
  });

  it('has a token at userinfo and is sent unchanged to the other endpoints', () => {
    expect(words({ path: '/userinfo' })).toBe('GET /userinfo with a token of demo-app');
    expect(words({ path: '/userinfo', method: 'POST' })).toMatch(/^POST \/userinfo/);
    expect(words({ path: '/.well-known/*' })).toBe('GET /.well-known/jwks.json');
    expect(words({ path: '/nowhere/*/x', method: 'PUT' })).toBe('PUT /nowhere/x/x');
  });

  it('has the members that the rule matches, even when no such client is registered', () => {
    const request = testRequestFor({ match: { ...TOKEN, grant_type: 'g', client_id: 'nobody' } }, [
      demo,
    ]);
    expect(request).toEqual({
      kind: 'plain',
      wire: {
        method: 'POST',
        path: '/oauth/token',
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        body: 'grant_type=g&client_id=nobody',
      },
    });
    expect(words({ path: '/userinfo', client_id: 'nobody' })).toBe(
      'GET /userinfo?client_id=nobody',
    );
    expect(words(TOKEN, [])).toBe('POST /oauth/token');
  });
});

it('the test of a rule that waits for its response is shown, and can be cancelled, after a reset', async () => {
  await openPage(await startHarness());
  const rule = faultState();
  const tested = testRule(rule);
  change(withReset);
  const shown = ruleTests.getState()[rule.id];
  if (shown?.state !== 'waiting') throw new Error('the test does not wait');
  shown.cancel();
  await tested;
  expect(ruleTests.getState()).toEqual({});
});
