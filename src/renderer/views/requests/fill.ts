// Puts credentials where the request at hand has a place for them. Looking at a request issues nothing: tokens
// that the client has are put in at once, codes are issued when it is sent, or when somebody asks for new ones.

import type { Client } from '../../../control/schemas.ts';
import { problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { sentence } from '../../ui/problems.ts';
import { lacksIssued, wantedBy, wantsAny, withFresh } from './credential-places.ts';
import type { Draft } from './draft.ts';
import { gatherFresh, gatherTokens, type Gathered, type Lacking } from './fresh.ts';
import type { Note, RequestsState } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';

export const clientById = (client_id: string | null): Client | null =>
  page.getState().clients.find((client) => client.client_id === client_id) ?? null;

/** Whose request it is: the client chosen here, else the one the flow goes by. */
export const chosenClient = (): Client | null =>
  clientById(requests.getState().draft.client_id) ?? chosenParty().client;

const LACKING_WORDS: Record<Lacking, (client: string) => string> = {
  refresh_token: (client) => `${client} has no live refresh token.`,
  access_token: (client) => `${client} has no live access token.`,
  redirect_uri: (client) => `${client} has no redirect URI, so no code can be issued for it.`,
};

const lackingNote = (lacking: Lacking, { client_id }: Client): Note => ({
  kind: 'missing',
  text: LACKING_WORDS[lacking](client_id),
  lacking,
});

function withGathered(state: RequestsState, client: Client, gathered: Gathered): RequestsState {
  const { fresh, lacking, expires_at } = gathered;
  const notes = state.notes.filter(({ lacking: former, kind }) => !former && kind !== 'failed');
  const held =
    fresh.code === null || expires_at === null
      ? state.held
      : { code: fresh.code, expires_at, spent: false };
  return {
    ...state,
    draft: withFresh(state.draft, fresh),
    notes: [...notes, ...lacking.map((one) => lackingNote(one, client))],
    held,
  };
}

let turn = 0;

type Gather = (draft: Draft, client: Client) => Promise<Gathered>;

/** @returns whether the request at hand has what there is */
async function fill(gather: Gather): Promise<boolean> {
  const { draft } = requests.getState();
  const client = chosenClient();
  if (client === null || !wantsAny(wantedBy(draft))) return true;
  turn += 1;
  const mine = turn;
  changeRequests((state) => ({ ...state, filling: true }));
  try {
    const gathered = await gather(draft, client);
    if (mine !== turn) return false;
    changeRequests((state) => withGathered(state, client, gathered));
    return true;
  } catch (error) {
    if (mine !== turn) return false;
    const text = `No new credentials: ${sentence(problemOf(error).message)}`;
    changeRequests((state) => ({ ...state, notes: [...state.notes, { kind: 'failed', text }] }));
    return false;
  } finally {
    if (mine === turn) changeRequests((state) => ({ ...state, filling: false }));
  }
}

/** What is being fetched is not for the request at hand any more. */
export function giveUpFilling(): void {
  turn += 1;
}

/** Puts in the newest live tokens of the client; what is issued for one request waits until it is sent. */
export async function lookUp(): Promise<void> {
  if (!(await fill(gatherTokens))) return;
  changeRequests((state) => ({ ...state, awaits_issued: lacksIssued(state.draft) }));
}

/** Issues and looks up credentials wherever the request at hand has a place for them. */
export async function fillIn(): Promise<boolean> {
  changeRequests((state) => ({ ...state, awaits_issued: false }));
  return fill(gatherFresh);
}

/**
 * Issues what the request at hand waits for.
 * @returns whether it can be sent: neither has another taken its place, nor was nothing issued
 */
export const fillForSending = async (): Promise<boolean> =>
  !requests.getState().awaits_issued || fillIn();
