// The signing keys' way into the keyring and out of it: those that the workspace brought, those that were
// kept, those made or imported since. Changes are made one at a time.

import { SIGNING_KEY_BOUNDS } from '../../core/records/bounds.ts';
import type { SigningAlg, SigningKeyJwk, Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { SigningKey } from '../../core/issuing/signing-key.ts';
import { readSigningKey } from '../../core/issuing/signing-key.ts';
import type { Checked } from '../workspace/document.ts';
import { checkKey } from '../workspace/document.ts';

/** Beyond them none is made or imported on request. One for each algorithm in force is always made. */
export const MAX_KEYS = 16;

export interface Keys {
  /** Makes a key for the algorithm if there is none. */
  readonly ensure: (alg: SigningAlg) => Promise<void>;
  /** These keys, which have been checked, are the workspace's and come first; then the newest there are. */
  readonly adopt: (jwks: Workspace['keys']) => Promise<void>;
  /** The keys stay, and belong to no workspace any more. */
  readonly disown: () => void;
  /** A new key that signs from now on; null when there are too many. */
  readonly rotate: (alg: SigningAlg) => Promise<SigningKey | null>;
  /** The same with a key that was brought, if nothing is wrong with it. @param path names it */
  readonly add: (jwk: SigningKeyJwk, path: string) => Promise<Checked<SigningKey> | null>;
  /** Takes a key out; the key that signs then, or null when there is no such key. */
  readonly retire: (kid: string) => Promise<SigningKey | null>;
  /** The keys in the workspace document; undefined when it never had any. */
  readonly inWorkspace: () => Workspace['keys'];
  /** Whether a key is in the workspace's file, so that it need not be kept elsewhere. */
  readonly isFiled: (kid: string) => boolean;
}

export interface KeysOptions {
  /** Whether the workspace's file follows what changes. */
  readonly workspace_saved: boolean;
}

export function createKeys(service: TokenService, { workspace_saved }: KeysOptions): Keys {
  const { keyring, ports } = service;
  /** Keys of the workspace document. Where it brought some, new ones are its as well. */
  let own: Set<string> | null = null;
  /** Those that its file had when it was read. */
  let brought: ReadonlySet<string> = new Set();
  let turn: Promise<unknown> = Promise.resolve();

  const runExclusive = <T>(step: () => Promise<T>): Promise<T> => {
    const done = turn.then(step);
    turn = done.catch(() => undefined);
    return done;
  };
  const changed = () => {
    ports.emit({ type: 'keys' });
  };
  const claim = ({ kid }: SigningKey) => {
    if (own !== null && own.size > 0 && own.size < SIGNING_KEY_BOUNDS.entries) own.add(kid);
  };
  const isFull = () => keyring.list().length >= MAX_KEYS;
  const ofAlg = (alg: SigningAlg) => keyring.list().filter((key) => key.alg === alg);

  const ensure = async (alg: SigningAlg) => {
    if (ofAlg(alg).length > 0) return;
    claim(await keyring.signing(alg));
    changed();
  };
  const sameKey = (key: SigningKey) =>
    keyring.list().find(({ kid, thumbprint }) => kid === key.kid || thumbprint === key.thumbprint);

  const add = async (jwk: SigningKeyJwk, path: string): Promise<Checked<SigningKey>> => {
    const checked = await checkKey(jwk, ports.clock.now(), path);
    if ('problems' in checked) return checked;
    const there = sameKey(checked.value);
    if (there !== undefined) {
      const named = there.kid === checked.value.kid && jwk.kid !== undefined;
      const message = `repeats "${there.kid}", which is there already`;
      return { problems: [{ path: named ? `${path}.kid` : path, message }] };
    }
    keyring.add(checked.value);
    claim(checked.value);
    changed();
    return checked;
  };
  /** With the last key of the algorithm in force gone, a new one must be there: it can always sign. */
  const retire = async (kid: string): Promise<SigningKey | null> => {
    const key = keyring.list().find((candidate) => candidate.kid === kid);
    if (key === undefined) return null;
    const { signing_alg } = service.settings();
    const last = key.alg === signing_alg && ofAlg(signing_alg).length === 1;
    if (last) claim(await keyring.rotate(signing_alg));
    service.retireKey(kid);
    own?.delete(kid);
    changed();
    return keyring.signing(signing_alg);
  };
  return {
    ensure,
    adopt: async (jwks) => {
      if (jwks === undefined) return;
      const known = new Map(keyring.list().map((key) => [key.kid, key.created_at]));
      const read = jwks.map(async (jwk) => {
        const key = await readSigningKey(jwk, ports.clock.now());
        return { ...key, created_at: known.get(key.kid) ?? key.created_at };
      });
      const keys = await Promise.all(read);
      own = new Set(keys.map(({ kid }) => kid));
      brought = new Set(own);
      const others = keyring.list().filter(({ kid }) => !brought.has(kid));
      // One workspace after another, each with its own keys, must not add up.
      keyring.replaceAll([...keys, ...others.slice(0, MAX_KEYS)]);
    },
    disown: () => {
      own = null;
      brought = new Set();
    },
    rotate: (alg) =>
      runExclusive(async () => {
        if (isFull()) return null;
        const key = await keyring.rotate(alg);
        claim(key);
        changed();
        return key;
      }),
    add: (jwk, path) => runExclusive(async () => (isFull() ? null : add(jwk, path))),
    retire: (kid) => runExclusive(() => retire(kid)),
    inWorkspace: () => {
      const mine = own;
      if (mine === null) return undefined;
      const keys = keyring.list().filter(({ kid }) => mine.has(kid));
      return keys.map(({ private_jwk }) => private_jwk);
    },
    isFiled: (kid) => (workspace_saved ? own?.has(kid) === true : brought.has(kid)),
  };
}
