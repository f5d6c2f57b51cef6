// Well-formed requests to a server under attack: to its OAuth endpoints, and to control over REST.

import { Agent, request as requestHttp } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';

const ANSWER_WITHIN_MS = 150_000;

/** @param options `keepAlive`: whether connections are used again */
export function createHttp(instance, { keepAlive = true } = {}) {
  const agents = {
    http: new Agent({ keepAlive, maxSockets: 128 }),
    https: new SecureAgent({ keepAlive, maxSockets: 128, ca: instance.ca }),
  };
  const send = ({ scheme, port, method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = scheme === 'https' ? requestHttps : requestHttp;
      const options = {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        method,
        path,
        headers,
        signal,
      };
      const sent = request({ ...options, agent: agents[scheme] }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    /** To the OAuth endpoints. */
    oauth: ({ method = 'GET', path, headers = {}, body, signal }) =>
      send({ scheme: instance.scheme, port: instance.port, method, path, headers, body, signal }),
    /** To the control server, as its owner unless another token is given. */
    control: ({ method = 'GET', path, headers = {}, body, token, signal }) => {
      const presented = token === undefined ? instance.control.token : token;
      const given = {
        ...(presented === null ? {} : { authorization: `Bearer ${presented}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const port = instance.control.port;
      return send({ scheme: 'http', port, method, path, headers: given, body, signal });
    },
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

/** @returns the parsed body, or null */
export function readJson({ text }) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const form = (members) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(members).toString(),
});

export const json = (members, method = 'POST') => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(members),
});
