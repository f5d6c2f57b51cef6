// Types and checks for JSON from outside, which every layer shares.

/** A JSON object, about whose members nothing is known. */
export type JsonObject = Record<string, unknown>;

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON object unchanged; an empty one in place of any other value. */
export const membersOf = (value: unknown): Readonly<JsonObject> =>
  isJsonObject(value) ? value : {};

/** Returns the parsed value if the text is JSON, else the text. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a text unchanged, any other value as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Parses a JSON object; returns null if the text is not JSON or another value. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

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
