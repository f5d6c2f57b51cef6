// The `jti` of a token that was signed for a test, and not issued: whoever reads it back knows it by that, in this
// run and in every later one.

const PREFIX = 'unissued.';

/** @param random 128 random bits as text */
export const unissuedId = (random: string): string => PREFIX + random;

export const isUnissued = ({ jti }: Readonly<Record<string, unknown>>): boolean =>
  typeof jti === 'string' && jti.startsWith(PREFIX);
