// Adds signing keys to the keyring and removes them: keys of the workspace, kept keys, and keys generated or imported
// since. Changes are made one at a time.

import type { SigningAlg, SigningKeyJwk, Workspace } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { SigningKey } from '../core/model/ports.ts';
import { type Checked, checkKey } from './workspace/document.ts';
import { createRunExclusive } from './promises.ts';
import { SIGNING_KEY_BOUNDS } from '../core/records/bounds.ts';
import { readSigningKey } from './key-material.ts';

/** Limit for generating or importing on request. A missing key for the current algorithm is always generated. */
export const MAX_KEYS = 16;

export type Keys = ReturnType<typeof createKeys>;

interface KeysOptions {
  /** Whether changes are saved to the workspace file. */
  readonly workspace_saved: boolean;
}

/** Reads checked keys. An existing key keeps its creation time. */
function readKeys(
  { keyring, ports }: TokenService,
  jwks: readonly SigningKeyJwk[],
): Promise<SigningKey[]> {
  const known = new Map(keyring.list().map((key) => [key.kid, key.created_at]));
  const read = jwks.map(async (jwk) => {
    const key = await readSigningKey(jwk, ports.clock.now());
    return { ...key, created_at: known.get(key.kid) ?? key.created_at };
  });
  return Promise.all(read);
}

/** Reads a key to import, unless it is invalid or already exists. */
async function checkNewKey(
  { keyring, ports }: TokenService,
  jwk: SigningKeyJwk,
  path: string,
): Promise<Checked<SigningKey>> {
  const checked = await checkKey(jwk, ports.clock.now(), path);
  if ('problems' in checked) return checked;
  const { kid, thumbprint } = checked.value;
  const there = keyring.list().find((key) => key.kid === kid || key.thumbprint === thumbprint);
  if (there === undefined) return checked;
  const named = there.kid === kid && jwk.kid !== undefined;
  const message = `is "${there.kid}", which already exists`;
  return { problems: [{ path: named ? `${path}.kid` : path, message }] };
}

export function createKeys(service: TokenService, { workspace_saved }: KeysOptions) {
  const { keyring, ports } = service;
  const own = createWorkspaceKeys();
  const runExclusive = createRunExclusive();

  const changed = () => {
    ports.emit({ type: 'keys' });
  };
  const isFull = () => keyring.list().length >= MAX_KEYS;
  const ofAlg = (alg: SigningAlg) => keyring.list().filter((key) => key.alg === alg);
  const rotate = async (alg: SigningAlg) => {
    const key = await keyring.rotate(alg);
    own.claim(key.kid);
    return key;
  };
  const add = async (jwk: SigningKeyJwk, path: string) => {
    const checked = await checkNewKey(service, jwk, path);
    if ('problems' in checked) return checked;
    keyring.add(checked.value);
    own.claim(checked.value.kid);
    changed();
    return checked;
  };
  /**
   * If the last key of the current algorithm is removed, a new one is generated, so that the sandbox can always sign.
   */
  const retire = async (kid: string): Promise<SigningKey | null> => {
    const key = keyring.list().find((candidate) => candidate.kid === kid);
    if (key === undefined) return null;
    const { signing_alg } = service.settings();
    const last = key.alg === signing_alg && ofAlg(signing_alg).length === 1;
    if (last) await rotate(signing_alg);
    service.retireKey(kid);
    own.release(kid);
    changed();
    return keyring.signing(signing_alg);
  };
  const adopt = async (jwks: Workspace['keys']) => {
    if (jwks === undefined) return;
    const keys = await readKeys(service, jwks);
    own.assign(keys.map(({ kid }) => kid));
    const others = keyring.list().filter(({ kid }) => !own.wasInFile(kid));
    // Keys of successive workspaces must not accumulate.
    keyring.replaceAll([...keys, ...others.slice(0, MAX_KEYS)]);
  };
  return {
    /** Generates a key for the algorithm if there is none. */
    ensure: async (alg: SigningAlg): Promise<void> => {
      if (ofAlg(alg).length > 0) return;
      own.claim((await keyring.signing(alg)).kid);
      changed();
    },
    /** Sets these checked keys as those of the workspace. They come first, then the newest others. */
    adopt,
    /** Keeps the keys, which no longer belong to a workspace. */
    detach: own.detach,
    /** Restores these keys of the workspace, and the order in which keys sign. */
    reinstate: async (jwks: Workspace['keys'], kids: readonly string[]): Promise<void> => {
      if (jwks === undefined) own.detach();
      else await adopt(jwks);
      const all = keyring.list();
      const first = kids.flatMap((kid) => all.find((key) => key.kid === kid) ?? []);
      keyring.replaceAll([...first, ...all.filter((key) => !first.includes(key))]);
      changed();
    },
    /** Generates a key that signs from now on; null if there are too many. */
    rotate: (alg: SigningAlg) =>
      runExclusive(async () => {
        if (isFull()) return null;
        const key = await rotate(alg);
        changed();
        return key;
      }),
    /** Imports a key that signs from now on, if it is valid. @param path names it in errors */
    add: (jwk: SigningKeyJwk, path: string) =>
      runExclusive(async () => (isFull() ? null : add(jwk, path))),
    /** Removes a key. Returns the key that then signs, or null for an unknown key. */
    retire: (kid: string) => runExclusive(() => retire(kid)),
    /** Returns the keys of the workspace document; undefined if it never had any. */
    inWorkspace: (): Workspace['keys'] => {
      const mine = own.kids();
      if (mine === null) return undefined;
      const keys = keyring.list().filter(({ kid }) => mine.has(kid));
      return keys.map(({ private_jwk }) => private_jwk);
    },
    /** Whether a key is in the workspace file, so that it need not be kept elsewhere. */
    isFiled: (kid: string) =>
      workspace_saved ? own.kids()?.has(kid) === true : own.wasInFile(kid),
  };
}

/** The keys of the workspace, by their kids. */
function createWorkspaceKeys() {
  let own: Set<string> | null = null;
  let initial: ReadonlySet<string> = new Set();
  return {
    assign: (kids: readonly string[]) => {
      own = new Set(kids);
      initial = new Set(kids);
    },
    detach: () => {
      own = null;
      initial = new Set();
    },
    /** Adds a new key to the workspace if it has keys and room for another. */
    claim: (kid: string) => {
      if (own !== null && own.size > 0 && own.size < SIGNING_KEY_BOUNDS.entries) own.add(kid);
    },
    release: (kid: string) => {
      own?.delete(kid);
    },
    /** Returns null if the workspace never had keys. */
    kids: (): ReadonlySet<string> | null => own,
    /** Whether the workspace file contained the key when it was read. */
    wasInFile: (kid: string) => initial.has(kid),
  };
}
