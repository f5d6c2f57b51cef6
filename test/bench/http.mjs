// Single requests to a measured server, apart from the load.

import { request } from 'node:http';
import { client } from './servers/client.mjs';

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** One request on its own connection, which does not stay open. */
export function post(url, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** `more`: further parameters. */
export function refreshForm(refreshToken, more = {}) {
  return new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: client.client_id,
    client_secret: client.client_secret,
    refresh_token: refreshToken,
    ...more,
  }).toString();
}

async function tokensFor(endpoint, form) {
  const answer = await post(endpoint, FORM, form);
  if (answer.status !== 200) throw new Error(`${endpoint}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}

export const refresh = (endpoint, refreshToken) => tokensFor(endpoint, refreshForm(refreshToken));

/** A token for the client itself, which needs no earlier credential. */
export const requestToken = (endpoint) =>
  tokensFor(
    endpoint,
    new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
    }).toString(),
  );
