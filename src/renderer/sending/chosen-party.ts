// The client and the user that requests are sent for: those picked in the flow, else its defaults. Requests and Tokens
// start from them too, without importing the flow.

import type { Client, User } from '../../control/schemas.ts';
import { page, type State } from '../connection/state.ts';

/** null: not picked. */
interface PickedParty {
  readonly client_id: string | null;
  readonly sub: string | null;
}

export interface Party {
  readonly client: Client | null;
  readonly user: User | null;
}

/** The picked client, else the oldest that can use the flow, which is the demo client. */
function clientOf(clients: readonly Client[], picked: string | null): Client | null {
  const known = clients.find(({ client_id }) => client_id === picked);
  const fit = (client: Client) =>
    client.grant_types.includes('authorization_code') && client.redirect_uris.length > 0;
  return known ?? clients.findLast(fit) ?? clients.at(-1) ?? null;
}

export const partyOf = (
  { clients, users }: Pick<State, 'clients' | 'users'>,
  picked: PickedParty,
): Party => ({
  client: clientOf(clients, picked.client_id),
  user: users.find(({ sub }) => sub === picked.sub) ?? users.at(-1) ?? null,
});

const NOBODY: PickedParty = { client_id: null, sub: null };

let picked = NOBODY;

/** Sets the client and the user that are picked in the flow. */
export const pickParty = ({ client_id, sub }: PickedParty): void => {
  picked = { client_id, sub };
};

export const clientById = (client_id: string | null): Client | null =>
  page.getState().clients.find((client) => client.client_id === client_id) ?? null;

/** @param own what is picked elsewhere, and counts before the flow unless it was deleted */
export function chosenParty({ client_id, sub }: PickedParty = NOBODY): Party {
  const state = page.getState();
  const ofFlow = partyOf(state, picked);
  return {
    client: clientById(client_id) ?? ofFlow.client,
    user: state.users.find((user) => user.sub === sub) ?? ofFlow.user,
  };
}
