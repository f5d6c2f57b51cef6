// The names of secrets, in any spelling: client_secret, clientSecret, Client-Secret, x-client-secret, CLIENTSECRET,
// client%5Fsecret, client[secret], old_client_secret.

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
  // The token of the consent form.
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

/** Names that end in one of these are names of secrets; `token_expires_in`, for example, is not. */
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

/** Names of long values that look like credentials but are not. */
const OPEN_NAMES = new Set(['codechallenge', 'state', 'nonce']);

/** Longer texts are not names, and are not read from the beginning. */
const LONGEST = 200;

const ESCAPE = /[%\\&+]/;

/** Returns the lower-case letters of a name, without the x of `x-name`, and without signs and digits (`name[0]`). */
function bareName(name: string): string {
  const end = name.slice(-LONGEST);
  const plain = (ESCAPE.test(end) ? plainText(end) : end).toLowerCase().trim();
  const own = plain.startsWith('x-') || plain.startsWith('x_') ? plain.slice(2) : plain;
  return own.replace(/[^a-z]/g, '');
}

/** `open` is a name whose value may be long without being a secret. */
type NameKind = 'secret' | 'open' | 'other';

export function kindOfName(name: string): NameKind {
  const bare = bareName(name);
  if (OPEN_NAMES.has(bare)) return 'open';
  const secret = NAMES.has(bare) || ENDINGS.some((ending) => bare.endsWith(ending));
  return secret ? 'secret' : 'other';
}

/** Whether the text is a common word for a secret, such as `password`, and so a part of many names and sentences. */
export const isSecretWord = (text: string): boolean => NAMES.has(text) || ENDINGS.includes(text);

export const isSecretName = (name: string): boolean => kindOfName(name) === 'secret';
