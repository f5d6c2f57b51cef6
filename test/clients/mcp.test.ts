// Clients of the MCP TypeScript SDK: they find the authorization server, register themselves, sign a user in, call a
// tool, and step up for another one.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../support/token-calls.ts';
import { resultOf } from './support/program.ts';
import { startSandbox, USER, type Sandbox } from './support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  await ask(sandbox.ready, 'PATCH', '/settings', { registration: { mode: 'open' } });
});
afterAll(() => sandbox.stop());

const PROGRAM = readFileSync(join(import.meta.dirname, 'logins', 'mcp.mjs'), 'utf8');

const claims = (issuer: string): unknown =>
  expect.objectContaining({ iss: issuer, aud: `${issuer}/mcp`, sub: USER.sub });

it.each([
  ['v1', null],
  ['v2', '2026-07-28'],
])('behaviour 20: version %s of the SDK', async (SDK, version) => {
  const { issuer } = sandbox.ready;
  const env = { MCP_URL: `${issuer}/mcp`, SDK };
  const seen = await resultOf({ 'mcp.mjs': PROGRAM }, [process.execPath, 'mcp.mjs'], env);
  const resource = `${issuer}/mcp`;
  expect(seen).toMatchObject({
    authorizations: [
      { resource, code_challenge_method: 'S256' },
      { resource, scope: expect.stringContaining('mcp:step_up') },
    ],
    registered: { client_name: 'An MCP client', token_endpoint_auth_method: 'none' },
    first: {
      version,
      tools: ['whoami', 'step_up'],
      result: { tool: 'whoami', claims: claims(issuer) },
    },
    second: { result: { tool: 'step_up', claims: claims(issuer) } },
  });
});

it.each(['v1', 'v2'])(
  'behaviour 20.5: version %s of the SDK with an imported document',
  async (SDK) => {
    const client_id = 'https://client.example/client.json';
    const { ready } = sandbox;
    await ask(ready, 'PATCH', '/settings', { registration: { mode: 'off', document_origins: [] } });
    await ask(ready, 'POST', '/clients', {
      client_id: `${client_id}?${SDK}`,
      client_name: 'A client with a document',
      redirect_uris: ['http://localhost/callback'],
      client_uri: 'https://client.example',
      grant_types: ['authorization_code'],
    });
    const env = { MCP_URL: `${ready.issuer}/mcp`, SDK, CLIENT_ID_URL: `${client_id}?${SDK}` };
    const seen = await resultOf({ 'mcp.mjs': PROGRAM }, [process.execPath, 'mcp.mjs'], env);
    expect(seen).toMatchObject({
      registered: { client_id: `${client_id}?${SDK}` },
      second: { result: { tool: 'step_up', claims: { client_id: `${client_id}?${SDK}` } } },
    });
  },
);
