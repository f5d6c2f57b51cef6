// Steps and messages are selected together: a step with its newest message, a message with its step. Pure.

import { tokenAnswerOf } from '../../exchange/answer.ts';
import { exchangeOf } from '../../recording/recording.ts';
import type { FlowEvent, FlowState } from './flow-state.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';

/** The step that a message belongs to. */
export function stepOfEvent(event: FlowEvent): WalkStepId {
  if ('step' in event) return event.step;
  return event.kind === 'issue' ? 'code' : 'decide';
}

function hasToken(event: FlowEvent): boolean {
  const exchange = exchangeOf(event);
  return exchange !== null && tokenAnswerOf(exchange) !== null;
}

function withSelected(state: FlowState, event: FlowEvent, step: WalkStepId): FlowState {
  const { active, editing, tab } = state;
  return {
    ...state,
    selected: event.id,
    active: step,
    editing: step === active ? editing : null,
    tab: tab === 'token' && !hasToken(event) ? 'why' : tab,
  };
}

/** Selects a message and the step that sent it. */
export function withMessageSelected(state: FlowState, id: number): FlowState {
  const event = state.events.find((one) => one.id === id);
  return event === undefined ? state : withSelected(state, event, stepOfEvent(event));
}

/** Selects the response with the token that was read, and shows the decoded token. */
export function withTokenShown(state: FlowState): FlowState {
  const event = state.events.find(({ id }) => id === state.read);
  return event === undefined ? state : { ...withSelected(state, event, 'token'), tab: 'token' };
}

/** Selects a step and its newest message. A step without messages keeps the selected message. */
export function withStepSelected(state: FlowState, step: WalkStepId): FlowState {
  if (step === 'token' && state.steps.token.status !== 'todo') return withTokenShown(state);
  const event = state.events.findLast((one) => stepOfEvent(one) === step);
  if (event !== undefined) return withSelected(state, event, step);
  return state.active === step ? state : { ...state, active: step, editing: null };
}
