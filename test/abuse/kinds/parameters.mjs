// Well-formed requests with arbitrary content: forms, JSON, queries, and misplaced secrets.

import { formText, jsonText, parameters, shapedText } from './shapes.mjs';

const ENDPOINTS = [
  '/oauth/token',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/par',
  '/oauth/device_authorization',
  '/device',
  '/userinfo',
  '/api/orders/1',
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

/** Sometimes places a secret as another value or as a name. */
const withSecret = (attack, pairs) => {
  const { random } = attack;
  if (random.chance(0.8)) return pairs;
  const secret = aSecret(attack);
  const at = random.below(pairs.length);
  return pairs.map((pair, index) =>
    index === at ? (random.chance(0.8) ? [pair[0], secret] : [secret, pair[1]]) : pair,
  );
};

/** A credential of this client, so that requests pass the first checks. */
const withClient = ({ random, instance }, pairs) => {
  if (random.chance(0.4)) return pairs;
  const { client_id, client_secret } = instance.clients.get('busy-app');
  return [['client_id', client_id], ['client_secret', client_secret], ...pairs];
};

const headersFor = (random, own) =>
  random.chance(0.9) ? own : { 'content-type': random.pick(TYPES) };

/** Only characters that Node sends in a URL. */
const asTarget = (text) =>
  text.replace(/[^\x21-\x7e]/g, (odd) => encodeURIComponent(odd.toWellFormed()));

function aSecret({ random, instance, world }) {
  const configured = ['busy-app', 'other-app'].map((id) => instance.clients.get(id).client_secret);
  const live = world.refreshTokens.slice(-20);
  return random.pick([
    ...configured,
    instance.control.token,
    ...(live.length > 0 ? [random.pick(live)] : []),
  ]);
}

/** A misplaced secret: in a target or any header, surrounded by any text. */
async function misplacedSecret(attack) {
  const { random } = attack;
  const around = () => shapedText(random, 200);
  const written = `${around()}${aSecret(attack)}${around()}`;
  const name =
    random.pick(['X-', 'Sec-', '']) +
    random.text(random.between(1, 12), 'abcdefghijklmnopqrstuvwxyz-');
  const inHeader = Buffer.from(written)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '');
  const path = random.pick(['/', ...ENDPOINTS]);
  await attack.request({
    method: random.pick(['GET', 'POST']),
    ...(random.chance(0.5)
      ? {
          path: asTarget(
            `${path}${random.pick(['/', '?', '?x=', ';'])}${encodeURIComponent(written.toWellFormed())}`,
          ),
        }
      : { path, headers: { [`X-${name}`]: inHeader } }),
  });
}

export const parameterKinds = [
  {
    name: 'form',
    weight: 12,
    run: async (attack) => {
      const { random } = attack;
      const body = formText(random, withClient(attack, withSecret(attack, parameters(random))));
      const path = random.pick(ENDPOINTS);
      await attack.request({ method: 'POST', path, headers: headersFor(random, FORM), body });
    },
  },
  {
    name: 'json',
    weight: 10,
    run: async (attack) => {
      const { random } = attack;
      const body = jsonText(random, withClient(attack, withSecret(attack, parameters(random))));
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
  { name: 'astray', weight: 6, run: misplacedSecret },
];
