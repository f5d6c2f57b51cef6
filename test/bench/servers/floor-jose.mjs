// The floor that signs with jose.

import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { orders } from './child.mjs';
import { serveFloor } from './floor.mjs';

async function signingKey({ alg, jwk }) {
  if (jwk) return { key: await importJWK(jwk, alg), kid: jwk.kid };
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { key: privateKey, kid: await calculateJwkThumbprint(await exportJWK(publicKey)) };
}

const { key, kid } = await signingKey(orders);
const header = { typ: 'at+jwt', alg: orders.alg, kid };

serveFloor((claims) => new SignJWT(claims).setProtectedHeader(header).sign(key));
