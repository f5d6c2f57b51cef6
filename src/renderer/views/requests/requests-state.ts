// What the Requests view knows: the request being composed, the requests sent with their responses, and
// every way these change, as pure functions. Nothing here sends anything or knows React.

import type { Exchange } from '../../../control/schemas/exchanges.ts';
import { wentWell } from '../../ui/status.tsx';
import type { DetailTab } from '../../exchange/ExchangeDetail.tsx';
import { EMPTY_DRAFT, type Draft } from './draft.ts';
import { lacksIssued } from './credential-places.ts';
import type { Repeated } from '../../sending/repetition.ts';

/** What a client has none of. */
export type Lacking = 'refresh_token' | 'access_token' | 'redirect_uri';

/** Something to know about the request at hand, shown above it. */
export interface Note {
  readonly kind: 'missing' | 'changed' | 'failed';
  readonly text: string;
  /** The client has none of these, and could be given one. */
  readonly lacking?: Lacking;
}

export type Answer =
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'failed'; readonly message: string; readonly stopped: boolean }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'run'; readonly run: Repeated }
  /** Of an earlier session: the request without its secrets, and what its answer was called. */
  | { readonly kind: 'kept'; readonly words: string };

export interface Sent {
  readonly id: number;
  /** Sandbox time in ms. */
  readonly at: number;
  readonly draft: Draft;
  readonly answer: Answer;
}

export const COMPOSER_TABS = ['body', 'query', 'headers', 'code', 'repeat'] as const;
export type ComposerTab = (typeof COMPOSER_TABS)[number];

export type Pane = 'start' | 'request' | 'answer';

/** The code that was put in, and whether it was redeemed since. */
export interface HeldCode {
  readonly code: string;
  readonly expires_at: string;
  readonly spent: boolean;
}

export interface RequestsState {
  readonly draft: Draft;
  /** The name under which the request at hand is saved; null for none. */
  readonly saved_as: string | null;
  /** Typed since it was started, opened or sent: what would be lost. */
  readonly typed: boolean;
  readonly notes: readonly Note[];
  readonly held: HeldCode | null;
  /** A code is issued when the request is sent; not where one emptied its place. */
  readonly awaits_issued: boolean;
  /** Fresh credentials are being fetched. */
  readonly filling: boolean;
  /** How often it could not be sent: what is marked wants the focus. */
  readonly refused: number;
  /** Newest first. */
  readonly history: readonly Sent[];
  readonly next_id: number;
  /** The entry under way. */
  readonly busy: number | null;
  /** The entry whose answer is shown. */
  readonly shown: number | null;
  /** An outcome of a run that is looked at, by its place. */
  readonly outcome: number | null;
  readonly tab: ComposerTab;
  readonly detail: DetailTab;
  readonly pane: Pane;
  readonly pasting: boolean;
  /** Whether a name is asked for, to save the request at hand. */
  readonly saving: boolean;
  /** The command in the dialog. */
  readonly command: string;
}

/** Older ones are left out. */
const MOST_SENT = 100;

export const STARTING: RequestsState = {
  draft: EMPTY_DRAFT,
  saved_as: null,
  typed: false,
  notes: [],
  held: null,
  awaits_issued: false,
  filling: false,
  refused: 0,
  history: [],
  next_id: 1,
  busy: null,
  shown: null,
  outcome: null,
  tab: 'body',
  detail: 'why',
  pane: 'request',
  pasting: false,
  saving: false,
  command: '',
};

/** Where the parts of a request are that one would edit. */
function tabFor({ body, query, method }: Draft): ComposerTab {
  if (body.text !== '' || method === 'POST') return 'body';
  return query !== null && query.length > 0 ? 'query' : 'headers';
}

/** Another request in place of the one at hand. */
export const withDraft = (
  state: RequestsState,
  draft: Draft,
  notes: readonly Note[] = [],
): RequestsState => ({
  ...state,
  draft,
  notes,
  saved_as: null,
  typed: false,
  refused: 0,
  held: null,
  awaits_issued: false,
  tab: state.tab === 'code' || state.tab === 'repeat' ? state.tab : tabFor(draft),
  pane: 'request',
});

/** The request at hand, changed by the person. */
export const withEdit = (state: RequestsState, draft: Draft): RequestsState => ({
  ...state,
  draft,
  awaits_issued: state.awaits_issued && lacksIssued(draft),
  typed: true,
});

export const withSent = (
  state: RequestsState,
  draft: Draft,
  answer: Answer,
  at: number,
): RequestsState => ({
  ...state,
  typed: false,
  history: [{ id: state.next_id, at, draft, answer }, ...state.history].slice(0, MOST_SENT),
  next_id: state.next_id + 1,
  busy: state.next_id,
  shown: state.next_id,
  outcome: null,
  pane: 'answer',
});

/** A code that was redeemed is worth nothing any more, whatever came with it. */
function heldAfter(held: HeldCode | null, { exchange }: Extract<Answer, { kind: 'exchange' }>) {
  const spent = exchange.status === 200 && exchange.grant_type === 'authorization_code';
  return held !== null && spent ? { ...held, spent } : held;
}

/** A refusal is explained first; of what went well, the side that was looked at before. */
function sideOf({ detail }: RequestsState, exchange: Exchange): DetailTab {
  if (!wentWell(exchange.status) || exchange.error !== null) return 'why';
  return detail === 'why' ? 'response' : detail;
}

/** The response to an entry, or how far its run is. */
export function withAnswerOf(state: RequestsState, id: number, answer: Answer): RequestsState {
  const history = state.history.map((sent) => (sent.id === id ? { ...sent, answer } : sent));
  if (answer.kind === 'run' && answer.run.state === 'running') return { ...state, history };
  const done = { ...state, history, busy: state.busy === id ? null : state.busy };
  if (answer.kind !== 'exchange') return done;
  const { exchange } = answer;
  return { ...done, held: heldAfter(state.held, answer), detail: sideOf(state, exchange) };
}

export const shownEntry = ({ history, shown }: RequestsState): Sent | null =>
  history.find(({ id }) => id === shown) ?? null;

export const withShown = (state: RequestsState, id: number): RequestsState => ({
  ...state,
  shown: id,
  outcome: null,
  pane: 'answer',
});

/** Without what is not under way. */
export const withoutHistory = (state: RequestsState): RequestsState => {
  const history = state.history.filter(({ id }) => id === state.busy);
  return { ...state, history, shown: history[0]?.id ?? null, outcome: null };
};
