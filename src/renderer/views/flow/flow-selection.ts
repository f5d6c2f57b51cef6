// Steps and messages are selected together: a step with its newest message, a message with its step. Pure.

import { tokenAnswerOf } from '../../exchange/answer.ts';
import { exchangeOf } from '../../recording/recorded-event.ts';
import type { FlowEvent, FlowState } from './flow-state.ts';
import type { StepId } from './flow-steps.ts';

/** The step that a message is of. */
export function stepOfEvent(event: FlowEvent): StepId {
  if (event.kind === 'exchange') return event.step;
  if (event.kind === 'burst') return 'hammer';
  return event.kind === 'issue' ? 'code' : 'decide';
}

function hasToken(event: FlowEvent): boolean {
  const exchange = exchangeOf(event);
  return exchange !== null && tokenAnswerOf(exchange) !== null;
}

function withSelected(state: FlowState, event: FlowEvent, step: StepId): FlowState {
  const { active, editing, tab } = state;
  return {
    ...state,
    selected: event.id,
    active: step,
    editing: step === active ? editing : null,
    tab: tab === 'token' && !hasToken(event) ? 'why' : tab,
  };
}

/** A message was chosen, and with it the step that sent it. */
export function withMessageSelected(state: FlowState, id: number): FlowState {
  const event = state.events.find((one) => one.id === id);
  return event === undefined ? state : withSelected(state, event, stepOfEvent(event));
}

/** The response that brought the token that is held, on its decoded form: what the step reads. */
export function withTokenShown(state: FlowState): FlowState {
  const event = state.events.find(({ id }) => id === state.tokens?.event);
  return event === undefined ? state : { ...withSelected(state, event, 'token'), tab: 'token' };
}

/** A step was chosen, and with it its newest message; one that has none leaves the message that is selected. */
export function withStepSelected(state: FlowState, step: StepId): FlowState {
  if (step === 'token' && state.steps.token.status !== 'todo') return withTokenShown(state);
  const event = state.events.findLast((one) => stepOfEvent(one) === step);
  if (event !== undefined) return withSelected(state, event, step);
  return state.active === step ? state : { ...state, active: step, editing: null };
}
