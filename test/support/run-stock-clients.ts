// Runs stock clients in a separate process.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const execute = promisify(execFile);

interface StockReport {
  readonly results: readonly Record<string, unknown>[];
  readonly subjects: readonly string[];
  readonly pushed: readonly { readonly names: readonly string[]; readonly sub: string }[];
}

const SCRIPT = fileURLToPath(new URL('stock-clients.mjs', import.meta.url));

/** @param certificate what NODE_EXTRA_CA_CERTS names; null trusts nothing more */
async function run(certificate: string | null, ...args: string[]): Promise<unknown> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['NODE_EXTRA_CA_CERTS'];
  if (certificate !== null) env['NODE_EXTRA_CA_CERTS'] = certificate;
  const { stdout } = await execute(process.execPath, [SCRIPT, ...args], { env });
  return JSON.parse(stdout);
}

export const runStockClients = async (
  issuer: string,
  certificate: string | null,
): Promise<StockReport> => (await run(certificate, issuer)) as StockReport;

interface DpopResult {
  readonly client: string;
  readonly token_type: string;
  readonly userinfo: unknown;
  /** The challenges of the rejection of a bound token sent as a bearer token. */
  readonly stolen: unknown;
}

/** Stock clients that use DPoP, with nonces. */
export const runDpopClients = async (issuer: string, certificate: string | null) =>
  (await run(certificate, issuer, 'dpop')) as readonly DpopResult[];

/** Settings that stock clients work with unconfigured. */
export const STOCK_SETTINGS = { profile: 'interop', authorize: 'auto' } as const;

/** Expects both clients to complete the flow with the right user and token. */
export function expectWholeProtocol(
  { results, subjects, pushed }: StockReport,
  issuer: string,
): void {
  expect(results.map(({ client }) => client)).toEqual(['openid-client', 'oauth4webapi']);
  for (const { userinfo, before, after } of results) {
    expect(userinfo).toEqual({ sub: 'ada', name: 'Ada', email: 'ada@example.test' });
    expect(before).toMatchObject({
      active: true,
      iss: issuer,
      aud: issuer,
      sub: 'ada',
      client_id: 'demo-app',
      token_type: 'Bearer',
    });
    expect(after).toEqual({ active: false });
  }
  expect(subjects).toEqual(['ada', 'ada']);
  const byName = { names: ['client_id', 'request_uri'], sub: 'ada' };
  expect(pushed).toEqual([byName, byName]);
}
