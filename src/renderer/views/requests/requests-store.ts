// The state of the Requests view, outside React so that a repetition continues and nothing typed is lost while another
// view is shown.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type Draft, draftOf, storedDraft, withHarmless } from '../../composing/draft.ts';
import {
  type Answer,
  type RequestsState,
  type Sent,
  STARTING,
  withEdit,
} from './requests-state.ts';
import { z } from '../../../control/zod.ts';
import { outcomeWords } from '../../sending/repeat-request.ts';
import { statusWords } from '../../ui/status.tsx';

const KEY = 'grantbench.requests';
const MOST_KEPT = 30;

function wordsOf(answer: Answer): string {
  switch (answer.kind) {
    case 'exchange':
      return outcomeWords(answer.exchange);
    case 'run':
      return `${answer.run.tally.sent} sent`;
    case 'restored':
      return answer.words;
    case 'sending':
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return statusWords(0);
  }
}

/** The format of this browser's storage, which another version may have written. */
const keptSchema = z.object({
  at: z.number(),
  words: z.string(),
  template: z.nullable(z.string()),
  client_id: z.nullable(z.string()),
  method: z.string(),
  target: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  format: z.enum(['json', 'form']),
  body: z.string(),
});

function keep({ at, draft, answer }: Sent): Kept {
  const { path, ...stored } = storedDraft(withHarmless(draft));
  return { at, words: wordsOf(answer), ...stored, target: path };
}

function read(): unknown {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

type Kept = z.infer<typeof keptSchema>;

/** Entries that cannot be parsed are dropped. */
function stored(): Kept[] {
  const kept = read();
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => keptSchema.safeParse(one).data ?? []).slice(0, MOST_KEPT);
}

/** The entries that this page has read or stored, as text: another tab may have added to the stored ones, or cleared them. */
let own: ReadonlySet<string> = new Set();

/** The schema decides the order of the members. */
const textOf = (one: Kept): string => JSON.stringify(keptSchema.parse(one));

/** The stored history, newest first. */
export function keptHistory(): readonly Sent[] {
  const good = stored();
  own = new Set(good.map(textOf));
  return good.map((one, index) => ({
    id: good.length - index,
    at: one.at,
    draft: draftOf({ ...one, path: one.target }),
    answer: { kind: 'restored', words: one.words },
  }));
}

export function keepHistory(history: readonly Sent[]): void {
  const before = new Map(stored().map((one) => [textOf(one), one]));
  const isCleared = (one: Kept) => own.has(textOf(one)) && !before.has(textOf(one));
  const ours = history
    .slice(0, MOST_KEPT)
    .map(keep)
    .filter((one) => !isCleared(one));
  const others = [...before].flatMap(([text, one]) => (own.has(text) ? [] : [one]));
  const kept = others.length === 0 ? ours : [...ours, ...others].sort((a, b) => b.at - a.at);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept.slice(0, MOST_KEPT)));
    own = new Set(ours.map(textOf));
  } catch {
    // The storage is full or not available. The history then lasts for this session only.
  }
}

function starting(): RequestsState {
  const history = keptHistory();
  return { ...STARTING, history, next_id: history.length + 1 };
}

export const requests = createStore<RequestsState>(starting);

/** Changes the state, and stores the history unless a request is still running. */
export function changeRequests(
  change: Partial<RequestsState> | ((state: RequestsState) => RequestsState),
): void {
  const before = requests.getState();
  requests.setState(change);
  const { history, busy } = requests.getState();
  if (history !== before.history && busy === null) keepHistory(history);
}

export const editDraft = (how: (draft: Draft) => Draft): void =>
  changeRequests((state) => withEdit(state, how(state.draft)));

/** Subscribes to a part of the state. The selector must return a stable value. */
export const useRequests = <T>(select: (state: RequestsState) => T): T =>
  useStore(requests, select);
