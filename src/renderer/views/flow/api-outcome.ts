// The result of a call to /userinfo, in one line.

import type { Exchange } from '../../../control/schemas.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { statusWords } from '../../ui/status.ts';
import type { StepOutcome } from './flow-state.ts';
import { claimsOf } from '../../exchange/userinfo-claims.ts';

export function apiOutcome(exchange: Exchange): StepOutcome {
  const badge = statusWords(exchange.status);
  const claims = claimsOf(exchange);
  if (claims === null || typeof claims.sub !== 'string') {
    const text = exchange.fault?.what ?? exchange.cause ?? exchange.error;
    return { status: 'refused', badge, text };
  }
  const others = pluralize(Object.keys(claims).length - 1, 'more claim');
  return { status: 'ok', badge, text: `sub ${claims.sub} · ${others}` };
}
