// The URI that a proof is made for (`htu`), compared with that of the request: normalized by syntax and by scheme
// (RFC 3986 6.2.2 and 6.2.3), without query and fragment (RFC 9449 4.3, check 9).

const UNRESERVED = /^[\w.~-]$/;

/** Escapes of characters that need none are decoded, all others are in upper case (RFC 3986 6.2.2). */
const normalizedEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });

/** Scheme, authority and path of an http or https URI, normalized; null for any other text. */
export function normalizedUri(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname, username, password } = new URL(text);
  return username === '' && password === '' ? origin + normalizedEscapes(pathname) : null;
}
