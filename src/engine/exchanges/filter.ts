// Which exchanges a list or an export wants, by the filters that both have.

import type { Sender } from '../../control/schemas.ts';
import type { CapturedExchange } from '../../server/captured-exchange.ts';

export interface ExchangeFilter {
  readonly client_id?: string | undefined;
  readonly error?: string | undefined;
  readonly status?: number | undefined;
  readonly sent_by?: Sender | undefined;
}

export function fits(
  exchange: CapturedExchange,
  { client_id, error, status, sent_by }: ExchangeFilter,
): boolean {
  return (
    (client_id === undefined || exchange.evaluation?.client_id === client_id) &&
    (error === undefined || exchange.error === error) &&
    (status === undefined || exchange.status === status) &&
    (sent_by === undefined || exchange.sent_by === sent_by)
  );
}
