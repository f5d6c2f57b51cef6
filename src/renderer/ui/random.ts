// Names and secrets that the page generates.

import { randomBase64url } from '../../oauth/base64.ts';

export const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** 256 random bits, in base64url. */
export const newSecret = (): string => randomBase64url(32);
