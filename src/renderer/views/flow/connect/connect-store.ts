// What was chosen and typed for the app under test, kept while another message or view is looked at.

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';

interface Connecting {
  /** null: the one that the flow begins with. */
  readonly client_id: string | null;
  /** Where the app receives codes; null: as the client has it registered. */
  readonly redirect_uri: string | null;
  /** Whether the settings are shown; null: until the app has sent its first request. */
  readonly open: boolean | null;
}

const connecting = createStore<Connecting>(() => ({
  client_id: null,
  redirect_uri: null,
  open: null,
}));

export const setConnecting = (part: Partial<Connecting>): void => connecting.setState(part);
export const useConnecting = (): Connecting => useStore(connecting);
