// The saved flows of this browser, remembered in localStorage.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { attempt } from '../../actions/sandbox.ts';
import { notify, notifyWithUndo } from '../../ui/notify.tsx';
import { currentChoice } from './choice.ts';
import { changeFlow, flow } from './flow-store.ts';
import { readFlows, savedFlow, withFlow, type SavedFlow } from './saved-flow.ts';

const KEY = 'grantbench.flows';

interface SavedFlows {
  readonly flows: readonly SavedFlow[];
}

const remembered = (): SavedFlows => ({ flows: readFlows(localStorage.getItem(KEY)) });
const store = createStore<SavedFlows>(remembered);

// Another tab saves into the same list: what it wrote must not be written over.
addEventListener('storage', ({ key }) => {
  if (key === KEY) store.setState(remembered());
});

/** @throws when the browser keeps no more */
function keep(flows: readonly SavedFlow[]): void {
  localStorage.setItem(KEY, JSON.stringify(flows));
  store.setState({ flows });
}

const isNot =
  (saved: SavedFlow) =>
  ({ name }: SavedFlow): boolean =>
    name !== saved.name;

const putBack = (saved: SavedFlow) => () =>
  void attempt('It was not restored.', async () => keep(withFlow(store.getState().flows, saved)));

export const useSavedFlows = (): readonly SavedFlow[] => useStore(store, ({ flows }) => flows);

/** Saves the walk as it stands; one of that name makes way, and can be had back. */
export const saveFlow = (name: string): Promise<boolean> =>
  attempt('The flow was not saved.', async () => {
    const { flows } = store.getState();
    const saved = savedFlow(name, flow.getState(), currentChoice(), new Date().toISOString());
    keep(withFlow(flows, saved));
    changeFlow((state) => ({ ...state, name: saved.name }));
    const former = flows.find((one) => !isNot(saved)(one));
    if (former === undefined) notify(`“${saved.name}” is saved, without secrets`);
    else notifyWithUndo(`“${saved.name}” is replaced, without secrets`, putBack(former));
  });

export const deleteFlow = (saved: SavedFlow): Promise<boolean> =>
  attempt('The flow was not deleted.', async () => {
    keep(store.getState().flows.filter(isNot(saved)));
    notifyWithUndo(`“${saved.name}” is deleted`, putBack(saved));
  });
