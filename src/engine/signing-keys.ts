// Adds signing keys to the keyring and removes them: keys of the workspace, kept keys, and keys generated or imported
// since. Changes are made one at a time. Below, core's port for signatures.

import type { SigningAlg, SigningKeyJwk, Workspace } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import { readSigningKey, type SigningKey } from '../core/issuing/signing-key.ts';
import { type Checked, checkKey } from './workspace/document.ts';
import { createRunExclusive } from './promises.ts';
import { SIGNING_KEY_BOUNDS } from '../core/records/bounds.ts';
import type { KeyObject, SigningOptions } from 'node:crypto';
import { constants, createHmac, createPrivateKey, createSecretKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { CreateSigner } from '../core/model/ports.ts';

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

/** It uses the thread pool like Web Crypto, but needs much less time in the main thread. */
const signAsync = promisify(sign);

type MakeSignature = (input: Buffer) => Promise<Buffer>;

/** The options of each asymmetric algorithm (RFC 7518 3.3 to 3.5, RFC 8037 3.1). */
const SIGNATURES: Readonly<
  Record<Exclude<SigningAlg, 'HS256'>, SigningOptions & { readonly hash: 'sha256' | null }>
> = {
  RS256: { hash: 'sha256' },
  PS256: { hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { hash: null },
};

function createMac(key: KeyObject): MakeSignature {
  return (input) => Promise.resolve(createHmac('sha256', key).update(input).digest());
}

function createSignature(alg: Exclude<SigningAlg, 'HS256'>, key: KeyObject): MakeSignature {
  const { hash, ...options } = SIGNATURES[alg];
  const how = { key, ...options };
  return (input) => signAsync(hash, input, how);
}

function readKey(jwk: SigningKeyJwk): MakeSignature {
  const { alg } = jwk;
  if (alg === 'HS256') return createMac(createSecretKey(String(jwk['k']), 'base64url'));
  return createSignature(alg, createPrivateKey({ key: jwk, format: 'jwk' }));
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** @throws Error if node:crypto cannot read the key */
export const createJwsSigner: CreateSigner = (jwk) => {
  const { alg, kid } = jwk;
  const makeSignature = readKey(jwk);
  /** The encoded protected header by `typ`. */
  const headers = new Map<string, string>();
  const ownHeader = (typ: string) => {
    const known = headers.get(typ);
    if (known !== undefined) return known;
    const header = base64url(JSON.stringify({ alg, typ, kid }));
    headers.set(typ, header);
    return header;
  };
  return async (header, payload) => {
    const encoded =
      typeof header === 'string' ? ownHeader(header) : base64url(JSON.stringify(header));
    const input = `${encoded}.${base64url(payload)}`;
    const signature = await makeSignature(Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  };
};
