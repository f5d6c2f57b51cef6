// What a message of the diagram says of an event of the flow. No geometry.

import type { Message, Note } from '../../../sequence/message.ts';
import { exchangeMessage, withClockNotes } from '../../../sequence/message.ts';
import { elided, pluralize } from '../../../ui/short-forms.ts';
import { exchangeOf } from '../../../recording/recorded-event.ts';
import type {
  BurstEvent,
  DecisionEvent,
  ExchangeEvent,
  FlowEvent,
  IssueEvent,
} from '../flow-state.ts';
import { answerInWords } from '../mistakes/answers.ts';
import { DECIDED } from '../step-words.ts';

function verdictOf({ verdict }: ExchangeEvent): Note[] {
  if (verdict === null) return [];
  const { title, came, expected } = verdict;
  const text = came ? `${title}: as expected` : `${title}: expected ${answerInWords(expected)}`;
  return [{ text, tone: came ? 'ok' : 'bad' }];
}

function issueMessage({ id, at, code, sub, request }: IssueEvent): Message {
  const scope = request.scope === undefined ? '' : ` · ${request.scope}`;
  return {
    id,
    at,
    from: 0,
    to: 1,
    request: 'authorize',
    reply: `code ${elided(code)}`,
    tone: 'ok',
    notes: [{ text: `for ${sub}${scope}`, tone: 'muted' }],
    refused: false,
  };
}

function decisionMessage({ id, at, decision, user_code, sub, scope }: DecisionEvent): Message {
  const granted = scope === '' ? '' : ` · ${scope}`;
  return {
    id,
    at,
    from: 0,
    to: 1,
    request: `${decision} ${user_code}`,
    reply: DECIDED[decision],
    tone: decision === 'approve' ? 'ok' : 'warn',
    notes: sub === null ? [] : [{ text: `as ${sub}${granted}`, tone: 'muted' }],
    refused: false,
  };
}

function stepMessage(event: ExchangeEvent): Message {
  const message = exchangeMessage(event.id, event.exchange);
  return { ...message, notes: [...verdictOf(event), ...message.notes] };
}

function burstMessage({ id, count, first, exchange }: BurstEvent): Message {
  const numbers = count === 1 ? `#${first}` : `#${first} to #${exchange.number}`;
  return {
    id,
    at: exchange.at,
    from: 0,
    to: 2,
    request: `POST ${exchange.path} × ${count}`,
    reply: `${exchange.status}${count === 1 ? '' : ' each'}`,
    tone: 'ok',
    notes: [{ text: `${pluralize(count, 'refresh', 'refreshes')}, ${numbers}`, tone: 'muted' }],
    refused: false,
  };
}

export function messageOf(event: FlowEvent): Message {
  if (event.kind === 'issue') return issueMessage(event);
  if (event.kind === 'decision') return decisionMessage(event);
  return event.kind === 'burst' ? burstMessage(event) : stepMessage(event);
}

/** The messages in order, with what was done to the clock between them. */
export const messagesOf = (events: readonly FlowEvent[]): Message[] =>
  withClockNotes(
    events.map((event) => ({
      message: messageOf(event),
      clock: exchangeOf(event)?.clock ?? null,
    })),
  );
