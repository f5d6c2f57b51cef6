// The hammer outlives its view: a run goes on while the person looks elsewhere.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { page } from '../../../connection/state.ts';
import type { Run } from '../../../sending/tally.ts';
import { AT_REST, type HammerForm, type HammerState } from './hammer-state.ts';

export const hammerStore = createStore<HammerState>(() => AT_REST);

/** What a component needs of it; the selector must return something stable. */
export const useHammer = <T>(select: (state: HammerState) => T): T => useStore(hammerStore, select);

export const changeForm = (change: Partial<HammerForm>): void =>
  hammerStore.setState(({ form }) => ({ form: { ...form, ...change } }));

/** How far the run under way is. */
export const setRun = (id: number, run: Run): void => hammerStore.setState({ run: { ...run, id } });

page.subscribe((now, before) => {
  if (now.resets !== before.resets) hammerStore.setState({ hits: [] });
});
