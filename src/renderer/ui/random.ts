// Names and secrets that the page generates.

import { randomBase64url } from '../../oauth/base64.ts';

export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** 256 random bits, in base64url. */
export const newSecret = (): string => randomBase64url(32);
