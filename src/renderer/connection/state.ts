// What the page knows about the engine: one store outside React, changed by pure functions. It does not know how the
// data arrives (sync.ts) or how it is shown.

import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type {
  Api,
  Audience,
  Client,
  ClientCheck,
  ClockState,
  Counter,
  ExchangeSummary,
  FeedBatch,
  FormerWorkspace,
  Held,
  SavedFlow,
  SavedRequest,
  ServerState,
  Settings,
  ShapeState,
  SigningKey,
  User,
} from '../../control/schemas.ts';
import type { FaultPreset, FaultState } from '../../control/fault-schemas.ts';
import type { ConnectionState } from './control.ts';
import { MAX_EXCHANGES, NO_EXCHANGES, withMore } from './exchange-window.ts';
import { movedOn, withReported, type Rates } from './rates.ts';

/** The clock as last reported, and when that was (machine time, ms), so that the page can advance it. */
export interface TickingClock extends ClockState {
  readonly received_ms: number;
}

export const EMPTY = {
  connection: 'connecting' as ConnectionState,
  /** Machine time in ms at which the connection was lost; null while it is open. */
  lost_ms: null as number | null,
  /** Whether the lists have been loaded once. */
  loaded: false,
  /** Whether the lists have been loaded over the current connection. */
  followed: false,
  /** Whether the page asks for another control token. */
  token_wanted: false,
  server: null as ServerState | null,
  /** Workspaces that were replaced, newest first. */
  former_workspaces: [] as readonly FormerWorkspace[],
  clock: null as TickingClock | null,
  settings: null as Settings | null,
  /** The provider that the sandbox imitates, if any. */
  shape: null as ShapeState | null,
  clients: [] as readonly Client[],
  users: [] as readonly User[],
  audiences: [] as readonly Audience[],
  apis: [] as readonly Api[],
  keys: [] as readonly SigningKey[],
  /** Flows saved in the workspace, newest first. */
  saved_flows: [] as readonly SavedFlow[],
  saved_requests: [] as readonly SavedRequest[],
  /** How many times the feed has reported that credentials were issued or ended. */
  credentials_revision: 0,
  /** How many times the feed has reported that device authorizations were opened, polled or decided. */
  devices_revision: 0,
  exchanges: NO_EXCHANGES,
  /** Where the list of older exchanges continues; null until its first page has loaded. */
  history: null as { readonly next: string | null } | null,
  /** How many times the sandbox was reset while the page was open. */
  resets: 0,
  /** Most recently seen first. */
  counters: [] as readonly Counter[],
  /** In the order in which they are checked. */
  faults: [] as readonly FaultState[],
  /** The rule that was last added in this page, so that the list scrolls to it; null for none. */
  added_fault: null as string | null,
  /** The case of a client check that is active, and when it ends by itself (machine time, ms); null without one. */
  client_check: null as (ClientCheck & { readonly ends_ms: number }) | null,
  /** How many times the feed has reported that a client check started, ended, or saw the app. */
  client_checks_revision: 0,
  /** Ready-made rules; they do not change while the engine runs. */
  fault_presets: [] as readonly FaultPreset[],
  /** Held exchanges, oldest first, and when each is released by itself (machine time, ms). */
  held: [] as readonly (Held & { readonly ends_ms: number })[],
  totals: null as FeedBatch['totals'] | null,
  /** Identifies the sandbox, as the feed last reported it; null before its first batch. */
  sandbox: null as string | null,
  /** Number of the newest event received; null before the first batch of a connection. */
  last_event: null as number | null,
  /** Requests per second; null before the first batch of the first connection. */
  rates: null as Rates | null,
  /** How many times the feed has reported advisories. */
  advisories_revision: 0,
};

export type State = Readonly<typeof EMPTY>;

function mergeCounters(known: readonly Counter[], changed: readonly Counter[]): readonly Counter[] {
  if (changed.length === 0) return known;
  const byId = new Map(known.map((counter) => [counter.id, counter]));
  for (const counter of changed) byId.set(counter.id, counter);
  return [...byId.values()].sort((a, b) => b.last_seen_at.localeCompare(a.last_seen_at));
}

/** Whether events are missing between the state and this batch. */
export function hasGap(state: State, batch: FeedBatch): boolean {
  return state.last_event !== null && batch.first > state.last_event + 1;
}

/** Whether the sandbox was reset, or is that of another server, which may be while the page has no connection. */
export const isReset = ({ sandbox }: State, batch: FeedBatch): boolean =>
  sandbox !== null && batch.sandbox !== sandbox;

/**
 * Applies a batch of the feed; the caller loads the lists that it names. After a gap the list of exchanges starts over,
 * since some between the known ones and these are missing.
 * @param now machine time in ms
 */
export function applyBatch(state: State, batch: FeedBatch, now: number): State {
  const gap = hasGap(state, batch);
  const kept = Math.min(MAX_EXCHANGES, Math.max(1, batch.totals.exchanges));
  const exchanges = withMore(gap ? NO_EXCHANGES : state.exchanges, batch.exchanges, kept);
  const full = exchanges.size >= MAX_EXCHANGES && state.history !== null;
  return {
    ...state,
    exchanges,
    history: gap ? null : full ? { next: null } : state.history,
    counters: mergeCounters(state.counters, batch.counters),
    totals: batch.totals,
    sandbox: batch.sandbox,
    rates: withReported(state.last_event === null ? null : state.rates, batch.rates, now),
    last_event: Math.max(batch.last, state.last_event ?? 0),
  };
}

/** Adds a page of older exchanges; those that the feed has reported meanwhile stay. */
export function withExchanges(
  state: State,
  listed: readonly ExchangeSummary[],
  next: string | null,
): State {
  const exchanges = withMore(state.exchanges, listed);
  return { ...state, exchanges, history: { next: exchanges.size < MAX_EXCHANGES ? next : null } };
}

/** Forgets everything that was captured and counted. */
export const withReset = (state: State): State => ({
  ...state,
  rates: state.rates && { ...state.rates, seconds: [] },
  exchanges: NO_EXCHANGES,
  history: null,
  resets: state.resets + 1,
});

/** Counts a report of the feed about records that are loaded only where they are shown. */
export const withRevision = (
  state: State,
  of: 'credentials_revision' | 'devices_revision' | 'advisories_revision',
): State => ({ ...state, [of]: state[of] + 1 });

export const withClientCheck = (
  state: State,
  active: ClientCheck | null,
  received_ms: number,
): State => ({
  ...state,
  client_check: active && { ...active, ends_ms: received_ms + active.seconds_left * 1000 },
  client_checks_revision: state.client_checks_revision + 1,
});

export const withHeld = (state: State, held: readonly Held[], received_ms: number): State => ({
  ...state,
  held: held.map((one) => ({ ...one, ends_ms: received_ms + one.seconds_left * 1000 })),
});

export function withClock(state: State, clock: ClockState, received_ms: number): State {
  return { ...state, clock: { ...clock, received_ms } };
}

/** A new connection starts from nothing: it may be another server, or much may have happened. */
export function withConnection(
  state: State,
  connection: ConnectionState,
  machine_ms: number,
): State {
  if (connection !== 'open') {
    const lost_ms = connection === 'lost' ? (state.lost_ms ?? machine_ms) : state.lost_ms;
    const token_wanted =
      connection === 'rejected' || (connection === 'connecting' && state.token_wanted);
    const unknown = { followed: false, last_event: null, held: [] };
    return { ...state, connection, lost_ms, token_wanted, ...unknown };
  }
  return {
    ...state,
    connection,
    lost_ms: null,
    token_wanted: false,
    exchanges: NO_EXCHANGES,
    history: null,
  };
}

/** Every list has been loaded over the open connection. */
export const withLists = (state: State): State => ({
  ...state,
  loaded: state.loaded || state.server !== null,
  followed: state.connection === 'open' && state.server !== null,
});

/** Called every second. While the connection is not open, the rates of the passing seconds are unknown. */
export function withTime(state: State, now: number): State {
  const { connection, last_event, rates } = state;
  if (connection !== 'open' || last_event === null || rates === null) return state;
  return { ...state, rates: movedOn(rates, now) };
}

/** Puts a record that was just saved into its list, before the feed has the list reloaded. */
const withRecord = <T>(records: readonly T[], saved: T, same: (record: T) => boolean): T[] =>
  records.some(same)
    ? records.map((record) => (same(record) ? saved : record))
    : [saved, ...records];

export const withClient = (state: State, saved: Client): State => ({
  ...state,
  clients: withRecord(state.clients, saved, ({ client_id }) => client_id === saved.client_id),
});

export const withoutClient = (state: State, client_id: string): State => ({
  ...state,
  clients: state.clients.filter((client) => client.client_id !== client_id),
});

export const withUser = (state: State, saved: User): State => ({
  ...state,
  users: withRecord(state.users, saved, ({ sub }) => sub === saved.sub),
});

/** Takes a list of rules. A rule that has not changed stays the same object, so that its row does not render. */
export function withFaults(state: State, listed: readonly FaultState[]): State {
  const known = new Map(state.faults.map((rule) => [rule.id, rule]));
  const faults = listed.map((rule) => {
    const former = known.get(rule.id);
    return JSON.stringify(former) === JSON.stringify(rule) && former !== undefined ? former : rule;
  });
  return { ...state, faults };
}

export const withoutUser = (state: State, sub: string): State => ({
  ...state,
  users: state.users.filter((user) => user.sub !== sub),
});

export const page = createStore<State>(() => EMPTY);

/** A store of a view about what the sandbox holds: a reset of the sandbox changes its state by `afterReset`. */
export function createSandboxStore<T>(starting: () => T, afterReset: (state: T) => T): StoreApi<T> {
  const store = createStore(() => starting());
  page.subscribe((now, before) => {
    if (now.resets !== before.resets) store.setState(afterReset, true);
  });
  return store;
}

export const change = (how: (state: State) => State): void => page.setState(how, true);

/** The part of the state that a component needs; the selector must return a stable value. */
export const usePage = <T>(select: (state: State) => T): T => useStore(page, select);

/** Under a provider shape it has a path. */
const issuerOf = ({ server }: State): string => server?.issuer ?? location.origin;

export const issuerInUse = (): string => issuerOf(page.getState());
export const useIssuer = (): string => usePage(issuerOf);
