// What the person can do in the Requests view, from buttons, keys and the palette alike.

import type { Client, SavedRequest } from '../../../control/schemas.ts';
import type { WireRequest } from '../../../scenario/runner/sandbox.ts';
import { attempt } from '../../actions/sandbox.ts';
import { problemOf } from '../../connection/control.ts';
import { isAt, navigate } from '../../navigation/route.ts';
import { page } from '../../connection/state.ts';
import { notify, notifyWithUndo } from '../../ui/notify.tsx';
import { problemSentence } from '../../ui/problems.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { openRun } from '../../sending/open-run.ts';
import { issueTokens } from '../../sending/token-steps.ts';
import { takeHandedOver } from '../../sending/request-handover.ts';
import { withClient, withoutIssued } from './credential-places.ts';
import { composedOf, draftOf, type Draft } from './draft.ts';
import { chosenClient, clientById, giveUpFilling, lookUp } from './fill.ts';
import { pastedDraft } from './pasted-draft.ts';
import { STARTING, withDraft, type Note, type RequestsState, type Sent } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';
import { requestTextOf } from './draft.ts';
import { sendDraft } from './send.ts';
import type { Language } from '../../snippets/snippet.ts';
import { composeFrom, TEMPLATES, type Material } from './templates.ts';

/** Puts another request in place of the one at hand; what was typed there can be restored. */
function replace(how: (state: RequestsState) => RequestsState): void {
  const before = requests.getState();
  changeRequests(how);
  if (!before.typed) return;
  const { draft, saved_as, notes, tab, awaits_issued } = before;
  notifyWithUndo('The request you were editing was replaced', () =>
    replace((state) => ({
      ...state,
      draft,
      saved_as,
      notes,
      tab,
      awaits_issued,
      typed: true,
      pane: 'request',
    })),
  );
}

/** Another request is at hand: what was being fetched for the former is not for it. */
function open(draft: Draft, notes: readonly Note[] = []): void {
  giveUpFilling();
  replace((state) => ({ ...withDraft(state, draft, notes), filling: false }));
}

function materialFor(client: Client | null): Material | null {
  const { server, settings } = page.getState();
  if (server === null || settings === null) return null;
  return { issuer: server.issuer, settings, client, user: chosenParty().user };
}

/** Starts from a template, for the client at hand, with the tokens that it has. */
export async function startFrom(id: string): Promise<void> {
  const template = TEMPLATES.find((one) => one.id === id);
  const material = materialFor(chosenClient());
  if (template === undefined || material === null) return;
  open(composeFrom(template, material));
  await lookUp();
}

/** What another view handed over; else, the first time this view is seen, a request to send. */
export async function begin(handed: WireRequest | null): Promise<void> {
  if (handed !== null) {
    takeHandedOver();
    open(composedOf(handed, page.getState().clients));
  } else if (requests.getState().draft === STARTING.draft) await startFrom(TEMPLATES[0].id);
}

/** The same request as another client would send it: composed anew unless it was edited. */
export async function chooseClient(client_id: string): Promise<void> {
  const client = clientById(client_id);
  if (client === null) return;
  const { draft, saved_as, typed } = requests.getState();
  const template = TEMPLATES.find(({ id }) => id === draft.template);
  const material = materialFor(client);
  const composed =
    typed || saved_as !== null || template === undefined || material === null
      ? withoutIssued(withClient(draft, client))
      : composeFrom(template, material);
  changeRequests((state) => ({ ...state, draft: composed, held: null }));
  await lookUp();
}

/** Gives the client tokens without a code, and puts them in. */
export async function mintAndFill(): Promise<void> {
  const client = chosenClient();
  if (client === null) return;
  try {
    await issueTokens(client, openRun());
  } catch (error) {
    const text = `No tokens were minted: ${problemSentence(problemOf(error))}`;
    changeRequests((state) => ({ ...state, notes: [...state.notes, { kind: 'failed', text }] }));
    return;
  }
  await lookUp();
}

/** Reads a curl command into the composer. @throws Unreadable when there is none to be made out */
export function paste(text: string): void {
  const { server, settings, clients } = page.getState();
  const { draft, notes } = pastedDraft(text, server?.issuer ?? location.origin, settings, clients);
  changeRequests((state) => ({ ...state, pasting: false }));
  open(draft, notes);
}

/** Puts a request into the composer that was kept without its credentials, with those that its client has now. */
async function openKept(draft: Draft, saved_as: string | null): Promise<void> {
  open(draft);
  const client = clientById(draft.client_id);
  const filled = client === null ? draft : withClient(draft, client);
  changeRequests((state) => ({ ...state, draft: withoutIssued(filled), saved_as }));
  await lookUp();
}

/** Puts a request sent before into the composer; one of an earlier session had its credentials left out. */
export async function edit({ draft, answer }: Sent): Promise<void> {
  if (answer.kind === 'kept') await openKept(draft, null);
  else open(draft);
}

/** Puts a request that was saved by name into the composer. Nothing is issued for it before it is sent. */
export const openSaved = (request: SavedRequest): Promise<void> =>
  openKept(draftOf(request), request.name);

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
