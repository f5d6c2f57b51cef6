// Requests whose form is right and whose content is anything: forms, JSON, queries, and secrets in every
// place where none belongs.

import { REDIRECT_URI } from '../harness/workspace.mjs';
import { formText, jsonText, parameters } from './shapes.mjs';

const ENDPOINTS = [
  '/oauth/token',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/par',
  '/oauth/device_authorization',
  '/device',
  '/userinfo',
  '/logout',
];
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
  'application/json;charset="',
];

const FORM = { 'content-type': TYPES[0] };
const JSON_TYPE = { 'content-type': TYPES[1] };

/** A credential of this client, so that more than the first checks are reached. */
const withClient = ({ random, instance }, pairs) => {
  if (random.chance(0.4)) return pairs;
  const { client_id, client_secret } = instance.clients.get('busy-app');
  return [['client_id', client_id], ['client_secret', client_secret], ...pairs];
};

const headersFor = (random, own) =>
  random.chance(0.9) ? own : { 'content-type': random.pick(TYPES) };

/** Only what an URL may have, or Node would not send it. */
const asTarget = (text) =>
  text.replace(/[^\x21-\x7e]/g, (odd) => encodeURIComponent(odd.toWellFormed()));

/** Where clients put a secret by mistake. */
const ASTRAY = [
  (secret, random) => ({
    path: `/${random.pick(['', 'token/', 'oauth/token/'])}${encodeURIComponent(secret)}`,
  }),
  (secret, random) => ({
    path: `/${random.pick(['userinfo', 'authorize', 'oauth/token', 'x'])}?${random.pick([
      'token', 'apikey', 'api_key', 'client-secret', 'secret', 'password', 'auth', 'q', 'access_token', 'key',
    ])}=${encodeURIComponent(secret)}`, // prettier-ignore
  }),
  (secret, random) => ({
    path: '/userinfo',
    headers: {
      [random.pick(['X-Auth-Token', 'X-Api-Key', 'X-Token', 'Cookie', 'X-Client-Secret', 'Authorization', 'User-Agent'])]:
        Buffer.from(secret).toString('latin1').replace(/[^\x20-\x7e]/g, ''),
    },
  }), // prettier-ignore
  (secret, random) => ({
    method: 'POST',
    path: '/oauth/token',
    headers: FORM,
    body: new URLSearchParams({
      grant_type: random.pick(['refresh_token', 'authorization_code', secret]),
      [random.pick([
        'client_id',
        'scope',
        'redirect_uri',
        'audience',
        'code_verifier',
        'x',
        secret,
      ])]: secret,
      client_secret: 'busy-app',
    }).toString(),
  }),
  (secret, random) => ({
    method: 'POST',
    path: random.pick(['/oauth/token', '/register', '/oauth/introspect', '/oauth/par']),
    headers: JSON_TYPE,
    body: JSON.stringify({
      grant_type: 'refresh_token',
      [random.pick(['client_id', 'refreshToken', 'clientSecret', 'note', 'redirect_uris'])]: secret,
      nested: { [random.pick(['a', 'client_secret'])]: [secret] },
    }),
  }),
  (secret) => ({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'X-Forwarded-Authorization': `Basic ${Buffer.from(`busy-app:${secret}`).toString('base64')}`,
    },
  }),
  (secret, random) => ({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `--x\r\nContent-Disposition: form-data; name="${random.pick(['client_secret', 'a'])}"\r\n\r\n${secret}\r\n--x--`,
  }),
  (secret) => ({
    path: `/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: 'busy-app',
      redirect_uri: REDIRECT_URI,
      state: secret,
    })}`,
  }),
];

function aSecret({ random, instance, world }) {
  const configured = ['busy-app', 'other-app'].map((id) => instance.clients.get(id).client_secret);
  const live = world.refreshTokens.slice(-20);
  return random.pick([
    ...configured,
    instance.control.token,
    ...(live.length > 0 ? [random.pick(live)] : []),
  ]);
}

export const parameterKinds = [
  {
    name: 'form',
    weight: 12,
    run: async (attack) => {
      const { random } = attack;
      const body = formText(random, withClient(attack, parameters(random)));
      const path = random.pick(ENDPOINTS);
      await attack.request({ method: 'POST', path, headers: headersFor(random, FORM), body });
    },
  },
  {
    name: 'json',
    weight: 10,
    run: async (attack) => {
      const { random } = attack;
      const body = jsonText(random, withClient(attack, parameters(random)));
      const path = random.pick([...ENDPOINTS, '/register']);
      await attack.request({ method: 'POST', path, headers: headersFor(random, JSON_TYPE), body });
    },
  },
  {
    name: 'query',
    weight: 6,
    run: async (attack) => {
      const { random } = attack;
      const query = asTarget(formText(random, parameters(random, 5000)));
      const path = `${random.pick(['/authorize', '/authorize', ...ENDPOINTS])}?${query}`;
      await attack.request({
        method: random.pick(['GET', 'GET', 'POST', 'HEAD', 'OPTIONS']),
        path,
      });
    },
  },
  {
    name: 'astray',
    weight: 6,
    run: async (attack) => {
      const order = attack.random.pick(ASTRAY)(aSecret(attack), attack.random);
      await attack.request(order);
    },
  },
];
