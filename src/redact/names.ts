// Which names secrets stand under, in any spelling: client_secret, clientSecret, Client-Secret,
// x-client-secret, CLIENTSECRET, client%5Fsecret, client[secret], old_client_secret.

import { plainText } from './layers.ts';

const NAMES = new Set([
  'auth',
  'authcode',
  'authorizationcode',
  'bearer',
  'code',
  'cookie',
  'credential',
  'credentials',
  'devicecode',
  // Names the form of the consent page.
  'grantbenchform',
  'idtokenhint',
  'jwt',
  'oauthcode',
  'passphrase',
  'passwd',
  'passwords',
  'pwd',
  'secrets',
  'sessionid',
  'setcookie',
  'tokens',
  'usercode',
]);

/** A name that ends in one of these says what kind of thing it names: `expires_in` of a token does not. */
const ENDINGS = [
  'accesskey',
  'apikey',
  'assertion',
  'authorization',
  'codeverifier',
  'password',
  'privatekey',
  'secret',
  'secretkey',
  'token',
];

/** Long values that look like credentials and are none. */
const OPEN_NAMES = new Set(['codechallenge', 'state', 'nonce']);

/** More is no name of anything, and need not be read to its beginning. */
const LONGEST = 200;

const ESCAPE = /[%\\&+]/;

/** Lower-case letters alone: without the x of `x-name`, and without signs and digits (`name[0]`). */
function bareName(name: string): string {
  const end = name.slice(-LONGEST);
  const plain = (ESCAPE.test(end) ? plainText(end) : end).toLowerCase().trim();
  const own = plain.startsWith('x-') || plain.startsWith('x_') ? plain.slice(2) : plain;
  return own.replace(/[^a-z]/g, '');
}

/** `open` is what may be long without being a secret. */
type NameKind = 'secret' | 'open' | 'other';

export function kindOfName(name: string): NameKind {
  const bare = bareName(name);
  if (OPEN_NAMES.has(bare)) return 'open';
  const secret = NAMES.has(bare) || ENDINGS.some((ending) => bare.endsWith(ending));
  return secret ? 'secret' : 'other';
}

export const isSecretName = (name: string): boolean => kindOfName(name) === 'secret';
