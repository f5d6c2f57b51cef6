// The open credential, for the commands that act on it, and the result of its last replay.

import { useCallback } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { parseRoute } from '../../navigation/route.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { replayToken, type Replay, type Shown } from './token-actions.ts';

/** Items of the route that open a pane instead of a credential. */
export const PASTE = 'paste:';
export const BUILD = 'build:';

export const isPane = (item: string | null): boolean => item === PASTE || item === BUILD;

export async function readShown(id: string): Promise<Shown> {
  const credential = await control.tokens.get({ id });
  return { credential, lineage: await control.lineages.get({ id: credential.lineage_id }) };
}

/** `gone`: the engine stores the text of the newest access tokens only. */
export type TokenValue =
  | { readonly state: 'hidden' | 'asking' | 'gone'; readonly text: null }
  | { readonly state: 'known'; readonly text: string };

/** The text of a credential, loaded only when it is wanted. */
export function useTokenValue(id: string, wanted: boolean): TokenValue {
  const read = useCallback(() => control.tokens.get({ id, secrets: true }), [id]);
  const { known, problem } = useLoaded(wanted ? read : null, 0, id);
  if (!wanted) return { state: 'hidden', text: null };
  if (known === null && problem === null) return { state: 'asking', text: null };
  const text = known?.value ?? null;
  return text === null ? { state: 'gone', text } : { state: 'known', text };
}

function openId(): string | null {
  const route = parseRoute(location.hash);
  return route?.view === 'tokens' && !isPane(route.item) ? route.item : null;
}

export const isTokenOpen = (): boolean => openId() !== null;

/** Runs an action on the open credential in its current state. */
export async function withOpenToken(run: (shown: Shown) => Promise<unknown>): Promise<void> {
  const id = openId();
  if (id === null) return;
  await attempt(`The action on ${id} failed.`, async () => {
    await run(await readShown(id));
  });
}

interface Replays {
  /** The result for the credential that was replayed last. */
  readonly last: { readonly id: string; readonly replay: Replay } | null;
}

const replays = createStore<Replays>(() => ({ last: null }));

/** The result of replaying this credential, until the user leaves it. */
export const useReplay = (id: string): Replay | null =>
  useStore(replays, ({ last }) => (last?.id === id ? last.replay : null));

export const leaveReplay = (): void => replays.setState({ last: null });

export async function replayShown(shown: Shown): Promise<void> {
  const replay = await replayToken(shown);
  if (replay !== null) replays.setState({ last: { id: shown.credential.id, replay } });
}
