// A process with the largest possible workspace that saves it twice while it answers token requests. Prints one line
// of JSON.

import { stat } from 'node:fs/promises';
import { createEngine } from '../../src/engine/engine.ts';

const [file = ''] = process.argv.slice(2);
const engine = await createEngine({
  port: 0,
  version: 'test',
  workspace: { file, save: true },
});
await engine.start();
const { service } = engine;
const { clients, users, audiences } = service.registry;

/** A character of one byte in memory and six in JSON. */
const escaped = '\u0001';

function fill() {
  const [client] = clients.list();
  if (client === undefined) throw new Error('there is no client');
  clients.put({ ...client, grant_types: ['client_credentials'] });
  const large = (n: number) => ({
    ...client,
    client_id: `large-${n}`,
    claims: { filling: escaped.repeat(250_000) },
  });
  for (let n = 0; clients.hasRoomFor(large(n)); n++) clients.put(large(n));
  const user = (n: number) => ({
    sub: `user-${n}`,
    name: escaped.repeat(400),
    email: '',
    password: null,
    claims: {},
  });
  for (let n = 0; users.hasRoomFor(user(n)); n++) users.put(user(n));
  const audience = (n: number) => ({
    uri: `https://a-${n}.test/`,
    name: escaped.repeat(400),
    scopes: [],
  });
  for (let n = 0; audiences.hasRoomFor(audience(n)); n++) audiences.put(audience(n));
}

const settings = { ...service.settings() };
fill();
service.setSettings({ ...settings, throttle: { ...settings.throttle, mode: 'off' } });
await engine.flush();

let saving = true;
const statuses = new Map<number, number>();
async function ask() {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-app',
    client_secret: 'demo-secret',
    audience: 'https://orders.example/api',
  });
  while (saving) {
    const url = `http://127.0.0.1:${engine.server().port}/oauth/token`;
    const { status } = await fetch(url, { method: 'POST', body });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}

const asking = [ask(), ask(), ask(), ask()];
for (const name of ['observe', 'off'] as const) {
  service.setSettings({ ...settings, throttle: { ...settings.throttle, mode: name } });
  await engine.flush();
}
saving = false;
await Promise.all(asking);
const report = {
  state: engine.server().workspace.state,
  bytes: (await stat(file)).size,
  answered: [...statuses],
};
await engine.close();
process.stdout.write(`${JSON.stringify(report)}\n`);
