import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { exchangeMessage, withClockNotes, type Message } from '../../sequence/message.ts';
import { SENDER_WORDS } from './filter.ts';
import { numberRanges } from './number-ranges.ts';

/** The exchanges that are still kept, oldest first. @param numbers no more than one request may contain */
export async function readExchanges(
  numbers: readonly number[],
  secrets: boolean,
): Promise<readonly Exchange[]> {
  const [ranges] = numberRanges(numbers, numbers.length);
  if (ranges === undefined) return [];
  const answer = await control.exchanges.export({ format: 'json', numbers: ranges, secrets });
  return 'exchanges' in answer ? answer.exchanges : [];
}

/** The first lane is the app's, so a message from another sender says so. */
function messageOf(exchange: Exchange): Message {
  const message = exchangeMessage(exchange.number, exchange);
  if (exchange.sent_by === 'app') return message;
  const text = SENDER_WORDS[exchange.sent_by].sentence.replace('Sent', 'sent');
  return { ...message, notes: [{ text, tone: 'muted' }, ...message.notes] };
}

/** @param exchanges oldest first */
export const messagesOf = (exchanges: readonly Exchange[]): Message[] =>
  withClockNotes(
    exchanges.map((exchange) => ({ message: messageOf(exchange), clock: exchange.clock })),
  );
