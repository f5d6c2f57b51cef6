// The bounds of a workspace, over REST, at POST /register and in a file: adding more is rejected with the bound, and no
// registered record is removed automatically.

import { describe, expect, test } from 'vitest';
import { clientSchema, faultSchema } from '../../src/core/records/schemas.ts';
import { FAULT_BOUNDS, RECORD_BOUNDS } from '../../src/core/records/bounds.ts';
import { parseWorkspace } from '../../src/engine/workspace/document.ts';
import {
  call,
  expectError,
  type Harness,
  REDIRECT_URI,
  startHarness,
  workspaceInput,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const MIB = 1024 * 1024;
const bigClient = (n: number) => ({
  client_id: `big-${n}`,
  client_secret: 'secret',
  claims: { claim: 'x'.repeat(200_000) },
});

const shared = shareHarness();

/** Adds records up to the bound. Returns the response to one more. */
function fillClients({ engine }: Harness) {
  const { clients } = engine.service.registry;
  for (let n = 0; ; n += 1) {
    const client = clientSchema.parse(bigClient(n));
    if (!clients.hasRoomFor(client)) return bigClient(n);
    clients.put(client);
  }
}

describe('a list that is full by its bytes', () => {
  test('rejects another record, and names the bound', async () => {
    const harness = await startHarness();
    const more = fillClients(harness);
    const message =
      'another client cannot be added: a workspace can have at most 10000, with 16 MiB in total';
    expectError(await harness.api('POST', '/clients', more), 409, 'conflict', undefined, message);
  });

  test('rejects a larger record, but accepts a smaller replacement', async () => {
    const harness = await startHarness();
    fillClients(harness);
    const claims = { claims: { claim: 'x'.repeat(200_000) } };
    expectError(await harness.api('PATCH', '/clients/demo-app', claims), 409, 'conflict');
    await harness.patch('/clients/big-0', { claims: { claim: null } });
    await harness.patch('/clients/demo-app', claims);
  });

  test('rejects a registration', async () => {
    const settings = { registration: { mode: 'open' }, max_body_bytes: MIB } as const;
    const harness = await startHarness({ workspace: { settings } });
    fillClients(harness);
    const answers = [];
    // The remaining room is smaller than two of these clients.
    for (let n = 0; n < 3; n += 1) {
      const metadata = { redirect_uris: [`http://localhost/${'x'.repeat(1900)}${n}`] };
      const body = { ...metadata, post_logout_redirect_uris: manyUris(n) };
      answers.push(await call(harness.url(), 'POST', '/register', jsonBody(body)));
    }
    expect(answers.at(-1)).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: 'no more than 16 MiB of clients can be registered',
      },
    });
    const { clients } = harness.engine.service.registry;
    expect(clients.bytes).toBeLessThanOrEqual(RECORD_BOUNDS.clients.bytes);
  });
});

const jsonBody = (body: unknown) => ({
  raw: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

const manyUris = (n: number) =>
  Array.from({ length: 90 }, (_, index) => `http://localhost/${'y'.repeat(1900)}${n}-${index}`);

describe('a record that is too large', () => {
  const claims = { claim: 'x'.repeat(300_000) };

  test.each([
    ['/clients', { client_id: 'a', client_secret: 'b', claims }],
    ['/users', { sub: 'a', claims }],
  ])('is rejected over REST at %s', async (path, record) => {
    const { api } = shared();
    const rule = /must not take more than 256 KiB in memory/;
    expectError(await api('POST', path, record), 422, 'invalid', undefined, rule);
  });

  test('is rejected at POST /register with the rule', async () => {
    const settings = { registration: { mode: 'open' }, max_body_bytes: MIB } as const;
    const { url } = await startHarness({ workspace: { settings } });
    const key = { kty: 'RSA', n: 'n', e: 'e', x5c: ['x'.repeat(300_000)] };
    const body = {
      redirect_uris: ['http://localhost/'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key] },
    };
    expect(await call(url(), 'POST', '/register', jsonBody(body))).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_client_metadata',
        error_description: 'the metadata must not take more than 256 KiB in memory',
      },
    });
  });
});

test('a workspace whose clients are too large together is an error that names them', async () => {
  const clients = Array.from({ length: 90 }, (_, n) => bigClient(n));
  const checked = await parseWorkspace(JSON.stringify(workspaceInput({ clients })));
  expect(checked).toEqual({
    problems: [{ path: 'clients', message: 'must not take more than 16 MiB in memory' }],
  });
});

test('a workspace with too many entries in a list is an error that names the list and its limit', async () => {
  const users = Array.from({ length: RECORD_BOUNDS.users.entries + 1 }, (_, n) => ({
    sub: `${n}`,
  }));
  const [key] = shared().engine.service.keyring.list();
  const keys = Array.from({ length: 21 }, () => key?.private_jwk);
  expect(await parseWorkspace(JSON.stringify({ ...workspaceInput(), users, keys }))).toEqual({
    problems: [
      { path: 'users', message: 'must have at most 10000 entries' },
      { path: 'keys', message: 'must have at most 20 entries' },
    ],
  });
});

test('fault rules that are too large together are rejected', async () => {
  const { engine, api } = await startHarness();
  const { faults } = engine.service;
  const rule = (n: number) => ({
    id: `rule-${n}`,
    when: 'instead',
    effect: { kind: 'answer', status: 500, body: 'x'.repeat(65_536) },
  });
  let n = 0;
  for (; faults.hasRoomFor(faultSchema.parse(rule(n))); n += 1)
    faults.put(faultSchema.parse(rule(n)));
  expect(n).toBeLessThan(FAULT_BOUNDS.entries);
  const message =
    'another fault rule cannot be added: a workspace can have at most 200, with 4 MiB in total';
  expectError(await api('POST', '/faults', rule(n)), 409, 'conflict', undefined, message);
});

test.each([
  ['/codes', 'nonce', 1024],
  ['/codes', 'state', 8192],
  ['/codes', 'scope', 8192],
  ['/tokens', 'scope', 8192],
])('%s: %s of more than %i characters is rejected', async (path, field, limit) => {
  const { api } = shared();
  const redirect = path === '/codes' ? { redirect_uri: REDIRECT_URI } : {};
  const body = { client_id: 'demo-app', ...redirect, [field]: 'x'.repeat(limit + 1) };
  const rule = new RegExp(`${field} must be at most ${limit} characters`);
  expectError(await api('POST', path, body), 422, 'invalid', field, rule);
});
