// Who a session in the browser signed in, where nobody was asked again (OpenID Connect Core 3.1.2.3).

import { decodeJwt } from '../../oauth/jwt.ts';
import type { Exchange, Settings } from '../../control/schemas.ts';
import { bodyText, redirectAnswerOf, tokenAnswerOf } from '../exchange/answer.ts';
import { exchangeOf, type RecordedEvent } from './recorded-event.ts';
import { formIn, type Authorization } from './sign-ins.ts';

function subIn(exchange: Exchange): string | null {
  const answer = tokenAnswerOf(exchange);
  const token = answer?.id_token ?? answer?.access_token;
  const sub = token === undefined ? undefined : decodeJwt(token)?.payload['sub'];
  return typeof sub === 'string' ? sub : null;
}

const decidedBy = (exchange: Exchange): string | null =>
  formIn(exchange) === null
    ? null
    : new URLSearchParams(bodyText(exchange.request)).get('sub') || null;

/** The newest of these that says so. */
const newest = (
  exchanges: readonly Exchange[],
  subOf: (exchange: Exchange) => string | null,
): string | null => exchanges.map(subOf).findLast((sub) => sub !== null) ?? null;

/** null where no session was needed; empty for one whose user is not known. */
export function sessionUserOf(
  { link, decided }: Authorization,
  events: readonly RecordedEvent[],
  { authorize }: Settings,
): string | null {
  const answered = decided === null && redirectAnswerOf(link)?.has('code') === true;
  if (!answered || authorize !== 'consent') return null;
  const exchanges = events.map(exchangeOf).filter((exchange) => exchange !== null);
  const [lineage] = link.issued.map(({ lineage_id }) => lineage_id);
  const same = exchanges.filter(({ lineage_id }) => lineage_id === lineage);
  const before = exchanges.slice(0, exchanges.indexOf(link));
  return newest(same, subIn) ?? newest(before, decidedBy) ?? '';
}
