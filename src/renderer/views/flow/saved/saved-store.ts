// Flows of earlier versions, converted once into the list that this browser keeps; their own entries stay as they
// are.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { attempt } from '../../../actions/sandbox.ts';
import { page } from '../../../connection/state.ts';
import { browserFlows } from '../../../saved/flows.ts';
import { KEY, nameOf, readKept, type Unconverted } from '../../../saved/saved-flow.ts';
import { notify } from '../../../ui/notify.tsx';
import { pluralize } from '../../../ui/short-forms.ts';
import { convert } from '../exports.ts';

const FORMER_KEY = 'grantbench.flows';

const remembered = () => readKept(localStorage.getItem(KEY));

const store = createStore<readonly Unconverted[]>(() => remembered().unconverted);

export const useUnconverted = (): readonly Unconverted[] => useStore(store);

function keepUnconverted(unconverted: readonly Unconverted[]): void {
  localStorage.setItem(KEY, JSON.stringify({ ...remembered(), unconverted }));
  store.setState(unconverted, true);
}

export const dismissUnconverted = (): void => keepUnconverted([]);

const convertFormer = (stored: string) =>
  attempt('The flows of an earlier version were not converted.', async () => {
    const { clients, server } = page.getState();
    const converted = await convert(stored, { clients, issuer: server?.issuer ?? '' });
    const { flows, unconverted } = converted;
    // What was saved meanwhile, here or in another tab, is newer.
    browserFlows.change((saved) => {
      const names = saved.map(nameOf);
      return [...saved, ...flows.filter((flow) => !names.includes(nameOf(flow)))];
    });
    keepUnconverted(unconverted);
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
