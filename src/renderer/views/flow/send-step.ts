// Sends what a step asks for, draws it, and takes over what it brings.

import type { Exchange } from '../../../control/schemas.ts';
import type { HttpRequest } from '../../../oauth/fields.ts';
import type { ProofOrder } from '../../../oauth/prover.ts';
import { control } from '../../connection/control.ts';
import { isRefused, resultLine, tokenAnswerOf } from '../../exchange/answer.ts';
import { statusWords } from '../../ui/status.ts';
import { withEvent, type StepOutcome } from './flow-state.ts';
import { changeFlow } from './flow-store.ts';
import type { StepId } from './flow-steps.ts';
import { sendProven } from './proofs.ts';

export const NO_CLIENT = 'Register a client first.';
export const RUNNING: StepOutcome = { status: 'running', badge: null, text: null };

export const refused = (text: string, badge: string | null = null): StepOutcome => ({
  status: 'refused',
  badge,
  text,
});

/**
 * Sends over real HTTP, with a DPoP proof where the request has one, and draws the exchange into the diagram,
 * credentials and all.
 * @param order deliberate mistakes of the proof; `none` leaves it out
 */
export const send = (
  step: StepId,
  request: HttpRequest,
  order: ProofOrder | 'none' = {},
): Promise<Exchange> =>
  sendProven(request, order, async (outgoing) => {
    const exchange = await control.requests.send({ ...outgoing, secrets: true });
    changeFlow((state) => withEvent(state, { kind: 'exchange', step, exchange, verdict: null }));
    return exchange;
  });

/** A fault may take the tokens out of an answer that reads as a success. */
const isSpoilt = (exchange: Exchange) =>
  exchange.fault !== null && exchange.method === 'POST' && tokenAnswerOf(exchange) === null;

export function outcomeOf(exchange: Exchange): StepOutcome {
  const status = isRefused(exchange) || isSpoilt(exchange) ? 'refused' : 'ok';
  return { status, badge: statusWords(exchange.status), text: resultLine(exchange) };
}

/** Takes over the tokens of an answer, if it has any; what it was asked with is spent then. */
export function holdTokens(exchange: Exchange, step: StepId): void {
  const answer = tokenAnswerOf(exchange);
  if (answer === null) return;
  const spentAt = <T extends object>(at: StepId, held: T | null) =>
    step === at && held !== null ? { ...held, spent: true } : held;
  changeFlow((state) => ({
    ...state,
    code: spentAt('exchange', state.code),
    device: spentAt('poll', state.device),
    assertion: spentAt('bearer', state.assertion),
    tokens: {
      access_token: answer.access_token,
      refresh_token:
        answer.refresh_token ?? (step === 'refresh' ? (state.tokens?.refresh_token ?? null) : null),
      bound: answer.token_type?.toLowerCase() === 'dpop',
      event: state.events.at(-1)?.id ?? 0,
    },
  }));
}
