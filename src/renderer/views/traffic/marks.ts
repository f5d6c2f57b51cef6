// What is worth a mark on an exchange, beside its status.

import type { ExchangeSummary } from '../../../control/schemas.ts';

export const MARKS = ['throttled', 'fault', 'deviation', 'over_fetch'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_WORDS: Record<Mark, string> = {
  throttled: 'Throttled',
  fault: 'Fault',
  deviation: 'Deviation',
  over_fetch: 'Over-fetch',
};

const HAS: Record<Mark, (exchange: ExchangeSummary) => boolean> = {
  throttled: ({ throttled }) => throttled,
  fault: ({ fault }) => fault !== null,
  deviation: ({ deviations }) => deviations > 0,
  over_fetch: ({ advisories }) => advisories > 0,
};

export const marksOf = (exchange: ExchangeSummary): Mark[] =>
  MARKS.filter((mark) => HAS[mark](exchange));

/** The mark in a sentence, for whoever rests on it. */
export function markSentence(mark: Mark, { fault }: ExchangeSummary): string {
  switch (mark) {
    case 'throttled':
      return 'Throttled: over the limit for this credential and address';
    case 'fault':
      return `Fault on demand: ${fault?.what ?? ''}`;
    case 'deviation':
      return 'Deviation: the strict profile would object';
    case 'over_fetch':
      return 'Over-fetch: a token that was still good was asked for again';
  }
}
