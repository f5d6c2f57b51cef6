// Encodes random bytes as text: the values of codes and tokens, nonces, ids of clients.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** base64url without padding. */
export function encodeRandom(bytes: Uint8Array): string {
  const codes: number[] = [];
  const write = (bits: number) => codes.push(ALPHABET.charCodeAt(bits & 63));
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b, c] = bytes.subarray(index, index + 3);
    write(a >> 2);
    write((a << 4) | ((b ?? 0) >> 4));
    if (b !== undefined) write((b << 2) | ((c ?? 0) >> 6));
    if (c !== undefined) write(c);
  }
  // The string is created in one piece: one that is concatenated would stay a rope of 700 bytes for each credential.
  return String.fromCharCode(...codes);
}
