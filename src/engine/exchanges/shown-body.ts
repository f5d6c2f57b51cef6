// How much of a body is shown. What was captured may be many megabytes, and finding the secrets in it
// takes time for each character: views and exports show its beginning, beside its true size.

/** UTF-16 units shown at most; more than a body may have unless settings.max_body_bytes is raised. */
const MAX_SHOWN = 131_072;
/**
 * Looked through beyond that, and not shown: a secret that is cut off there would not be known for one.
 * Longer than any credential.
 */
const MARGIN = 16_384;

/** Bytes or UTF-16 units of a body that are worth handing to `shownBody`. */
export const MAX_READ = MAX_SHOWN + MARGIN;

const endsInsidePair = (text: string): boolean => /[\ud800-\udbff]$/.test(text.slice(-1));

/** @param whole whether the text is all there is of the body */
export function shownBody(text: string, whole: boolean, redact: (text: string) => string): string {
  if (whole && text.length <= MAX_READ) return redact(text);
  const shown = redact(text.slice(0, MAX_READ)).slice(0, -MARGIN);
  return endsInsidePair(shown) ? shown.slice(0, -1) : shown;
}
