// Which exchanges raise a desktop notification, and what it says.

import { describe, expect, it } from 'vitest';
import { withMore } from '../../src/renderer/connection/exchange-window.ts';
import {
  EMPTY,
  withConnection,
  withExchanges,
  withHeld,
  type State,
} from '../../src/renderer/connection/state.ts';
import {
  createNotifier,
  incidentOf,
  newIncidents,
  type Incident,
} from '../../src/renderer/exchange/desktop-notifications.ts';
import { exchangeSummary } from '../support/exchanges.ts';

const rejected = exchangeSummary({
  number: 7,
  method: 'POST',
  path: '/token?code=s3cret',
  sent_by: 'app',
  status: 400,
  error: 'invalid_grant',
  cause: 'code expired',
  throttled: false,
});
const accepted = { ...rejected, status: 200, error: null, cause: null };

describe('an exchange raises a desktop notification', () => {
  it('if the request was rejected; the notification does not contain the query', () => {
    expect(incidentOf(rejected)).toEqual({
      kind: 'rejected',
      number: 7,
      what: 'POST /token: code expired',
    });
  });

  it('if the request was throttled', () => {
    const throttled = { ...rejected, status: 429, error: null, cause: null, throttled: true };
    expect(incidentOf(throttled)).toEqual({ kind: 'throttled', number: 7, what: 'POST /token' });
  });

  const fault = { id: 'f1', name: 'Out of order', what: 'answered with 503' };
  const held = { what: 'Held, then dropped.', changed: true };
  it.each<[string, Partial<typeof rejected>]>([
    ['a device must poll again', { error: 'authorization_pending' }],
    ['a device must poll more slowly', { error: 'slow_down' }],
    ['it was accepted', accepted],
    ['a fault rule answered', { fault }],
    ['the response was changed while it was held', { held }],
    ['the workbench sent it', { sent_by: 'workbench' }],
    ['the command line sent it', { sent_by: 'command_line' }],
    ['a scenario sent it', { sent_by: 'scenario' }],
    ['the server sent it', { sent_by: 'server' }],
  ])('but not if %s', (_, members) => expect(incidentOf({ ...rejected, ...members })).toBeNull());

  it('also if it was held and released unchanged', () =>
    expect(incidentOf({ ...rejected, held: { ...held, changed: false } })).not.toBeNull());
});

const following: State = { ...EMPTY, followed: true, last_event: 1 };
const batch = (state: State, ...more: Parameters<typeof withMore>[1]): State => ({
  ...state,
  exchanges: withMore(state.exchanges, more),
  last_event: (state.last_event ?? 0) + 1,
});
const numbers = (incidents: readonly Incident[]) => incidents.map(({ number }) => number);

describe('new incidents', () => {
  it('are those of the last batch, also if an exchange completed late', () => {
    const first = batch(following, rejected, { ...accepted, number: 9 });
    expect(numbers(newIncidents(first, following))).toEqual([7]);
    const second = batch(first, { ...rejected, number: 8 });
    expect(numbers(newIncidents(second, first))).toEqual([8]);
  });

  it('do not include what was loaded when the page connected, or older exchanges', () => {
    const connecting = { ...EMPTY, last_event: null };
    expect(newIncidents(batch(connecting, rejected), connecting)).toEqual([]);
    expect(newIncidents(withExchanges(following, [rejected], null), following)).toEqual([]);
  });

  it('include each held exchange once', () => {
    const held = {
      number: 3,
      at: 'request' as const,
      method: 'GET',
      path: '/authorize?client_id=a',
      ip: '127.0.0.1',
      grant_type: null,
      client_id: 'a',
      endpoint: 'authorize' as const,
      held_at: '2026-01-01T00:00:00Z',
      seconds_left: 300,
      client_gone: false,
    };
    const holding = withHeld(following, [held], 0);
    expect(withConnection(holding, 'lost', 0).held).toEqual([]);
    expect(newIncidents(holding, following)).toEqual([
      { kind: 'held', number: 3, what: 'GET /authorize' },
    ]);
    expect(newIncidents(withHeld(holding, [{ ...held, at: 'response' }], 0), holding)).toEqual([]);
    expect(newIncidents(holding, { ...following, followed: false })).toEqual([]);
  });
});

describe('within a window', () => {
  const incident = (number: number, kind: Incident['kind'] = 'rejected'): Incident => ({
    kind,
    number,
    what: 'POST /token',
  });

  it('the first incident is shown at once, and the others together when it ends', () => {
    const shown: unknown[] = [];
    const timers: (() => void)[] = [];
    const report = createNotifier(
      (notice) => shown.push(notice),
      (run) => timers.push(run),
    );
    report([incident(1)]);
    expect(shown).toEqual([{ title: 'Request #1 rejected', body: 'POST /token', opens: 1 }]);
    report([incident(2), incident(3, 'throttled')]);
    report([incident(4, 'held')]);
    expect(shown).toHaveLength(1);
    timers.shift()?.();
    expect(shown.slice(1)).toEqual([
      {
        title: '3 requests: 1 rejected, 1 throttled, 1 held',
        body: 'Newest: #4 POST /token',
        opens: null,
      },
    ]);
    timers.shift()?.();
    expect([shown.length, timers.length]).toEqual([2, 0]);
    report([incident(5)]);
    expect(shown).toHaveLength(3);
  });
});
