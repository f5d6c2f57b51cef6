// Sends refreshes one after the other until the limit bites: 429, or five beyond the limit, or the
// person has seen enough.

import type { Exchange, Settings } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { headerOf } from '../../exchange/answer.ts';
import { burst } from '../../sending/burst.ts';
import type { Choice } from './choice.ts';
import { withEvent, type StepOutcome } from './flow-state.ts';
import { changeFlow, flow } from './flow-store.ts';
import { refreshFields, tokenRequest } from '../../../oauth/token-request.ts';
import { counted } from '../../ui/short-forms.ts';
import { statusWords, wentWell } from '../../ui/status.ts';

const BEYOND_LIMIT = 5;

interface Burst {
  readonly sent: number;
  readonly first: Exchange | null;
  readonly lastGood: Exchange | null;
  /** The answer that ended it, when that was a refusal. */
  readonly end: Exchange | null;
}

const NOTHING_SENT: Burst = { sent: 0, first: null, lastGood: null, end: null };

function withAnswer({ sent, first, lastGood }: Burst, exchange: Exchange): Burst {
  const refused = !wentWell(exchange.status);
  return {
    sent: sent + 1,
    first: first ?? exchange,
    lastGood: refused ? lastGood : exchange,
    end: refused ? exchange : null,
  };
}

const tellSent = (sent: number) =>
  changeFlow((state) =>
    state.hammer === null ? state : { ...state, hammer: { ...state.hammer, sent } },
  );

async function sendUntilRefused(choice: Choice, goal: number): Promise<Burst> {
  const format = flow.getState().inputs.refresh_format;
  const request = tokenRequest(refreshFields(choice.refresh), { format });
  let all = NOTHING_SENT;
  await burst({
    pace: { count: goal, parallel: 1, per_second: null },
    send: (signal) => control.requests.send({ ...request, secrets: true }, { signal }),
    onAnswer: (exchange) => {
      all = withAnswer(all, exchange);
      return all.end === null && flow.getState().hammer?.stopping !== true;
    },
    onProgress: () => tellSent(all.sent),
    signal: new AbortController().signal,
  });
  return all;
}

function draw({ sent, first, lastGood, end }: Burst): void {
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

function outcomeOf({ sent, end }: Burst, mode: string, stopped: boolean): StepOutcome {
  if (end?.status === 429 && end.fault === null) {
    const wait = headerOf(end.response.headers, 'retry-after');
    const next = wait === null ? '' : ` · free again in ${wait} s`;
    return { status: 'ok', badge: '429', text: `The limit bit at request ${sent}${next}` };
  }
  if (end !== null) {
    const text = end.fault?.what ?? end.cause ?? end.error;
    return { status: 'refused', badge: statusWords(end.status), text };
  }
  const why = stopped ? 'stopped by you' : `none refused: throttling is in mode ${mode}`;
  return { status: 'ok', badge: null, text: `${counted(sent, 'request')}, ${why}` };
}

export async function hammer(
  choice: Choice,
  throttle: Settings['throttle'] | undefined,
): Promise<StepOutcome> {
  const goal = (throttle?.limit ?? 30) + BEYOND_LIMIT;
  changeFlow((state) => ({ ...state, hammer: { sent: 0, goal, stopping: false } }));
  try {
    const burst = await sendUntilRefused(choice, goal);
    draw(burst);
    return outcomeOf(burst, throttle?.mode ?? 'unknown', flow.getState().hammer?.stopping === true);
  } finally {
    changeFlow((state) => ({ ...state, hammer: null }));
  }
}

export const stopHammer = (): void =>
  changeFlow((state) =>
    state.hammer === null ? state : { ...state, hammer: { ...state.hammer, stopping: true } },
  );
