// Which entries a query finds, and in what order. Pure: the same query and entries give the same list.

import type { Entry } from './entry.ts';
import { synonymsOf } from './synonyms.ts';

export interface FoundGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** From the best to the least answer. */
const RANKS = { whole: 0, begins: 1, inside: 2, keyword: 3, synonym: 4 } as const;

/** More would only find less; a pasted text has thousands. */
const MOST_WORDS = 20;

export const wordsOf = (query: string): readonly string[] =>
  query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);

/** Whether a word of the text begins with it; "sign-in" has two words. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

interface Wanted {
  readonly word: string;
  readonly synonyms: readonly string[];
}

function rankOfWord({ word, synonyms }: Wanted, title: string, rest: string): number | null {
  if (beginsWord(title, word)) return RANKS.begins;
  if (title.includes(word)) return RANKS.inside;
  if (rest.includes(word)) return RANKS.keyword;
  const also = `${title} ${rest}`;
  return synonyms.some((synonym) => beginsWord(also, synonym)) ? RANKS.synonym : null;
}

function rankOf(entry: Entry, query: string, wanted: readonly Wanted[]): number | null {
  const title = entry.title.toLowerCase();
  const rest = `${entry.group} ${entry.detail ?? ''} ${entry.keywords ?? ''}`.toLowerCase();
  if (title.startsWith(query)) return RANKS.whole;
  let worst: number = RANKS.begins;
  for (const one of wanted) {
    const rank = rankOfWord(one, title, rest);
    if (rank === null) return null;
    worst = Math.max(worst, rank);
  }
  return worst;
}

/**
 * The entries that answer a query, in groups: the group with the best answer first, and in each the best first.
 * Without a query all, as they are given.
 * @param most how many of a group are shown
 */
export function findEntries(
  entries: Iterable<Entry>,
  query: string,
  most = Number.POSITIVE_INFINITY,
): readonly FoundGroup[] {
  const words = wordsOf(query);
  const wanted = words.map((word) => ({ word, synonyms: synonymsOf(word) }));
  const groups = new Map<string, { best: number; found: { entry: Entry; rank: number }[] }>();
  for (const entry of entries) {
    const rank = rankOf(entry, words.join(' '), wanted);
    if (rank === null) continue;
    const group = groups.get(entry.group) ?? { best: rank, found: [] };
    group.best = Math.min(group.best, rank);
    group.found.push({ entry, rank });
    groups.set(entry.group, group);
  }
  const sorted =
    words.length === 0 ? [...groups] : [...groups].sort(([, a], [, b]) => a.best - b.best);
  return sorted.map(([title, { found }]) => ({
    title,
    entries: (words.length === 0 ? found : found.sort((a, b) => a.rank - b.rank))
      .slice(0, most)
      .map(({ entry }) => entry),
  }));
}
