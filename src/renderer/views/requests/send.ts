// Sends the composed request, once or many times, over real HTTP from the host, and keeps the responses.

import { control, problemOf } from '../../connection/control.ts';
import { sandboxNow } from '../../connection/clock.ts';
import { page } from '../../connection/state.ts';
import { sentence } from '../../ui/problems.ts';
import type { Pace } from '../../sending/burst.ts';
import { hammer } from '../../sending/hammer.ts';
import { startedRun } from '../../sending/tally.ts';
import type { Draft } from './draft.ts';
import { fillForSending } from './fill.ts';
import { problemsOf, sendRequestOf } from './request-text.ts';
import { withAnswerOf, withSent, type Answer } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';

let underWay: AbortController | null = null;

/** Gives up what is under way. */
export const cancel = (): void => underWay?.abort();

function failed(error: unknown): Answer {
  const stopped = page.getState().server?.state !== 'running';
  return { kind: 'failed', message: sentence(problemOf(error).message), stopped };
}

/** One at a time; what cannot be sent is marked where it stands. */
async function runExclusive(
  draft: Draft,
  first: Answer,
  work: (id: number, signal: AbortSignal) => Promise<Answer>,
): Promise<void> {
  if (requests.getState().busy !== null) return;
  if (Object.keys(problemsOf(draft)).length > 0) {
    changeRequests((state) => ({ ...state, refused: state.refused + 1 }));
    return;
  }
  const controller = new AbortController();
  underWay = controller;
  const id = requests.getState().next_id;
  changeRequests((state) => withSent(state, draft, first, sandboxNow()));
  const answer = await work(id, controller.signal).catch((error: unknown) =>
    controller.signal.aborted ? ({ kind: 'cancelled' } as const) : failed(error),
  );
  underWay = null;
  changeRequests((state) => withAnswerOf(state, id, answer));
}

export const sendDraft = (draft: Draft): Promise<void> =>
  runExclusive(draft, { kind: 'sending' }, async (_, signal) => {
    const exchange = await control.requests.send(sendRequestOf(draft), { signal });
    return { kind: 'exchange', exchange };
  });

/** Sends the request at hand, with the credentials that it waits for. */
export async function send(): Promise<void> {
  if (await fillForSending()) await sendDraft(requests.getState().draft);
}

/** Sends the request at hand many times. */
export async function sendMany(pace: Pace): Promise<void> {
  if (!(await fillForSending())) return;
  const { draft } = requests.getState();
  const request = sendRequestOf(draft);
  const began: Answer = { kind: 'run', run: startedRun(pace.count) };
  return runExclusive(draft, began, async (id, signal) => {
    const run = await hammer({
      pace,
      request: () => request,
      onProgress: (now) =>
        changeRequests((state) => withAnswerOf(state, id, { kind: 'run', run: now })),
      signal,
    });
    return { kind: 'run', run };
  });
}
