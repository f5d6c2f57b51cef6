// Hands a captured request over to the Requests view for editing. It stays here until that view, whose code may still be
// loading, takes it.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { WireRequest } from '../../scenario/runner/sandbox.ts';
import { navigate } from '../navigation/route.ts';

interface Handover {
  readonly request: WireRequest | null;
}

const handover = createStore<Handover>(() => ({ request: null }));

/** Opens the Requests view with this request, unless the user cancels the navigation. */
export async function editRequest(request: WireRequest): Promise<void> {
  if (await navigate('requests')) handover.setState({ request });
}

/** The request to edit; null once it has been taken. */
export const useHandedOver = (): WireRequest | null => useStore(handover, ({ request }) => request);

export const takeHandedOver = (): void => handover.setState({ request: null });
