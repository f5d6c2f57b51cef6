// The state of the flow, outside React so that a run continues while another view is shown.

import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { createSandboxStore, page, usePage } from '../../connection/state.ts';
import { pickParty } from '../../sending/chosen-party.ts';
import { choose, type Choice, type WalkDocument } from './flow-document.ts';
import { afterReset, startingFlow, type FlowState } from './flow-state.ts';
import type { MistakeRun } from './run-results.ts';

export const flow = createSandboxStore<FlowState>(startingFlow, (state) => {
  // Its run would continue with credentials that no longer exist.
  state.stopping?.abort();
  return afterReset(state);
});

function sandboxNow(): FlowState['sandbox'] {
  const { server, settings, shape, clients, users, audiences, apis, faults } = page.getState();
  if (server === null || settings === null) return null;
  const registered = { clients, users, audiences, apis, faults };
  return { issuer: server.issuer, settings, shape: shape?.shape ?? undefined, ...registered };
}

export function changeFlow(how: (state: FlowState) => FlowState): void {
  flow.setState((state) => {
    const next = how(state);
    const isNewer = next.events.length > 0 && next.events !== state.events;
    if (!isNewer) return next;
    const sandbox = sandboxNow();
    return { ...next, sandbox, first_sandbox: next.first_sandbox ?? sandbox };
  }, true);
  // The other views send requests for the client and the user that are picked here.
  pickParty(flow.getState().document);
}

export const changeDocument = (how: (document: WalkDocument) => WalkDocument): void =>
  changeFlow((state) => ({ ...state, document: how(state.document) }));

export const changeMistakeRun = (how: (run: MistakeRun) => MistakeRun): void =>
  changeFlow((state) =>
    state.mistake_run === null ? state : { ...state, mistake_run: how(state.mistake_run) },
  );

export const showMistakes = (shown: boolean): void =>
  changeMistakeRun((run) => ({ ...run, shown }));

/** Subscribes to a part of the flow. The selector must return a stable value. */
export const useFlow = <T>(select: (state: FlowState) => T): T => useStore(flow, select);

export const currentChoice = (): Choice => choose(page.getState(), flow.getState().document);

export function useChoice(): Choice {
  const known = usePage(
    useShallow(({ clients, users, apis, settings, server }) => ({
      clients,
      users,
      apis,
      settings,
      server,
    })),
  );
  return choose(
    known,
    useFlow((state) => state.document),
  );
}
