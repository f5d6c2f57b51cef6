// The whole flow with a person at the sign-in page, by one click.

import { attempt } from '../../../actions/sandbox.ts';
import { withClient, withInputs } from '../flow-state.ts';
import { changeFlow, flow, setInputs } from '../flow-store.ts';
import { runAll } from '../run.ts';
import { publicClient } from './public-client.ts';

/** As the client that is picked. */
export async function runAsPerson(): Promise<void> {
  if (flow.getState().running !== null) return;
  setInputs({ grant: 'authorization_code', authorize: 'person' });
  await runAll();
}

/** As a public client, with PKCE. */
export async function runAsPublicClient(): Promise<void> {
  if (flow.getState().running !== null) return;
  const chosen = await attempt('The public client was not registered.', async () => {
    const client_id = await publicClient();
    changeFlow((state) => {
      const { client_id: picked } = state.inputs;
      const fresh = picked === client_id ? state : withClient(state, client_id);
      return withInputs(fresh, { grant: 'authorization_code', authorize: 'person' });
    });
  });
  if (chosen) await runAll();
}
