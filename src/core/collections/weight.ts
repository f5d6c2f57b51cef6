// What values take in memory, estimated on the high side for a 64-bit engine: collections are bounded by
// the sum of it as well as by their entries.

/** What a text takes besides its characters. */
const TEXT_BYTES = 24;
const ONE_BYTE = /^[\0-\xff]*$/;

/** An object, an array or a number that has a box of its own, and each member's place in it. */
const VALUE_BYTES = 24;
const MEMBER_BYTES = 16;
const LISTED_BYTES = 160;

export function textBytes(text: string): number {
  return TEXT_BYTES + (ONE_BYTE.test(text) ? text.length : 2 * text.length);
}

/** Of a record that is listed, with its places there. */
export const recordBytes = (record: unknown): number => LISTED_BYTES + jsonBytes(record);

/** JSON of more levels than this is taken by no record. */
const MAX_LEVELS = 40;

/** Of a value that could be written as JSON; Infinity for one that has too many levels. */
export function jsonBytes(value: unknown, levels = MAX_LEVELS): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (levels === 0) return Infinity;
  let bytes = VALUE_BYTES;
  const named = !Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    bytes += MEMBER_BYTES + (named ? name.length : 0) + jsonBytes(member, levels - 1);
  }
  return bytes;
}
