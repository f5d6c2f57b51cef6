// The Authorization header (RFC 9110 11.6.2), read in one way wherever it is used: a scheme, and what
// follows it. By position and not by a pattern: spaces next to spaces make patterns quadratic. What the
// credentials mean is for the caller to know.

export interface Authorization {
  /** In lower case: schemes are compared case-insensitively. */
  readonly scheme: string;
  /** What follows the scheme and its spaces, without spaces at the end; empty when nothing does. */
  readonly credentials: string;
}

/** @param header the value of the header; null or undefined when there is none */
export function readAuthorization(header: string | null | undefined): Authorization {
  const text = header ?? '';
  const mark = text.search(/[ \t]/);
  if (mark < 0) return { scheme: text.toLowerCase(), credentials: '' };
  let start = mark;
  while (text[start] === ' ') start += 1;
  let end = text.length;
  while (end > start && text[end - 1] === ' ') end -= 1;
  // Only spaces separate the two: after a tab there are no credentials.
  const credentials = start === mark ? '' : text.slice(start, end);
  return { scheme: text.slice(0, mark).toLowerCase(), credentials };
}
