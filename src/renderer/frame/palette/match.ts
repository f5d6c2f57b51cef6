// Which entries a query finds, and in what order. Pure: the same query and entries give the same list.

import { grouped } from '../../../words.ts';

/** What the palette can find: a named item that can be run or opened. */
export interface Entry {
  /** Unique among all entries. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** A few words beside the title. */
  readonly detail?: string;
  /** Additional words to find it by. */
  readonly keywords?: string;
  readonly shortcut?: string | undefined;
  readonly run: () => unknown;
}

/** Synonyms in a search, in lower case; each group is one line. */
const GROUPS: readonly (readonly string[])[] = [
  ['jwt', 'jws', 'decode', 'parse', 'inspect', 'claims'],
  ['sign', 'build', 'forge', 'tamper', 'fake', 'wrong', 'alg none', 'invalid token'],
  ['429', 'throttle', 'throttling', 'limit', 'quota', 'too many requests', 'hammer'],
  ['cors', 'origin', 'preflight', 'access-control'],
  ['https', 'tls', 'ssl', 'certificate', 'protocol'],
  ['host', 'bind', 'interface', 'network', 'address'],
  ['login', 'log in', 'sign-in', 'signin', 'authenticate', 'authorize'],
  ['logout', 'log out', 'sign-out', 'end session'],
  ['jwks', 'jwk', 'signing key', 'signing keys', 'kid', 'rs256', 'es256'],
  ['ttl', 'lifetime', 'lifetimes', 'expiry', 'expires', 'expire', 'exp'],
  ['fault', 'error', 'outage', 'chaos', 'inject', '500', '503'],
  ['dark', 'light', 'theme', 'appearance'],
  ['account', 'user', 'person', 'subject'],
  ['app', 'application', 'client', 'register'],
  ['request log', 'history', 'traffic', 'exchange', 'network'],
  ['time', 'clock', 'date', 'travel'],
  ['curl', 'postman', 'http request'],
  ['docs', 'documentation', 'manual', 'help'],
  ['openapi', 'swagger', 'control api'],
  ['shortcut', 'hotkey', 'keyboard', 'keys'],
  ['har', 'export', 'download'],
  ['preferences', 'options', 'configuration', 'settings'],
  ['mint', 'generate', 'issue', 'create'],
  ['delete', 'clear', 'reset', 'wipe'],
];

/** Shorter prefixes would match too many words. */
const LEAST = 3;

const means = (member: string, word: string): boolean =>
  member === word || (word.length >= LEAST && member.startsWith(word));

/** Synonyms of a word, or of the words that it begins. */
const synonymsOf = (word: string): readonly string[] => [
  ...new Set(
    GROUPS.filter((group) => group.some((member) => means(member, word)))
      .flat()
      .filter((member) => !means(member, word)),
  ),
];

export interface FoundGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Says that more match than are shown, such as "12 more"; empty if none do. */
  readonly more: string;
}

interface Found {
  readonly entry: Entry;
  readonly rank: number;
  /** Decides between equal ranks. */
  readonly worse: number;
}

/** From the best to the worst match. */
const RANKS = { whole: 0, begins: 1, inside: 2, keyword: 3, synonym: 4 } as const;

/** A pasted text may have thousands of words; those beyond this limit are ignored. */
const MOST_WORDS = 20;

export const wordsOf = (query: string): readonly string[] =>
  query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);

const isInWord = (character = ' '): boolean => /[\p{L}\p{N}]/u.test(character);

/** Whether a word of the text begins with the given one, or is the same; "sign-in" consists of two words. */
function beginsWord(text: string, word: string, same = false): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isInWord(text[at - 1]) && !(same && isInWord(text[at + word.length]))) return true;
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

/** Whether the entry has all the words themselves: of many clients, "client-1" finds this one before client-10. */
function hasWords({ title, detail = '' }: Entry, words: readonly string[]): boolean {
  const text = `${title} ${detail}`.toLowerCase();
  return words.every((word) => beginsWord(text, word, true));
}

/**
 * The entries that match a query, in groups. The group with the best match comes first, and in each group the best
 * match. An empty query returns all entries in their order.
 * @param most how many entries of a group are returned
 */
export function findEntries(
  entries: Iterable<Entry>,
  query: string,
  most = Number.POSITIVE_INFINITY,
): readonly FoundGroup[] {
  const words = wordsOf(query);
  const wanted = words.map((word) => ({ word, synonyms: synonymsOf(word) }));
  const groups = new Map<string, { best: number; found: Found[] }>();
  for (const entry of entries) {
    const rank = rankOf(entry, words.join(' '), wanted);
    if (rank === null) continue;
    const group = groups.get(entry.group) ?? { best: rank, found: [] };
    group.best = Math.min(group.best, rank);
    group.found.push({ entry, rank, worse: hasWords(entry, words) ? 0 : 1 });
    groups.set(entry.group, group);
  }
  const sorted =
    words.length === 0 ? [...groups] : [...groups].sort(([, a], [, b]) => a.best - b.best);
  return sorted.map(([title, { found }]) => ({
    title,
    entries: (words.length === 0
      ? found
      : found.sort((a, b) => a.rank - b.rank || a.worse - b.worse)
    )
      .slice(0, most)
      .map(({ entry }) => entry),
    more: found.length > most ? `${grouped(found.length - most)} more` : '',
  }));
}
