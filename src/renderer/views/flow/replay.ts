// Does again what a saved flow did, in a fresh diagram: every step of it, whatever comes, and then tells
// where the answers were others than when it was saved.

import { attempt } from '../../actions/sandbox.ts';
import { page } from '../../connection/state.ts';
import { restarted, withInputs, type ScriptEntry } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { findMistake, isBreakable } from './mistakes.ts';
import { alone, carryOutRecorded } from './run.ts';
import { makeRecorded } from './run-mistake.ts';
import { inputsOf, type SavedFlow } from './saved-flow.ts';
import { differences, withEntry } from './script.ts';

async function repeat(entry: ScriptEntry): Promise<void> {
  const { step, mistake: id } = entry;
  if (id === null) {
    await carryOutRecorded(step);
    return;
  }
  const mistake = isBreakable(step) ? findMistake(step, id) : null;
  if (mistake !== null && isBreakable(step)) await makeRecorded(step, mistake);
  // One that this version does not know: it cannot come to the answer it had.
  else changeFlow((state) => withEntry(state, { ...entry, came: null }));
}

function checkClient({ inputs: { client_id } }: SavedFlow): void {
  if (page.getState().clients.some((client) => client.client_id === client_id)) return;
  throw new Error(
    `It was saved with the client “${client_id ?? ''}”, which is not registered here.`,
  );
}

export const replayFlow = (saved: SavedFlow): Promise<boolean> =>
  attempt(`“${saved.name}” was not replayed.`, async () => {
    checkClient(saved);
    await alone('all', async () => {
      changeFlow((state) => withInputs(restarted(state), inputsOf(saved)));
      for (const entry of saved.script) await repeat(entry);
      const found = differences(saved.script, flow.getState().script);
      const replayed = { steps: saved.script.length, differences: found };
      changeFlow((state) => ({ ...state, name: saved.name, replayed }));
    });
  });
