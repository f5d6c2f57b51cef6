// The secrets that are known by value, found wherever they stand in a text.
//
// Very short secrets would take harmless words along. They are only hidden where they are a whole value (of
// a form field, a JSON member, a header, a path segment, an operand), or stand under a name.

import { escapeLayers, givenLayer, plainText, type Layer } from './layers.ts';
import { createPrefixIndex, WINDOW } from './prefix-index.ts';
import type { Span } from './spans.ts';
import { REDACTED } from './spans.ts';

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
