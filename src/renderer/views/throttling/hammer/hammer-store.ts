// The hammer outlives its view: a run goes on while the person looks elsewhere.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { page } from '../../../connection/state.ts';
import { AT_REST, type HammerForm, type HammerRun, type HammerState } from './hammer-state.ts';

export const hammerStore = createStore<HammerState>(() => AT_REST);

/** What a component needs of it; the selector must return something stable. */
export const useHammer = <T>(select: (state: HammerState) => T): T => useStore(hammerStore, select);

export const changeForm = (change: Partial<HammerForm>): void =>
  hammerStore.setState(({ form }) => ({ form: { ...form, ...change } }));

/** Changes the run under way; one that another has followed stays as it is. */
export const changeRun = (id: number, change: Partial<HammerRun>): void =>
  hammerStore.setState(({ run }) => (run?.id === id ? { run: { ...run, ...change } } : {}));

page.subscribe((now, before) => {
  if (now.resets !== before.resets) hammerStore.setState({ bites: [] });
});
