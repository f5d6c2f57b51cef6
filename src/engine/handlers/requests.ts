// Sends requests over real HTTP for callers and returns their exchanges; and forecasts requests without sending them.

import type { CapturedExchange } from '../../server/capture.ts';
import { SENDER_HEADER } from '../../core/records/enumerations.ts';
import { headerIn } from '../../server/sender.ts';
import { conflict } from './control-error.ts';
import { withEither } from '../promises.ts';
import { exchangeView, REQUEST_MARK } from '../exchanges/exchange-view.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import type { EngineParts } from '../parts.ts';
import { createOutgoing, sendOutgoing } from './send-request.ts';
import { os } from './implementer.ts';

const NOT_RUNNING = 'the authorization server is not running; start it first';
const NOT_KEPT = 'the request got a response, but its exchange is no longer kept';

const findMarked = ({ capture }: ExchangeLog, mark: string): CapturedExchange | undefined =>
  capture
    .newestFirst()
    .find(({ request_headers }) => headerIn(request_headers, REQUEST_MARK) === mark);

/** A fault or a hold may truncate the response; the number is then that of the recorded exchange, if any. */
const brokenOff = (find: () => CapturedExchange | undefined) => (error: unknown) => {
  const exchange = find();
  if (exchange === undefined || (exchange.fault ?? exchange.held) === null) throw error;
  return exchange.number;
};

export function refusalHandlers({ service }: EngineParts) {
  return {
    list: os.refusals.list.handler(async () => {
      const { listRefusals } = await import('../../server/refusals.ts');
      return { items: listRefusals(service), next: null };
    }),
  };
}

export function requestHandlers(parts: EngineParts) {
  const { service, exchanges, redaction, address, closing, holds } = parts;
  return {
    evaluate: os.requests.evaluate.handler(async ({ input }) => {
      const { evaluateRequest } = await import('./evaluate-request.ts');
      return evaluateRequest(input, parts);
    }),
    send: os.requests.send.handler(async ({ input, signal }) => {
      const target = address();
      if (target === null) throw conflict(NOT_RUNNING);
      // Responses name their exchange. If that is switched off, or a fault or hold may prevent a response, a mark identifies
      // the request.
      const mark = Buffer.from(service.ports.random(16)).toString('base64url');
      const changeable = service.faults.armed || service.misbehaviour.armed || holds.armed;
      const unnamed = !service.settings().exchange_header || changeable;
      const marks = unnamed ? [REQUEST_MARK, mark] : [];
      const outgoing = createOutgoing(input, target, [...marks, SENDER_HEADER, input.sent_by]);
      const number = await withEither([signal, closing], (gone) =>
        sendOutgoing(outgoing, gone),
      ).catch(brokenOff(() => findMarked(exchanges, mark)));
      const exchange =
        number === null ? findMarked(exchanges, mark) : exchanges.capture.get(number);
      if (exchange === undefined) throw conflict(NOT_KEPT);
      return exchangeView(exchange, service, redaction.unless(input.secrets));
    }),
  };
}
