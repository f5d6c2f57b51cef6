// Names and secrets that the page makes up.

const SECRET_BYTES = 32;

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** 256 bits in the alphabet of base64url. */
export function newSecret(): string {
  const text = btoa(String.fromCharCode(...randomBytes(SECRET_BYTES)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
