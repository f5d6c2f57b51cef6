// The walk through the flow without a page: requests, messages, mistakes and saved flows.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { isRejected, redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import { apiOutcome } from '../../src/renderer/views/flow/meaning.ts';
import {
  afterReset,
  restarted,
  startingFlow,
  withRepeated,
} from '../../src/renderer/views/flow/flow-state.ts';
import { replayInWords } from '../../src/renderer/views/flow/run-results.ts';
import { readKept, type SavedFlow } from '../../src/renderer/saved/saved.ts';
import { messageInWords } from '../../src/renderer/sequence/message.ts';
import { messageOf, messagesOf } from '../../src/renderer/views/flow/messages.ts';
import { exchangeOf, type ExchangeMembers } from '../support/exchanges.ts';

const NOW = '2026-03-01T10:00:00.000Z';
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

describe('responses', () => {
  it('RFC 6749 4.1.2.1: a redirect with an error counts as rejected, whatever its status', () => {
    const refused = redirect('http://localhost/cb?error=access_denied', { error: 'access_denied' });
    expect(isRejected(refused)).toBe(true);
    expect(isRejected(redirect('http://localhost/cb?code=x'))).toBe(false);
    expect(isRejected(exchangeOf({ status: 0 }))).toBe(true);
  });

  it('the code is read from a redirect, even after the app’s own query', () => {
    expect(redirectAnswerOf(redirect('http://localhost/cb?a=b&code=x#y'))?.get('code')).toBe('x');
    expect(redirectAnswerOf(redirect('http://localhost/cb'))).toBeNull();
    expect(redirectAnswerOf(exchangeOf({}))).toBeNull();
  });

  it('a userinfo response is summarized by its claims, or by the reason it failed', () => {
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
    expect(apiOutcome(bad)).toMatchObject({ status: 'rejected', text: 'revoked at 10:00:00' });
  });
});

describe('messages', () => {
  const passed = (id: Exchange['trace'][number]['id'], got: string | null) => ({
    ...{ id, got, rule: '', section: '', expected: null, note: null },
    ...{ verdict: 'passed' as const, tolerated: false },
  });

  it('a sign-in page, its submitted form and the code are each described as such', () => {
    const page = { reason: 'OK', headers: [['Content-Type', 'text/html; charset=utf-8']] } as const;
    const asked = messageFor({
      method: 'GET',
      path: '/authorize?client_id=demo-app',
      sign_in: { form: 'form', scopes: [], authentication: 'none', one_time_code: null },
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
      issued: [{ kind: 'code', id: '1.1', lineage_id: '1' }],
      trace: [passed('form', null), passed('user', 'ada'), passed('consent', 'openid profile')],
    });
    expect(approved).toMatchObject({
      request: 'POST /authorize · decision approve',
      reply: '303 code abc…op',
      rejected: false,
      notes: [{ text: 'ada approved openid profile', tone: 'muted' }],
    });
  });

  it('a request with a Bearer token is drawn to the API’s lane and names the user', () => {
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

  it.each([
    [{}, '200 access token'],
    [{ refresh_token: 'r' }, '200 access and refresh token'],
    [{ id_token: 'i' }, '200 access and ID token'],
    [{ refresh_token: 'r', id_token: 'i' }, '200 access, refresh and ID token'],
  ])('a token response with %j is described as %j', (others, reply) => {
    const body = JSON.stringify({ access_token: 'a', ...others });
    expect(messageFor({ path: '/oauth/token', response: { body } })).toMatchObject({
      reply,
      from: 0,
      to: 2,
    });
  });

  it.each([
    ['/.well-known/jwks.json', [3, 2]],
    ['/.well-known/openid-configuration', [0, 1]],
    ['/oauth/par', [0, 1]],
    ['/device', [0, 1]],
    ['/logout', [0, 1]],
    ['/oauth/introspect', [0, 2]],
    ['/api/orders', [0, 3]],
  ] as const)('a request of %s has these lanes: %j', (path, lanes) => {
    const { from, to } = messageFor({ method: 'GET', path });
    expect([from, to]).toEqual(lanes);
  });

  it('behaviour 8: a message without a response is not a success, and names the fault', () => {
    const fault = { id: 'f', name: 'Dropped', what: 'Closed the connection.' };
    const lost = messageFor({ status: 0, fault });
    expect(lost).toMatchObject({ reply: 'no response', tone: 'bad', rejected: true });
    expect(messageInWords(lost, '10:00:00')).toContain(
      'no response. Injected fault “Dropped”: Closed the connection.',
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

  it('behaviour 6: a move of the clock is noted at the first message after it', () => {
    expect(notes(at(1, 0), at(2, 86_400), at(3, 86_400.2), at(4, 0))).toEqual([
      [],
      ['the clock was moved 1 d ahead'],
      [],
      ['the clock was moved 1 d back'],
    ]);
  });

  it('a frozen clock that falls behind does not count as moved', () => {
    expect(notes(at(1, 0), at(2, -30, true), at(3, -60, true))).toEqual([[], [], []]);
  });
});

const saved = (name: string, saved_at = NOW): SavedFlow => ({
  saved_at,
  scenario: { name, steps: [{ issue_tokens: {} }] },
});

describe('saved flows', () => {
  it('are read back as they were written, including members of a scenario that the list does not show', () => {
    const flow = { saved_at: NOW, scenario: { ...saved('a').scenario, format: 'any' } };
    expect(readKept('flow', JSON.stringify({ flows: [flow] }))).toEqual([flow]);
  });

  it.each([
    ['nothing', null],
    ['broken JSON', '{'],
    ['a list', '[]'],
    ['flows of another version', '{"flows":[{"name":"x","steps":[]}]}'],
  ])('%s loads as an empty list', (_what, stored) => {
    expect(readKept('flow', stored)).toEqual([]);
  });

  it('a flow that cannot be read does not remove the others', () => {
    const flows = [{ name: 1 }, saved('Checkout')];
    expect(readKept('flow', JSON.stringify({ flows }))).toEqual([saved('Checkout')]);
  });
});

describe('the description of a replay’s result', () => {
  it('names the step it stopped at and the number of steps that were not run', () => {
    expect(replayInWords({ name: 'x', steps: 3, failure: null })).toBe('3 steps, all as expected.');
    const failure = {
      step: 2,
      title: 'Refresh',
      message: '1 value differs from what was expected',
      differences: [],
      about: null,
    };
    expect(replayInWords({ name: 'x', steps: 3, failure })).toBe(
      'it stopped at step 2 of 3, Refresh: 1 value differs from what was expected. 1 later step was not run.',
    );
  });
});

describe('a request that a step repeats', () => {
  it('is drawn as one message while its responses are equal', () => {
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
  it('behaviour 2: ends the walk and keeps its access token as a token of the former epoch', () => {
    const reset = afterReset({ ...startingFlow(), variables: { access_token: 'old' } });
    expect(reset).toMatchObject({ variables: {}, held: {}, former_token: 'old', events: [] });
    expect(afterReset(reset).former_token).toBe('old');
    expect(restarted(reset).former_token).toBe('old');
  });
});
