// What every reader of JSON needs. src/oauth has the same guard, because neither may import the other.

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Finds the end of a string in JSON text. Uses a loop, because a regular expression over millions of escapes exhausts
 * the stack.
 * @param start index of its opening quote
 * @returns the index after its closing quote; -1 without one
 */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}
