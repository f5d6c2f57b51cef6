// The saved flows of this browser, remembered in localStorage. Those of earlier versions are converted once;
// their own entries stay as they are.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { attempt } from '../../../actions/sandbox.ts';
import { page } from '../../../connection/state.ts';
import { notify, notifyWithUndo } from '../../../ui/notify.tsx';
import { pluralize } from '../../../ui/short-forms.ts';
import { convert, recorded } from '../exports.ts';
import { changeFlow } from '../flow-store.ts';
import { nameOf, readKept, withFlow, type Kept, type SavedFlow } from './saved-flow.ts';

const KEY = 'grantbench.scenarios';
const FORMER_KEY = 'grantbench.flows';

const remembered = (): Kept => readKept(localStorage.getItem(KEY));
const store = createStore<Kept>(remembered);

// Another tab saves into the same list: what it wrote must not be written over.
addEventListener('storage', ({ key }) => {
  if (key === KEY) store.setState(remembered());
});

/** @throws when the browser keeps no more */
function keep(change: Partial<Kept>): void {
  const kept = { ...store.getState(), ...change };
  localStorage.setItem(KEY, JSON.stringify(kept));
  store.setState(kept);
}

const isNot =
  (saved: SavedFlow) =>
  (one: SavedFlow): boolean =>
    nameOf(one) !== nameOf(saved);

const putBack = (saved: SavedFlow) => () =>
  void attempt('The flow was not restored.', async () =>
    keep({ flows: withFlow(store.getState().flows, saved) }),
  );

export const useSavedFlows = (): Kept => useStore(store);

/** Saves the walk as it stands; one of that name makes way, and can be had back. */
export const saveFlow = (name: string): Promise<boolean> =>
  attempt('The flow was not saved.', async () => {
    const scenario = await recorded(name.trim());
    const saved = { saved_at: new Date().toISOString(), scenario };
    const { flows } = store.getState();
    keep({ flows: withFlow(flows, saved) });
    changeFlow((state) => ({ ...state, name: scenario.name }));
    const former = flows.find((one) => !isNot(saved)(one));
    if (former === undefined) notify(`“${scenario.name}” is saved, without secrets`);
    else notifyWithUndo(`“${scenario.name}” is replaced, without secrets`, putBack(former));
  });

export const deleteFlow = (saved: SavedFlow): Promise<boolean> =>
  attempt('The flow was not deleted.', async () => {
    keep({ flows: store.getState().flows.filter(isNot(saved)) });
    notifyWithUndo(`“${nameOf(saved)}” is deleted`, putBack(saved));
  });

export const dismissUnconverted = (): void => keep({ unconverted: [] });

const convertFormer = (stored: string) =>
  attempt('The flows of an earlier version were not converted.', async () => {
    const { clients, server } = page.getState();
    const converted = await convert(stored, { clients, issuer: server?.issuer ?? '' });
    const { flows, unconverted } = converted;
    // What was saved meanwhile, here or in another tab, is newer.
    keep({ flows: store.getState().flows.reduce(withFlow, flows), unconverted });
    if (unconverted.length === 0) return;
    notify(`${pluralize(unconverted.length, 'saved flow')} could not be converted: see Saved`);
  });

/** Once the clients are known, which the flows name. */
function convertWhenLoaded(): void {
  const stored = localStorage.getItem(FORMER_KEY);
  if (stored === null || localStorage.getItem(KEY) !== null) return;
  const release = page.subscribe(({ loaded }) => {
    if (!loaded) return;
    release();
    void convertFormer(stored);
  });
  if (page.getState().loaded) {
    release();
    void convertFormer(stored);
  }
}

convertWhenLoaded();
