// Parts of a text that must not be shown, and the text without them. Finders of secrets report only positions, so
// that the rest of the text stays identical byte for byte.

export const REDACTED = '[redacted]';

/** From `start` up to, but not including, `end`; `text` is the replacement. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the index of the last of these ascending numbers that is at most `value`; -1 if there is none. */
export function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Merges spans that overlap or touch. The merged span has the replacement of the one that begins first, or of the
 * longer one if two begin together.
 */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const ordered = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let copied = 0;
  let end = -1;
  for (const span of ordered) {
    if (span.start > end) {
      parts.push(text.slice(copied, span.start), span.text);
      end = span.end;
    }
    end = Math.max(end, span.end);
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
