// Words that mean the same to someone who searches. Lower case; each group is a line.

const GROUPS: readonly (readonly string[])[] = [
  ['jwt', 'jws', 'decode', 'parse', 'inspect', 'claims'],
  ['sign', 'build', 'forge', 'tamper', 'fake', 'wrong', 'alg none', 'invalid token'],
  ['429', 'throttle', 'throttling', 'limit', 'quota', 'too many requests', 'hammer'],
  ['cors', 'origin', 'preflight', 'access-control'],
  ['https', 'tls', 'ssl', 'certificate', 'protocol'],
  ['host', 'bind', 'interface', 'network', 'address'],
  ['login', 'log in', 'sign-in', 'signin', 'authenticate', 'authorize'],
  ['logout', 'log out', 'sign-out', 'end session'],
  ['jwks', 'jwk', 'signing key', 'signing keys', 'kid', 'rs256', 'es256'],
  ['ttl', 'lifetime', 'lifetimes', 'expiry', 'expires', 'expire', 'exp'],
  ['fault', 'error', 'outage', 'chaos', 'inject', '500', '503'],
  ['dark', 'light', 'theme', 'appearance'],
  ['account', 'user', 'person', 'subject'],
  ['app', 'application', 'client', 'register'],
  ['request log', 'history', 'traffic', 'exchange', 'network'],
  ['time', 'clock', 'date', 'travel'],
  ['curl', 'postman', 'http request'],
  ['docs', 'documentation', 'manual', 'help'],
  ['openapi', 'swagger', 'control api'],
  ['shortcut', 'hotkey', 'keyboard', 'keys'],
  ['har', 'export', 'download'],
  ['preferences', 'options', 'configuration', 'settings'],
  ['mint', 'generate', 'issue', 'create'],
  ['delete', 'clear', 'reset', 'wipe'],
];

/** Shorter beginnings of a word would mean too much. */
const LEAST = 3;

const means = (member: string, word: string): boolean =>
  member === word || (word.length >= LEAST && member.startsWith(word));

/** Other words for this one, or for one that begins so. */
export const synonymsOf = (word: string): readonly string[] => [
  ...new Set(
    GROUPS.filter((group) => group.some((member) => means(member, word)))
      .flat()
      .filter((member) => !means(member, word)),
  ),
];
