// Viewers of lists, single exchanges, exports, and the feed over server-sent events and WebSocket. None may see a
// secret without requesting secrets, and one that stops reading must not affect others.

import { request } from 'node:http';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { excerpt } from '../harness/findings.mjs';
import { readJson } from '../harness/http.mjs';

const LISTS = [
  '/api/exchanges?limit=1000', '/api/exchanges?limit=50', '/api/exchanges?error=invalid_request', '/api/tokens?limit=1000',
  '/api/tokens?text=busy', '/api/throttle?limit=1000', '/api/advisories', '/api/server', '/api/faults', '/api/keys',
]; // prettier-ignore

const show = (attack, where, answer) =>
  answer === null ? null : attack.world.show(where, answer.text, attack.details());

async function lists(attack) {
  const path = attack.random.pick(LISTS);
  await show(attack, path.replace(/\?.*/, ''), await attack.control({ path }));
}

/** Reads the newest exchanges one by one, which redacts their content. */
async function exchanges(attack) {
  const listed = await attack.control({
    path: `/api/exchanges?limit=${attack.random.between(1, 30)}`,
  });
  for (const { number, lineage_id } of (listed && readJson(listed)?.items) ?? []) {
    const answer = await attack.control({ path: `/api/exchanges/${number}` });
    await show(attack, '/api/exchanges/{number}', answer);
    if (lineage_id === null || !attack.random.chance(0.1)) continue;
    const lineage = await attack.control({
      path: `/api/lineages/${encodeURIComponent(lineage_id)}`,
    });
    await show(attack, '/api/lineages/{id}', lineage);
  }
}

async function exports(attack) {
  const { random } = attack;
  const listed = await attack.control({ path: '/api/exchanges?limit=1' });
  const [newest] = (listed && readJson(listed)?.items) ?? [];
  if (newest === undefined) return;
  const from = Math.max(1, newest.number - random.size(300));
  const format = random.pick(['har', 'json']);
  const path = `/api/exchanges/export?format=${format}&numbers=${from}-${newest.number}`;
  await show(attack, `an export as ${format}`, await attack.control({ path }));
}

/** A message is JSON; in binary messages, bytes may follow after a delimiter that does not occur in UTF-8. */
const DELIMITER = 255;

function readMessage(data) {
  if (typeof data === 'string') return JSON.parse(data);
  const bytes = new Uint8Array(data);
  const end = bytes.indexOf(DELIMITER);
  return JSON.parse(Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString());
}

/** Reports and drops unreadable messages, at which the client would end its process. */
const guarded = (socket, onUnreadable) => ({
  get readyState() {
    return socket.readyState;
  },
  send: (data) => socket.send(data),
  addEventListener: (type, listener) =>
    socket.addEventListener(type, (event) => {
      try {
        if (type === 'message') readMessage(event.data);
      } catch (error) {
        onUnreadable(error, event.data);
        return;
      }
      void listener(event);
    }),
});

/**
 * A WebSocket as the page opens it; null when it was not let in.
 * @param onUnreadable told of a message that is none
 */
export async function openViewer({ control }, onUnreadable) {
  const socket = new WebSocket(`ws://localhost:${control.port}/rpc`, [
    'grantbench',
    `token.${control.token}`,
  ]);
  const opened = await new Promise((resolve) => {
    socket.on('open', () => resolve(true)).on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
  if (!opened) return null;
  socket.binaryType = 'arraybuffer';
  const websocket = guarded(socket, onUnreadable);
  return { socket, client: createORPCClient(new RPCLink({ websocket })) };
}

const unreadable = (attack) => (error, data) =>
  attack.fail('a message over WebSocket is unreadable', [
    error.message,
    `received ${excerpt(typeof data === 'string' ? data : Buffer.from(data))}`,
  ]);

async function follow(attack, client, ms) {
  const until = performance.now() + ms;
  try {
    for await (const batch of await client.events()) {
      await attack.world.show('the feed over WebSocket', JSON.stringify(batch), attack.details());
      if (performance.now() > until) return;
    }
  } catch {
    // The server ended the feed, or the viewer's time is over.
  }
}

async function viewer(attack) {
  const { random, instance } = attack;
  const opened = await openViewer(instance, unreadable(attack));
  if (opened === null) return;
  const { socket, client } = opened;
  const following = follow(attack, client, random.between(500, 5000));
  const calls = Array.from({ length: random.below(5) }, () =>
    client.exchanges.list({ limit: random.between(1, 500) }).catch(() => null),
  );
  await Promise.race([Promise.all([following, ...calls]), attack.wait(6000)]);
  if (random.chance(0.3)) socket.send(random.bytes(random.size(10_000)));
  if (random.chance(0.2)) socket.send('[['.repeat(random.size(50_000)));
  if (random.chance(0.5)) socket.terminate();
  else socket.close();
  await Promise.race([following, attack.wait(2000)]);
  socket.terminate();
}

/** Requests more than it reads. */
async function stalledViewer(attack) {
  const { random, instance } = attack;
  const opened = await openViewer(instance, unreadable(attack));
  if (opened === null) return;
  const { socket, client } = opened;
  client.events().catch(() => null);
  socket.pause();
  for (let count = random.between(5, 20); count > 0; count--) {
    client.exchanges.export({ format: random.pick(['har', 'json']) }).catch(() => null);
  }
  await attack.wait(random.between(3000, 14_000));
  socket.terminate();
}

/** The feed as server-sent events; some never read it. */
async function serverSentEvents(attack) {
  const { random, instance } = attack;
  const headers = { authorization: `Bearer ${instance.control.token}` };
  const options = { host: '127.0.0.1', port: instance.control.port, path: '/api/events', headers };
  const asked = request({ ...options, agent: false });
  asked.on('error', () => undefined).end();
  const reads = random.chance(0.6);
  const parts = [];
  asked.on('response', (response) => {
    response.on('error', () => undefined);
    if (reads) response.on('data', (part) => parts.push(part));
    else response.pause();
  });
  await attack.wait(random.size(8000));
  asked.destroy();
  await attack.world.show('the feed over SSE', Buffer.concat(parts).toString(), attack.details());
}

export const viewerKinds = [
  { name: 'lists', weight: 5, run: lists },
  { name: 'exchanges', weight: 4, run: exchanges },
  { name: 'exports', weight: 1, run: exports },
  { name: 'viewer', weight: 1.5, run: viewer },
  { name: 'stalled-viewer', weight: 0.5, run: stalledViewer },
  { name: 'sse', weight: 1.5, run: serverSentEvents },
];
