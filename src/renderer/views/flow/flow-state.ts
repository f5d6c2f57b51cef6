// What one walk through the flow knows, and every way it changes, as pure functions. Nothing here
// sends anything or knows React.

import type { Exchange } from '../../../control/schemas.ts';
import type { DetailTab } from '../../exchange/tabs.ts';
import type { MistakeRun } from './mistakes/mistake-run.ts';
import type { Verdict } from './mistakes/verdict.ts';
import type { HeldDevice } from '../../exchange/device-answer.ts';
import type { DeviceDecision, IssuedCode } from '../../recording/recorded-event.ts';
import { startingInputs, type FlowInputs } from './flow-inputs.ts';
import { STEP_IDS, stepsOf, type FlowGrant, type StepId } from './flow-steps.ts';
import type { PersonSignIn } from './person/person-state.ts';
import type { Replayed, Replaying, Unreadable } from './replay/replay-state.ts';

export type StepStatus = 'todo' | 'running' | 'ok' | 'refused';

export interface StepOutcome {
  status: StepStatus;
  /** The short word at the right: a status code or a count. */
  badge: string | null;
  /** The outcome in one line; null: the step's own hint is shown. */
  text: string | null;
}

/** The code the flow holds, with what it was issued for. */
export interface HeldCode {
  code: string;
  client_id: string;
  redirect_uri: string;
  audience: string | null;
  sub: string;
  expires_at: string;
  verifier: string | null;
  /** Whether it was asked for with the thumbprint of the walk's key (RFC 9449 10). */
  bound: boolean;
  spent: boolean;
}

/** A token of the user that is to be exchanged. */
export interface HeldSubject {
  readonly access_token: string;
  /** The client that it was issued to. */
  readonly client_id: string;
}

/** An assertion that was signed here. */
export interface HeldAssertion {
  readonly assertion: string;
  readonly client_id: string;
  readonly sub: string;
  /** Whether it brought a token: its `jti` is accepted once. */
  readonly spent: boolean;
}

export interface HeldTokens {
  access_token: string;
  refresh_token: string | null;
  /** Whether the access token is bound to a key: its `token_type` is DPoP (RFC 9449 5). */
  bound: boolean;
  /** `id` of the event whose answer brought the access token. */
  event: number;
}

export interface IssueEvent extends IssuedCode {
  id: number;
  sub: string;
  redirect_to: string;
  expires_at: string;
  lineage_id: string;
}

export interface DecisionEvent extends DeviceDecision {
  id: number;
}

export interface ExchangeEvent {
  id: number;
  kind: 'exchange';
  step: StepId;
  exchange: Exchange;
  /** Set when the request was wrong on purpose. */
  verdict: Verdict | null;
}

/** A run of like answers, drawn as one message. */
export interface BurstEvent {
  id: number;
  kind: 'burst';
  count: number;
  first: number;
  /** The last of them; the others are found in Traffic. */
  exchange: Exchange;
}

export type FlowEvent = IssueEvent | DecisionEvent | ExchangeEvent | BurstEvent;

export interface HammerProgress {
  sent: number;
  goal: number;
  stopping: boolean;
}

export interface FlowState {
  inputs: FlowInputs;
  steps: Record<StepId, StepOutcome>;
  events: readonly FlowEvent[];
  next_id: number;
  selected: number | null;
  tab: DetailTab;
  /** The step whose card is open. */
  active: StepId;
  editing: StepId | null;
  running: StepId | 'all' | null;
  code: HeldCode | null;
  device: HeldDevice | null;
  subject: HeldSubject | null;
  assertion: HeldAssertion | null;
  tokens: HeldTokens | null;
  /** The access token held when the sandbox was last reset: one of another epoch. */
  former_token: string | null;
  verdicts: Partial<Record<StepId, Verdict>>;
  /** All mistakes of a step, tried in one go. */
  mistake_run: MistakeRun | null;
  hammer: HammerProgress | null;
  /** What the sign-in of a person waits for, or cannot have. */
  person: PersonSignIn | null;
  /** The name this walk was saved by, or replayed from. */
  name: string | null;
  replayed: Replayed | null;
  replaying: Replaying | null;
  unreadable: Unreadable | null;
  /** Whether the list of saved flows is open. */
  choosing: boolean;
}

/** Older ones leave the diagram; Traffic still has them. */
const MOST_EVENTS = 200;
const NOT_RUN: StepOutcome = { status: 'todo', badge: null, text: null };

export const emptySteps = (): Record<StepId, StepOutcome> =>
  Object.fromEntries(STEP_IDS.map((id) => [id, NOT_RUN])) as Record<StepId, StepOutcome>;

export function startingFlow(inputs: FlowInputs = startingInputs()): FlowState {
  return {
    inputs,
    steps: emptySteps(),
    events: [],
    next_id: 1,
    selected: null,
    tab: 'why',
    active: 'client',
    editing: null,
    running: null,
    code: null,
    device: null,
    subject: null,
    assertion: null,
    tokens: null,
    former_token: null,
    verdicts: {},
    mistake_run: null,
    hammer: null,
    person: null,
    name: null,
    replayed: null,
    replaying: null,
    unreadable: null,
    choosing: false,
  };
}

/** The same inputs, nothing done yet. Ids go on, so that no message is taken for an older one. */
export function restarted(state: FlowState): FlowState {
  const { next_id, running, replaying, former_token } = state;
  return { ...startingFlow(state.inputs), next_id, running, replaying, former_token };
}

/** Another client starts over: codes, tokens and what was typed belong to the former one. */
export function withClient(state: FlowState, client_id: string): FlowState {
  const { grant, pkce, dpop, push, sub, authorize } = state.inputs;
  const kept = { grant, pkce, dpop, push, sub, authorize };
  const inputs = { ...startingInputs(), ...kept, client_id };
  return { ...restarted(state), inputs, active: 'client' };
}

/** Another grant starts over, with the client that was picked if it may use that one. */
export function withGrant(state: FlowState, grant: FlowGrant, client_id: string | null): FlowState {
  const { sub, scope, dpop } = state.inputs;
  const kept = { grant, client_id, sub, scope, dpop };
  return { ...restarted(state), inputs: { ...startingInputs(), ...kept } };
}

/** The sandbox was reset: codes and tokens are gone, and the token held is of another epoch. */
export function afterReset({ inputs, tokens, former_token }: FlowState): FlowState {
  return { ...startingFlow(inputs), former_token: tokens?.access_token ?? former_token };
}

export function withInputs(state: FlowState, change: Partial<FlowInputs>): FlowState {
  return { ...state, inputs: { ...state.inputs, ...change } };
}

export function withStep(state: FlowState, id: StepId, outcome: StepOutcome): FlowState {
  const { [id]: _former, ...verdicts } = state.verdicts;
  return { ...state, active: id, steps: { ...state.steps, [id]: outcome }, verdicts };
}

/** Steps after this one stand to be done again. */
export function withLaterStepsOpen(state: FlowState, id: StepId): FlowState {
  const steps = { ...state.steps };
  const all = stepsOf(state.inputs.grant);
  for (const later of all.slice(all.indexOf(id) + 1)) steps[later] = NOT_RUN;
  return { ...state, steps, verdicts: {} };
}

type NewEvent =
  | Omit<IssueEvent, 'id'>
  | Omit<DecisionEvent, 'id'>
  | Omit<ExchangeEvent, 'id'>
  | Omit<BurstEvent, 'id'>;

/** Adds a message to the diagram and selects it. */
export function withEvent(state: FlowState, event: NewEvent): FlowState {
  const added: FlowEvent = { ...event, id: state.next_id };
  const events = [...state.events, added].slice(-MOST_EVENTS);
  return { ...state, events, selected: added.id, next_id: state.next_id + 1, tab: 'why' };
}

/** The same request sent once more, with the same answer: drawn as one message with the ones before it. */
export function withRepeated(state: FlowState, event: Omit<ExchangeEvent, 'id'>): FlowState {
  const last = state.events.at(-1);
  const similar = last?.kind === 'exchange' || last?.kind === 'burst';
  if (!similar || last.exchange.status !== event.exchange.status) return withEvent(state, event);
  const { count, first } = last.kind === 'burst' ? last : { count: 1, first: last.exchange.number };
  const burst = { id: last.id, kind: 'burst', count: count + 1, first } as const;
  const events = [...state.events.slice(0, -1), { ...burst, exchange: event.exchange }];
  return { ...state, events };
}

/** The verdict of the newest deliberate mistake of each step. */
export function withVerdict(state: FlowState, step: StepId, verdict: Verdict): FlowState {
  const newest = state.events.at(-1)?.id;
  const events = state.events.map((event) =>
    event.id === newest && event.kind === 'exchange' ? { ...event, verdict } : event,
  );
  return { ...state, events, verdicts: { ...state.verdicts, [step]: verdict } };
}

export function selectedEvent(state: FlowState): FlowEvent | null {
  return state.events.find((event) => event.id === state.selected) ?? null;
}

/** The step's next request gets credentials of its own, unless they were typed in. */
export const withoutCredentials = (state: FlowState): FlowState => ({
  ...state,
  code: null,
  device: null,
  subject: null,
  assertion: null,
  tokens: null,
});
