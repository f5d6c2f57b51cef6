// What the person can do in the Requests view, from buttons, keys and the palette alike.

import type { Client, SendRequest } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control, problemOf } from '../../connection/control.ts';
import { isAt, navigate } from '../../navigation/route.ts';
import { page } from '../../connection/state.ts';
import { notify, notifyWithUndo } from '../../ui/notify.tsx';
import { sentence } from '../../ui/problems.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { takeHandedOver } from '../../sending/request-handover.ts';
import { wantedBy, wantsAny, withClient, withFresh } from './credential-places.ts';
import type { Draft } from './draft.ts';
import { gatherFresh, type Gathered, type Lacking } from './fresh.ts';
import { pastedDraft, composedOf } from './opened-drafts.ts';
import { STARTING, withDraft, type Note, type RequestsState, type Sent } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';
import { requestTextOf } from './request-text.ts';
import { sendDraft } from './send.ts';
import type { Language } from '../../snippets/snippet.ts';
import { composeFrom, TEMPLATES, type Material } from './templates.ts';

const clientById = (client_id: string | null): Client | null =>
  page.getState().clients.find((client) => client.client_id === client_id) ?? null;

/** Whose request it is: the client chosen here, else the one the flow goes by. */
const chosenClient = (): Client | null =>
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

/** Puts another request in the place of the one at hand; what was typed there can be had back. */
function replace(how: (state: RequestsState) => RequestsState): void {
  const before = requests.getState();
  changeRequests(how);
  if (!before.typed) return;
  const { draft, notes, tab } = before;
  notifyWithUndo('The request you were editing was replaced', () =>
    changeRequests((state) => ({ ...state, draft, notes, tab, typed: true, pane: 'request' })),
  );
}

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

/** Fresh credentials wherever the request at hand has a place for them. */
export async function fillIn(): Promise<void> {
  const { draft } = requests.getState();
  const client = chosenClient();
  if (client === null || !wantsAny(wantedBy(draft))) return;
  turn += 1;
  const mine = turn;
  changeRequests((state) => ({ ...state, filling: true }));
  try {
    const gathered = await gatherFresh(draft, client);
    if (mine !== turn) return;
    changeRequests((state) => withGathered(state, client, gathered));
  } catch (error) {
    if (mine !== turn) return;
    const text = `No new credentials: ${sentence(problemOf(error).message)}`;
    changeRequests((state) => ({ ...state, notes: [...state.notes, { kind: 'failed', text }] }));
  } finally {
    if (mine === turn) changeRequests((state) => ({ ...state, filling: false }));
  }
}

/** Another request is at hand: what was being fetched for the former is not for it. */
function open(draft: Draft, notes: readonly Note[] = []): void {
  turn += 1;
  replace((state) => ({ ...withDraft(state, draft, notes), filling: false }));
}

function materialFor(client: Client | null): Material | null {
  const { server, settings } = page.getState();
  if (server === null || settings === null) return null;
  return { issuer: server.issuer, settings, client, user: chosenParty().user };
}

/** Starts from a template, for the client at hand, with fresh credentials. */
export async function startFrom(id: string): Promise<void> {
  const template = TEMPLATES.find((one) => one.id === id);
  const material = materialFor(chosenClient());
  if (template === undefined || material === null) return;
  open(composeFrom(template, material));
  await fillIn();
}

/** What another view handed over; else, the first time this view is seen, a request to send. */
export async function begin(handed: SendRequest | null): Promise<void> {
  if (handed !== null) {
    takeHandedOver();
    open(composedOf(handed, page.getState().clients));
  } else if (requests.getState().draft === STARTING.draft) await startFrom(TEMPLATES[0].id);
}

/** The same request as another client would send it: composed anew unless it was edited. */
export async function chooseClient(client_id: string): Promise<void> {
  const client = clientById(client_id);
  if (client === null) return;
  const { draft, typed } = requests.getState();
  const template = TEMPLATES.find(({ id }) => id === draft.template);
  const material = materialFor(client);
  const composed =
    typed || template === undefined || material === null
      ? withClient(draft, client)
      : composeFrom(template, material);
  changeRequests((state) => ({ ...state, draft: composed, held: null }));
  await fillIn();
}

/** Gives the client tokens without a code, and puts them in. */
export async function mintAndFill(): Promise<void> {
  const client = chosenClient();
  if (client === null) return;
  try {
    await control.tokens.mint({ client_id: client.client_id });
  } catch (error) {
    const text = `No tokens were minted: ${sentence(problemOf(error).message)}`;
    changeRequests((state) => ({ ...state, notes: [...state.notes, { kind: 'failed', text }] }));
    return;
  }
  await fillIn();
}

/** Reads a curl command into the composer. @throws Unreadable when there is none to be made out */
export function paste(text: string): void {
  const { server, settings, clients } = page.getState();
  const { draft, notes } = pastedDraft(text, server?.issuer ?? location.origin, settings, clients);
  changeRequests((state) => ({ ...state, pasting: false }));
  open(draft, notes);
}

/** Puts a request sent before into the composer; one of an earlier session gets fresh credentials. */
export async function edit({ draft, answer }: Sent): Promise<void> {
  open(draft);
  if (answer.kind !== 'kept') return;
  const client = clientById(draft.client_id);
  if (client !== null) changeRequests((state) => ({ ...state, draft: withClient(draft, client) }));
  await fillIn();
}

/** Sends it once more as it was. */
export const resend = ({ draft }: Sent): Promise<void> => sendDraft(draft);

/** With its secrets, as it would be sent. */
export const copyAs = ({ name, write }: Language): Promise<boolean> =>
  attempt('The request was not copied.', async () => {
    const origin = new URL(page.getState().server?.issuer ?? location.origin).origin;
    const request = requestTextOf(requests.getState().draft, origin);
    await navigator.clipboard.writeText(write(request).text);
    notify(`Copied the request as ${name}`);
  });

/** Goes to the view, unless the page is there already, and then does it. */
export const inRequests = (run: () => unknown) => async (): Promise<void> => {
  if (isAt('requests') || (await navigate('requests'))) run();
};

export const dismissNote = (note: Note): void =>
  changeRequests((state) => ({ ...state, notes: state.notes.filter((one) => one !== note) }));
