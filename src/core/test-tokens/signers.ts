// Who signs a token for a test: the key that signs issued tokens, or on purpose another one, or none.

import type { JWK } from 'jose';
import { base64url, exportSPKI, importJWK } from 'jose';
import { AuthorizationProblem } from '../authorization/authorize.ts';
import type { SigningKey } from '../issuing/signing-key.ts';
import { generateSigningKey } from '../issuing/signing-key.ts';
import type { SignJws } from '../model/ports.ts';
import type { TokenMistake } from '../records/token-mistakes.ts';
import type { Members, Signing } from './draft.ts';

interface Signer {
  /** The members of the header that name algorithm and key. */
  readonly header: Members;
  readonly sign: (header: Members, payload: string) => Promise<string>;
}

type CreateSigner = (service: Signing, key: SigningKey) => Signer | Promise<Signer>;

const ofKey = (
  { ports }: Signing,
  { private_jwk, alg, kid }: SigningKey,
  more: Members = {},
): Signer => {
  const sign: SignJws = ports.createSigner(private_jwk);
  return { header: { alg, kid, ...more }, sign };
};

const another = ({ ports }: Signing, { alg }: SigningKey) =>
  generateSigningKey(alg, ports.clock.now());

function publicPart({ public_jwk, alg }: SigningKey, mistake: TokenMistake): JWK {
  if (public_jwk !== null) return public_jwk;
  throw new AuthorizationProblem('wrong', `cannot have ${mistake}: ${alg} has no public key`);
}

/** The text of a key file. */
const pemOf = async (jwk: JWK, alg: string): Promise<string> => {
  const key = await importJWK(jwk, alg, { extractable: true });
  return `${await exportSPKI(key as Exclude<typeof key, Uint8Array>)}\n`;
};

const WRONG: Readonly<Partial<Record<TokenMistake, CreateSigner>>> = {
  unpublished_key: async (service, key) => ({
    ...ofKey(service, await another(service, key)),
    header: { alg: key.alg, kid: key.kid },
  }),
  key_in_header: async (service, key) => {
    const fresh = await another(service, key);
    const jwk = publicPart(fresh, 'key_in_header');
    return { ...ofKey(service, fresh), header: { alg: key.alg, kid: key.kid, jwk } };
  },
  retired_key: (service) => {
    const retired = service.keyring.retired();
    if (retired !== null) return ofKey(service, retired);
    throw new AuthorizationProblem(
      'wrong',
      'cannot have retired_key: no key was retired since the start',
    );
  },
  alg_none: (_service, { kid }) => ({
    header: { alg: 'none', kid },
    sign: (header, payload) =>
      Promise.resolve(`${base64url.encode(JSON.stringify(header))}.${base64url.encode(payload)}.`),
  }),
  hs256_public_key: async ({ ports }, key) => {
    const pem = await pemOf(publicPart(key, 'hs256_public_key'), key.alg);
    const secret = { kty: 'oct', alg: 'HS256', k: base64url.encode(pem) } as const;
    return { header: { alg: 'HS256', kid: key.kid }, sign: ports.createSigner(secret) };
  },
};

/** @throws AuthorizationProblem where there is no such key */
export async function signerFor(
  service: Signing,
  wrong: ReadonlySet<TokenMistake>,
): Promise<Signer> {
  const key = await service.keyring.signing(service.settings().signing_alg);
  for (const mistake of wrong) {
    const signer = await WRONG[mistake]?.(service, key);
    if (signer !== undefined) return signer;
  }
  return ofKey(service, key);
}
