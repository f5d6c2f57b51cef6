// A JSON object from outside, about whose members nothing is known. Core has the same guard (core/records/json.ts),
// because neither may import the other.

export type JsonObject = Record<string, unknown>;

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members with some replaced; null omits a member. */
export function withOwn(members: JsonObject, own: JsonObject = {}): JsonObject {
  const merged = Object.entries({ ...members, ...own });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** Parses a JSON object; returns null if the text is not JSON or another value. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
