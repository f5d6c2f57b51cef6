import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { exchangeMessage, withClockNotes, type Message } from '../../sequence/message.ts';
import { SENDER_SENTENCES } from './filter.ts';

// Parses a typed exchange number, and formats numbers as ranges for requests.

/** The number in `41`, `#41` or `Grantbench-Exchange: 41`; or null. */
export function readNumber(text: string): number | null {
  const digits = /^\s*(?:grantbench-exchange\s*[:=]\s*)?#?(\d{1,15})\s*$/i.exec(text)?.[1];
  const number = Number(digits ?? 0);
  return number > 0 ? number : null;
}

/** `41,50-60`, in parts with at most `size` numbers each. */
export function numberRanges(numbers: readonly number[], size: number): string[] {
  const rising = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let start = 0; start < rising.length; start += size) {
    parts.push(rangesOf(rising.slice(start, start + size)));
  }
  return parts;
}

function rangesOf(rising: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of rising) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

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
  const text = SENDER_SENTENCES[exchange.sent_by].replace('Sent', 'sent');
  return { ...message, notes: [{ text, tone: 'muted' }, ...message.notes] };
}

/** @param exchanges oldest first */
export const messagesOf = (exchanges: readonly Exchange[]): Message[] =>
  withClockNotes(
    exchanges.map((exchange) => ({ message: messageOf(exchange), clock: exchange.clock })),
  );
