// A redirect URI becomes one of a client's own only when somebody presses the button that says so.

import type { Client } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { change, withClient } from '../../connection/state.ts';
import { notifyWithUndo } from '../../ui/notify.tsx';

/** Registers it beside the others, and offers to take it back. */
export const addRedirectUri = (
  { client_id, redirect_uris }: Client,
  uri: string,
): Promise<boolean> =>
  attempt('The redirect URI was not added.', async () => {
    const update = async (uris: readonly string[]) => {
      const updated = await control.clients.update({ client_id, redirect_uris: [...uris] });
      change((state) => withClient(state, updated));
    };
    await update([...redirect_uris, uri]);
    const undo = () => attempt('The redirect URI was not removed.', () => update(redirect_uris));
    notifyWithUndo(`${uri} is a redirect URI of ${client_id}`, () => void undo());
  });
