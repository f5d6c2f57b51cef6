// A sandbox for one session, with a manual clock, seeded random numbers and its own folder; it can be restarted with
// the same files.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { calculateJwkThumbprint } from 'jose';
import type { FoundDocument } from './corpus-files.ts';
import { readDocument, readKeys } from './corpus-files.ts';
import type { Sandbox } from './document.ts';
import type { RunningSandbox } from './engine-under-test.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { startSandbox } from './engine-under-test.ts';

/** The start time of every session. */
export const START = Date.UTC(2031, 4, 6, 10, 0, 0);
export const CONTROL_TOKEN = 'replay-control-token';

export interface OpenSandbox {
  readonly machine: { now: number };
  readonly running: () => RunningSandbox;
  /** The certificate to trust; null over HTTP. */
  readonly ca: string | null;
  /** Private keys in the workspace. */
  readonly keys: readonly JWK[];
  /** Prefix for the names of other keys. */
  readonly thumbprints: readonly string[];
  readonly found: FoundDocument | null;
  readonly restart: () => Promise<void>;
  readonly readFile: (name: 'workspace' | 'keep') => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openSandbox(sandbox: Sandbox, seed: number): Promise<OpenSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbench-replay-'));
  const files = { workspace: join(folder, 'workspace.json'), keep: join(folder, 'keep.json') };
  const known = await readKeys();
  const found = sandbox.found === undefined ? null : await readDocument(sandbox.found);
  const keys = (sandbox.keys ?? []).map((name) => known.signing[name] as JWK);
  const workspace = { version: 1, ...sandbox.workspace, ...(keys.length > 0 ? { keys } : {}) };
  await writeFile(files.workspace, found?.workspace ?? `${JSON.stringify(workspace, null, 2)}\n`);
  if (found !== null) await writeFile(files.keep, found.keep, { mode: 0o600 });

  const machine = { now: found?.now ?? START };
  // The random numbers must differ from those of the session that wrote the files.
  const random = seededRandom(found === null ? seed : seed + 1000);
  const start = () =>
    startSandbox({
      workspace_file: files.workspace,
      save: sandbox.save === true,
      keep_file: sandbox.keep === true ? files.keep : undefined,
      issuer: sandbox.issuer,
      tls: sandbox.https === true ? known.tls : undefined,
      now: () => machine.now,
      random,
      control_token: CONTROL_TOKEN,
    });
  let running = await start();
  return {
    machine,
    running: () => running,
    ca: sandbox.https === true ? known.tls.cert : null,
    keys,
    thumbprints: await Promise.all(keys.map((key) => calculateJwkThumbprint(key))),
    found,
    restart: async () => {
      await running.close();
      running = await start();
    },
    readFile: async (name) => {
      await running.flush();
      return readFile(files[name], 'utf8');
    },
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
