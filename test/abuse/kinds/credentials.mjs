// Valid credentials used in any order and in parallel, by their own and another client, during revocations and
// deletions. In any order, one redemption of a code and one of a rotated refresh token succeeds, another client gets
// nothing, and ended credentials stay ended.

import { form, json, readJson } from '../harness/http.mjs';
import { AUDIENCE, DEVICE_CODE_GRANT, REDIRECT_URI, USER } from '../harness/workspace.mjs';

const credentials = ({ client_id, client_secret }) => ({ client_id, client_secret });

const tokenRequest = (client, members) => ({
  ...form({ ...credentials(client), ...members }),
  path: '/oauth/token',
});

const redeem = (client, { kind, value }) =>
  kind === 'device'
    ? tokenRequest(client, { grant_type: DEVICE_CODE_GRANT, device_code: value })
    : tokenRequest(client, {
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: REDIRECT_URI,
        audience: AUDIENCE,
      });

const refresh = (client, refresh_token) =>
  tokenRequest(client, { grant_type: 'refresh_token', refresh_token });

async function issueCode(attack, { client_id }) {
  const order = json({ client_id, redirect_uri: REDIRECT_URI, audience: AUDIENCE, sub: USER });
  const answer = await attack.control({ ...order, path: '/api/codes' });
  if (answer?.status !== 201) return null;
  attack.world.learn(answer);
  return { kind: 'code', value: readJson(answer).code };
}

async function approveDevice(attack, client) {
  const path = '/oauth/device_authorization';
  const asked = await attack.request({ ...form(credentials(client)), path });
  if (asked?.status !== 200) return null;
  const { device_code, user_code } = readJson(asked);
  const approval = { ...json({ sub: USER }), path: `/api/devices/${user_code}/approve` };
  const approved = await attack.control(approval);
  if (approved === null || ![200, 409].includes(approved.status)) return null;
  return { kind: 'device', value: device_code };
}

const codeIn = (answer) => /[?&]code=([\w-]+)/.exec(answer?.headers.location ?? '')?.[1];

/** A pushed request succeeds once, and only for its client. */
async function pushRequest(attack, client) {
  const { random } = attack;
  const asked = { response_type: 'code', redirect_uri: REDIRECT_URI, state: random.text(8) };
  const order = {
    ...form({ ...credentials(client), ...asked, login_hint: USER }),
    path: '/oauth/par',
  };
  const answer = await attack.request(order);
  if (answer?.status !== 201) return null;
  const { request_uri } = readJson(answer);
  const visit = (client_id) =>
    attack.request({ path: `/authorize?${new URLSearchParams({ client_id, request_uri })}` });
  if (codeIn(await visit('other-app'))) attack.fail("another client's pushed request was answered");
  const visits = Array.from({ length: random.between(1, 8) }, () => visit(client.client_id));
  const codes = (await Promise.all(visits)).map(codeIn).filter(Boolean);
  if (codes.length > 1)
    attack.fail(`${codes.length} of ${visits.length} uses of a pushed request won`);
  return codes.length === 0 ? null : { kind: 'code', value: codes[0] };
}

const BEGINNINGS = [issueCode, issueCode, approveDevice, pushRequest];

/** The known state of an authorization. */
const lineageOf = (code) => ({
  code,
  redeemed: 0,
  replayed: false,
  ended: false,
  refresh_tokens: [],
  access_tokens: [],
});

function keep(lineage, answer) {
  const { access_token, refresh_token } = readJson(answer);
  lineage.access_tokens.push(access_token);
  if (refresh_token !== undefined) lineage.refresh_tokens.push({ value: refresh_token, won: 0 });
}

/** Steps of a plan. Each gets the credentials that had ended before it, to check its response. */
const STEPS = {
  redeem: async (attack, lineage, { client, ended }) => {
    const before = lineage.redeemed;
    const answer = await attack.request(redeem(client, lineage.code));
    if (answer?.status === 200) {
      lineage.redeemed += 1;
      if (lineage.redeemed > 1)
        attack.fail(`a ${lineage.code.kind} was redeemed ${lineage.redeemed} times`);
      if (ended) attack.fail(`a ${lineage.code.kind} was redeemed after it was ended`);
      keep(lineage, answer);
    } else if (before > 0 && lineage.code.kind === 'code' && answer?.status === 400) {
      // The replay revokes the lineage (behaviour 4.7).
      lineage.ended = true;
    }
  },
  steal: async (attack, lineage) => {
    const other = attack.instance.clients.get('other-app');
    const token = lineage.refresh_tokens.at(-1);
    const order = token === undefined ? redeem(other, lineage.code) : refresh(other, token.value);
    const answer = await attack.request(order);
    if (answer?.status === 200) attack.fail("another client's credential was redeemed");
  },
  refresh: async (attack, lineage, { client, ended }) => {
    const token = attack.random.pick(lineage.refresh_tokens);
    if (token === undefined) return;
    const answer = await attack.request(refresh(client, token.value));
    if (answer?.status !== 200) return;
    token.won += 1;
    if (ended) attack.fail('a refresh token was redeemed after it was ended');
    const rotates = attack.instance.scheme === 'https';
    if (rotates && token.won > 1)
      attack.fail(`a rotated refresh token was redeemed ${token.won} times`);
    keep(lineage, answer);
  },
  introspect: async (attack, lineage, { ended }) => {
    const token = attack.random.pick(lineage.access_tokens);
    if (token === undefined) return;
    const other = attack.instance.clients.get('other-app');
    const order = { ...form({ ...credentials(other), token }), path: '/oauth/introspect' };
    const answer = await attack.request(order);
    if (ended && answer?.status === 200 && readJson(answer).active)
      attack.fail('a token is active after it was ended');
  },
  revoke: async (attack, lineage, { client }) => {
    const token = attack.random.pick(lineage.refresh_tokens);
    if (token === undefined) return;
    const order = {
      ...form({ ...credentials(client), token: token.value }),
      path: '/oauth/revoke',
    };
    if ((await attack.request(order))?.status === 200) lineage.ended = true;
  },
};

const WEIGHTED = [
  'redeem',
  'redeem',
  'redeem',
  'steal',
  'refresh',
  'refresh',
  'introspect',
  'revoke',
];

/** A client is deleted while in use; a new client with the same id inherits nothing. */
async function replaceClient(attack, lineages, create, client_id) {
  const path = `/api/clients/${client_id}`;
  const deleted = await attack.control({ method: 'DELETE', path });
  if (deleted?.status !== 204) return false;
  for (const lineage of lineages) lineage.ended = true;
  return (await create())?.status === 201;
}

async function misuseCredentials(attack) {
  const { random, world } = attack;
  const client = { client_id: `short-lived-${random.text(10)}`, client_secret: random.text(32) };
  const record = {
    ...client,
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT],
  };
  world.secrets.addConfigured(
    client.client_secret,
    'secret of a client that goes',
    client.client_id,
  );
  const create = () => attack.control({ ...json(record), path: '/api/clients' });
  if ((await create())?.status !== 201) return;
  const lineages = [];
  for (let round = random.between(2, 6); round > 0; round--) {
    if (lineages.length === 0 || random.chance(0.3)) {
      const code = await random.pick(BEGINNINGS)(attack, client);
      if (code !== null) lineages.push(lineageOf(code));
    }
    if (lineages.length === 0) break;
    const steps = Array.from({ length: random.between(1, 8) }, () => {
      const lineage = random.pick(lineages);
      const { ended } = lineage;
      return STEPS[random.pick(WEIGHTED)](attack, lineage, { client, ended });
    });
    const replaced = random.chance(0.1)
      ? replaceClient(attack, lineages, create, client.client_id)
      : true;
    await Promise.all(steps);
    if (!(await replaced)) break;
  }
  await attack.control({ method: 'DELETE', path: `/api/clients/${client.client_id}` });
}

export const credentialKinds = [{ name: 'credentials', weight: 14, run: misuseCredentials }];
