// Where a string in JSON text ends: by a loop, for a pattern over millions of escapes runs out of stack.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @param start where its opening quote is. Returns the place after its closing one; -1 without one */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}
