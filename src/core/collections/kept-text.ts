// Text that outlives the request it came with. An engine may cut a value out of a longer text without
// copying it, and a nonce of 20 characters then keeps a URL of 60 KB alive for as long as its code.

/** Engines copy what is this short by themselves (V8: a slice has at least 13 characters). */
const SHORT = 12;

/** The same text, in memory of its own: written out and read again, which ECMAScript alone can do. */
export function keptText(text: string): string {
  return text.length <= SHORT ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** The same, cut after so many characters, and marked where it was. */
export function keptExcerpt(text: string, max: number): string {
  return text.length <= max ? keptText(text) : keptText(`${text.slice(0, max)}…`);
}
