// What a JSON object is: read from foreign text, so that nothing is known of its members. oauth has the
// same guard for those who do not know core: neither may import the other.

/** A JSON object (RFC 8259 4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
