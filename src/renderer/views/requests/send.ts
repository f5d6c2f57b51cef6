// Sends the composed request, once or many times, over real HTTP from the host, and stores the responses.

import { exactly } from '../../../scenario/actions/request.ts';
import type { Repeat } from '../../../scenario/runner/repeat.ts';
import { problemOf } from '../../connection/control.ts';
import { sandboxNow } from '../../connection/clock.ts';
import { obstacleTo } from '../../connection/reach.ts';
import { problemSentence } from '../../ui/problems.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { repeatedOf, startRepetition } from '../../sending/repetition.ts';
import type { Draft } from './draft.ts';
import { fillForSending } from './fill.ts';
import { problemsOf, wireOf } from './draft.ts';
import { withAnswerOf, withSent, type Answer } from './requests-state.ts';
import { changeRequests, requests } from './requests-store.ts';

let current: AbortController | null = null;

/** Cancels the request or the repetition that is being sent. */
export const cancel = (): void => current?.abort();

function failed(error: unknown): Answer {
  const stopped = obstacleTo('connection') === null && obstacleTo('server') !== null;
  return { kind: 'failed', message: problemSentence(problemOf(error)), stopped };
}

/** Sends one request at a time. An invalid one is not sent; its fields show the problems. */
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
  current = controller;
  const id = requests.getState().next_id;
  changeRequests((state) => withSent(state, draft, first, sandboxNow()));
  const answer = await work(id, controller.signal).catch((error: unknown) =>
    controller.signal.aborted ? ({ kind: 'cancelled' } as const) : failed(error),
  );
  current = null;
  changeRequests((state) => withAnswerOf(state, id, answer));
}

export const sendDraft = (draft: Draft): Promise<void> =>
  runExclusive(draft, { kind: 'sending' }, async (_, signal) => {
    const run = openRun({ signal });
    return { kind: 'exchange', exchange: await sendStep(exactly(wireOf(draft), run), run) };
  });

/** Sends the current request, with the credentials that it waits for. */
export async function send(): Promise<void> {
  if (await fillForSending()) await sendDraft(requests.getState().draft);
}

/** Sends the current request many times. */
export async function sendMany(repeat: Repeat): Promise<void> {
  if (!(await fillForSending())) return;
  const { draft } = requests.getState();
  return runExclusive(draft, { kind: 'run', run: repeatedOf(repeat) }, async (id, signal) => {
    const run = openRun();
    const step = exactly(wireOf(draft), run);
    const { progress, stop, ended } = startRepetition({
      repeat,
      prepare: () => Promise.resolve({ run, step }),
    });
    signal.addEventListener('abort', stop);
    progress.subscribe((now) =>
      changeRequests((state) => withAnswerOf(state, id, { kind: 'run', run: now })),
    );
    return { kind: 'run', run: await ended };
  });
}
