// The actions of the Requests view, for buttons, keys and the palette.

import type { Client } from '../../../control/schemas.ts';
import { problemOf } from '../../connection/control.ts';
import { issuerInUse, page } from '../../connection/state.ts';
import { copyText, notifyWithUndo } from '../../ui/notify.tsx';
import { problemSentence } from '../../ui/problems.ts';
import { chosenParty, clientById } from '../../sending/chosen-party.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { issueTokens } from '../../sending/token-steps.ts';
import { takeHandedOver, type useHandedOver } from '../../sending/handover.ts';
import { withClient, withoutIssued } from '../../composing/credential-places.ts';
import {
  composedOf,
  draftOf,
  type Draft,
  requestTextOf,
  problemsOf,
  wireOf,
} from '../../composing/draft.ts';
import { chosenClient, fillForSending, giveUpFilling, lookUp, noteFailure } from './fill.ts';
import { pastedDraft } from './pasted-draft.ts';
import {
  STARTING,
  withDraft,
  type Note,
  type RequestsState,
  type Sent,
  withAnswerOf,
  withSent,
  type Answer,
} from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';
import type { Language } from '../../snippets/snippet.ts';
import { composeFrom, TEMPLATES, type TemplateContext } from './templates.ts';
import { exactly } from '../../../scenario/actions/request.ts';
import type { Repeat } from '../../../scenario/runner/repeat.ts';
import { sandboxNow } from '../../connection/clock.ts';
import { repeatRequest } from '../../sending/repeat-request.ts';

// Sends the composed request, once or many times, over real HTTP from the host, and stores the responses.

let current: AbortController | null = null;

/** Cancels the request or the repetition that is being sent. */
export const cancel = (): void => current?.abort();

const failed = (error: unknown): Answer => ({
  kind: 'failed',
  message: problemSentence(problemOf(error)),
});

/** Sends one request at a time. An invalid one is not sent; its fields show the problems. */
async function runExclusive(
  draft: Draft,
  first: Answer,
  work: (id: number, signal: AbortSignal) => Promise<Answer>,
): Promise<void> {
  if (requests.getState().busy !== null) return;
  if (Object.keys(problemsOf(draft)).length > 0) {
    changeRequests((state) => ({ ...state, invalid_attempts: state.invalid_attempts + 1 }));
    return;
  }
  const controller = new AbortController();
  current = controller;
  const id = requests.getState().next_id;
  changeRequests((state) => withSent(state, draft, first, sandboxNow()));
  const answer = await work(id, controller.signal).catch((error: unknown) =>
    controller.signal.aborted ? ({ kind: 'cancelled' } as const) : failed(error),
  );
  current = null;
  changeRequests((state) => withAnswerOf(state, id, answer));
}

const sendDraft = (draft: Draft): Promise<void> =>
  runExclusive(draft, { kind: 'sending' }, async (_, signal) => {
    const run = openRun({ signal });
    return { kind: 'exchange', exchange: await sendStep(exactly(wireOf(draft), run), run) };
  });

/** Sends the current request, with the credentials that it waits for. */
export async function send(): Promise<void> {
  if (await fillForSending()) await sendDraft(requests.getState().draft);
}

export async function sendMany(repeat: Repeat): Promise<void> {
  if (!(await fillForSending())) return;
  const { draft } = requests.getState();
  return runExclusive(draft, { kind: 'sending' }, async (id, signal) => {
    const run = openRun();
    const ended = await repeatRequest({
      repeat,
      prepare: () => Promise.resolve({ run, step: exactly(wireOf(draft), run) }),
      onProgress: (now) =>
        changeRequests((state) => withAnswerOf(state, id, { kind: 'run', run: now })),
      signal,
    });
    return { kind: 'run', run: ended };
  });
}

/** Replaces the current request, and offers to restore what the user typed. */
function replace(how: (state: RequestsState) => RequestsState): void {
  const before = requests.getState();
  changeRequests(how);
  if (!before.typed) return;
  const { draft, saved_as, notes, tab, awaits_issued } = before;
  const former = { draft, saved_as, notes, tab, awaits_issued, typed: true };
  notifyWithUndo('The request you were editing was replaced', () =>
    replace((state) => ({ ...state, ...former, pane: 'request' })),
  );
}

/** Opens a request, and discards credentials that are being fetched for the former one. */
function open(draft: Draft, notes: readonly Note[] = []): void {
  giveUpFilling();
  replace((state) => ({ ...withDraft(state, draft, notes), filling: false }));
}

function contextFor(client: Client | null): TemplateContext | null {
  const { server, settings } = page.getState();
  if (server === null || settings === null) return null;
  return { server, settings, client, user: chosenParty().user };
}

/** Starts from a template, with the current client and its tokens. */
export async function startFrom(id: string): Promise<void> {
  const template = TEMPLATES.find((one) => one.id === id);
  const context = contextFor(chosenClient() ?? chosenParty().client);
  if (template === undefined || context === null) return;
  open(composeFrom(template, context));
  await lookUp();
}

/** Changes the client of the request. Composes the request again unless the user edited it. */
export async function chooseClient(client_id: string): Promise<void> {
  const client = clientById(client_id);
  if (client === null) return;
  const { draft, saved_as, typed } = requests.getState();
  const template = TEMPLATES.find(({ id }) => id === draft.template);
  const context = contextFor(client);
  const composed =
    typed || saved_as !== null || template === undefined || context === null
      ? withoutIssued(withClient(draft, client))
      : composeFrom(template, context);
  changeRequests({ draft: composed });
  await lookUp();
}

/** Issues a token pair to the client without a code, and fills it in. */
export async function mintAndFill(): Promise<void> {
  const client = chosenClient();
  if (client === null) return;
  try {
    await issueTokens(client, openRun());
  } catch (error) {
    noteFailure('No tokens were issued', error);
    return;
  }
  await lookUp();
}

/** Imports a curl command. @throws Unreadable when the text contains no curl command */
export function paste(text: string): void {
  const { settings, clients, server } = page.getState();
  const address = server ?? { issuer: issuerInUse() };
  const { draft, notes } = pastedDraft(text, address, settings, clients);
  changeRequests({ pasting: false });
  open(draft, notes);
}

/** Opens a request that was stored without credentials, and fills in those that its client has now. */
async function openStored(draft: Draft, saved_as: string | null): Promise<void> {
  open(draft);
  const client = clientById(draft.client_id);
  const filled = client === null ? draft : withClient(draft, client);
  changeRequests({ draft: withoutIssued(filled), saved_as });
  await lookUp();
}

/** Opens a sent request for editing. One from an earlier session was stored without credentials. */
export async function edit({ draft, answer }: Sent): Promise<void> {
  if (answer.kind === 'restored') await openStored(draft, null);
  else open(draft);
}

/**
 * Opens what was handed over, else the first template when the view is first shown. A saved request issues nothing until it
 * is sent.
 */
export async function begin(handed: ReturnType<typeof useHandedOver<'requests'>>): Promise<void> {
  if (handed === null) {
    if (requests.getState().draft === STARTING.draft) await startFrom(TEMPLATES[0].id);
    return;
  }
  takeHandedOver();
  if ('saved' in handed) await openStored(draftOf(handed.saved), handed.saved.name);
  else open(composedOf(handed.captured, page.getState().clients));
}

export const resend = ({ draft }: Sent): Promise<void> => sendDraft(draft);

/** Copies the request as code, with its secrets. */
export const copyAs = ({ name, write }: Language): Promise<boolean> =>
  copyText(`the request as ${name}`, 'The request was not copied.', () => {
    const { origin } = new URL(issuerInUse());
    return write(requestTextOf(requests.getState().draft, origin)).text;
  });

export const dismissNote = (note: Note): void =>
  changeRequests((state) => ({ ...state, notes: state.notes.filter((one) => one !== note) }));
