// Splits long work over turns of the event loop, so that other work never waits longer than for one part.

import type { CapturedExchange } from '../../server/capture.ts';
import type { ExchangeListener } from './log.ts';

export type TakeTurn = () => Promise<void>;

export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** Maximum UTF-16 units of targets that are passed on in one turn. */
export const TARGETS_A_TURN = 65_536;
/** Approximate maximum bytes of waiting exchanges; further ones are passed on immediately. */
export const MOST_WAITING_BYTES = 8_388_608;

const weightOf = ({ target, request_body, response_body }: CapturedExchange): number =>
  1024 + target.length + request_body.length + response_body.length;

/** @returns a listener that passes exchanges to the given one later, in order */
export function inTurns(listener: ExchangeListener): ExchangeListener {
  const waiting: CapturedExchange[] = [];
  let bytes = 0;
  const turn = () => {
    let targets = 0;
    while (waiting.length > 0 && (targets < TARGETS_A_TURN || bytes > MOST_WAITING_BYTES)) {
      const exchange = waiting.shift();
      if (exchange === undefined) break;
      bytes -= weightOf(exchange);
      targets += exchange.target.length;
      listener(exchange);
    }
    if (waiting.length > 0) setImmediate(turn);
  };
  return (exchange) => {
    if (waiting.length === 0) setImmediate(turn);
    waiting.push(exchange);
    bytes += weightOf(exchange);
  };
}
