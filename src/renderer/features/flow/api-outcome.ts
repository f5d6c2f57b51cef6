// What a call to /userinfo came to, in a line.

import type { Exchange } from '../../../control/schemas.ts';
import { bodyText, isRefused, parseObject } from '../exchange/answer.ts';
import { counted } from '../../short-forms.ts';
import { statusWords } from '../../status.ts';
import type { StepOutcome } from './flow-state.ts';

/** The claims of a good answer; null for any other. */
export function claimsOf(exchange: Exchange): Record<string, unknown> | null {
  if (isRefused(exchange) || !exchange.path.startsWith('/userinfo')) return null;
  return parseObject(bodyText(exchange.response));
}

export function apiOutcome(exchange: Exchange): StepOutcome {
  const badge = statusWords(exchange.status);
  const claims = claimsOf(exchange);
  if (claims === null || typeof claims.sub !== 'string') {
    const text = exchange.fault?.what ?? exchange.cause ?? exchange.error;
    return { status: 'refused', badge, text };
  }
  const others = counted(Object.keys(claims).length - 1, 'more claim');
  return { status: 'ok', badge, text: `sub ${claims.sub} · ${others}` };
}
