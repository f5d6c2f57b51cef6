// Load by autocannon, where wrk is not installed. Each connection starts at a different body, so that connections do
// not run in lockstep.

import { createRequire } from 'node:module';
import autocannon from 'autocannon';
import { FORM } from '../http.mjs';

const { version } = createRequire(import.meta.url)('autocannon/package.json');

export const installedAutocannon = `autocannon ${version}`;

const rotate = (items, by) => [...items.slice(by), ...items.slice(0, by)];

export async function loadByAutocannon(url, bodies, { connections, seconds }) {
  const requests = bodies.map((body) => ({ method: 'POST', headers: FORM, body }));
  const step = Math.max(1, Math.floor(requests.length / connections));
  let connection = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    timeout: 30,
    setupClient: (client) =>
      client.setRequests(rotate(requests, (step * connection++) % requests.length)),
  });
  const { sent, total: answers } = result.requests;
  // When a server closes a connection, autocannon silently opens another. Each connection may have a request in flight
  // at the end.
  const lost = Math.max(0, sent - answers - connections);
  const others = Object.entries(result.statusCodeStats).filter(([status]) => status !== '200');
  return {
    answers,
    seconds: result.duration,
    errors: result.errors + lost,
    rejected: Object.fromEntries(others.map(([status, { count }]) => [status, count])),
  };
}
