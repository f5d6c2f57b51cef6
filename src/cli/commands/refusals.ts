// `grantbench refusals`.

import type { Refusal } from '../../control/schemas.ts';
import { answerInWords } from '../terminal/exchange-line.ts';
import type { Column } from '../terminal/table.ts';
import { resourceCommand } from './operations/resource.ts';

/** Lists each endpoint once, with its response if that differs from the previous one. */
function answersOf({ places }: Refusal): string {
  const answers = new Map<string, string[]>();
  for (const place of places) {
    const answer = answerInWords(place.now);
    const endpoints = answers.get(answer) ?? [];
    answers.set(answer, [
      ...new Set([
        ...endpoints,
        place.endpoint ?? (places.length === 1 ? 'any path' : 'other paths'),
      ]),
    ]);
  }
  return [...answers].map(([answer, at]) => `${answer} (${at.join(', ')})`).join('; ');
}

const COLUMNS: readonly Column<Refusal>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'SUMMARY', cell: ({ summary }) => summary },
  { title: 'RESPONSE', cell: answersOf },
];

export const { declare, fallback } = resourceCommand({
  name: 'refusals',
  description: 'list the reasons why requests are rejected',
  operations: {
    list: {
      columns: COLUMNS,
      empty: 'There are no reasons.',
      examples: ['', '--json | jq ".[] | select(.id == \\"code_redeemed\\")"'],
    },
  },
});
