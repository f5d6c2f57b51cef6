// The walk through the flow without a page: what is sent, how messages read, mistakes, what is saved.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { isRefused, redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import { apiOutcome } from '../../src/renderer/views/flow/api-outcome.ts';
import {
  afterReset,
  restarted,
  startingFlow,
  withEvent,
  withInputs,
  type FlowInputs,
  type FlowState,
  type StepId,
} from '../../src/renderer/views/flow/flow-state.ts';
import {
  answerInWords,
  expectationOf,
  judge,
  type Mistake,
  type Rules,
} from '../../src/renderer/views/flow/mistake.ts';
import {
  findMistake,
  isBreakable,
  MISTAKES,
  type BreakableStep,
} from '../../src/renderer/views/flow/mistakes.ts';
import {
  inputsOf,
  MOST_FLOWS,
  nameProblem,
  readFlows,
  savedFlow,
  withFlow,
} from '../../src/renderer/views/flow/saved-flow.ts';
import { cameOf, differences, withEntry } from '../../src/renderer/views/flow/script.ts';
import {
  messageInWords,
  messageOf,
  messagesOf,
} from '../../src/renderer/views/flow/sequence/message.ts';
import { client, user } from '../support/core.ts';
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
    expect(lost).toMatchObject({ reply: 'no answer', tone: 'bad', refused: true });
    expect(messageInWords(lost, '10:00:00')).toContain(
      'no answer. fault on demand: Closed the connection.',
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

  it('there are more than twenty of them, at four steps', () => {
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
  ] as const)('%s, %s: under %o %s is announced', (step, id, rules, words) => {
    const expected = expectationOf(findMistake(step, id)!, { ...RULES, ...rules });
    expect(answerInWords(expected)).toBe(words);
  });

  it('a verdict compares status and error, and tells what came', () => {
    const mistake = findMistake('api', 'no_token')!;
    const expected = expectationOf(mistake, RULES);
    const judged = (exchange: ExchangeMembers) => judge(mistake, expected, exchangeOf(exchange));
    expect(judged({ status: 401, error: 'invalid_token' }).came).toBe(true);
    const other = judged({ path: '/userinfo', response: { body: '{"sub":"ada"}' } });
    expect(other.came).toBe(false);
    expect(answerInWords(other.got)).toBe('200 with claims');
    expect(answerInWords(judged({ status: 0 }).got)).toBe('no answer');
  });
});

const SECRETS: Partial<FlowInputs> = {
  exchange_secret: 'hush-secret',
  exchange_code: 'hush-code',
  refresh_secret: 'hush-again',
  refresh_token: 'hush-refresh',
  api_token: 'hush-token',
};

const MEANT = { client: client(), user: user() };

const walked = (state: FlowState = startingFlow()) =>
  withEntry(withEntry(state, { step: 'client', mistake: null, came: null }), {
    step: 'api',
    mistake: 'revoked',
    came: { status: 401, error: 'invalid_token' },
  });

describe('the script of a walk', () => {
  it('remembers what the step came to, not what another step or an earlier run did', () => {
    const sent = (state: FlowState, step: StepId, members: ExchangeMembers) =>
      withEvent(state, { kind: 'exchange', step, exchange: exchangeOf(members), verdict: null });
    const earlier = sent(startingFlow(), 'refresh', { status: 200 });
    const since = earlier.next_id;
    expect(cameOf(earlier, 'refresh', since)).toBeNull();
    const later = sent(sent(earlier, 'refresh', { status: 400, error: 'invalid_grant' }), 'api', {
      status: 200,
    });
    expect(cameOf(later, 'refresh', since)).toEqual({ status: 400, error: 'invalid_grant' });
  });

  it('tells where a replay came out differently', () => {
    const before = walked().script;
    expect(differences(before, before)).toEqual([]);
    const now = [before[0]!, { ...before[1]!, came: { status: 200, error: null } }];
    expect(differences(before, now)).toEqual([
      { entry: before[1], now: { status: 200, error: null } },
    ]);
    expect(differences(before, before.slice(0, 1))).toEqual([{ entry: before[1], now: null }]);
  });

  it('begins anew with the diagram', () => {
    expect(restarted(walked()).script).toEqual([]);
  });
});

describe('a saved flow', () => {
  const state = walked(withInputs(startingFlow(), { ...SECRETS, scope: 'openid', pkce: true }));

  it('holds steps and inputs, the client that was meant, and no secret, code or token', () => {
    const saved = savedFlow('  Checkout  ', state, MEANT, NOW);
    expect(saved).toMatchObject({
      name: 'Checkout',
      inputs: { client_id: 'demo-app', sub: 'ada', scope: 'openid', pkce: true },
      script: [{ step: 'client' }, { step: 'api', mistake: 'revoked' }],
    });
    expect(JSON.stringify(saved)).not.toContain('hush');
    expect(inputsOf(saved)).toMatchObject({
      scope: 'openid',
      exchange_secret: null,
      api_token: null,
    });
  });

  it('is read back as it was written', () => {
    const saved = savedFlow('Checkout', state, MEANT, NOW);
    expect(readFlows(JSON.stringify([saved]))).toEqual([saved]);
  });

  it.each([
    ['nothing', null],
    ['broken JSON', '[{'],
    ['no list', '{"name":"x"}'],
    ['a flow of another version', '[{"name":"x","steps":[]}]'],
  ])('%s is read as none', (_what, stored) => {
    expect(readFlows(stored)).toEqual([]);
  });

  it('one that cannot be read leaves the others', () => {
    const saved = savedFlow('Checkout', state, MEANT, NOW);
    expect(readFlows(JSON.stringify([{ name: 1 }, saved]))).toEqual([saved]);
  });

  it('replaces the one of its name; one that is put back stands where it was', () => {
    const named = (name: string, saved_at = NOW) => savedFlow(name, state, MEANT, saved_at);
    const names = (flows: ReturnType<typeof withFlow>) => flows.map(({ name }) => name);
    expect(names(withFlow([named('a'), named('b')], named('b')))).toEqual(['b', 'a']);
    const older = named('b', '2026-02-01T10:00:00.000Z');
    const oldest = named('c', '2026-01-01T10:00:00.000Z');
    expect(names(withFlow([named('a'), oldest], older))).toEqual(['a', 'b', 'c']);
  });

  it('needs a name that is not too long', () => {
    expect(nameProblem('  ', [])).toBe('Give it a name.');
    expect(nameProblem('x'.repeat(81), [])).toBe('At most 80 characters.');
    expect(nameProblem('x', [])).toBeNull();
  });

  it('is refused when there is no room for it, and none is lost for it', () => {
    const many = Array.from({ length: MOST_FLOWS }, (_, index) =>
      savedFlow(`f${index}`, state, MEANT, NOW),
    );
    expect(nameProblem('new', many)).toBe('50 flows are kept already: delete one first.');
    expect(nameProblem(' f0 ', many)).toBeNull();
  });
});

describe('a reset of the sandbox', () => {
  it('behaviour 2: ends the walk and keeps its access token as one of another epoch', () => {
    const tokens = { access_token: 'old', refresh_token: null, event: 1 };
    const reset = afterReset({ ...walked(), tokens });
    expect(reset).toMatchObject({ tokens: null, former_token: 'old', script: [] });
    expect(afterReset(reset).former_token).toBe('old');
    expect(restarted(reset).former_token).toBe('old');
  });
});
