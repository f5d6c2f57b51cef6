// Credentials that are good, used badly: twice, at once, by another client, after their client was deleted.
// One redemption of a code wins, and so does one of a refresh token that is rotated, and one use of a pushed request.

import { form, json, readJson } from '../harness/http.mjs';
import { AUDIENCE, DEVICE_CODE_GRANT, REDIRECT_URI, USER } from '../harness/workspace.mjs';

const RACERS = 8;

async function issueCode(attack, client_id) {
  const order = json({ client_id, redirect_uri: REDIRECT_URI, audience: AUDIENCE, sub: USER });
  const answer = await attack.control({ ...order, path: '/api/codes' });
  const code = answer?.status === 201 ? readJson(answer).code : undefined;
  if (code !== undefined) attack.world.learn(answer);
  return code;
}

const exchange = ({ client_id, client_secret }, code) => ({
  ...json({
    grant_type: 'authorization_code',
    code,
    client_id,
    client_secret,
    redirect_uri: REDIRECT_URI,
    audience: AUDIENCE,
  }),
  path: '/oauth/token',
});

const refresh = ({ client_id, client_secret }, refresh_token) => ({
  ...form({ grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
  path: '/oauth/token',
});

/** @param before disturbances when the credential was issued */
async function race(attack, what, order, before) {
  const { world } = attack;
  const answers = await Promise.all(Array.from({ length: RACERS }, () => attack.request(order)));
  if (answers.includes(null)) return;
  const winners = answers.filter(({ status }) => status === 200);
  // A clock that moves, or a limit that was set, may leave no winner; there are never two.
  const allowed = world.disturbances() === before && !world.isDisturbed() ? [1] : [0, 1];
  if (allowed.includes(winners.length)) return;
  const statuses = answers.map(({ status, text }) => `${status} ${text.slice(0, 120)}`);
  attack.fail(`${winners.length} of ${RACERS} redemptions of ${what} won`, statuses);
}

async function races(attack) {
  const client = attack.instance.clients.get('busy-app');
  const before = attack.world.disturbances();
  const code = await issueCode(attack, client.client_id);
  if (code !== undefined) await race(attack, 'a code', exchange(client, code), before);
}

async function rotationRaces(attack) {
  const { instance } = attack;
  if (instance.scheme !== 'https') return races(attack);
  const client = instance.clients.get('busy-app');
  const before = attack.world.disturbances();
  const code = await issueCode(attack, client.client_id);
  if (code === undefined) return;
  const pair = await attack.request(exchange(client, code));
  if (pair?.status !== 200) return;
  await race(attack, 'a refresh token', refresh(client, readJson(pair).refresh_token), before);
}

const poll = ({ client_id, client_secret }, device_code) => ({
  ...form({ grant_type: DEVICE_CODE_GRANT, device_code, client_id, client_secret }),
  path: '/oauth/token',
});

/** A device code, approved over control unless its service does so by itself. */
async function deviceRaces(attack) {
  const { instance, world } = attack;
  const [own, other] = ['busy-app', 'other-app'].map((id) => instance.clients.get(id));
  const before = world.disturbances();
  const { client_id, client_secret } = own;
  const path = '/oauth/device_authorization';
  const asked = await attack.request({ ...form({ client_id, client_secret }), path });
  if (asked?.status !== 200) return;
  const { device_code, user_code } = readJson(asked);
  const stolen = await attack.request(poll(other, device_code));
  if (stolen?.status === 200) attack.fail("another client's device code was redeemed");
  const approval = { ...json({ sub: USER }), path: `/api/devices/${user_code}/approve` };
  const approved = await attack.control(approval);
  if (approved === null || ![200, 409].includes(approved.status)) return;
  await race(attack, 'a device code', poll(own, device_code), before);
}

async function replay(attack) {
  const { random, instance } = attack;
  const [own, other] = ['busy-app', 'other-app'].map((id) => instance.clients.get(id));
  const code = await issueCode(attack, own.client_id);
  if (code === undefined) return;
  const stolen = await attack.request(exchange(other, code));
  if (stolen?.status === 200) attack.fail("another client's code was redeemed");
  const answer = await attack.request(exchange(own, code));
  if (answer?.status !== 200) return;
  const pair = readJson(answer);
  const again = await attack.request(
    random.pick([exchange(own, code), refresh(other, pair.refresh_token)]),
  );
  if (again?.status === 200)
    attack.fail('a credential was redeemed that is used or of another client');
}

async function isActive(attack, { client_id, client_secret }, token) {
  const order = { ...form({ token, client_id, client_secret }), path: '/oauth/introspect' };
  const answer = await attack.request(order);
  return answer?.status === 200 ? readJson(answer).active : null;
}

/** A client goes while it is used; one of the same name inherits nothing. */
async function deletion(attack) {
  const { random, instance } = attack;
  const client_id = `short-lived-${random.text(10)}`;
  const client_secret = random.text(32);
  const record = { client_id, client_secret, redirect_uris: [REDIRECT_URI] };
  const client = { client_id, client_secret };
  attack.world.secrets.addConfigured(client_secret, 'secret of a deleted client', client_id);
  const create = () => attack.control({ ...json(record), path: '/api/clients' });
  if ((await create())?.status !== 201) return;
  const code = await issueCode(attack, client_id);
  const late = await issueCode(attack, client_id);
  const pair = code === undefined ? null : await attack.request(exchange(client, code));
  const path = `/api/clients/${client_id}`;
  const [deleted] = await Promise.all([
    attack.control({ method: 'DELETE', path }),
    late === undefined ? null : attack.request(exchange(client, late)),
  ]);
  if (deleted?.status !== 204 || pair?.status !== 200) return;
  const { access_token, refresh_token } = readJson(pair);
  const witness = instance.clients.get('other-app');
  if (await isActive(attack, witness, access_token))
    attack.fail("a deleted client's token is active");
  if ((await create())?.status !== 201) return;
  const inherited = await attack.request(refresh(client, refresh_token));
  if (inherited?.status === 200) attack.fail('a new client inherited a refresh token');
  await attack.control({ method: 'DELETE', path });
}

const hasCode = (answer) => /[?&]code=/.test(answer?.headers.location ?? '');

/** A pushed request answers one of those who bring its request_uri, and no other client. */
async function pushes(attack) {
  const { random, instance } = attack;
  const { client_id, client_secret } = instance.clients.get('busy-app');
  const asked = { response_type: 'code', redirect_uri: REDIRECT_URI, state: random.text(8) };
  const answer = await attack.request({
    ...form({ client_id, client_secret, ...asked }),
    path: '/oauth/par',
  });
  if (answer?.status !== 201) return;
  const { request_uri } = readJson(answer);
  const linkOf = (id) => `/authorize?${new URLSearchParams({ client_id: id, request_uri })}`;
  const stolen = await attack.request({ path: linkOf('other-app') });
  if (hasCode(stolen)) attack.fail("another client's pushed request was answered");
  const visit = () => attack.request({ path: linkOf(client_id) });
  const answers = await Promise.all(Array.from({ length: RACERS }, visit));
  const winners = answers.filter(hasCode);
  if (winners.length > 1)
    attack.fail(`${winners.length} of ${RACERS} uses of a pushed request won`);
}

export const credentialKinds = [
  { name: 'race', weight: 3, run: races },
  { name: 'rotation-race', weight: 2, run: rotationRaces },
  { name: 'device-race', weight: 3, run: deviceRaces },
  { name: 'replay', weight: 3, run: replay },
  { name: 'deletion', weight: 2, run: deletion },
  { name: 'push', weight: 3, run: pushes },
];
