// The floor that signs with node:crypto and no library.

import { createPrivateKey, generateKeyPair, randomUUID, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { orders } from './child.mjs';
import { serveFloor } from './floor.mjs';

const signAsync = promisify(sign);

const KEY_TYPES = {
  RS256: ['rsa', { modulusLength: 2048 }],
  ES256: ['ec', { namedCurve: 'P-256' }],
};

async function signingKey({ alg, jwk }) {
  if (jwk) return { key: createPrivateKey({ key: jwk, format: 'jwk' }), kid: jwk.kid };
  const { privateKey } = await promisify(generateKeyPair)(...KEY_TYPES[alg]);
  return { key: privateKey, kid: randomUUID() };
}

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

const { key, kid } = await signingKey(orders);
const header = base64url({ typ: 'at+jwt', alg: orders.alg, kid });
// JWS takes r and s side by side, not in DER (RFC 7518 3.4); RSA keys ignore the option.
const how = { key, dsaEncoding: 'ieee-p1363' };

serveFloor(async (claims) => {
  const input = `${header}.${base64url(claims)}`;
  const signature = await signAsync('sha256', Buffer.from(input), how);
  return `${input}.${signature.toString('base64url')}`;
});
