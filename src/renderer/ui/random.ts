// Names and secrets that the page makes up.

import { encodeBase64url } from '../../oauth/base64.ts';

const SECRET_BYTES = 32;

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** 256 bits in the alphabet of base64url. */
export const newSecret = (): string => encodeBase64url(randomBytes(SECRET_BYTES));
