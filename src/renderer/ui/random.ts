// Names and secrets that the page generates.

import { encodeBase64url } from '../../oauth/base64.ts';

const SECRET_BYTES = 32;

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** 256 random bits, in base64url. */
export const newSecret = (): string => encodeBase64url(randomBytes(SECRET_BYTES));
