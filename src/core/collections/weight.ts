// Estimates the memory that values take, on the high side, for a 64-bit engine. Collections are bounded by this sum
// as well as by their number of entries.

/** Overhead of a string besides its characters. */
const TEXT_BYTES = 24;
const ONE_BYTE = /^[\0-\xff]*$/;

/** An object, an array or a boxed number, and each member's slot in it. */
const VALUE_BYTES = 24;
const MEMBER_BYTES = 16;
const LISTED_BYTES = 160;

export function textBytes(text: string): number {
  return TEXT_BYTES + (ONE_BYTE.test(text) ? text.length : 2 * text.length);
}

/** Returns the bytes of a record in a list, including its entries there. */
export const recordBytes = (record: unknown): number => LISTED_BYTES + jsonBytes(record);

/** No record accepts JSON with more levels than this. */
const MAX_LEVELS = 40;

/** Returns the bytes of a JSON value; Infinity for one with too many levels. */
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
