// The signing keys' way into the keyring: those of the workspace, those kept in a file of their own,
// and new ones when there is none for the wanted algorithm.

import type { SigningAlg, SigningKeyJwk, Workspace } from '../core/schemas.ts';
import type { Keyring } from '../core/signing.ts';
import { createKeyring } from '../core/signing.ts';
import { parseJsonText } from '../core/json-text.ts';
import { readIfThere, sweepTemporaryFiles, writeAtomically } from './workspace-file.ts';
import { checkKeys, readOrExplain, WorkspaceError } from './workspace.ts';

export interface Keys {
  /** Makes a key for the algorithm if there is none; begins at once. */
  readonly ensure: (alg: SigningAlg) => Promise<void>;
  /** Begins with the same; whoever needs the key waits for it, and hears of a failure. */
  readonly begin: (alg: SigningAlg) => void;
  /** These keys, which have been checked, first; then those there are. */
  readonly adopt: (jwks: Workspace['keys']) => Promise<void>;
}

const OWNER_ONLY = 0o600;

async function readKeysFile(file: string): Promise<SigningKeyJwk[]> {
  await sweepTemporaryFiles(file);
  const text = await readOrExplain(file, () => readIfThere(file));
  if (text === null) return [];
  const parsed = parseJsonText(text);
  if ('problems' in parsed) throw new WorkspaceError(file, parsed.problems);
  const { value } = parsed;
  const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : null;
  const problems = Array.isArray(keys)
    ? await checkKeys(keys as SigningKeyJwk[])
    : [{ path: 'keys', message: 'must be an array of JWKs' }];
  if (problems.length > 0) throw new WorkspaceError(file, problems);
  return keys as SigningKeyJwk[];
}

export interface KeysOptions {
  /** Where keys are kept from one start to the next; null: nowhere. */
  readonly file: string | null;
  /** Told when a key was made. */
  readonly onNewKey: () => void;
  /** Told when the keys could not be kept: they are good for this run all the same. */
  readonly onFault: (fault: unknown) => void;
}

/** @throws WorkspaceError when the file holds no keys; it is left as it is */
export async function createKeys(keyring: Keyring, options: KeysOptions): Promise<Keys> {
  const { file } = options;
  /** Keys that the workspace brought and keeps itself. */
  let adopted: readonly string[] = [];

  const kept = file === null ? [] : await readKeysFile(file);
  if (kept.length > 0) await keyring.load(kept);

  const save = async () => {
    if (file === null) return;
    const own = keyring.list().filter((key) => !adopted.includes(key.kid));
    const text = `${JSON.stringify({ keys: own.map((key) => key.private_jwk) }, null, 2)}\n`;
    await writeAtomically(file, text, OWNER_ONLY);
  };
  const ensure = async (alg: SigningAlg) => {
    if (keyring.list().some((key) => key.alg === alg)) return;
    await keyring.signing(alg);
    options.onNewKey();
    await save().catch(options.onFault);
  };
  return {
    ensure,
    begin: (alg) => {
      ensure(alg).catch(() => undefined);
    },
    adopt: async (jwks = []) => {
      if (jwks.length === 0) return;
      const brought = createKeyring(() => 0);
      await brought.load(jwks);
      adopted = brought.list().map((key) => key.kid);
      const others = keyring.list().filter((key) => !adopted.includes(key.kid));
      await keyring.load([...brought.list(), ...others].map((key) => key.private_jwk));
    },
  };
}
