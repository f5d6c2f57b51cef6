// Steps and messages of the flow are selected together, and a complete run ends at the token.

import { describe, expect, it } from 'vitest';
import {
  selectedEvent,
  startingFlow,
  withEvent,
  withStep,
  type FlowEvent,
  type FlowState,
  stepOfEvent,
  tokenRead,
  withMessageSelected,
  withStepSelected,
  withTokenShown,
} from '../../src/renderer/views/flow/flow-state.ts';
import type { WalkStepId } from '../../src/scenario/walks.ts';
import { callbackUriOf, freshCallbackUri } from '../../src/renderer/views/flow/callback.ts';
import { exchangeOf } from '../support/exchanges.ts';

const TOKENS = JSON.stringify({ access_token: 'at', token_type: 'Bearer', expires_in: 60 });

const sent = (state: FlowState, step: WalkStepId, body = '') => {
  const exchange = exchangeOf({ response: { body } });
  return withEvent(state, { kind: 'exchange', step, exchange, verdict: null });
};

/** Messages 1 to 5: the sign-in page, its form, the exchange of the code, the keys, the API. */
function walked(): FlowState {
  let state = sent(sent(startingFlow(), 'code'), 'code');
  state = sent(sent(sent(state, 'exchange', TOKENS), 'token'), 'api');
  const read = withStep(state, 'token', { status: 'ok', badge: 'verified', text: null });
  return { ...read, active: 'api', read: 3 };
}

describe('a step and its message', () => {
  it.each([
    ['a code issued over control', { kind: 'issue' }, 'code'],
    ['a decision about a device authorization', { kind: 'decision' }, 'decide'],
    ['a credential ended for a mistake', { kind: 'ended', step: 'refresh' }, 'refresh'],
    ['a burst of equal responses', { kind: 'burst', step: 'refresh' }, 'refresh'],
  ] as const)('%s belongs to its step', (_what, event, step) => {
    expect(stepOfEvent(event as FlowEvent)).toBe(step);
  });

  it('a step selects its newest message', () => {
    const state = withStepSelected(walked(), 'code');
    expect([state.active, selectedEvent(state)?.id]).toEqual(['code', 2]);
  });

  it('a message selects its step, and closes the form of another step', () => {
    const editing = { ...walked(), editing: 'api' } as const;
    const other = withMessageSelected(editing, 3);
    expect([other.active, other.selected, other.editing]).toEqual(['exchange', 3, null]);
    const same = withMessageSelected(editing, 5);
    expect([same.active, same.selected, same.editing]).toEqual(['api', 5, 'api']);
  });

  it('a step that was not run does not change the selected message', () => {
    const state = withStepSelected(walked(), 'refresh');
    expect([state.active, state.selected]).toEqual(['refresh', 5]);
  });

  it('the step that reads the token selects the response that contains it, decoded', () => {
    const state = withStepSelected(walked(), 'token');
    expect([state.active, state.selected, state.tab]).toEqual(['token', 3, 'token']);
    expect(withTokenShown(walked())).toEqual(state);
    expect(tokenRead(state)).toBe('at');
  });

  it('a message without a token does not open on the token tab', () => {
    const shown = withTokenShown(walked());
    expect(withMessageSelected(shown, 1).tab).toBe('why');
    expect(withMessageSelected({ ...shown, tab: 'request' }, 1).tab).toBe('request');
    expect(withMessageSelected(shown, 3).tab).toBe('token');
    const ended = { kind: 'ended', step: 'refresh', at: '', how: 'revoke', value: 'r' } as const;
    const { events } = withEvent(shown, ended);
    expect(withMessageSelected({ ...shown, events }, 6).tab).toBe('why');
  });

  it('before the token was read, the step that reads it selects its own newest message', () => {
    const unread = { ...walked(), steps: startingFlow().steps };
    const state = withStepSelected(unread, 'token');
    expect([state.active, state.selected, state.tab]).toEqual(['token', 4, 'why']);
  });

  it('a step without messages opens its card, and closes the form of another step', () => {
    const editing = { ...walked(), editing: 'api' } as const;
    expect(withStepSelected(editing, 'refresh')).toEqual({
      ...editing,
      active: 'refresh',
      editing: null,
    });
    const fresh = { ...startingFlow(), editing: 'client' } as const;
    expect(withStepSelected(fresh, 'client')).toEqual(fresh);
  });

  it('a message that has left the diagram cannot be selected, nor its token shown', () => {
    const state = walked();
    expect(withMessageSelected(state, 99)).toEqual(state);
    expect(withTokenShown({ ...state, read: 99 })).toEqual({ ...state, read: 99 });
    expect([tokenRead({ ...state, read: 99 }), tokenRead({ ...state, read: 1 })]).toEqual([
      null,
      null,
    ]);
    expect(selectedEvent({ ...state, selected: 99 })).toBeNull();
    expect(selectedEvent(startingFlow())).toBeNull();
  });
});

describe('behaviour 7.22: where a code can be received', () => {
  const client = (application_type: 'web' | 'native', ...redirect_uris: string[]) => ({
    application_type,
    redirect_uris,
  });

  it.each([
    [
      client('web', 'https://app.example/cb', 'http://localhost:3000/cb'),
      'http://localhost:3000/cb',
    ],
    [client('web', 'http://localhost/cb'), null],
    [client('web', 'https://app.example/cb', 'app:/cb'), null],
    [client('web', 'http://127.0.0.1.example.com:3000/cb'), null],
    [client('native', 'http://127.0.0.1:8400/cb'), 'http://127.0.0.1/cb'],
    [client('native', 'app:/cb', 'http://[::1]/cb'), 'http://[::1]/cb'],
  ])('%j: %s', (registered, uri) => {
    expect(callbackUriOf(registered, '')).toBe(uri);
  });

  it('is the chosen redirect URI, if it is on this machine', () => {
    const two = client('web', 'http://localhost:3000/cb', 'http://localhost:4000/cb');
    expect(callbackUriOf(two, 'http://localhost:4000/cb')).toBe('http://localhost:4000/cb');
  });

  it('a suggested redirect URI uses a dynamic port', () => {
    expect(freshCallbackUri(0)).toBe('http://127.0.0.1:49152/callback');
    expect(freshCallbackUri(0.999_999_9)).toBe('http://127.0.0.1:65535/callback');
  });
});
