// The control API: without authorization, which must be rejected; with arbitrary input from its owner; and changes of
// clock, keys and fault rules during other attacks.

import { json, readJson } from '../harness/http.mjs';
import { FAULTY, USER } from '../harness/workspace.mjs';
import { ORDERED } from '../harness/world.mjs';
import { anyValue, jsonText, parameterName, parameters, shapedText } from './shapes.mjs';

const OPERATIONS = [
  ['GET', '/api/clients'], ['POST', '/api/clients'], ['PATCH', '/api/clients/other-app'],
  ['DELETE', '/api/clients/normal-app'], ['POST', '/api/codes'], ['POST', '/api/tokens'], ['POST', '/api/tokens/sign'], ['GET', '/api/tokens?secrets=1'],
  ['GET', '/api/exchanges?secrets=1'], ['GET', '/api/exchanges/export'], ['DELETE', '/api/throttle'],
  ['GET', '/api/workspace'], ['PUT', '/api/workspace'], ['PATCH', '/api/settings'], ['PATCH', '/api/clock'],
  ['POST', '/api/keys'], ['POST', '/api/faults'], ['DELETE', '/api/faults'], ['POST', '/api/server/stop'],
  ['POST', '/api/reset'], ['POST', '/api/requests'], ['GET', '/api/events'],
]; // prettier-ignore

/** A nearly correct token, or none. */
function strangeToken({ random, instance }) {
  const { token } = instance.control;
  const at = random.below(token.length);
  return random.pick([
    null,
    random.text(random.between(1, 60)),
    token.slice(0, random.between(1, 40)),
    `${token.slice(0, at)}${random.text(1, '~!')}${token.slice(at + 1)}`,
    `${token}${random.text(random.between(1, 9))}`,
    `${' '.repeat(random.between(2, 50_000))}${token.slice(1)}`,
  ]);
}

async function unauthorised(attack) {
  const { random } = attack;
  const [method, path] = random.pick(OPERATIONS);
  const body = ['GET', 'DELETE'].includes(method) ? undefined : JSON.stringify(anyValue(random));
  const answer = await attack.control({ method, path, body, token: strangeToken(attack) });
  if (answer !== null && ![401, 403].includes(answer.status)) {
    attack.fail(`an unauthorised ${method} ${path} was answered ${answer.status}`);
  }
}

/** Paths for an owner's invalid requests, without operations that would disturb other attacks. */
const MISTAKES = [
  ['POST', () => '/api/clients'],
  ['POST', () => '/api/users'],
  ['POST', () => '/api/audiences'],
  ['POST', () => '/api/apis'],
  ['PUT', () => '/api/workspace'],
  ['POST', () => '/api/codes'],
  ['POST', () => '/api/tokens'],
  ['POST', () => '/api/tokens/sign'],
  ['POST', () => '/api/keys'],
  ['POST', () => '/api/requests'],
  ['PATCH', ({ random }) => `/api/clients/${encodeURIComponent(shapedText(random, 3000).toWellFormed())}`],
  ['DELETE', ({ random }) => `/api/users/${random.text(random.size(15_000))}`],
  ['GET', ({ random }) => `/api/tokens/${random.text(random.size(15_000))}`],
  ['GET', ({ random }) => `/api/exchanges?after=${random.text(random.size(9000))}&limit=${random.text(3)}`],
  ['GET', ({ random }) => `/api/exchanges?status=${random.text(2)}&wait_seconds=${random.below(3)}`],
  ['GET', ({ random }) => `/api/exchanges/export?numbers=${'1-9,'.repeat(random.size(10_000))}1`],
  ['GET', ({ random }) => `/${random.text(random.between(200, 5000))}.js`],
  ['GET', ({ random }) => `/api/${'%'.repeat(random.between(1, 9))}`],
  ['PATCH', () => '/api/clock'],
]; // prettier-ignore

async function mistakes(attack) {
  const { random } = attack;
  const [method, path] = random.pick(MISTAKES);
  const text = random.chance(0.5)
    ? JSON.stringify(anyValue(random))
    : jsonText(random, parameters(random));
  // A patch that happens to be valid would move the clock unnoticed.
  const body =
    method === 'GET' || method === 'DELETE'
      ? undefined
      : `${random.chance(0.05) ? ' '.repeat(30_000_000) : ''}${text}`;
  await attack.control({ method, path: path(attack), body });
}

const MOVES = [
  (random) => ({ advance_seconds: random.size(1_000_000) }),
  (random) => ({ now: new Date(Date.now() + random.between(-1e9, 1e10)).toISOString() }),
  () => ({ frozen: true }),
  () => ({ frozen: false }),
  () => ({ reset: true }),
];

const clock = (attack) =>
  attack.world.disturb(() =>
    attack.control({
      ...json(attack.random.pick(MOVES)(attack.random), 'PATCH'),
      path: '/api/clock',
    }),
  );

async function keys(attack) {
  await attack.world.disturb(async () => {
    const listed = await attack.control({ path: '/api/keys' });
    const items = listed?.status === 200 ? readJson(listed).items : [];
    const alg = attack.random.pick(['ES256', 'EdDSA', undefined]);
    if (items.length < 12) await attack.control({ ...json({ alg }), path: '/api/keys' });
    const old = items.filter(({ signing }) => !signing).slice(4);
    for (const { kid } of old) {
      await attack.control({ method: 'POST', path: `/api/keys/${encodeURIComponent(kid)}/retire` });
    }
  });
}

/** Logouts at once, whose logout tokens no app receives. */
async function logouts(attack) {
  const { random } = attack;
  const order = () => json({ sub: random.chance(0.8) ? USER : random.text(random.size(2000)) });
  const all = Array.from({ length: random.between(1, 8) }, async () => {
    const answer = await attack.control({ ...order(), path: '/api/logout' });
    for (const { exchange } of answer?.status === 200 ? readJson(answer).deliveries : []) {
      await attack.control({ ...json({ exchange }), path: '/api/logout' });
    }
  });
  await Promise.all(all);
}

const EFFECTS = [
  (random) => ({
    when: 'instead',
    effect: {
      kind: 'answer',
      status: random.pick([429, 500, 502, 503, 200]),
      headers: [[ORDERED, '1']],
      body: random.text(random.size(5000)),
    },
  }),
  () => ({ when: 'instead', effect: { kind: 'drop' } }),
  () => ({ when: 'after', effect: { kind: 'cut' } }),
  () => ({ when: 'after', effect: { kind: 'dribble', duration_ms: 2000 } }),
  () => ({ when: 'after', effect: { kind: 'broken_json' } }),
  () => ({ when: 'after', effect: { kind: 'expires_in', as: 'huge' } }),
  () => ({ when: 'after', effect: { kind: 'unpublished_key' } }),
  (random) => ({ when: 'instead', delay_ms: random.size(5000), effect: { kind: 'drop' } }),
];

async function faults(attack) {
  const { random, instance } = attack;
  const rule = {
    ...random.pick(EFFECTS)(random),
    match: { client_id: FAULTY },
    times: random.between(1, 5),
  };
  const created = await attack.control({ ...json(rule), path: '/api/faults' });
  if (created?.status !== 201) return;
  const { client_id, client_secret } = instance.clients.get(FAULTY);
  const request = { grant_type: 'client_credentials', client_id, client_secret };
  const order = { ...json(request), path: '/oauth/token' };
  await Promise.all(Array.from({ length: random.between(1, 5) }, () => attack.request(order)));
  const path = `/api/faults/${encodeURIComponent(readJson(created).id)}`;
  await attack.control({ method: 'DELETE', path });
}

/** An unknown member name of any length must be reported. */
async function longNames(attack) {
  const { random } = attack;
  const name = parameterName(random) + 'n'.repeat(random.size(100_000));
  const order = json({ client_id: random.text(8), [name]: anyValue(random) });
  await attack.control({
    ...order,
    path: random.pick(['/api/clients', '/api/users', '/api/faults']),
  });
}

export const controlKinds = [
  { name: 'unauthorised', weight: 8, run: unauthorised },
  { name: 'mistakes', weight: 8, run: mistakes },
  { name: 'long-names', weight: 2, run: longNames },
  { name: 'clock', weight: 0.5, run: clock },
  { name: 'keys', weight: 0.3, run: keys },
  { name: 'faults', weight: 3, run: faults },
  { name: 'logouts', weight: 1, run: logouts },
];
