// The walk through the flow without a page: requests, messages, mistakes and saved flows.

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { deviceOf, isRejected, redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import { apiOutcome } from '../../src/renderer/views/flow/meaning.ts';
import {
  afterReset,
  isFull,
  isUsable,
  restarted,
  startingFlow,
  valueOf,
  withClient,
  withEvent,
  withGrant,
  withLaterStepsOpen,
  withProvided,
  withRepeated,
  withStep,
  withVerdict,
  type FlowState,
  type Held,
} from '../../src/renderer/views/flow/flow-state.ts';
import { startingDocument, withMember } from '../../src/renderer/views/flow/flow-document.ts';
import type { DeviceDecision } from '../../src/renderer/recording/recording.ts';
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

  it('RFC 8628 3.2: a device authorization is read at any path of its endpoint', () => {
    const body = JSON.stringify({ device_code: 'd', user_code: 'BCDF-GHJK', expires_in: 60 });
    const members = { path: '/tenant/oauth/device_authorization', response: { body } } as const;
    const device = deviceOf(exchangeOf({ ...members, endpoint: 'device_authorization' }));
    expect(device).toMatchObject({
      user_code: 'BCDF-GHJK',
      expires_at: '2026-03-01T10:01:00.000Z',
    });
    expect(deviceOf(exchangeOf({ ...members, endpoint: null }))).toBeNull();
  });

  it('a userinfo response is summarized by its claims, or by the reason it failed', () => {
    const body = JSON.stringify({ sub: 'ada', name: 'Ada', email: 'a@b.c' });
    const good = exchangeOf({ method: 'GET', path: '/userinfo', response: { body } });
    expect(apiOutcome(good)).toEqual({
      status: 'ok',
      badge: '200',
      text: 'sub ada · 2 more claims',
    });
    const least = exchangeOf({ path: '/userinfo', response: { body: '{"sub":"ada"}' } });
    expect(apiOutcome(least).text).toBe('sub ada');
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
    id,
    got,
    rule: '',
    section: '',
    expected: null,
    note: null,
    verdict: 'passed' as const,
    tolerated: false,
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

  it.each([
    [{ path: '/realms/sandbox/protocol/openid-connect/certs', endpoint: 'jwks' }, [3, 2]],
    [{ path: '/oauth2/v1/authorize', endpoint: 'authorize' }, [0, 1]],
    [{ path: '/oidc/userinfo', endpoint: 'userinfo' }, [0, 3]],
    [{ path: '/.well-known/oauth-protected-resource', endpoint: 'resource_metadata' }, [0, 3]],
    // A path of the app, which looks like one of the sandbox.
    [{ path: 'http://localhost:3000/token', endpoint: null, sent_by: 'server' }, [1, 0]],
  ] as const)('lanes depend on the endpoint, not on its path: %j %j', (members, lanes) => {
    const { from, to } = messageFor(members);
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

/** A request of a step, to be drawn. */
const requestOf = (step: 'code' | 'exchange' | 'refresh', status: number, number: number) => ({
  kind: 'exchange' as const,
  step,
  exchange: exchangeOf({ status, number }),
  verdict: null,
});

describe('a request that a step repeats', () => {
  const repeated = (...responses: readonly (readonly [status: number, number: number])[]) =>
    responses.map(([status, number]) => requestOf('refresh', status, number));

  it('is drawn as one message while its responses are equal', () => {
    const events = repeated([200, 4], [200, 5], [200, 6], [429, 7]);
    const state = events.reduce(withRepeated, startingFlow());
    expect(state.events).toEqual([
      {
        id: 1,
        kind: 'burst',
        step: 'refresh',
        count: 3,
        first: 4,
        exchange: exchangeOf({ status: 200, number: 6 }),
      },
      { ...requestOf('refresh', 429, 7), id: 2 },
    ]);
    expect(state.selected).toBe(2);
  });

  it('is drawn after the earlier messages, which stay as they are', () => {
    const earlier = [requestOf('code', 200, 2), requestOf('code', 302, 3)];
    const state = repeated([200, 4], [200, 5]).reduce(
      withRepeated,
      earlier.reduce(withEvent, startingFlow()),
    );
    expect(state.events).toEqual([
      { ...requestOf('code', 200, 2), id: 1 },
      { ...requestOf('code', 302, 3), id: 2 },
      {
        id: 3,
        kind: 'burst',
        step: 'refresh',
        count: 2,
        first: 4,
        exchange: exchangeOf({ status: 200, number: 5 }),
      },
    ]);
  });

  it('is a message of its own after another step with the same status', () => {
    const exchanged = withEvent(startingFlow(), requestOf('exchange', 200, 3));
    expect(withRepeated(exchanged, requestOf('refresh', 200, 4)).events).toEqual([
      { ...requestOf('exchange', 200, 3), id: 1 },
      { ...requestOf('refresh', 200, 4), id: 2 },
    ]);
  });

  it.each([
    [{}, { request: 'POST /oauth/token × 3', reply: '200 each', tone: 'ok', from: 0, to: 2 }],
    [
      { method: 'GET', path: '/userinfo?a=b' },
      { request: 'GET /userinfo × 3', reply: '200 each', tone: 'ok', from: 0, to: 3 },
    ],
    [
      { status: 400, error: 'invalid_grant' },
      { request: 'POST /oauth/token × 3', reply: '400 each', tone: 'bad', from: 0, to: 2 },
    ],
  ] as const)('is drawn as what it is: %o', (members, expected) => {
    const exchange = exchangeOf({ number: 6, ...members });
    const message = messageOf({
      id: 1,
      kind: 'burst',
      step: 'refresh',
      count: 3,
      first: 4,
      exchange,
    });
    const notes = [{ text: '3 requests, #4 to #6', tone: 'muted' }];
    const rejected = isRejected(exchange);
    expect(message).toEqual({ id: 1, at: exchange.at, ...expected, notes, rejected });
  });

  it('is a message of its own after an action over the control API, which has no response', () => {
    const decision = {
      kind: 'decision',
      at: NOW,
      decision: 'approve',
      user_code: 'ABCD-EFGH',
      client_id: 'app',
      sub: 'ada',
      scope: 'openid',
    } as DeviceDecision;
    const decided = withEvent(startingFlow(), decision);
    expect(withRepeated(decided, requestOf('refresh', 200, 4)).events).toEqual([
      { ...decision, id: 1 },
      { ...requestOf('refresh', 200, 4), id: 2 },
    ]);
  });
});

describe('the diagram', () => {
  it('selects each new message and shows why it was answered so', () => {
    const before = { ...startingFlow(), tab: 'token', next_id: 7 } as const;
    const state = withEvent(before, requestOf('code', 302, 3));
    expect(state).toEqual({
      ...before,
      events: [{ ...requestOf('code', 302, 3), id: 7 }],
      selected: 7,
      next_id: 8,
      tab: 'why',
    });
  });

  it('keeps the newest 200 messages', () => {
    let state = startingFlow();
    for (let number = 1; number <= 201; number += 1) {
      state = withEvent(state, requestOf('code', 302, number));
    }
    const ids = state.events.map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1), state.selected]).toEqual([200, 2, 201, 201]);
    expect(isFull(state)).toBe(true);
    expect(isFull(startingFlow())).toBe(false);
  });
});

const PASSED = {
  id: 'used_code',
  title: 'Used code',
  section: 'spec 4.1.1',
  expected: '400 invalid_grant',
  actual: '400 invalid_grant',
  passed: true,
} as const;
const OK = { status: 'ok', badge: '200', text: null } as const;
const TODO = { status: 'todo', badge: null, text: null } as const;

describe('the verdict on a deliberate mistake', () => {
  it('belongs to its step and to the newest message', () => {
    const events = [3, 4, 5].map((number) => requestOf('exchange', 400, number));
    const state = withVerdict(events.reduce(withEvent, startingFlow()), 'exchange', PASSED);
    expect(state.events).toEqual([
      { ...requestOf('exchange', 400, 3), id: 1 },
      { ...requestOf('exchange', 400, 4), id: 2 },
      { ...requestOf('exchange', 400, 5), id: 3, verdict: PASSED },
    ]);
    expect(state.verdicts).toEqual({ exchange: PASSED });
  });

  it('is not drawn at a message that is no single request', () => {
    const burst = [requestOf('refresh', 200, 4), requestOf('refresh', 200, 5)];
    const drawn = burst.reduce(withRepeated, startingFlow());
    const state = withVerdict({ ...drawn, verdicts: { code: PASSED } }, 'refresh', PASSED);
    expect(state.events).toEqual(drawn.events);
    expect(state.verdicts).toEqual({ code: PASSED, refresh: PASSED });
  });

  it('is kept for a step without any message', () => {
    const state = withVerdict(startingFlow(), 'exchange', PASSED);
    expect([state.events, state.verdicts]).toEqual([[], { exchange: PASSED }]);
  });
});

describe('the outcome of a step', () => {
  it('opens its card, and replaces the verdict on its last mistake', () => {
    const before = { ...startingFlow(), verdicts: { code: PASSED, exchange: PASSED } };
    expect(withStep(before, 'exchange', OK)).toEqual({
      ...before,
      active: 'exchange',
      steps: { ...before.steps, exchange: OK },
      verdicts: { code: PASSED },
    });
  });

  it('that provides credentials resets the later steps of the walk and all verdicts', () => {
    const steps = { ...startingFlow().steps };
    for (const id of ['client', 'code', 'exchange', 'token', 'refresh', 'api'] as const)
      steps[id] = OK;
    const before = { ...startingFlow(), steps, verdicts: { code: PASSED } };
    expect(withLaterStepsOpen(before, 'exchange')).toEqual({
      ...before,
      steps: { ...steps, token: TODO, refresh: TODO, api: TODO },
      verdicts: {},
    });
  });
});

describe('the credentials of a flow', () => {
  /** What is known of a credential, besides whether it is spent. */
  const about = (event: number): Omit<Held, 'spent'> => ({
    client_id: 'app',
    sub: 'ada',
    expires_at: NOW,
    bound: false,
    event,
  });
  const coded = () => withProvided(startingFlow(), 'code', { code: 'c1' }, about(1));
  const VARIABLES = { code: 'c1', access_token: 'a1', refresh_token: 'r1' };
  const exchanged = () => withProvided(coded(), 'exchange', VARIABLES, about(2));

  it('are held with their client and user, until a step uses them up', () => {
    expect(coded().held).toEqual({ code: { ...about(1), spent: false } });
    expect(exchanged().held).toEqual({
      code: { ...about(1), spent: true },
      access_token: { ...about(2), spent: false },
      refresh_token: { ...about(2), spent: false },
    });
    expect(exchanged().variables).toEqual(VARIABLES);
  });

  it('are dropped when the next response of their step has none, since they belong to another authorization', () => {
    const next = { ...VARIABLES, access_token: 'a2' };
    const state = withProvided(exchanged(), 'exchange', next, about(3));
    expect(state.held).toEqual({
      code: { ...about(1), spent: true },
      access_token: { ...about(3), spent: false },
    });
    expect(state.variables).toEqual({ code: 'c1', access_token: 'a2' });
  });

  it('RFC 6749 6: are replaced by a refresh as far as its response has new ones', () => {
    const next = { ...VARIABLES, access_token: 'a2' };
    const state = withProvided(exchanged(), 'refresh', next, about(3));
    expect(state.held).toEqual({
      ...exchanged().held,
      access_token: { ...about(3), spent: false },
    });
    expect(state.variables).toEqual(next);
  });

  it('are not changed by a step that neither provides nor renews them, but its other variables are stored', () => {
    const state = withProvided(exchanged(), 'api', { ...VARIABLES, code: 'c2', seen: 1 }, about(3));
    expect(state.held).toEqual(exchanged().held);
    expect(state.variables).toEqual({ ...VARIABLES, seen: 1 });
  });

  it('are not held when they were typed, even if a step spends them', () => {
    const state = withProvided(startingFlow(), 'exchange', { access_token: 'a1' }, about(1));
    expect(state.held).toEqual({ access_token: { ...about(1), spent: false } });
  });

  it('are not spent by a step that sent a typed one', () => {
    const path = ['token', 'fields', 'code'];
    const document = withMember(startingDocument(), 'exchange', path, 'typed');
    const state = withProvided({ ...coded(), document }, 'exchange', VARIABLES, about(2));
    expect(state.held.code?.spent).toBe(false);
  });

  it('have a value only if the variable is a text', () => {
    expect(valueOf(exchanged(), 'access_token')).toBe('a1');
    expect(valueOf(exchanged(), 'device_code')).toBeNull();
    expect(valueOf({ variables: { code: 5 } }, 'code')).toBeNull();
  });

  const party = (client_id: string | null, sub: string | null) =>
    ({
      client: client_id === null ? null : { client_id },
      user: sub === null ? null : { sub },
    }) as Parameters<typeof isUsable>[2];
  const own = party('app', 'ada');
  const nobodys = () => ({
    variables: { access_token: 'a1' },
    held: { access_token: { ...about(1), client_id: null, sub: null, spent: false } },
  });

  it.each([
    ['an unspent one, for its client and user', exchanged, 'access_token', own, true],
    ['not a spent one', exchanged, 'code', own, false],
    ['not one that no step provided', exchanged, 'device_code', own, false],
    ['not for another client', exchanged, 'access_token', party('other', 'ada'), false],
    ['not for another user', exchanged, 'access_token', party('app', 'bob'), false],
    ['not without a client', exchanged, 'access_token', party(null, 'ada'), false],
    ['not without a user', exchanged, 'access_token', party('app', null), false],
    [
      'one of neither client nor user, for neither',
      nobodys,
      'access_token',
      party(null, null),
      true,
    ],
    ['not without a value', () => ({ ...exchanged(), variables: {} }), 'access_token', own, false],
  ] as const)('are usable: %s', (_what, made, credential, choice, usable) => {
    expect(isUsable(made(), credential, choice)).toBe(usable);
  });
});

describe('a flow that starts over', () => {
  const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
  const running = { next_id: 9, running: 'all', stopping: new AbortController() } as const;
  const lasting = { ...running, replaying: 'Checkout', former_token: 'old' };
  const walked: FlowState = {
    ...withVerdict(withStep(startingFlow(), 'code', OK), 'code', PASSED),
    ...lasting,
    document: { ...startingDocument(), client_id: 'app', sub: 'ada' },
    events: [{ ...requestOf('code', 302, 3), id: 8 }],
    selected: 8,
    editing: 'code',
    variables: { code: 'c' },
    name: 'Checkout',
  };

  it('has nothing sent and nothing held, and continues the ids of its messages and its run', () => {
    expect(startingFlow()).toEqual({
      document: startingDocument(),
      steps: Object.fromEntries(Object.keys(startingDocument().steps).map((id) => [id, TODO])),
      events: [],
      next_id: 1,
      selected: null,
      tab: 'why',
      active: 'client',
      editing: null,
      running: null,
      stopping: null,
      variables: {},
      held: {},
      device: null,
      read: null,
      former_token: null,
      verdicts: {},
      mistake_run: null,
      person: null,
      name: null,
      sandbox: null,
      first_sandbox: null,
      replayed: null,
      replaying: null,
      unreadable: null,
      comparison: null,
      choosing: false,
    });
    const { document } = walked;
    expect(restarted(walked)).toEqual({ ...startingFlow(document), ...lasting });
  });

  it('has the other client or grant, and keeps the user', () => {
    const { document, ...kept } = withClient(walked, 'other');
    expect(document).toEqual({ ...startingDocument(), client_id: 'other', sub: 'ada' });
    const { document: _former, ...fresh } = restarted(walked);
    expect(kept).toEqual(fresh);

    const device = withGrant(walked, DEVICE, 'tv');
    expect(device).toEqual({
      ...fresh,
      document: { ...startingDocument(DEVICE), client_id: 'tv', sub: 'ada' },
    });
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
