// The secrets that are known by value, found wherever they stand in a text.
//
// Very short secrets would take harmless words along. They are only hidden where they are a whole value (of
// a form field, a JSON member, a header, a path segment, an operand), or stand under a name.

import { escapeLayers, givenLayer, plainText, type Layer } from './layers.ts';
import type { Span } from './spans.ts';
import { REDACTED } from './spans.ts';

/** Texts shorter than this are not for the index. */
const WINDOW = 6;

/** So many characters count as the whole text where the searched one ends in the middle of it. */
const LEAST_OF_CUT = 16;

/** Windows that a text begins with, by hash: nearly all others are passed over without another look. */
const FILTER_BITS = 18;
const FACTOR = 0x01000193;
const OUTGOING = Math.imul(
  Math.imul(Math.imul(FACTOR, FACTOR), Math.imul(FACTOR, FACTOR)),
  Math.imul(FACTOR, FACTOR),
);

/** Texts that begin alike. */
interface Bucket {
  readonly members: Set<string>;
  /** How many there are of each length. */
  readonly counts: Map<number, number>;
  /** The longest first. */
  lengths: readonly number[];
}

/**
 * Finds any of many texts wherever they stand in another one, in time that is linear in that text, whatever their number:
 * a window of six characters slides over it (Rabin-Karp), and only where one of the texts begins with these six is
 * anything compared.
 */
interface PrefixIndex {
  /** @param text of at least `WINDOW` characters, not in the index yet */
  readonly add: (text: string) => void;
  readonly delete: (text: string) => void;
  /** Calls back with each place where one of the texts stands, the longest where several begin. */
  readonly search: (text: string, onMatch: (start: number, end: number) => void) => void;
}

const slot = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);

function hashOf(window: string): number {
  let hash = 0;
  for (let index = 0; index < WINDOW; index += 1) {
    hash = (Math.imul(hash, FACTOR) + window.charCodeAt(index)) | 0;
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

/** The end of the longest member that begins here; -1 when there is none. */
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

function createPrefixIndex(): PrefixIndex {
  /** By the window that their members begin with. */
  const buckets = new Map<string, Bucket>();
  const filter = new Uint8Array(1 << FILTER_BITS);

  return {
    add: (text) => {
      const window = text.slice(0, WINDOW);
      const bucket = buckets.get(window) ?? { members: new Set(), counts: new Map(), lengths: [] };
      buckets.set(window, bucket);
      bucket.members.add(text);
      countLength(bucket, text.length, 1);
      filter[slot(hashOf(window))] = 1;
    },
    delete: (text) => {
      const window = text.slice(0, WINDOW);
      const bucket = buckets.get(window);
      if (bucket?.members.delete(text) !== true) return;
      countLength(bucket, text.length, -1);
      if (bucket.members.size === 0) buckets.delete(window);
    },
    search: (text, onMatch) => {
      if (buckets.size === 0) return;
      let hash = 0;
      for (let index = 0; index < text.length; index += 1) {
        hash = (Math.imul(hash, FACTOR) + text.charCodeAt(index)) | 0;
        const start = index - WINDOW + 1;
        if (start > 0) hash = (hash - Math.imul(text.charCodeAt(start - 1), OUTGOING)) | 0;
        if (start < 0 || filter[slot(hash)] === 0) continue;
        const bucket = buckets.get(text.slice(start, start + WINDOW));
        const end = bucket === undefined ? -1 : endAt(bucket, text, start);
        if (end >= 0) onMatch(start, end);
      }
    },
  };
}

export interface KnownValues {
  /** @param shown what stands in its place */
  readonly add: (value: string, shown?: string) => void;
  readonly delete: (value: string) => void;
  /** Where secrets stand in the layer; in terms of the text that was given. */
  readonly spansIn: (layer: Layer) => Span[];
  /** What is shown instead when the whole value is a short secret; undefined when it is none. */
  readonly whole: (value: string) => string | undefined;
}

/** Found anywhere from this length on. */
const isShort = (form: string) => form.length < WINDOW;

/** The forms in which it is looked for: as it is, and as it reads where its own escapes were undone too. */
const formsOf = (value: string): string[] =>
  [...new Set([value, plainText(value)])].filter((form) => form !== '');

export function createKnownValues(): KnownValues {
  /** Every form of every secret: what is shown instead, and how many secrets have it. */
  const forms = new Map<string, { shown: string; count: number }>();
  const index = createPrefixIndex();
  let shortForms = 0;

  return {
    add: (value, shown = REDACTED) => {
      for (const form of formsOf(value)) {
        const count = (forms.get(form)?.count ?? 0) + 1;
        forms.set(form, { shown, count });
        if (count > 1) continue;
        if (isShort(form)) shortForms += 1;
        else index.add(form);
      }
    },
    delete: (value) => {
      for (const form of formsOf(value)) {
        const known = forms.get(form);
        if (known === undefined) continue;
        known.count -= 1;
        if (known.count > 0) continue;
        forms.delete(form);
        if (isShort(form)) shortForms -= 1;
        else index.delete(form);
      }
    },
    spansIn: ({ text, start, end }) => {
      const spans: Span[] = [];
      index.search(text, (first, last) => {
        const { shown } = forms.get(text.slice(first, last)) ?? { shown: REDACTED };
        spans.push({ start: start(first), end: end(last), text: shown });
      });
      return spans;
    },
    whole: (value) => {
      if (shortForms === 0) return undefined;
      // A short secret has no more than a dozen characters for each of its own when it is escaped twice.
      if (value.length > WINDOW * 12) return undefined;
      const short = escapeLayers(givenLayer(value)).find(
        ({ text }) => isShort(text) && forms.has(text),
      );
      return short === undefined ? undefined : forms.get(short.text)?.shown;
    },
  };
}
