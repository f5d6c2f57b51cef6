// Fills credentials into the current request. Opening a request issues nothing: tokens that the client has are filled in at
// once, and codes are issued when the request is sent or when the user asks for new credentials.

import type { Client } from '../../../control/schemas.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import { performStep } from '../../../scenario/actions/index.ts';
import { problemOf } from '../../connection/control.ts';
import { chosenParty, clientById } from '../../sending/chosen-party.ts';
import { openRun } from '../../sending/open-run.ts';
import { issueDeviceCode, newestToken } from '../../sending/token-steps.ts';
import { problemSentence } from '../../ui/problems.ts';
import { lacksIssued, wantedBy, withValues } from '../../composing/credential-places.ts';
import type { Draft } from '../../composing/draft.ts';
import { codeFor } from '../../composing/request-scenario.ts';
import type { Prerequisite, Note } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';

/** The client of the request: the one chosen here, else the one picked in the flow. null if it has been deleted. */
export function chosenClient(): Client | null {
  const { client_id } = requests.getState().draft;
  return client_id === null ? chosenParty().client : clientById(client_id);
}

const LACKING_WORDS: Record<Prerequisite, (client: string) => string> = {
  refresh_token: (client) => `${client} had no live refresh token.`,
  access_token: (client) => `${client} had no live access token.`,
  redirect_uri: (client) => `${client} had no redirect URI, so no code was issued for it.`,
};

const lackingNote = (lacking: Prerequisite, { client_id }: Client): Note => ({
  kind: 'missing',
  text: LACKING_WORDS[lacking](client_id),
  lacking,
});

/** Sets the variables in the draft, as far as possible. Returns what the client lacks for the others. */
type Gather = (draft: Draft, client: Client, run: Run) => Promise<readonly Prerequisite[]>;

/** Looks up the newest live tokens of the client. Issues nothing. */
const gatherTokens: Gather = async (draft, { client_id }, { variables }) => {
  const wanted = wantedBy(draft);
  const kinds = (['refresh_token', 'access_token'] as const).filter((kind) => wanted.has(kind));
  for (const kind of kinds) variables.set(kind, await newestToken(client_id, kind));
  return kinds.filter((kind) => !variables.has(kind));
};

const issueCode: Gather = async (draft, { client_id, redirect_uris }, run) => {
  if (redirect_uris.length === 0) return ['redirect_uri'];
  const order = { client: client_id, ...codeFor(draft, redirect_uris) };
  await performStep({ issue_code: order }, run);
  return [];
};

/** Sets all variables in the draft, and issues the credentials that are issued for one request. */
const gatherFresh: Gather = async (draft, client, run) => {
  const wanted = wantedBy(draft);
  const lacking = await gatherTokens(draft, client, run);
  if (wanted.has('device_code')) await issueDeviceCode(client, run);
  return wanted.has('code') ? [...lacking, ...(await issueCode(draft, client, run))] : lacking;
};

/** Notes that something failed, and why. */
export function noteFailure(what: string, error: unknown): void {
  const text = `${what}: ${problemSentence(problemOf(error))}`;
  changeRequests((state) => ({ ...state, notes: [...state.notes, { kind: 'failed', text }] }));
}

let turn = 0;

/** @returns false when issuing failed, or another request replaced the current one meanwhile */
async function fill(gather: Gather): Promise<boolean> {
  const { draft } = requests.getState();
  const client = chosenClient();
  const wanted = wantedBy(draft);
  if (client === null || wanted.size === 0) return true;
  turn += 1;
  const mine = turn;
  changeRequests({ filling: true });
  try {
    const run = openRun();
    const { has, filled } = run.variables;
    const lacking = await gather(draft, client, run);
    if (mine !== turn) return false;
    const valueOf = (name: string) =>
      wanted.has(name) && has(name) ? filled(`{{${name}}}`) : null;
    changeRequests((state) => ({
      ...state,
      draft: withValues(state.draft, valueOf),
      notes: [
        ...state.notes.filter((note) => !note.lacking && note.kind !== 'failed'),
        ...lacking.map((one) => lackingNote(one, client)),
      ],
    }));
    return true;
  } catch (error) {
    if (mine !== turn) return false;
    noteFailure('No new credentials', error);
    return false;
  } finally {
    if (mine === turn) changeRequests({ filling: false });
  }
}

/** Discards credentials that are being fetched for a former request. */
export function giveUpFilling(): void {
  turn += 1;
}

let lookingUp: Promise<void> = Promise.resolve();

/** Fills in the newest live tokens of the client. Credentials for one request are issued when it is sent. */
export function lookUp(): Promise<void> {
  lookingUp = fill(gatherTokens).then((filled) => {
    if (!filled) return;
    changeRequests((state) => ({ ...state, awaits_issued: lacksIssued(state.draft) }));
  });
  return lookingUp;
}

/** Issues or looks up every credential in the current request. */
export async function fillIn(): Promise<boolean> {
  changeRequests({ awaits_issued: false });
  return fill(gatherFresh);
}

/**
 * Waits for the tokens that are being looked up, and issues the credentials that the current request waits for.
 * @returns whether it can be sent: false when issuing failed, or another request replaced it meanwhile
 */
export async function fillForSending(): Promise<boolean> {
  await lookingUp;
  return !requests.getState().awaits_issued || fillIn();
}
