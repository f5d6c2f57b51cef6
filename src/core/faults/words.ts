// What a fault did to an exchange, in words, made when someone looks.

import type { Fault } from '../records/schemas.ts';

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const BENT_EXPIRES_IN = {
  absent: 'Left expires_in out of the answer.',
  negative: 'Answered with a negative expires_in.',
  huge: 'Answered with an expires_in of more than 300,000 years.',
  string: 'Answered with expires_in as a string.',
} as const;

function effectWords({ when, delay_ms, effect }: Fault): string {
  const judged = when === 'after';
  switch (effect.kind) {
    case 'answer':
      return judged
        ? `Judged the request, then answered ${effect.status} in place of the true answer.`
        : `Answered ${effect.status} without judging the request.`;
    case 'drop':
      return judged
        ? 'Judged the request, then closed the connection: the answer was lost.'
        : 'Closed the connection without judging the request.';
    case 'truth':
      return delay_ms === 0 ? 'Let the request through.' : 'Answered truthfully, but late.';
    case 'cut':
      return effect.after_bytes === null
        ? 'Cut the answer in the middle.'
        : `Cut the answer after ${effect.after_bytes} bytes.`;
    case 'dribble':
      return `Spread the body of the answer over ${duration(effect.duration_ms)}.`;
    case 'broken_json':
      return 'Left the end of the JSON out of the answer.';
    case 'wrong_content_type':
      return `Sent the answer as ${effect.content_type}.`;
    case 'expires_in':
      return BENT_EXPIRES_IN[effect.as];
    case 'expired_token':
      return 'Answered with tokens that have expired already.';
    case 'unpublished_key':
      return 'Answered with tokens signed by a key that is not published.';
  }
}

/** What happened to the request, in a sentence or two (behaviour 8). */
export function describeFault(fault: Fault): string {
  const wait = fault.delay_ms === 0 ? '' : `Waited ${duration(fault.delay_ms)}. `;
  return wait + effectWords(fault);
}
