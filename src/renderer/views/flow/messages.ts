// Turns events of the flow into messages of the diagram. No geometry.

import {
  exchangeMessage,
  type Message,
  type Note,
  withClockNotes,
} from '../../sequence/message.ts';
import { elided } from '../../ui/short-forms.ts';
import { requestLine, statusWords } from '../../ui/status.tsx';
import { exchangeOf } from '../../recording/recording.ts';
import type {
  BurstEvent,
  ControlEvent,
  DecisionEvent,
  EndEvent,
  ExchangeEvent,
  FlowEvent,
  IssueEvent,
  MintEvent,
} from './flow-state.ts';

function verdictOf({ verdict }: ExchangeEvent): Note[] {
  if (verdict === null) return [];
  const { title, passed, expected } = verdict;
  const text = passed ? `${title}: as expected` : `${title}: expected ${expected}`;
  return [{ text, tone: passed ? 'ok' : 'bad' }];
}

/** An action over the control API, drawn from the app to the server like the request that it replaces. */
function controlMessage(event: ControlEvent): Message {
  const { request, reply, tone, note } = controlWords(event);
  return {
    id: event.id,
    at: event.at,
    from: 0,
    to: 1,
    request,
    reply,
    tone,
    rejected: false,
    notes: note === null ? [] : [{ text: note, tone: 'muted' }],
  };
}

function stepMessage(event: ExchangeEvent): Message {
  const message = exchangeMessage(event.id, event.exchange);
  return { ...message, notes: [...verdictOf(event), ...message.notes] };
}

function burstMessage({ id, count, first, exchange }: BurstEvent): Message {
  const { status, number } = exchange;
  return {
    ...exchangeMessage(id, exchange),
    request: `${requestLine(exchange)} × ${count}`,
    reply: `${statusWords(status)} each`,
    notes: [{ text: `${count} requests, #${first} to #${number}`, tone: 'muted' }],
  };
}

export function messageOf(event: FlowEvent): Message {
  if (event.kind === 'exchange') return stepMessage(event);
  return event.kind === 'burst' ? burstMessage(event) : controlMessage(event);
}

/** The messages in order, with notes where the clock was changed. */
export const messagesOf = (events: readonly FlowEvent[]): Message[] =>
  withClockNotes(
    events.map((event) => ({
      message: messageOf(event),
      clock: exchangeOf(event)?.clock ?? null,
    })),
  );

interface ControlWords {
  readonly request: string;
  readonly reply: string;
  readonly tone: 'ok' | 'warn';
  readonly note: string | null;
  /** An explanation in one sentence. */
  readonly lead: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Values of facts that a report elides. */
  readonly secrets: readonly string[];
  /** The redirect that an app would have received, for the clipboard. */
  readonly copy?: string;
}

const userAndScope = (sub: string, scope: string | undefined) =>
  `for ${sub}${scope === undefined ? '' : ` · ${scope}`}`;

const issued = ({ code, sub, request, redirect_to, expires_at }: IssueEvent): ControlWords => ({
  request: 'authorize',
  reply: `code ${elided(code)}`,
  tone: 'ok',
  note: userAndScope(sub, request.scope),
  lead: 'Issued directly, without a sign-in. An app would find this URL in the Location header of the redirect.',
  facts: [
    ['Code', code],
    ['Redirects to', redirect_to],
    ['Client', request.client_id],
    ['User', sub],
    ['Redirect URI', request.redirect_uri],
    ['Audience', request.audience ?? 'none: decided when the code is exchanged'],
    ['Scope', request.scope ?? 'none requested'],
    [
      'PKCE',
      request.code_challenge === undefined ? 'no challenge' : `S256 ${request.code_challenge}`,
    ],
    ['Expires', expires_at],
  ],
  secrets: [code],
  copy: redirect_to,
});

const minted = ({ request, access_token, refresh_token }: MintEvent): ControlWords => ({
  request: 'issue tokens',
  reply: `access token ${elided(access_token)}`,
  tone: 'ok',
  note: userAndScope(request.sub ?? 'the first user', request.scope),
  lead: 'Issued directly, without a grant and without a request of the client.',
  facts: [
    ['Access token', access_token],
    ['Refresh token', refresh_token ?? 'none'],
    ['Client', request.client_id],
    ['User', request.sub ?? 'the first user'],
    ['Scope', request.scope ?? 'none requested'],
  ],
  secrets: [access_token, ...(refresh_token === null ? [] : [refresh_token])],
});

const ENDED = {
  revoke: ['revoked', 'Revoked directly. The next request that presents it will be rejected.'],
  expire: ['expired', 'Expired directly. The next request that presents it will be rejected.'],
} as const;

function ended({ how, value }: EndEvent): ControlWords {
  const [reply, lead] = ENDED[how];
  return {
    reply,
    lead,
    note: null,
    request: `${how} ${elided(value)}`,
    tone: 'warn',
    facts: [['Credential', value]],
    secrets: [value],
  };
}

const DECIDED = {
  approve: ['approved', 'The device was approved. Its next poll gets the tokens.'],
  deny: ['denied', 'The device was denied. Its next poll gets access_denied.'],
  expire: ['expired', 'Both codes of the device were expired. Its next poll gets expired_token.'],
} as const;

function decided({ decision, user_code, client_id, sub, scope }: DecisionEvent): ControlWords {
  const [reply, lead] = DECIDED[decision];
  const granted = scope === '' ? '' : ` · ${scope}`;
  return {
    reply,
    lead,
    request: `${decision} ${user_code}`,
    tone: decision === 'approve' ? 'ok' : 'warn',
    note: sub === null ? null : `as ${sub}${granted}`,
    secrets: [],
    facts: [
      ['User code', user_code],
      ['Client', client_id],
      ...(sub === null
        ? []
        : [['User', sub] as const, ['Granted scope', scope === '' ? 'none' : scope] as const]),
    ],
  };
}

export function controlWords(event: ControlEvent): ControlWords {
  switch (event.kind) {
    case 'issue':
      return issued(event);
    case 'minted':
      return minted(event);
    case 'ended':
      return ended(event);
    case 'decision':
      return decided(event);
  }
}
