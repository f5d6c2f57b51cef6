// The control API: settings, the whole workspace, clock, server and feed, and its transport.

import type { HttpStep, Session, Step } from '../document.ts';
import { control, get, mint, pass, session, settings } from './steps.ts';

const keep = { ...settings({}), name: 'settings: nothing' };

const service: readonly Step[] = [
  control('GET /settings'),
  keep,
  settings({ profile: 'strict', dialect: null, lifetimes: { code: 5 } }),
  settings({ profile: 'lenient' }),
  settings({ lifetimes: { access_token: 0, code: 1.5 } }),
  settings({ unknown: 1 }),
  settings({ issuer: 'https://x.example/' }),
  settings({ registration: { mode: 'token' } }),
  settings({ throttle: { limit: '3' } }),
  control('GET /workspace'),
  control('PUT /workspace', {
    version: 1,
    name: 'Another',
    settings: { signing_alg: 'ES256' },
    clients: [{ client_id: 'only', client_secret: 's' }],
  }),
  control('GET /workspace'),
  control('PUT /workspace', { version: 2 }),
  control('PUT /workspace', {
    version: 1,
    clients: [{ client_id: 'a' }, { client_id: 'a' }],
    users: [{}],
    extra: 1,
  }),
  control('POST /reset', { workspace: true }),
  control('GET /workspace'),
  control('POST /reset', { workspace: 'yes' }),
  control('GET /clock'),
  control('PATCH /clock', { advance_seconds: 90.5 }),
  control('PATCH /clock', { frozen: true }),
  pass(10),
  get('frozen', '/livez'),
  control('PATCH /clock', { now: '2040-02-29T12:00:00+02:00' }),
  get('set', '/livez'),
  control('PATCH /clock', { frozen: false }),
  pass(1),
  control('GET /clock'),
  control('PATCH /clock', { reset: true }),
  ...[
    {},
    { advance_seconds: -1 },
    { now: 'soon' },
    { reset: false },
    { frozen: true, reset: true },
  ].map((patch) =>
    control('PATCH /clock', patch, { name: `PATCH /clock: ${JSON.stringify(patch)}` }),
  ),
  control('GET /server'),
  control('POST /server/stop'),
  control('GET /server'),
  control('POST /requests', { path: '/livez' }),
  {
    name: 'a port that is taken',
    control: 'POST /api/server/start',
    headers: ['Content-Type: application/json'],
    body: '{"port":${control-port}}',
  },
  control('POST /server/start', { port: 70_000 }),
  control('POST /server/start', { port: 0 }),
  get('running again', '/livez'),
  mint(),
  control('POST /reset', {}),
  control('GET /tokens'),
  { name: 'the feed', feed: '/api/events', http: 'GET /livez' },
];

const raw = (
  name: string,
  operation: string,
  headers: readonly string[] = [],
  body?: string,
): HttpStep => ({
  name,
  control: operation,
  headers,
  ...(body === undefined ? {} : { body }),
});

const transport: readonly Step[] = [
  raw('no token', 'GET /api/clock', ['Authorization: ']),
  raw('a wrong token', 'GET /api/clock', ['Authorization: Bearer x']),
  raw('a foreign host', 'GET /api/clock', ['Host: evil.example']),
  raw('a foreign origin', 'GET /api/clock', ['Origin: https://evil.example']),
  raw('its own origin', 'GET /api/clock', ['Origin: http://localhost:${control-port}']),
  raw('an operation that is not there', 'GET /api/bicycles'),
  raw('a method that is not there', 'PUT /api/clock', [], '{}'),
  raw('a bad escape', 'GET /api/clients/%ff'),
  raw('another content type', 'POST /api/users', ['Content-Type: text/plain'], '{}'),
  raw('malformed JSON', 'POST /api/users', ['Content-Type: application/json'], '{"sub":'),
  raw(
    'a member twice',
    'POST /api/users',
    ['Content-Type: application/json'],
    '{"sub":"a","sub":"b"}',
  ),
  raw('an array', 'POST /api/users', ['Content-Type: application/json'], '[]'),
  {
    ...raw('not UTF-8', 'POST /api/users', ['Content-Type: application/json']),
    body_base64: '/w==',
  },
  raw(
    'a merge patch',
    'PATCH /api/users/ada',
    ['Content-Type: application/merge-patch+json'],
    '{"name":"A"}',
  ),
  raw('an encoded key', 'GET /api/audiences/https%3A%2F%2Forders.example%2Fapi'),
  raw('no page', 'GET /'),
  raw('no page to post to', 'POST /index.html', ['Content-Type: application/json'], '{}'),
  raw('a WebSocket without upgrade', 'GET /rpc'),
  raw('HEAD', 'HEAD /api/clock'),
  raw('OPTIONS', 'OPTIONS /api/clock'),
  raw('the OpenAPI document', 'GET /openapi.json', ['Authorization: ']),
];

export function controlServiceSessions(): [string, Session][] {
  return [
    ['control-service', session('Control: settings, workspace, clock, feed', {}, service)],
    ['control-transport', session('Control: transport and OpenAPI', {}, transport)],
  ];
}
