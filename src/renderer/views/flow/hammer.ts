// Sends refreshes one after the other until one is throttled: 429, or five beyond the limit, or the
// person has seen enough.

import type { Exchange, Settings } from '../../../control/schemas.ts';
import { atOnce } from '../../sending/burst.ts';
import { hammer } from '../../sending/hammer.ts';
import { secondsToReset, throttledWords } from '../../sending/limit-hit.ts';
import type { Run } from '../../sending/tally.ts';
import type { Choice } from './choice.ts';
import { withEvent, type StepOutcome } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { refreshFields, tokenRequest } from '../../../oauth/token-request.ts';
import { learnNonce, proven } from './proofs.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { statusWords, wentWell } from '../../ui/status.ts';

const BEYOND_LIMIT = 5;

interface Refreshes {
  readonly run: Run;
  readonly first: Exchange | null;
  readonly lastGood: Exchange | null;
  /** The answer that ended it, when that was a refusal. */
  readonly end: Exchange | null;
}

const tellSent = (sent: number) =>
  changeFlow((state) =>
    state.hammer === null ? state : { ...state, hammer: { ...state.hammer, sent } },
  );

async function sendUntilRefused(choice: Choice, goal: number): Promise<Refreshes> {
  const format = flow.getState().inputs.refresh_format;
  const request = tokenRequest(refreshFields(choice.refresh), { format });
  let met: Omit<Refreshes, 'run'> = { first: null, lastGood: null, end: null };
  const run = await hammer({
    pace: atOnce(goal, 1),
    request: () => ({ ...request, secrets: true }),
    each: async (next) => ({ ...next, ...(await proven(request)) }),
    onAnswer: (exchange) => {
      learnNonce(exchange);
      const good = wentWell(exchange.status);
      met = {
        first: met.first ?? exchange,
        lastGood: good ? exchange : met.lastGood,
        end: good ? null : exchange,
      };
      return good && flow.getState().hammer?.stopping !== true;
    },
    onProgress: ({ tally }) => tellSent(tally.sent),
    signal: new AbortController().signal,
  });
  return { ...met, run };
}

function draw({ run, first, lastGood, end }: Refreshes): void {
  const { sent } = run.tally;
  const count = end === null ? sent : sent - 1;
  if (lastGood !== null && first !== null && count > 0) {
    const burst = { kind: 'burst', count, first: first.number, exchange: lastGood } as const;
    changeFlow((state) => withEvent(state, burst));
  }
  if (end !== null) {
    const event = { kind: 'exchange', step: 'hammer', exchange: end, verdict: null } as const;
    changeFlow((state) => withEvent(state, event));
  }
}

function outcomeOf({ run, end }: Refreshes, mode: string, stopped: boolean): StepOutcome {
  const { sent } = run.tally;
  if (end?.throttled === true) {
    const wait = secondsToReset(end);
    const next = wait === null ? '' : ` · resets in ${wait} s`;
    return { status: 'ok', badge: '429', text: `${throttledWords(sent)}${next}` };
  }
  if (end !== null) {
    const text = end.fault?.what ?? end.cause ?? end.error;
    return { status: 'refused', badge: statusWords(end.status), text };
  }
  const why = stopped ? 'stopped' : `none throttled: throttling is in mode ${mode}`;
  return { status: 'ok', badge: null, text: `${pluralize(sent, 'request')}, ${why}` };
}

export async function hammerWithRefreshes(
  choice: Choice,
  throttle: Settings['throttle'] | undefined,
): Promise<StepOutcome> {
  const goal = (throttle?.limit ?? 30) + BEYOND_LIMIT;
  changeFlow((state) => ({ ...state, hammer: { sent: 0, goal, stopping: false } }));
  const refreshes = await sendUntilRefused(choice, goal);
  const stopped = flow.getState().hammer?.stopping === true;
  changeFlow((state) => ({ ...state, hammer: null }));
  const { state, message } = refreshes.run;
  if (state === 'failed') return { status: 'refused', badge: null, text: message };
  draw(refreshes);
  return outcomeOf(refreshes, throttle?.mode ?? 'unknown', stopped);
}

export const stopHammer = (): void =>
  changeFlow((state) =>
    state.hammer === null ? state : { ...state, hammer: { ...state.hammer, stopping: true } },
  );
