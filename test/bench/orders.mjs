// Writes the configuration of a server to a file: a workspace for the product, plain orders for the others.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { workspaceOf } from './servers/workspace.mjs';

export const folder = mkdtempSync(join(tmpdir(), 'grantbench-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function write(content) {
  const file = join(folder, `${(files += 1)}.json`);
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

export const writeOrders = write;

export const writeWorkspace = (orders) => write(workspaceOf(orders));

export async function createKey(alg) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg, kid: await calculateJwkThumbprint(jwk) };
}
