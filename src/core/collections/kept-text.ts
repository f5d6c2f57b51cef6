// Copies text that outlives its request. A JavaScript engine may represent a substring as a slice of the longer
// string; a nonce of 20 characters would then keep a URL of 60 KB in memory for as long as its code.

/** Engines copy strings of up to this length (V8: a slice has at least 13 characters). */
const SHORT = 12;

/**
 * Returns a copy of the text that shares no memory with it. Serializing and parsing it does so without any platform
 * API.
 */
export function keptText(text: string): string {
  return text.length <= SHORT ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** Returns a copy that is cut after this many characters and then ends with an ellipsis. */
export function keptExcerpt(text: string, max: number): string {
  return text.length <= max ? keptText(text) : keptText(`${text.slice(0, max)}…`);
}
