// The state of the flow and its transitions, as pure functions. Nothing here sends requests or uses React.

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
import {
  type DeviceDecision,
  type EndedCredential,
  type IssuedCode,
  type MintedTokens,
  exchangeOf,
  type Sandbox,
} from '../../recording/recording.ts';
import {
  neededFrom,
  startingDocument,
  withClient as documentWithClient,
  withGrant as documentWithGrant,
  type Choice,
  type WalkDocument,
} from './flow-document.ts';
import type { MistakeRun, OpenedComparison, Verdict, Replayed, Unreadable } from './run-results.ts';
import { tokenAnswerOf } from '../../exchange/answer.ts';

export type StepStatus = 'todo' | 'running' | 'ok' | 'rejected';

export interface StepOutcome {
  status: StepStatus;
  /** The label at the right: a status code or a word. */
  badge: string | null;
  /** The outcome in one line; null shows the step's own hint. */
  text: string | null;
}

export const RUNNING: StepOutcome = { status: 'running', badge: null, text: null };

export const rejected = (text: string, badge: string | null = null): StepOutcome => ({
  status: 'rejected',
  badge,
  text,
});

/** A credential that a step provided, without its value, which is a variable of the runner. */
export interface Held {
  /** The client and the user that it was requested for. Another user may have signed in. */
  readonly client_id: string | null;
  readonly sub: string | null;
  readonly spent: boolean;
  /** null: unknown. */
  readonly expires_at: string | null;
  /** Whether it is bound to a key: its `token_type` is DPoP (RFC 9449 5). */
  readonly bound: boolean;
  /** `id` of the event whose response contained it; null when that event is not in the diagram. */
  readonly event: number | null;
}

type Numbered<E> = E & { readonly id: number };
type OfStep<E> = Numbered<E & { readonly step: WalkStepId }>;

export type IssueEvent = Numbered<
  IssuedCode & { readonly sub: string; readonly redirect_to: string; readonly expires_at: string }
>;
export type DecisionEvent = Numbered<DeviceDecision>;
export type MintEvent = OfStep<MintedTokens>;
export type EndEvent = OfStep<EndedCredential>;

/** An action over the control API, which is not a client's request. */
export type ControlEvent = IssueEvent | DecisionEvent | MintEvent | EndEvent;

export interface ExchangeEvent {
  id: number;
  kind: 'exchange';
  step: WalkStepId;
  exchange: Exchange;
  /** Set when the request was a deliberate mistake. */
  verdict: Verdict | null;
}

/** Repeated requests with the same status, drawn as one message. */
export interface BurstEvent {
  id: number;
  kind: 'burst';
  step: WalkStepId;
  count: number;
  first: number;
  /** The last exchange. The others are listed in Traffic. */
  exchange: Exchange;
}

export type FlowEvent = ControlEvent | ExchangeEvent | BurstEvent;

/** A sign-in by the user in their own browser. */
export type PersonSignIn =
  | {
      readonly kind: 'waiting';
      /** The id of the callback. */
      readonly id: string;
      readonly redirect_uri: string;
      /** The authorization request. */
      readonly href: string;
    }
  | {
      readonly kind: 'no_callback';
      /** The redirect URI that may be added to the client. */
      readonly offer: string;
    };

/** Older events leave the diagram, but stay in Traffic. */
const MOST_EVENTS = 200;
export const isFull = ({ events }: FlowState): boolean => events.length >= MOST_EVENTS;
const CREDENTIALS = new Set(Object.values(WALK_STEPS).flatMap(({ provides = [] }) => provides));
const NOT_RUN: StepOutcome = { status: 'todo', badge: null, text: null };

const emptySteps = (): Record<WalkStepId, StepOutcome> =>
  Object.fromEntries(WALK_STEP_IDS.map((id) => [id, NOT_RUN])) as Record<WalkStepId, StepOutcome>;

export const startingFlow = (document: WalkDocument = startingDocument()) => ({
  document,
  steps: emptySteps(),
  events: [] as readonly FlowEvent[],
  /** The sandbox as it was at the newest event: it may have changed since. */
  sandbox: null as Sandbox | null,
  /** The sandbox as it was at the first event. */
  first_sandbox: null as Sandbox | null,
  next_id: 1,
  selected: null as number | null,
  tab: 'why' as DetailTab,
  /** The step whose card is open. */
  active: 'client' as WalkStepId,
  editing: null as WalkStepId | null,
  running: null as WalkStepId | 'all' | null,
  /** Aborts the run. */
  stopping: null as AbortController | null,
  /** The runner's variables, with what the steps have provided so far. */
  variables: {} as Readonly<Record<string, unknown>>,
  held: {} as Readonly<Partial<Record<Credential, Held | undefined>>>,
  /** The device that waits for its user. */
  device: null as { readonly user_code: string; readonly verification_uri_complete: string } | null,
  /** `id` of the event with the token that was read last. A later token may have been issued since. */
  read: null as number | null,
  /** The access token from before the last reset, which belongs to another epoch. */
  former_token: null as string | null,
  verdicts: {} as Partial<Record<WalkStepId, Verdict>>,
  mistake_run: null as MistakeRun | null,
  /** The sign-in by the user in their own browser. */
  person: null as PersonSignIn | null,
  /** The name under which the flow was saved, or from which it was replayed. */
  name: null as string | null,
  replayed: null as Replayed | null,
  /** The name of the scenario that is being run. */
  replaying: null as string | null,
  unreadable: null as Unreadable | null,
  /** The run against a provider whose file is open. */
  comparison: null as OpenedComparison | null,
  /** Whether the list of saved flows is open. */
  choosing: false,
});

export type FlowState = ReturnType<typeof startingFlow>;

/** Starts over with the same document. Ids continue, so that no message gets the id of an older one. */
export function restarted(state: FlowState): FlowState {
  const { next_id, running, stopping, replaying, former_token } = state;
  const kept = { next_id, running, stopping, replaying, former_token };
  return { ...startingFlow(state.document), ...kept };
}

/** Starts over with another client, because codes, tokens and typed values belong to the former one. */
export const withClient = (state: FlowState, client_id: string): FlowState => ({
  ...restarted(state),
  document: documentWithClient(state.document, client_id),
  active: 'client',
});

/** Starts over with another grant. @param client_id null picks a client that may use the grant */
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

/** Starts over after a reset of the sandbox, and remembers the access token as one of the former epoch. */
export function afterReset(state: FlowState): FlowState {
  const former_token = valueOf(state, 'access_token') ?? state.former_token;
  return { ...restarted(state), former_token };
}

/** Whether an unspent credential is held for the current client and user. */
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

/** Resets the outcomes of the steps after this one. */
export function withLaterStepsOpen(state: FlowState, id: WalkStepId): FlowState {
  const steps = { ...state.steps };
  const all = stepsOf(state.document.grant);
  for (const later of all.slice(all.indexOf(id) + 1)) steps[later] = NOT_RUN;
  return { ...state, steps, verdicts: {} };
}

type WithoutId<E> = E extends FlowEvent ? Omit<E, 'id'> : never;
export type NewEvent = WithoutId<FlowEvent>;

/** Adds a message to the diagram and selects it. */
export function withEvent(state: FlowState, event: NewEvent): FlowState {
  const added: FlowEvent = { ...event, id: state.next_id };
  const events = [...state.events, added].slice(-MOST_EVENTS);
  return { ...state, events, selected: added.id, next_id: state.next_id + 1, tab: 'why' };
}

/** Adds a repeated request. If its step and its status are those of the last one, both are drawn as one message. */
export function withRepeated(state: FlowState, event: Omit<ExchangeEvent, 'id'>): FlowState {
  const { step, exchange } = event;
  const last = state.events.at(-1);
  const isRequest = last?.kind === 'exchange' || last?.kind === 'burst';
  if (!isRequest || last.step !== step || last.exchange.status !== exchange.status) {
    return withEvent(state, event);
  }
  const { count, first } = last.kind === 'burst' ? last : { count: 1, first: last.exchange.number };
  const burst = { id: last.id, kind: 'burst', step, count: count + 1, first, exchange } as const;
  const events = [...state.events.slice(0, -1), burst];
  return { ...state, events };
}

/** Sets the verdict of the step's newest deliberate mistake. */
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

/** Stores the credentials that a step provided, and marks the credential that it used up as spent. */
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
      // The response had none, and one from an earlier response belongs to another authorization.
      held[credential] = undefined;
      kept[credential] = undefined;
    } else kept[credential] = state.variables[credential];
  }
  const used = spends === undefined ? undefined : held[spends];
  const isTyped = neededFrom(id, state.document) === null;
  if (spends !== undefined && used !== undefined && !isTyped)
    held[spends] = { ...used, spent: true };
  return { ...state, variables: kept, held };
}

// Steps and messages are selected together: a step with its newest message, a message with its step. Pure.

export function stepOfEvent(event: FlowEvent): WalkStepId {
  if ('step' in event) return event.step;
  return event.kind === 'issue' ? 'code' : 'decide';
}

function tokenIn(event: FlowEvent) {
  const exchange = exchangeOf(event);
  return exchange === null ? null : tokenAnswerOf(exchange);
}

function withSelected(state: FlowState, event: FlowEvent, step: WalkStepId): FlowState {
  const { active, editing, tab } = state;
  return {
    ...state,
    selected: event.id,
    active: step,
    editing: step === active ? editing : null,
    tab: tab === 'token' && tokenIn(event) === null ? 'why' : tab,
  };
}

/** Selects a message and the step that sent it. */
export function withMessageSelected(state: FlowState, id: number): FlowState {
  const event = state.events.find((one) => one.id === id);
  return event === undefined ? state : withSelected(state, event, stepOfEvent(event));
}

/** The event whose response contained the token that was read; undefined once it has left the diagram. */
const readEvent = ({ events, read }: FlowState) => events.find(({ id }) => id === read);

/** The access token that was read; null when it is no longer in the diagram. */
export function tokenRead(state: FlowState): string | null {
  const event = readEvent(state);
  return (event === undefined ? null : tokenIn(event)?.access_token) ?? null;
}

/** Selects the response with the token that was read, and shows the decoded token. */
export function withTokenShown(state: FlowState): FlowState {
  const event = readEvent(state);
  return event === undefined ? state : { ...withSelected(state, event, 'token'), tab: 'token' };
}

/** Selects a step and its newest message. A step without messages keeps the selected message. */
export function withStepSelected(state: FlowState, step: WalkStepId): FlowState {
  if (step === 'token' && state.steps.token.status !== 'todo') return withTokenShown(state);
  const event = state.events.findLast((one) => stepOfEvent(one) === step);
  if (event !== undefined) return withSelected(state, event, step);
  return state.active === step ? state : { ...state, active: step, editing: null };
}
