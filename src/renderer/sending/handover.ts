// Hands something over to another view: a captured request for editing, or a record that was saved by name. It stays here
// until that view, whose code may still be loading, takes it.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SavedRequest } from '../../control/schemas.ts';
import type { Scenario } from '../../scenario/schema.ts';
import type { WireRequest } from '../../scenario/runner/scenario-sandbox.ts';
import { openView } from '../navigation/route.ts';

interface HandedTo {
  /** A scenario to run. It is validated when it is run. */
  readonly flow: Pick<Scenario, 'name'>;
  readonly requests: { readonly captured: WireRequest } | { readonly saved: SavedRequest };
}

type Handover = { readonly [V in keyof HandedTo]: HandedTo[V] | null };

const NOTHING: Handover = { flow: null, requests: null };
const handover = createStore<Handover>(() => NOTHING);

/** Opens the view with this, unless the user cancels the navigation. */
export async function handOver<V extends keyof HandedTo>(view: V, it: HandedTo[V]): Promise<void> {
  if (await openView(view)) handover.setState({ ...NOTHING, [view]: it });
}

/** What this view is to open; null once it has been taken. */
export const useHandedOver = <V extends keyof HandedTo>(view: V): HandedTo[V] | null =>
  useStore(handover, (state) => state[view]);

export const takeHandedOver = (): void => handover.setState(NOTHING);
