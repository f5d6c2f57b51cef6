// A captured request on its way to the Requests view, to be edited there: kept here until that view,
// whose code may still have to be loaded, takes it.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { WireRequest } from '../../scenario/runner/sandbox.ts';
import { navigate } from '../navigation/route.ts';

interface Handover {
  readonly request: WireRequest | null;
}

const handover = createStore<Handover>(() => ({ request: null }));

/** Opens the Requests view with this request, unless the person stays where they are. */
export async function editRequest(request: WireRequest): Promise<void> {
  if (await navigate('requests')) handover.setState({ request });
}

/** The request to be edited; null once it is taken. */
export const useHandedOver = (): WireRequest | null => useStore(handover, ({ request }) => request);

export const takeHandedOver = (): void => handover.setState({ request: null });
