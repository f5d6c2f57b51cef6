// What is worth a mark on an exchange, beside its status.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { faultWords } from '../../exchange/answer.ts';

export const MARKS = ['throttled', 'fault', 'deviation', 'over_fetch'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_WORDS: Record<Mark, string> = {
  throttled: 'Throttled',
  fault: 'Fault',
  deviation: 'Deviation',
  over_fetch: 'Advisory',
};

const HAS: Record<Mark, (exchange: ExchangeSummary) => boolean> = {
  throttled: ({ throttled }) => throttled,
  fault: ({ fault }) => fault !== null,
  deviation: ({ deviations }) => deviations > 0,
  over_fetch: ({ advisories, sent_by }) => advisories > 0 && sent_by === 'app',
};

export const marksOf = (exchange: ExchangeSummary): Mark[] =>
  MARKS.filter((mark) => HAS[mark](exchange));

/** The mark in a sentence, for whoever rests on it. */
export function markSentence(mark: Mark, { fault }: ExchangeSummary): string {
  switch (mark) {
    case 'throttled':
      return 'Throttled: over the limit for this credential and address';
    case 'fault':
      return fault === null ? '' : faultWords(fault);
    case 'deviation':
      return 'Deviation: fails in strict, or is noted there too';
    case 'over_fetch':
      return 'Advisory: the previous token was still valid';
  }
}
