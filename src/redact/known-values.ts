// The secrets that are known by value, which are found anywhere in a text.
//
// Very short secrets, and a secret such as `secret` itself, would hide harmless words as well. They are redacted only
// where they are a whole value (of a form field, a JSON member, a header, a path segment, an operand), or are under the
// name of a secret.

import { escapeLayers, givenLayer, plainText, type Layer } from './layers.ts';
import { isSecretWord } from './names.ts';
import { REDACTED, type Span } from './spans.ts';

/** Texts shorter than this are not in the index. */
const WINDOW = 6;

/** If the searched text ends inside an entry, this many matching characters are enough. */
const LEAST_OF_CUT = 16;

/** The first windows of all texts, by hash. Nearly all other windows are skipped without comparing anything. */
const FILTER_BITS = 18;
const FACTOR = 0x01000193;
const OUTGOING = Math.imul(
  Math.imul(Math.imul(FACTOR, FACTOR), Math.imul(FACTOR, FACTOR)),
  Math.imul(FACTOR, FACTOR),
);

/** Texts with the same beginning. */
interface Bucket {
  readonly members: Set<string>;
  /** The number of texts of each length. */
  readonly counts: Map<number, number>;
  /** The lengths in descending order. */
  lengths: readonly number[];
}

const slot = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);

/** Returns the hash of the window at the beginning of the text. */
function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < WINDOW; index += 1) {
    hash = (Math.imul(hash, FACTOR) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function countLength(bucket: Bucket, length: number, by: 1 | -1): void {
  const count = (bucket.counts.get(length) ?? 0) + by;
  if (count > 0) bucket.counts.set(length, count);
  else bucket.counts.delete(length);
  if (bucket.lengths.length === bucket.counts.size) return;
  bucket.lengths = [...bucket.counts.keys()].sort((a, b) => b - a);
}

/** Returns the hash after the window moved by one character. */
const moved = (hash: number, outgoing: number, incoming: number): number =>
  (Math.imul(hash, FACTOR) + incoming - Math.imul(outgoing, OUTGOING)) | 0;

/** Returns the end of the longest text that begins here; -1 if there is none. */
function endAt({ members, lengths }: Bucket, text: string, index: number): number {
  const left = text.length - index;
  for (const length of lengths) {
    if (length <= left && members.has(text.slice(index, index + length))) return index + length;
  }
  if (left < LEAST_OF_CUT || left >= (lengths[0] ?? 0)) return -1;
  const rest = text.slice(index);
  for (const member of members) if (member.startsWith(rest)) return text.length;
  return -1;
}

/**
 * Finds any of many texts in another one, in time linear in that text, whatever their number. A window of six
 * characters slides over it (Rabin-Karp), and texts are compared only where one of them begins with these six
 * characters.
 */
function createPrefixIndex() {
  /** The groups by the first window of their texts. */
  const buckets = new Map<string, Bucket>();
  const filter = new Uint8Array(1 << FILTER_BITS);

  return {
    /** @param text of at least `WINDOW` characters, not in the index yet */
    add: (text: string) => {
      const window = text.slice(0, WINDOW);
      const bucket = buckets.get(window) ?? { members: new Set(), counts: new Map(), lengths: [] };
      buckets.set(window, bucket);
      bucket.members.add(text);
      countLength(bucket, text.length, 1);
      filter[slot(hashOf(window))] = 1;
    },
    delete: (text: string) => {
      const window = text.slice(0, WINDOW);
      const bucket = buckets.get(window);
      if (bucket?.members.delete(text) !== true) return;
      countLength(bucket, text.length, -1);
      if (bucket.members.size === 0) buckets.delete(window);
    },
    /** Calls back with each position of one of the texts; with the longest if several begin there. */
    search: (text: string, onMatch: (start: number, end: number) => void) => {
      if (buckets.size === 0) return;
      let hash = 0;
      for (let next = WINDOW; next <= text.length; next += 1) {
        const start = next - WINDOW;
        hash =
          start === 0
            ? hashOf(text)
            : moved(hash, text.charCodeAt(start - 1), text.charCodeAt(next - 1));
        if (filter[slot(hash)] === 0) continue;
        const bucket = buckets.get(text.slice(start, next));
        const end = bucket === undefined ? -1 : endAt(bucket, text, start);
        if (end >= 0) onMatch(start, end);
      }
    },
  };
}

export type KnownValues = ReturnType<typeof createKnownValues>;

/** All other secrets are found anywhere. */
const isShort = (form: string) => form.length < WINDOW || isSecretWord(form);

/** The forms in which a secret is searched for: unchanged, and with its own escapes undone. */
const formsOf = (value: string): string[] =>
  [...new Set([value, plainText(value)])].filter((form) => form !== '');

/** Forms of secrets, with their replacement and the number of secrets that have them. */
type Forms = Map<string, { readonly shown: string; count: number }>;

export function createKnownValues() {
  const short: Forms = new Map();
  const long: Forms = new Map();
  const index = createPrefixIndex();

  return {
    /** @param shown what replaces it */
    add: (value: string, shown: string = REDACTED) => {
      for (const form of formsOf(value)) {
        const forms = isShort(form) ? short : long;
        const count = (forms.get(form)?.count ?? 0) + 1;
        forms.set(form, { shown, count });
        if (count === 1 && forms === long) index.add(form);
      }
    },
    delete: (value: string) => {
      for (const form of formsOf(value)) {
        const forms = isShort(form) ? short : long;
        const known = forms.get(form);
        if (known === undefined) continue;
        known.count -= 1;
        if (known.count > 0) continue;
        forms.delete(form);
        index.delete(form);
      }
    },
    /** Returns where secrets are in the layer, as positions in the original text. */
    spansIn: ({ text, start, end }: Layer): Span[] => {
      const spans: Span[] = [];
      index.search(text, (first, last) => {
        const { shown } = long.get(text.slice(first, last)) ?? { shown: REDACTED };
        spans.push({ start: start(first), end: end(last), text: shown });
      });
      return spans;
    },
    /** Returns the replacement if the whole value is a short secret; undefined otherwise. */
    whole: (value: string): string | undefined => {
      if (short.size === 0) return undefined;
      // A character that is escaped twice takes at most a dozen characters.
      if (value.length > WINDOW * 12) return undefined;
      return escapeLayers(givenLayer(value))
        .map(({ text }) => short.get(text))
        .find((known) => known !== undefined)?.shown;
    },
  };
}
