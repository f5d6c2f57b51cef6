import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { numberRanges } from './number-ranges.ts';

/** Those that are still kept, oldest first. @param numbers as many as one request may name */
export async function readExchanges(
  numbers: readonly number[],
  secrets: boolean,
): Promise<readonly Exchange[]> {
  const [ranges] = numberRanges(numbers, numbers.length);
  if (ranges === undefined) return [];
  const answer = await control.exchanges.export({ format: 'json', numbers: ranges, secrets });
  return 'exchanges' in answer ? answer.exchanges : [];
}
