// The walk through the flow without a page: what is sent, how messages read, mistakes, what is saved.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { isRefused, redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import { apiOutcome } from '../../src/renderer/views/flow/api-outcome.ts';
import {
  afterReset,
  restarted,
  startingFlow,
  withRepeated,
} from '../../src/renderer/views/flow/flow-state.ts';
import type { StepId } from '../../src/renderer/views/flow/flow-steps.ts';
import { answerInWords } from '../../src/renderer/views/flow/mistakes/answers.ts';
import {
  expectationOf,
  verdictOf,
  type Rules,
} from '../../src/renderer/views/flow/mistakes/verdict.ts';
import type { Mistake } from '../../src/renderer/views/flow/mistakes/mistake.ts';
import {
  findMistake,
  isBreakable,
  MISTAKES,
  type BreakableStep,
} from '../../src/renderer/views/flow/mistakes/by-step.ts';
import { replayInWords } from '../../src/renderer/views/flow/replay-words.ts';
import { readKept, type SavedFlow } from '../../src/renderer/saved/saved-flow.ts';
import { messageInWords } from '../../src/renderer/sequence/message.ts';
import { messageOf, messagesOf } from '../../src/renderer/views/flow/sequence/message.ts';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';

const NOW = '2026-03-01T10:00:00.000Z';
const RULES: Rules = { profile: 'documented', dialect: 'rfc6749', mode: 'consent' };
const STEPS = Object.keys(MISTAKES) as BreakableStep[];
const mistakesOf = (step: BreakableStep): readonly Mistake[] =>
  MISTAKES[step].flatMap(({ mistakes }) => [...mistakes]);

const messageFor = (exchange: ExchangeMembers) =>
  messageOf({
    id: 1,
    kind: 'exchange',
    step: 'code',
    exchange: exchangeOf(exchange),
    verdict: null,
  });

const redirect = (location: string, members: ExchangeMembers = {}): Exchange =>
  exchangeOf({
    method: 'GET',
    path: '/authorize?response_type=code',
    status: 302,
    response: { reason: 'Found', headers: [['Location', location]] },
    ...members,
  });

describe('answers', () => {
  it('RFC 6749 4.1.2.1: a redirect with an error is a refusal, whatever its status', () => {
    const refused = redirect('http://localhost/cb?error=access_denied', { error: 'access_denied' });
    expect(isRefused(refused)).toBe(true);
    expect(isRefused(redirect('http://localhost/cb?code=x'))).toBe(false);
    expect(isRefused(exchangeOf({ status: 0 }))).toBe(true);
  });

  it('the code is read out of a redirect, behind any query of the app’s own', () => {
    expect(redirectAnswerOf(redirect('http://localhost/cb?a=b&code=x#y'))?.get('code')).toBe('x');
    expect(redirectAnswerOf(redirect('http://localhost/cb'))).toBeNull();
    expect(redirectAnswerOf(exchangeOf({}))).toBeNull();
  });

  it('a call to userinfo is told by its claims, or by why it failed', () => {
    const body = JSON.stringify({ sub: 'ada', name: 'Ada', email: 'a@b.c' });
    const good = exchangeOf({ method: 'GET', path: '/userinfo', response: { body } });
    expect(apiOutcome(good)).toEqual({
      status: 'ok',
      badge: '200',
      text: 'sub ada · 2 more claims',
    });
    const bad = exchangeOf({
      path: '/userinfo',
      status: 401,
      error: 'invalid_token',
      cause: 'revoked at 10:00:00',
    });
    expect(apiOutcome(bad)).toMatchObject({ status: 'refused', text: 'revoked at 10:00:00' });
  });
});

describe('messages', () => {
  it('a sign-in page, the form that answers it and the code read as what they are', () => {
    const page = { reason: 'OK', headers: [['Content-Type', 'text/html; charset=utf-8']] } as const;
    const asked = messageFor({
      method: 'GET',
      path: '/authorize?client_id=demo-app',
      sign_in: { form: 'form', scopes: [] },
      response: { ...page, headers: [...page.headers.map(([...pair]) => pair)] },
    });
    expect([asked.request, asked.reply, asked.from, asked.to]).toEqual([
      'GET /authorize',
      '200 sign-in page',
      0,
      1,
    ]);
    const approved = messageFor({
      path: '/authorize',
      status: 303,
      request: { body: 'grantbench_form=f&sub=ada&scope=openid&scope=profile&decision=approve' },
      response: { headers: [['Location', 'http://localhost/cb?code=abcdefghijklmnop']] },
    });
    expect(approved).toMatchObject({
      request: 'POST /authorize · decision approve',
      reply: '303 code abc…op',
      refused: false,
      notes: [{ text: 'ada approved openid profile', tone: 'muted' }],
    });
  });

  it('a call with a Bearer token goes to the API’s lane and names the user', () => {
    const call = messageFor({
      method: 'GET',
      path: '/userinfo',
      request: { headers: [['Authorization', 'Bearer abcdefghijklmnopq']] },
      response: { body: '{"sub":"ada"}' },
    });
    expect([call.request, call.reply, call.from, call.to]).toEqual([
      'GET /userinfo · Bearer abc…pq',
      '200 claims of ada',
      0,
      3,
    ]);
  });

  it('behaviour 8: without an answer a message is no success, and says by which fault', () => {
    const fault = { id: 'f', name: 'Dropped', what: 'Closed the connection.' };
    const lost = messageFor({ status: 0, fault });
    expect(lost).toMatchObject({ reply: 'no response', tone: 'bad', refused: true });
    expect(messageInWords(lost, '10:00:00')).toContain(
      'no response. injected fault: Closed the connection.',
    );
  });
});

describe('the clock between messages', () => {
  const at = (id: number, offset_seconds: number, frozen = false) =>
    ({
      id,
      kind: 'exchange',
      step: 'refresh',
      exchange: exchangeOf({ clock: { now: NOW, frozen, offset_seconds } }),
      verdict: null,
    }) as const;
  const notes = (...events: Parameters<typeof messagesOf>[0][number][]) =>
    messagesOf(events).map((message) => message.notes.map(({ text }) => text));

  it('behaviour 6: a move of the clock stands at the first message after it', () => {
    expect(notes(at(1, 0), at(2, 86_400), at(3, 86_400.2), at(4, 0))).toEqual([
      [],
      ['the clock was moved 1 d ahead'],
      [],
      ['the clock was moved 1 d back'],
    ]);
  });

  it('a frozen clock that falls behind was not moved', () => {
    expect(notes(at(1, 0), at(2, -30, true), at(3, -60, true))).toEqual([[], [], []]);
  });
});

describe('mistakes', () => {
  it.each(STEPS)(
    'at %s each has an id of its own, and says what is sent and where it stands',
    (step) => {
      const all = mistakesOf(step);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      for (const mistake of all) {
        expect(findMistake(step, mistake.id)).toBe(mistake);
        expect(mistake.sends).not.toBe('');
        expect(mistake.section).toMatch(/behaviour|RFC|spec|OpenID/);
      }
    },
  );

  it('there are more than twenty of them, at seven steps', () => {
    expect(STEPS.flatMap(mistakesOf).length).toBeGreaterThan(20);
    expect(STEPS.every(isBreakable)).toBe(true);
    expect((['client', 'token', 'hammer'] satisfies StepId[]).some(isBreakable)).toBe(false);
    expect(findMistake('code', 'nothing of the kind')).toBeNull();
  });

  it.each([
    ['code', 'silent', { mode: 'auto' }, '302 with a code'],
    ['code', 'silent', { mode: 'deny' }, '302 access_denied'],
    ['code', 'unknown_scope', { profile: 'interop' }, '200 with the sign-in page'],
    ['code', 'unregistered_redirect', {}, '400 invalid_request'],
    ['api', 'without_openid', {}, '200 with claims'],
    ['api', 'without_openid', { profile: 'strict' }, '403 insufficient_scope'],
    ['api', 'in_query', { profile: 'strict' }, '400 invalid_request'],
    ['exchange', 'used_code', { dialect: 'auth0' }, '403 invalid_grant'],
    ['refresh', 'json_body', {}, '200 with tokens'],
  ] as const)('%s, %s: under %o %s is expected', (step, id, rules, words) => {
    const expected = expectationOf(findMistake(step, id)!, { ...RULES, ...rules });
    expect(answerInWords(expected)).toBe(words);
  });

  it('a verdict compares status and error, and has the actual response', () => {
    const mistake = findMistake('api', 'no_token')!;
    const expected = expectationOf(mistake, RULES);
    const judged = (exchange: ExchangeMembers) =>
      verdictOf(mistake, expected, exchangeOf(exchange));
    expect(judged({ status: 401, error: 'invalid_token' }).came).toBe(true);
    const other = judged({ path: '/userinfo', response: { body: '{"sub":"ada"}' } });
    expect(other.came).toBe(false);
    expect(answerInWords(other.got)).toBe('200 with claims');
    expect(answerInWords(judged({ status: 0 }).got)).toBe('no response');
  });
});

const saved = (name: string, saved_at = NOW): SavedFlow => ({
  saved_at,
  scenario: { name, steps: [{ issue_tokens: {} }] },
});

describe('saved flows', () => {
  it('are read back as they were written, members of a scenario that the list does not show too', () => {
    const flow = { saved_at: NOW, scenario: { ...saved('a').scenario, format: 'any' } };
    const kept = { flows: [flow], unconverted: [{ name: 'x', reason: 'y' }] };
    expect(readKept(JSON.stringify(kept))).toEqual(kept);
  });

  it.each([
    ['nothing', null],
    ['broken JSON', '{'],
    ['a list', '[]'],
    ['flows of another version', '{"flows":[{"name":"x","steps":[]}]}'],
  ])('%s is read as none', (_what, stored) => {
    expect(readKept(stored)).toEqual({ flows: [], unconverted: [] });
  });

  it('one that cannot be read leaves the others', () => {
    const flows = [{ name: 1 }, saved('Checkout')];
    expect(readKept(JSON.stringify({ flows })).flows).toEqual([saved('Checkout')]);
  });
});

describe('the result of a replay in words', () => {
  it('tells the step it stopped at, and how many were not run', () => {
    expect(replayInWords({ name: 'x', steps: 3, failure: null })).toBe('3 steps, all as expected.');
    const failure = {
      step: 2,
      title: 'Refresh',
      message: '1 value differs from what was expected',
      differences: [],
    };
    expect(replayInWords({ name: 'x', steps: 3, failure })).toBe(
      'it stopped at step 2 of 3, Refresh: 1 value differs from what was expected. 1 later step was not run.',
    );
  });
});

describe('a request that a step repeats', () => {
  it('is drawn as one message while its answers are alike', () => {
    const event = (status: number, number: number) => ({
      kind: 'exchange' as const,
      step: 'refresh' as const,
      exchange: exchangeOf({ status, number }),
      verdict: null,
    });
    const events = [event(200, 4), event(200, 5), event(200, 6), event(429, 7)];
    const state = events.reduce(withRepeated, startingFlow());
    expect(state.events).toMatchObject([
      { kind: 'burst', count: 3, first: 4, exchange: { number: 6 } },
      { kind: 'exchange', exchange: { number: 7 } },
    ]);
  });
});

describe('a reset of the sandbox', () => {
  it('behaviour 2: ends the walk and keeps its access token as one of another epoch', () => {
    const tokens = { access_token: 'old', refresh_token: null, bound: false, event: 1 };
    const reset = afterReset({ ...startingFlow(), tokens });
    expect(reset).toMatchObject({ tokens: null, former_token: 'old', events: [] });
    expect(afterReset(reset).former_token).toBe('old');
    expect(restarted(reset).former_token).toBe('old');
  });
});
