// The Requests view's state while the page is open, outside React so that a run goes on and nothing
// typed is lost when the person looks at another view.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Draft } from './draft.ts';
import { keptHistory, keepHistory } from './kept-history.ts';
import { STARTING, withEdit, type RequestsState } from './requests-state.ts';

function starting(): RequestsState {
  const history = keptHistory();
  return { ...STARTING, history, next_id: history.length + 1 };
}

export const requests = createStore<RequestsState>(starting);

export const changeRequests = (how: (state: RequestsState) => RequestsState): void =>
  requests.setState(how, true);

export const editDraft = (how: (draft: Draft) => Draft): void =>
  changeRequests((state) => withEdit(state, how(state.draft)));

/** What a component needs of it; the selector must return something stable. */
export const useRequests = <T>(select: (state: RequestsState) => T): T =>
  useStore(requests, select);

requests.subscribe((now, before) => {
  if (now.history !== before.history && now.busy === null) keepHistory(now.history);
});
