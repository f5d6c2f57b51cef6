// Stretches of a text that must not be shown, and the text without them. Whoever finds a secret reports
// where it stands; nothing else is rewritten, so that all the rest stays byte for byte.

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

/** From `start` up to, but not including, `end`; `text` is what is shown there. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The index of the last of these ascending numbers that is at most `value`; -1 when there is none. */
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

/** Spans that overlap or touch become one, shown as the one that begins first; of two that begin together, the longer. */
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
