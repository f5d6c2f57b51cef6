// base64url (RFC 4648 5) without padding, as in tokens, and base64 (4). Decoding is lenient: problems are reported,
// and everything that can be decoded is decoded. Also the random values and hashes that a client sends in base64url.

import { grouped, pluralize } from '../words.ts';

/** A character that neither base64url nor base64 has. */
const FOREIGN = /[^A-Za-z0-9_+/=-]/;

const shownCharacter = (character: string): string =>
  /^[\x21-\x7e]$/.test(character)
    ? `“${character}”`
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Base64 instead of base64url can be decoded, but no verifier accepts it. */
function alphabetProblems(text: string): string[] {
  const problems: string[] = [];
  if (/[+/]/.test(text)) {
    problems.push('is base64, not base64url: it has + and / instead of - and _ (RFC 7515 2)');
  }
  if (text.includes('=')) {
    problems.push('has = padding, which base64url in a token must not have (RFC 7515 2)');
  }
  return problems;
}

/** Decodes a part of a token (RFC 7515 2); bytes is null if that is impossible, and problems say why in words. */
export function decodeBase64url(text: string) {
  const at = text.search(FOREIGN);
  if (at >= 0) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const which = `${shownCharacter(character)} at character ${grouped(at + 1)}`;
    return { bytes: null, problems: [`is not base64url: it must not contain ${which}`] };
  }
  const problems = alphabetProblems(text);
  // Matches only at the beginning of a run. Matching at each of its characters would take quadratic time.
  const bare = text
    .replace(/(?<!=)=+$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (bare.includes('=')) {
    return { bytes: null, problems: [...problems, 'has a = that is not at the end'] };
  }
  if (bare.length % 4 === 1) {
    const odd = `cannot have ${pluralize(bare.length, 'character')}: one is missing, or there is one too many`;
    return { bytes: null, problems: [...problems, odd] };
  }
  return { bytes: bytesOf(atob(bare)), problems };
}

export const encodeBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Encodes a text's UTF-8 bytes in base64 with padding (RFC 4648 4). */
export const base64OfText = (text: string): string => encodeBase64(utf8(text));

/** Encodes bytes in base64url without padding (RFC 7515 2). */
export const encodeBase64url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Generates this many random bytes, in base64url. */
export const randomBase64url = (bytes: number): string =>
  encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)));

/** Returns the SHA-256 hash of a text's UTF-8 bytes, in base64url. */
export const sha256 = async (text: string): Promise<string> =>
  encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))));
