// Runs the stock clients of stock-clients.mjs in a process of their own.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const CLIENTS = fileURLToPath(new URL('stock-clients.mjs', import.meta.url));
const execute = promisify(execFile);

interface Told {
  readonly results: readonly Record<string, unknown>[];
  readonly subjects: readonly string[];
}

/** @param certificate what NODE_EXTRA_CA_CERTS names; null trusts nothing more */
export async function runStockClients(issuer: string, certificate: string | null): Promise<Told> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_EXTRA_CA_CERTS'];
  if (certificate !== null) env['NODE_EXTRA_CA_CERTS'] = certificate;
  const { stdout } = await execute(process.execPath, [CLIENTS, issuer], { env });
  return JSON.parse(stdout) as Told;
}

/** Settings under which stock clients need to be told nothing. */
export const STOCK_SETTINGS = { profile: 'interop', authorize: 'auto' } as const;

/** Both clients went all the way, and what they read of the user and the token is right. */
export function expectWholeProtocol({ results, subjects }: Told, issuer: string): void {
  expect(results.map(({ client }) => client)).toEqual(['openid-client', 'oauth4webapi']);
  for (const { userinfo, before, after } of results) {
    expect(userinfo).toEqual({ sub: 'ada', name: 'Ada', email: 'ada@example.test' });
    expect(before).toMatchObject({
      active: true,
      ...{ iss: issuer, aud: issuer, sub: 'ada', client_id: 'demo-app', token_type: 'Bearer' },
    });
    expect(after).toEqual({ active: false });
  }
  expect(subjects).toEqual(['ada', 'ada']);
}
