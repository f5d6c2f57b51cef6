// The background load of a soak test, equal in every minute: reading viewers, stalled viewers, exports, clock changes,
// key rotations. Each minute cleans up at its end, so that minutes are comparable.

import { setTimeout as sleep } from 'node:timers/promises';
import { openViewer } from '../kinds/viewers.mjs';
import { json, readJson } from './http.mjs';

const VIEWERS = 5;
const STALLED_VIEWERS = 3;
const EXPORTS_EACH = 5;
const LEAVE_AT_SECOND = 48;

async function readFeed({ client }) {
  try {
    for await (const batch of await client.events()) if (batch === null) return;
  } catch {
    // It ends with the viewer.
  }
}

async function openAll(instance, count, begin, onUnreadable) {
  const opened = await Promise.all(
    Array.from({ length: count }, () => openViewer(instance, onUnreadable)),
  );
  const viewers = opened.filter((viewer) => viewer !== null);
  for (const viewer of viewers) begin(viewer);
  return viewers;
}

function stall({ socket, client }) {
  socket.pause();
  client.events().catch(() => null);
  for (let count = 0; count < EXPORTS_EACH; count++) {
    client.exchanges.export({ format: 'har' }).catch(() => null);
  }
}

async function rotateKeys(http) {
  const { items } = readJson(await http.control({ path: '/api/keys' }));
  await http.control({ ...json({}), path: '/api/keys' });
  for (const { kid } of items.slice(1)) {
    await http.control({ method: 'POST', path: `/api/keys/${encodeURIComponent(kid)}/retire` });
  }
}

const EVENTS = [
  [10, (http) => http.control({ path: '/api/exchanges/export?format=har' })],
  [20, (http) => http.control({ ...json({ advance_seconds: 3600 }, 'PATCH'), path: '/api/clock' })],
  [25, (http) => http.control({ path: '/api/exchanges?limit=1000' })],
  [30, rotateKeys],
  [40, (http) => http.control({ path: '/api/exchanges/export?format=json' })],
  [45, (http) => http.control({ path: '/api/tokens?limit=1000' })],
];

/** One minute of it. @param onFault told of what fails */
export async function runBackground(instance, http, onFault) {
  const begun = performance.now();
  const until = (second) => sleep(Math.max(0, begun + second * 1000 - performance.now()));
  const viewers = await openAll(instance, VIEWERS, (viewer) => void readFeed(viewer), onFault);
  const stalled = await openAll(instance, STALLED_VIEWERS, stall, onFault);
  const acts = [];
  for (const [second, act] of EVENTS) {
    await until(second);
    // Not awaited, because delays caused by a long export are part of the soak test.
    acts.push(act(http).catch(onFault));
  }
  await until(LEAVE_AT_SECOND);
  for (const { socket } of [...viewers, ...stalled]) socket.terminate();
  await Promise.all(acts);
}
