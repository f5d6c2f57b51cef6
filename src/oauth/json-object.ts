// What a JSON object is: read from foreign text, so that nothing is known of its members. core has the
// same guard of its own (core/records/json-object.ts), for neither may import the other.

export type JsonObject = Record<string, unknown>;

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members with some of their own; null leaves one out. */
export function withOwn(members: JsonObject, own: JsonObject = {}): JsonObject {
  const merged = Object.entries({ ...members, ...own });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

/** The object that the text is; null when it is no JSON, or another value. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
