// Large amounts of headers, bodies, counted credentials and stored names. The stored part of each must be bounded in
// bytes.

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { form, json } from '../harness/http.mjs';
import { AUDIENCE, REDIRECT_URI, SIGNING, signingKey, USER } from '../harness/workspace.mjs';

/** Nearly the largest value in a form of 64 KiB. */
const LARGEST = 60_000;

/** Size of a burst over a few connections, which reaches a bound in bytes within minutes. */
async function burst(attack, count, makeOrder) {
  for (let sent = 0; sent < count; sent += 4) {
    await Promise.all(Array.from({ length: 4 }, () => attack.request(makeOrder())));
  }
}

const credential = (random) => {
  const length = random.chance(0.7) ? random.between(LARGEST / 2, LARGEST) : random.size(LARGEST);
  return random.text(8) + 'x'.repeat(length);
};

async function countedCredentials(attack) {
  const { random, instance } = attack;
  const { client_id, client_secret } = instance.clients.get('busy-app');
  const kind = random.pick(['refresh_token', 'code']);
  await burst(attack, 80, () => ({
    ...form({
      grant_type: kind === 'code' ? 'authorization_code' : 'refresh_token',
      [kind]: credential(random),
      ...(kind === 'code' ? { redirect_uri: REDIRECT_URI, audience: AUDIENCE } : {}),
      client_id,
      client_secret,
    }),
    path: '/oauth/token',
  }));
}

/** A code stores its nonce and challenge; their strings could retain the text of the whole request. */
async function rememberedRequests(attack) {
  const { random } = attack;
  const long = random.pick(['nonce', 'state', 'code_challenge', 'x', 'scope', 'login_hint']);
  await burst(attack, 60, () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'busy-app',
      redirect_uri: REDIRECT_URI,
      login_hint: USER,
      nonce: random.text(24),
      state: random.text(12),
    });
    query.set(long, `${query.get(long) ?? ''}${'a'.repeat(random.between(20_000, 55_000))}`);
    return { path: `/authorize?${query}` };
  });
}

const extras = {
  client_name: (random) => 'n'.repeat(random.between(1, 250)),
  redirect_uris: (random) =>
    Array.from(
      { length: 40 },
      () => `http://localhost/${random.text(random.between(1, 1400), 'ab')}`,
    ),
  jwks: (random) => ({
    keys: Array.from({ length: 20 }, () => ({
      kty: 'RSA',
      e: 'AQAB',
      kid: random.text(20),
      n: 'n'.repeat(random.between(10, 2800)),
    })),
  }),
  x: (random) => 'y'.repeat(random.size(LARGEST)),
};

async function registrations(attack) {
  const { random, instance } = attack;
  const headers = {
    'content-type': 'application/json',
    ...(instance.registrationToken === undefined || random.chance(0.2)
      ? {}
      : { authorization: `Bearer ${instance.registrationToken}` }),
  };
  const name = random.pick(Object.keys(extras));
  await burst(attack, 40, () => ({
    ...json({ redirect_uris: [REDIRECT_URI], [name]: extras[name](random) }),
    headers,
    path: '/register',
  }));
}

/** A client registers itself and manages its registration, with correct and other tokens and metadata. */
async function registrationManagement(attack) {
  const { random, instance } = attack;
  const initial = instance.registrationToken;
  const bearer = (token) => (token === undefined ? {} : { authorization: `Bearer ${token}` });
  const sent = { ...json({ redirect_uris: [REDIRECT_URI] }), path: '/register' };
  const headers = { 'content-type': 'application/json' };
  const answer = await attack.request({ ...sent, headers: { ...headers, ...bearer(initial) } });
  const registered = answer?.status === 201 ? JSON.parse(answer.text) : {};
  const { client_id = 'other-app', registration_access_token: token } = registered;
  await burst(attack, 12, () => {
    const name = random.pick(Object.keys(extras));
    const body = { client_id, redirect_uris: [REDIRECT_URI], [name]: extras[name](random) };
    const given = random.chance(0.7) ? token : random.pick([initial, 'x', undefined]);
    const id = random.chance(0.8)
      ? client_id
      : random.pick(['normal-app', '%ff', 'x'.repeat(5000)]);
    return {
      ...json(body),
      headers: { ...headers, ...bearer(given) },
      method: random.pick(['GET', 'PUT', 'PUT', 'HEAD', 'POST', 'DELETE']),
      path: `/register/${id}`,
    };
  });
}

const strange = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function assertion(claims, key) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'ES256', kid: 'k1' })}.${encode(claims)}`;
  const options = { key, dsaEncoding: 'ieee-p1363' };
  return `${signed}.${sign('sha256', Buffer.from(signed), options).toString('base64url')}`;
}

async function assertions(attack) {
  const { random, instance } = attack;
  await burst(attack, 20, () => {
    const now = Math.floor(Date.now() / 1000);
    const length = random.chance(0.5) ? random.between(1, 200) : random.between(20_000, 40_000);
    const client = random.pick([SIGNING, SIGNING, 'keyless-app', 'hmac-app']);
    const claims = { iss: client, sub: client, aud: instance.issuer, iat: now, exp: now + 300 };
    const jti = randomUUID() + 'j'.repeat(length);
    const key = random.chance(0.8) ? signingKey.privateKey : strange.privateKey;
    return {
      ...form({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion({ ...claims, jti }, key),
        audience: AUDIENCE,
      }),
      path: '/oauth/token',
    };
  });
}

const HEADERS = [
  'Authorization', 'Cookie', 'X-Forwarded-For', 'Accept', 'Origin', 'Referer', 'Content-Type', 'User-Agent', 'X-Y',
]; // prettier-ignore

async function headers(attack) {
  const { random } = attack;
  const name = random.pick(HEADERS);
  const unit = random.pick([
    ' ',
    'a',
    'a=b; ',
    'Basic ',
    'Bearer ',
    'Bearer',
    ',',
    '=',
    '"',
    '\\"',
    'Basic Og=',
  ]);
  const value = unit.repeat(Math.ceil(random.size(80_000) / unit.length));
  const scheme = random.pick(['Basic', 'Bearer', 'bearer ', '']);
  const path = random.pick([
    '/register',
    '/userinfo',
    '/oauth/token',
    '/authorize',
    '/logout',
    '/oauth/revoke',
  ]);
  const method = random.pick(['GET', 'POST']);
  const end = random.pick(['', 'x', '\u00e9']);
  await attack.request({ method, path, headers: { [name]: `${scheme} ${value}${end}` } });
}

async function bodies(attack) {
  const { random } = attack;
  const around = 65_536 + random.between(-2, 2);
  const length = random.pick([around, random.size(65_536), 1_000_000, 17_000_000]);
  const path = random.pick(['/oauth/token', '/oauth/revoke', '/register', '/authorize', '/x']);
  const type = random.pick(['application/x-www-form-urlencoded', 'application/json', 'x']);
  const unit = random.pick(['a', ' ', '&', '%20', '"', '\\', '[', '{"a":']);
  const body = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  await attack.request({ method: 'POST', path, headers: { 'content-type': type }, body });
}

export const large = [
  { name: 'counted-credentials', weight: 3, run: countedCredentials },
  { name: 'remembered-requests', weight: 3, run: rememberedRequests },
  { name: 'registrations', weight: 3, run: registrations },
  { name: 'registration-management', weight: 2, run: registrationManagement },
  { name: 'assertions', weight: 1, run: assertions },
  { name: 'headers', weight: 6, run: headers },
  { name: 'bodies', weight: 3, run: bodies },
];
