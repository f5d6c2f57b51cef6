// The walk through the flow that the page holds while it is open, outside React so that a run goes on
// when the person looks at another view. A reset of the sandbox ends it: its codes and tokens are gone.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { page } from '../../connection/state.ts';
import { pickedParty } from '../../sending/chosen-party.ts';
import type { FlowInputs } from './flow-inputs.ts';
import { afterReset, startingFlow, withInputs, type FlowState } from './flow-state.ts';

export const flow = createStore<FlowState>(() => startingFlow());

export const changeFlow = (how: (state: FlowState) => FlowState): void => flow.setState(how, true);

export const setInputs = (change: Partial<FlowInputs>): void =>
  changeFlow((state) => withInputs(state, change));

/** What a component needs of the flow; the selector must return something stable. */
export const useFlow = <T>(select: (state: FlowState) => T): T => useStore(flow, select);

page.subscribe((now, before) => {
  if (now.resets !== before.resets) changeFlow(afterReset);
});

// The other views make their requests for whom is picked here.
flow.subscribe(({ inputs: { client_id, sub } }, before) => {
  if (client_id !== before.inputs.client_id || sub !== before.inputs.sub) {
    pickedParty.setState({ client_id, sub });
  }
});
