// The state of the Requests view and its transitions, as pure functions: the request being composed, and the sent requests
// with their responses. Nothing here sends requests or uses React.

import type { Exchange } from '../../../control/schemas/exchanges.ts';
import { isSuccess } from '../../ui/status.tsx';
import type { DetailTab } from '../../exchange/ExchangeDetail.tsx';
import { EMPTY_DRAFT, type Draft } from '../../composing/draft.ts';
import { lacksIssued } from '../../composing/credential-places.ts';
import type { Repeated } from '../../sending/repeat-request.ts';

export type Prerequisite = 'refresh_token' | 'access_token' | 'redirect_uri';

/** A note on the current request, shown above it. */
export interface Note {
  readonly kind: 'missing' | 'changed' | 'failed';
  readonly text: string;
  /** What the client lacks, for the button that provides it. */
  readonly lacking?: Prerequisite;
}

export type Answer =
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'run'; readonly run: Repeated }
  /** From an earlier session: the request without its secrets, and its outcome in words. */
  | { readonly kind: 'restored'; readonly words: string };

export interface Sent {
  readonly id: number;
  /** Sandbox time in ms. */
  readonly at: number;
  readonly draft: Draft;
  readonly answer: Answer;
}

export const COMPOSER_TABS = ['body', 'query', 'headers', 'code', 'repeat'] as const;
export type ComposerTab = (typeof COMPOSER_TABS)[number];

/** Older requests are dropped. */
const MOST_SENT = 100;

export const STARTING = {
  draft: EMPTY_DRAFT,
  /** The name under which the current request is saved; null for none. */
  saved_as: null as string | null,
  /** Whether the user has edited it since it was started, opened or sent. */
  typed: false,
  notes: [] as readonly Note[],
  /** Whether sending the request issues a code. False when the user emptied its field. */
  awaits_issued: false,
  /** Whether new credentials are being fetched. */
  filling: false,
  /** Counts attempts to send an invalid request. Each moves the focus to the first invalid field. */
  invalid_attempts: 0,
  /** Newest first. */
  history: [] as readonly Sent[],
  next_id: 1,
  /** The entry that is being sent. */
  busy: null as number | null,
  /** The entry whose response is shown. */
  shown: null as number | null,
  /** The index of the outcome that is shown of a repetition. */
  outcome: null as number | null,
  tab: 'body' as ComposerTab,
  detail: 'why' as DetailTab,
  pane: 'request' as 'start' | 'request' | 'answer',
  pasting: false,
  /** Whether the form that saves the request is open. */
  saving: false,
  /** The command in the dialog. */
  command: '',
};

export type RequestsState = Readonly<typeof STARTING>;

/** The tab that the user most likely edits. */
function tabFor({ body, query, method }: Draft): ComposerTab {
  if (body.text !== '' || method === 'POST') return 'body';
  return query !== null && query.length > 0 ? 'query' : 'headers';
}

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
  invalid_attempts: 0,
  awaits_issued: false,
  tab: state.tab === 'code' || state.tab === 'repeat' ? state.tab : tabFor(draft),
  pane: 'request',
});

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

/** The tab to show: the explanation of a rejection, else the one that was selected. */
function tabAfter({ detail }: RequestsState, exchange: Exchange): DetailTab {
  if (!isSuccess(exchange.status) || exchange.error !== null) return 'why';
  return detail === 'why' ? 'response' : detail;
}

/** Sets the response of an entry, or the progress of its repetition. */
export function withAnswerOf(state: RequestsState, id: number, answer: Answer): RequestsState {
  const history = state.history.map((sent) => (sent.id === id ? { ...sent, answer } : sent));
  if (answer.kind === 'run' && answer.run.state === 'running') return { ...state, history };
  const done = { ...state, history, busy: state.busy === id ? null : state.busy };
  return answer.kind === 'exchange' ? { ...done, detail: tabAfter(state, answer.exchange) } : done;
}

export const shownEntry = ({ history, shown }: RequestsState): Sent | null =>
  history.find(({ id }) => id === shown) ?? null;

export const withShown = (state: RequestsState, id: number): RequestsState => ({
  ...state,
  shown: id,
  outcome: null,
  pane: 'answer',
});

/** Clears the history, except for the request that is being sent. */
export const withoutHistory = (state: RequestsState): RequestsState => {
  const history = state.history.filter(({ id }) => id === state.busy);
  return { ...state, history, shown: history[0]?.id ?? null, outcome: null };
};
