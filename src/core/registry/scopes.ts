// Scope parameters (RFC 6749 3.3): a space-separated list of case-sensitive tokens.

/** Scopes that every audience knows (behaviour 2). */
export const COMMON_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The tokens of a scope parameter, each once; null when it is malformed. Empty text has none. */
export function parseScope(text: string): string[] | null {
  if (text === '') return [];
  const tokens = new Set(text.split(' '));
  for (const token of tokens) if (!SCOPE_TOKEN.test(token)) return null;
  return [...tokens];
}

/** The text with single spaces between the tokens and none around them. */
export const withoutBlanks = (text: string): string =>
  text
    .split(' ')
    .filter((token) => token !== '')
    .join(' ');

/** The tokens that are not in the other list. */
export function beyond(tokens: readonly string[], granted: readonly string[]): string[] {
  return tokens.filter((token) => !granted.includes(token));
}
