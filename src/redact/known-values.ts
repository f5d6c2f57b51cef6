// The secrets that are known by value, found wherever they stand in a text. Time is linear in the text,
// whatever the number of secrets: a window of six characters slides over it, and only where a secret begins
// with these six is anything compared.
//
// Secrets shorter than that would take harmless words along. They are only hidden where they are a whole
// value (of a form field, a JSON member, a header, a path segment, an operand), or stand under a name.

import { escapeLayers, givenLayer, plainText, type Layer } from './layers.ts';
import type { Span } from './spans.ts';
import { REDACTED } from './spans.ts';

const WINDOW = 6;

/** So much of a secret counts as the secret where the text ends in it, having been cut short. */
const LEAST_OF_CUT = 32;

/** Windows that a secret begins with, by hash: nearly all others are passed over without another look. */
const FILTER_BITS = 18;
const FACTOR = 0x01000193;
const OUTGOING = Math.imul(
  Math.imul(Math.imul(FACTOR, FACTOR), Math.imul(FACTOR, FACTOR)),
  Math.imul(FACTOR, FACTOR),
);

/** Secrets that begin alike. */
interface Bucket {
  readonly members: Set<string>;
  /** How many there are of each length. */
  readonly counts: Map<number, number>;
  /** The longest first. */
  lengths: readonly number[];
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

/** The forms in which it is looked for: as it is, and as it reads where its own escapes were undone too. */
const formsOf = (value: string): string[] =>
  [...new Set([value, plainText(value)])].filter((form) => form !== '');

const slot = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS);

export function createKnownValues(): KnownValues {
  /** Every form of every secret: what is shown instead, and how many secrets have it. */
  const forms = new Map<string, { shown: string; count: number }>();
  let shortForms = 0;
  const buckets = new Map<string, Bucket>();
  const filter = new Uint8Array(1 << FILTER_BITS);

  const hashOf = (window: string): number => {
    let hash = 0;
    for (let index = 0; index < WINDOW; index += 1) {
      hash = (Math.imul(hash, FACTOR) + window.charCodeAt(index)) | 0;
    }
    return hash;
  };
  const recount = (bucket: Bucket, length: number, by: 1 | -1) => {
    const count = (bucket.counts.get(length) ?? 0) + by;
    if (count > 0) bucket.counts.set(length, count);
    else bucket.counts.delete(length);
    if (bucket.lengths.length === bucket.counts.size) return;
    bucket.lengths = [...bucket.counts.keys()].sort((a, b) => b - a);
  };
  const file = (form: string) => {
    if (form.length < WINDOW) {
      shortForms += 1;
      return;
    }
    const window = form.slice(0, WINDOW);
    const bucket = buckets.get(window) ?? { members: new Set(), counts: new Map(), lengths: [] };
    buckets.set(window, bucket);
    bucket.members.add(form);
    recount(bucket, form.length, 1);
    filter[slot(hashOf(window))] = 1;
  };
  const unfile = (form: string) => {
    if (form.length < WINDOW) shortForms -= 1;
    const window = form.slice(0, WINDOW);
    const bucket = buckets.get(window);
    if (bucket?.members.delete(form) !== true) return;
    recount(bucket, form.length, -1);
    if (bucket.members.size === 0) buckets.delete(window);
  };

  /** The end of the longest secret that begins here; -1 when there is none. */
  const endAt = (text: string, index: number): number => {
    const bucket = buckets.get(text.slice(index, index + WINDOW));
    if (bucket === undefined) return -1;
    const left = text.length - index;
    for (const length of bucket.lengths) {
      if (length <= left && bucket.members.has(text.slice(index, index + length))) {
        return index + length;
      }
    }
    if (left < LEAST_OF_CUT || left >= (bucket.lengths[0] ?? 0)) return -1;
    const rest = text.slice(index);
    for (const member of bucket.members) if (member.startsWith(rest)) return text.length;
    return -1;
  };

  return {
    add: (value, shown = REDACTED) => {
      for (const form of formsOf(value)) {
        const count = (forms.get(form)?.count ?? 0) + 1;
        if (count === 1) file(form);
        forms.set(form, { shown, count });
      }
    },
    delete: (value) => {
      for (const form of formsOf(value)) {
        const { shown, count } = forms.get(form) ?? { shown: REDACTED, count: 0 };
        if (count > 1) forms.set(form, { shown, count: count - 1 });
        else if (forms.delete(form)) unfile(form);
      }
    },
    spansIn: ({ text, start, end }) => {
      const spans: Span[] = [];
      if (buckets.size === 0) return spans;
      let hash = 0;
      for (let index = 0; index < text.length; index += 1) {
        hash = (Math.imul(hash, FACTOR) + text.charCodeAt(index)) | 0;
        const first = index - WINDOW + 1;
        if (first > 0) hash = (hash - Math.imul(text.charCodeAt(first - 1), OUTGOING)) | 0;
        if (first < 0 || filter[slot(hash)] === 0) continue;
        const found = endAt(text, first);
        if (found < 0) continue;
        const { shown } = forms.get(text.slice(first, found)) ?? { shown: REDACTED };
        spans.push({ start: start(first), end: end(found), text: shown });
      }
      return spans;
    },
    whole: (value) => {
      if (shortForms === 0) return undefined;
      // A short secret has no more than a dozen characters for each of its own when it is escaped twice.
      if (value.length > WINDOW * 12) return undefined;
      const short = escapeLayers(givenLayer(value)).find(
        ({ text }) => text.length < WINDOW && forms.has(text),
      );
      return short === undefined ? undefined : forms.get(short.text)?.shown;
    },
  };
}
