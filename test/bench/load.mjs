// Load on one token endpoint: 32 connections, each going through the refresh tokens in turn, from a
// place of its own so that they do not march in step.

import autocannon from 'autocannon';
import { FORM, refreshForm } from './http.mjs';

const CONNECTIONS = 32;

function requestsOf(refreshTokens) {
  return refreshTokens.map((token) => ({
    method: 'POST',
    headers: FORM,
    body: refreshForm(token),
  }));
}

function rotate(items, by) {
  return [...items.slice(by), ...items.slice(0, by)];
}

function checkAllOk(url, result) {
  const others = Object.entries(result.statusCodeStats).filter(([status]) => status !== '200');
  const told = others.map(([status, { count }]) => `${count} x ${status}`);
  if (result.errors > 0) told.push(`${result.errors} connection errors or time-outs`);
  if (told.length > 0) throw new Error(`${url}: answers that are not 200: ${told.join(', ')}`);
  if (result.requests.total === 0) throw new Error(`${url}: no answers`);
}

/** Answers per second over `seconds`. Throws on any answer that is not 200. */
export async function answersPerSecond(url, refreshTokens, seconds) {
  const requests = requestsOf(refreshTokens);
  const step = Math.max(1, Math.floor(requests.length / CONNECTIONS));
  let connection = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 100,
    timeout: 30,
    setupClient: (client) => client.setRequests(rotate(requests, step * connection++)),
  });
  checkAllOk(url, result);
  return result.requests.total / result.duration;
}
