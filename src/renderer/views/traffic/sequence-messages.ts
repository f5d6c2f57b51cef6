// Exchanges as the messages of a sequence diagram. No geometry.

import type { Exchange } from '../../../control/schemas.ts';
import { exchangeMessage, withClockNotes, type Message } from '../../sequence/message.ts';
import { SENDER_SENTENCES } from './sender.ts';

/** The first lane is the app's: what another one sent says so. */
function messageOf(exchange: Exchange): Message {
  const message = exchangeMessage(exchange.number, exchange);
  if (exchange.sent_by === 'app') return message;
  const text = SENDER_SENTENCES[exchange.sent_by].replace('Sent', 'sent');
  return { ...message, notes: [{ text, tone: 'muted' }, ...message.notes] };
}

/** @param exchanges oldest first */
export const messagesOf = (exchanges: readonly Exchange[]): Message[] =>
  withClockNotes(
    exchanges.map((exchange) => ({ message: messageOf(exchange), clock: exchange.clock })),
  );
