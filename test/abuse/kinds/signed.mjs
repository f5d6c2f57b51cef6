// Arbitrary DPoP headers (RFC 9449) and request objects (RFC 9101): nearly valid, corrupted and oversized ones, and other
// text. A request object with the signature of somebody else is never accepted.

import { generateKeyPairSync, sign } from 'node:crypto';
import { REDIRECT_URI, SIGNING, signingKey } from '../harness/workspace.mjs';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PUBLIC = publicKey.export({ format: 'jwk' });

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(header, claims, signer = privateKey) {
  const text = `${encode(header)}.${encode(claims)}`;
  const key = { key: signer, dsaEncoding: 'ieee-p1363' };
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Invalid values for a member of a proof. */
const ODD = [
  null, true, -1, 1e308, '', 'none', 'HS256', [], {}, { kty: 'oct', k: 'AA' }, { ...PUBLIC, d: PUBLIC.x },
  { ...PUBLIC, x: 'AA' }, { kty: 'RSA', n: 'AQ', e: 'AQ' }, 'http://[', 'a'.repeat(5000),
]; // prettier-ignore

const MEMBERS = ['typ', 'alg', 'jwk', 'crit', 'kid'];
const CLAIMS = ['jti', 'htm', 'htu', 'iat', 'ath', 'nonce'];

const changed = (random, members, names) =>
  random.chance(0.6) ? members : { ...members, [random.pick(names)]: random.pick(ODD) };

function proof({ random, instance }, path) {
  const header = changed(random, { typ: 'dpop+jwt', alg: 'ES256', jwk: PUBLIC }, MEMBERS);
  const htu = `${instance.scheme}://localhost:${instance.port}${path}`;
  const jti = random.text(random.between(1, 22));
  const right = { jti, htm: 'POST', htu, iat: Math.floor(Date.now() / 1000) };
  return signed(header, changed(random, right, CLAIMS));
}

/** Replaces one character of the proof. */
function altered(random, text) {
  const at = random.below(text.length);
  return `${text.slice(0, at)}${random.text(1)}${text.slice(at + 1)}`;
}

const HEADERS = [
  proof,
  (attack, path) => altered(attack.random, proof(attack, path)),
  (attack, path) => [proof(attack, path), proof(attack, path)],
  (attack, path) => proof(attack, path).slice(0, attack.random.below(400)),
  (attack, path) => `${proof(attack, path)}${'A'.repeat(attack.random.size(10_000))}`,
  ({ random }) => random.text(random.size(12_000), 'abcdefgh.,=-_ "'),
  ({ random }) => '.'.repeat(random.size(12_000)),
  ({ random }) => `${encode(JSON.parse('['.repeat(3000) + ']'.repeat(3000)))}.${random.text(9)}.x`,
];

const PATHS = [
  '/oauth/token',
  '/oauth/token',
  '/oauth/par',
  '/oauth/introspect',
  '/userinfo',
  '/api/orders/bound',
];

async function sendProof(attack) {
  const { random, instance, world } = attack;
  const path = random.pick(PATHS);
  const { client_id, client_secret } = instance.clients.get('busy-app');
  const dpop = random.pick(HEADERS)(attack, path);
  const scheme = random.pick(['DPoP', 'Bearer']);
  await attack.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      dpop,
      ...(path === '/userinfo' || path.startsWith('/api/')
        ? { authorization: `${scheme} ${random.text(43)}` }
        : {}),
    },
    body: new URLSearchParams({
      client_id,
      client_secret,
      grant_type: 'refresh_token',
      refresh_token: random.chance(0.5) ? random.text(43) : (world.refreshTokens.at(-1) ?? 'x'),
    }).toString(),
  });
}

const PARAMETERS = [
  'iss', 'aud', 'exp', 'nbf', 'iat', 'client_id', 'redirect_uri', 'response_type', 'scope', 'state',
  'resource', 'claims', 'prompt', 'max_age', 'request', 'request_uri', 'response_mode', 'nonce',
]; // prettier-ignore

function requestObject({ random }, signer) {
  const header = changed(random, { typ: 'oauth-authz-req+jwt', alg: 'ES256', kid: 'k1' }, MEMBERS);
  const asked = { response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid' };
  const claims = changed(random, { client_id: SIGNING, ...asked }, PARAMETERS);
  return signed(header, claims, signer);
}

async function sendRequestObject(attack) {
  const { random } = attack;
  const isOwn = random.chance(0.5);
  const object = requestObject(attack, isOwn ? signingKey.privateKey : privateKey);
  const request = isOwn && random.chance(0.5) ? altered(random, object) : object;
  const answer = await attack.request({
    path: `/authorize?${new URLSearchParams({ client_id: SIGNING, request })}`,
  });
  const isRefused = /[?&#]error=/.test(answer?.headers.location ?? '') || answer?.status >= 400;
  if (answer !== null && !isOwn && !isRefused)
    attack.fail('a request object of somebody else was accepted');
}

export const signedKinds = [
  { name: 'dpop', weight: 6, run: sendProof },
  { name: 'request-objects', weight: 6, run: sendRequestObject },
];
