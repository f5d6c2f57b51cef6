// Requests to protected APIs and for their metadata: any path, any token in any place, any body.

import { json, readJson } from '../harness/http.mjs';
import { formText, parameters, shapedText } from './shapes.mjs';

const PREFIXES = [
  '/api',
  '/api/orders',
  '/api/orders/bound',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/orders',
];

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

const TOKENS = [
  ({ random }) => random.text(random.size(12_000), 'abcdefgh.,=-_ "'),
  ({ random }) => '.'.repeat(random.size(12_000)),
  ({ random }) => `${encode({ alg: 'none' })}.${encode({ aud: [random.text(9)] })}.`,
  ({ world }) => world.refreshTokens.at(-1) ?? 'x',
];

const asTarget = (text) =>
  text.replace(/[^\x21-\x7e]/g, (odd) => encodeURIComponent(odd.toWellFormed()));

function targetOf(attack, token) {
  const { random } = attack;
  const deep = '/deep/'.repeat(random.below(2) * random.size(500));
  const rest = random.chance(0.5) ? '' : `/${shapedText(random, 300)}`;
  const query = random.chance(0.8)
    ? ''
    : `?access_token=${encodeURIComponent(token.toWellFormed())}`;
  return asTarget(`${random.pick(PREFIXES)}${deep}${rest}`).replace(/[?#]/g, '%3F') + query;
}

async function callApi(attack) {
  const { random } = attack;
  const token = random.pick(TOKENS)(attack);
  const header = `${random.pick(['Bearer', 'DPoP', 'bearer', 'Basic', ''])} ${token}`;
  const inBody = random.chance(0.3);
  await attack.request({
    method: random.pick(['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']),
    path: targetOf(attack, token),
    headers: {
      ...(random.chance(0.8) ? { authorization: header.replace(/[^\x20-\x7e]/g, '') } : {}),
      ...(random.chance(0.3) ? { dpop: header.replace(/[^\x20-\x7e]/g, '') } : {}),
      ...(inBody ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(inBody
      ? { body: formText(random, [...parameters(random, 2000), ['access_token', token]]) }
      : {}),
  });
}

/** Returns a token that the MCP server accepts, sometimes with the scope of its second tool; null if none was issued. */
async function mcpToken({ random, instance, world, control }) {
  const [client_id] = instance.clients.keys();
  const order = {
    client_id,
    audience: `${instance.issuer}/mcp`,
    ...(random.chance(0.5) ? { scope: 'mcp:step_up' } : {}),
  };
  const answer = await control({ ...json(order), path: '/api/tokens' });
  if (answer?.status !== 201) return null;
  world.learn(answer);
  return readJson(answer).access_token;
}

const METHODS = ['initialize', 'tools/list', 'tools/call', 'server/discover', 'ping', '__proto__'];
const META = 'io.modelcontextprotocol';

/** Messages to an MCP server: well formed and not, with headers that agree and not. */
async function callMcp(attack) {
  const { random } = attack;
  const odd = () => shapedText(random, 300);
  const method = random.chance(0.8) ? random.pick(METHODS) : odd();
  const name = random.pick(['whoami', 'step_up', '__proto__', odd()]);
  const version = random.pick(['2026-07-28', '2025-11-25', odd()]);
  const _meta = { [`${META}/protocolVersion`]: version, [`${META}/clientCapabilities`]: {} };
  const message = {
    jsonrpc: random.pick(['2.0', '2.0', 2, odd()]),
    ...(random.chance(0.8) ? { id: random.pick([1, 'a', null, odd(), 1e300, {}]) } : {}),
    method,
    params: random.pick([{ name, _meta }, { name }, [], odd(), { name: {}, _meta: [] }]),
  };
  const text = JSON.stringify(random.chance(0.9) ? message : [message]);
  const body = random.pick([text, text, text.slice(random.below(text.length)), '['.repeat(9000)]);
  const valid = random.chance(0.5) ? await mcpToken(attack) : null;
  const ascii = (value) => value.replace(/[^\x20-\x7e]/g, '');
  await attack.request({
    method: random.pick(['POST', 'POST', 'POST', 'GET', 'DELETE']),
    path: '/mcp',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${valid ?? ascii(random.pick(TOKENS)(attack))}`,
      ...(random.chance(0.5) ? { 'mcp-protocol-version': ascii(version) } : {}),
      ...(random.chance(0.5) ? { 'mcp-method': ascii(method) } : {}),
      ...(random.chance(0.5) ? { 'mcp-name': `=?base64?${ascii(odd())}?=` } : {}),
      ...(random.chance(0.2) ? { origin: ascii(odd()) } : {}),
    },
    body,
  });
}

export const apiKinds = [
  { name: 'apis', weight: 6, run: callApi },
  { name: 'mcp', weight: 3, run: callMcp },
];
