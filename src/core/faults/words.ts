// Describes what a fault did to an exchange. The text is made when it is read.

import type { Fault } from '../records/schemas.ts';

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const ALTERED_EXPIRES_IN = {
  absent: 'Omitted expires_in from the response.',
  negative: 'Sent a negative expires_in.',
  huge: 'Sent an expires_in of more than 300,000 years.',
  string: 'Sent expires_in as a string.',
} as const;

function effectWords({ when, delay_ms, effect }: Fault): string {
  const evaluated = when === 'after';
  switch (effect.kind) {
    case 'answer':
      return evaluated
        ? `Evaluated the request, then sent ${effect.status} instead of the normal response.`
        : `Sent ${effect.status} without evaluating the request.`;
    case 'drop':
      return evaluated
        ? 'Evaluated the request, then closed the connection without a response.'
        : 'Closed the connection without evaluating the request.';
    case 'truth':
      return delay_ms === 0 ? 'Sent the normal response.' : 'Sent the normal response late.';
    case 'cut':
      return effect.after_bytes === null
        ? 'Closed the connection after half of the body.'
        : `Closed the connection after ${effect.after_bytes} bytes of the body.`;
    case 'dribble':
      return `Sent the body slowly, over ${duration(effect.duration_ms)}.`;
    case 'broken_json':
      return 'Omitted the end of the JSON.';
    case 'wrong_content_type':
      return `Sent the response as ${effect.content_type}.`;
    case 'expires_in':
      return ALTERED_EXPIRES_IN[effect.as];
    case 'expired_token':
      return 'Sent tokens that had already expired.';
    case 'unpublished_key':
      return 'Sent tokens signed with an unpublished key.';
  }
}

/** Returns what happened to the request, in one or two sentences (behaviour 8). */
export function describeFault(fault: Fault): string {
  const wait = fault.delay_ms === 0 ? '' : `Waited ${duration(fault.delay_ms)}. `;
  return wait + effectWords(fault);
}
