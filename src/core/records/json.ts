// What every reader of JSON needs. oauth has the same guard for those who do not know core: neither may import the
// other.

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Where a string in JSON text ends: by a loop, for a pattern over millions of escapes runs out of stack.
 * @param start where its opening quote is
 * @returns the place after its closing one; -1 without one
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}
