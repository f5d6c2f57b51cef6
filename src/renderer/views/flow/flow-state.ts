// What one walk through the flow knows, and every way it changes, as pure functions. Nothing here
// sends anything or knows React.

import type { Exchange } from '../../../control/schemas/exchanges.ts';
import {
  stepsOf,
  WALK_STEP_IDS,
  WALK_STEPS,
  type Credential,
  type WalkGrant,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import type { DetailTab } from '../../exchange/ExchangeDetail.tsx';
import type {
  DeviceDecision,
  EndedCredential,
  IssuedCode,
  MintedTokens,
} from '../../recording/recording.ts';
import {
  startingDocument,
  withClient as documentWithClient,
  withGrant as documentWithGrant,
  type Choice,
  type WalkDocument,
} from './flow-document.ts';
import type { MistakeRun, Verdict } from './run-results.ts';
import type { Replayed, Replaying, Unreadable } from './run-results.ts';

export type StepStatus = 'todo' | 'running' | 'ok' | 'refused';

export interface StepOutcome {
  status: StepStatus;
  /** The short word at the right: a status code or a count. */
  badge: string | null;
  /** The outcome in one line; null: the step's own hint is shown. */
  text: string | null;
}

/** What is known of a credential that a step provided, beside its value, which is a variable. */
export interface Held {
  /** For whom it was asked: a sign-in may have been somebody else's. */
  readonly client_id: string | null;
  readonly sub: string | null;
  readonly spent: boolean;
  /** null: it is not known here. */
  readonly expires_at: string | null;
  /** Whether it is bound to a key: its `token_type` is DPoP (RFC 9449 5). */
  readonly bound: boolean;
  /** `id` of the event whose response had it; null for one that was not drawn. */
  readonly event: number | null;
}

/** The device that waits for its user. */
export interface WaitingDevice {
  readonly user_code: string;
  readonly verification_uri_complete: string;
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

export interface MintEvent extends MintedTokens {
  id: number;
  step: WalkStepId;
}

export interface EndEvent extends EndedCredential {
  id: number;
  step: WalkStepId;
}

/** What was done over control: no request of a client. */
export type ControlEvent = IssueEvent | DecisionEvent | MintEvent | EndEvent;

export interface ExchangeEvent {
  id: number;
  kind: 'exchange';
  step: WalkStepId;
  exchange: Exchange;
  /** Set when the request was wrong on purpose. */
  verdict: Verdict | null;
}

/** A run of like answers, drawn as one message. */
export interface BurstEvent {
  id: number;
  kind: 'burst';
  step: WalkStepId;
  count: number;
  first: number;
  /** The last of them; the others are found in Traffic. */
  exchange: Exchange;
}

export type FlowEvent = ControlEvent | ExchangeEvent | BurstEvent;

/** What the sign-in of a person waits for. */
export type PersonSignIn =
  | {
      readonly kind: 'waiting';
      /** Of the callback. */
      readonly id: string;
      readonly redirect_uri: string;
      /** The authorization request. */
      readonly href: string;
    }
  | {
      readonly kind: 'nowhere';
      readonly why: string;
      /** The redirect URI that may be added to the client. */
      readonly offer: string;
    };

export interface FlowState {
  document: WalkDocument;
  steps: Record<WalkStepId, StepOutcome>;
  events: readonly FlowEvent[];
  next_id: number;
  selected: number | null;
  tab: DetailTab;
  /** The step whose card is open. */
  active: WalkStepId;
  editing: WalkStepId | null;
  running: WalkStepId | 'all' | null;
  /** Ends what is running, at once. */
  stopping: AbortController | null;
  /** Of the runner: what steps provided so far. */
  variables: Readonly<Record<string, unknown>>;
  held: Readonly<Partial<Record<Credential, Held | undefined>>>;
  device: WaitingDevice | null;
  /** `id` of the event whose response had the token that was read last; a later one may be held by now. */
  read: number | null;
  /** The access token held when the sandbox was last reset: one of another epoch. */
  former_token: string | null;
  verdicts: Partial<Record<WalkStepId, Verdict>>;
  /** All mistakes of a step, tried in one go. */
  mistake_run: MistakeRun | null;
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
const CREDENTIALS: readonly Credential[] = [
  ...(['code', 'device_code', 'user_code', 'subject_token'] as const),
  ...(['assertion', 'access_token', 'refresh_token'] as const),
];
const NOT_RUN: StepOutcome = { status: 'todo', badge: null, text: null };

export const emptySteps = (): Record<WalkStepId, StepOutcome> =>
  Object.fromEntries(WALK_STEP_IDS.map((id) => [id, NOT_RUN])) as Record<WalkStepId, StepOutcome>;

export function startingFlow(document: WalkDocument = startingDocument()): FlowState {
  return {
    document,
    steps: emptySteps(),
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
    replayed: null,
    replaying: null,
    unreadable: null,
    choosing: false,
  };
}

/** The same document, nothing done yet. Ids go on, so that no message is taken for an older one. */
export function restarted(state: FlowState): FlowState {
  const { next_id, running, stopping, replaying, former_token } = state;
  const kept = { next_id, running, stopping, replaying, former_token };
  return { ...startingFlow(state.document), ...kept };
}

/** Another client starts over: codes, tokens and what was typed belong to the former one. */
export const withClient = (state: FlowState, client_id: string): FlowState => ({
  ...restarted(state),
  document: documentWithClient(state.document, client_id),
  active: 'client',
});

/** Another grant starts over, with the client that was picked if it may use that one. */
export const withGrant = (
  state: FlowState,
  grant: WalkGrant,
  client_id: string | null,
): FlowState => ({
  ...restarted(state),
  document: { ...documentWithGrant(state.document, grant), client_id },
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** The value of a credential; null while there is none. */
export const valueOf = ({ variables }: Pick<FlowState, 'variables'>, name: Credential) =>
  textOf(variables[name]);

/** The sandbox was reset: codes and tokens are gone, and the token held is of another epoch. */
export function afterReset(state: FlowState): FlowState {
  const former_token = valueOf(state, 'access_token') ?? state.former_token;
  return { ...startingFlow(state.document), former_token };
}

/** Whether a credential is there for those whom the walk is for now. */
export function isUsable(
  { variables, held }: Pick<FlowState, 'variables' | 'held'>,
  credential: Credential,
  { client, user }: Pick<Choice, 'client' | 'user'>,
): boolean {
  const known = held[credential];
  if (known === undefined || known.spent || textOf(variables[credential]) === null) return false;
  return known.client_id === (client?.client_id ?? null) && known.sub === (user?.sub ?? null);
}

export function withStep(state: FlowState, id: WalkStepId, outcome: StepOutcome): FlowState {
  const { [id]: _former, ...verdicts } = state.verdicts;
  return { ...state, active: id, steps: { ...state.steps, [id]: outcome }, verdicts };
}

/** Steps after this one stand to be done again. */
export function withLaterStepsOpen(state: FlowState, id: WalkStepId): FlowState {
  const steps = { ...state.steps };
  const all = stepsOf(state.document.grant);
  for (const later of all.slice(all.indexOf(id) + 1)) steps[later] = NOT_RUN;
  return { ...state, steps, verdicts: {} };
}

type NewEvent =
  | Omit<IssueEvent, 'id'>
  | Omit<DecisionEvent, 'id'>
  | Omit<MintEvent, 'id'>
  | Omit<EndEvent, 'id'>
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
  const { step } = event;
  const burst = { id: last.id, kind: 'burst', step, count: count + 1, first } as const;
  const events = [...state.events.slice(0, -1), { ...burst, exchange: event.exchange }];
  return { ...state, events };
}

/** The verdict of the newest deliberate mistake of each step. */
export function withVerdict(state: FlowState, step: WalkStepId, verdict: Verdict): FlowState {
  const newest = state.events.at(-1)?.id;
  const events = state.events.map((event) =>
    event.id === newest && event.kind === 'exchange' ? { ...event, verdict } : event,
  );
  return { ...state, events, verdicts: { ...state.verdicts, [step]: verdict } };
}

export function selectedEvent(state: FlowState): FlowEvent | null {
  return state.events.find((event) => event.id === state.selected) ?? null;
}

/** What a step provided, by the variables that it changed; what it uses up is spent. */
export function withProvided(
  state: FlowState,
  id: WalkStepId,
  variables: FlowState['variables'],
  about: Omit<Held, 'spent'>,
): FlowState {
  const { provides = [], renews = [], spends } = WALK_STEPS[id];
  const held = { ...state.held };
  const kept = { ...variables };
  for (const credential of CREDENTIALS) {
    const isNew = variables[credential] !== state.variables[credential];
    if (isNew && [...provides, ...renews].includes(credential)) {
      held[credential] = { ...about, spent: false };
    } else if (provides.includes(credential)) {
      // The response had none: that of an earlier one belongs to another authorization.
      held[credential] = undefined;
      kept[credential] = undefined;
    } else kept[credential] = state.variables[credential];
  }
  const used = spends === undefined ? undefined : held[spends];
  if (spends !== undefined && used !== undefined) held[spends] = { ...used, spent: true };
  return { ...state, variables: kept, held };
}
