// Builds and signs a token to test the validation of a resource server, with or without deliberate mistakes
// (behaviour 14). The token is not issued.

import { base64url, exportSPKI, importJWK, type JWK } from 'jose';
import { AuthorizationProblem } from './authorization/direct-code.ts';
import { conflictOf, type TokenMistake } from './records/token-mistakes.ts';
import { checkOrder } from './authorization/direct-tokens.ts';
import {
  accessTokenContent,
  accessTokenFormat,
  accessTokenLifetime,
} from './issuing/access-tokens.ts';
import { encodeRandom } from './issuing/random-text.ts';
import { unissuedId } from './issuing/keyring.ts';
import { formatLineageId } from './model/access-token-id.ts';
import { isJsonObject } from '../json.ts';
import { mergePatch } from './records/merge-patch.ts';
import type { TokenService } from './service.ts';
import { secondsOf } from './model/clock.ts';
import type { SigningKey, SignJws } from './model/ports.ts';

interface TestTokenOrder extends DraftOrder {
  readonly wrong: readonly TokenMistake[];
}

function checkMistakes(wrong: readonly TokenMistake[]): void {
  const conflict = conflictOf(wrong);
  if (conflict === null) return;
  const [one, other] = conflict;
  throw new AuthorizationProblem('wrong', `cannot have both ${one} and ${other}`);
}

/** A compact JWS whose signature differs in one bit. */
export function withAlteredSignature(jws: string): string {
  const [head = '', payload = '', signature = ''] = jws.split('.');
  return [head, payload, altered(signature)].join('.');
}

function altered(signature: string): string {
  const [first = 0, ...rest] = base64url.decode(signature);
  return base64url.encode(Uint8Array.of(first ^ 1, ...rest));
}

function truncated(signature: string): string {
  const bytes = base64url.decode(signature);
  return base64url.encode(bytes.subarray(0, bytes.length / 2));
}

/**
 * @returns a token that is not stored, its header and claims as they are in it, and as `found` the mistakes in the
 *   claims, also those that were not ordered, each with what is wrong
 * @throws AuthorizationProblem naming the member and the rule
 */
export async function signTestToken(service: Signing, order: TestTokenOrder) {
  const wrong = new Set(order.wrong);
  checkMistakes(order.wrong);
  const draft = draftToken(service, order);
  const { header: signed_header, sign } = await signerFor(service, wrong);
  const now = secondsOf(service.ports.clock);
  const { header, claims } = withWrongMembers(
    { header: { ...signed_header, ...draft.header }, claims: draft.claims },
    wrong,
    now,
  );
  const jws = await sign(header, JSON.stringify(claims));
  const [head = '', payload = '', signature = ''] = jws.split('.');
  const sent = wrong.has('payload_altered') ? { ...claims, tampered: true } : claims;
  const parts = [
    head,
    sent === claims ? payload : base64url.encode(JSON.stringify(sent)),
    wrong.has('signature_altered')
      ? altered(signature)
      : wrong.has('signature_truncated')
        ? truncated(signature)
        : signature,
  ];
  return { token: parts.join('.'), header, claims: sent, found: mistakesIn(sent, service) };
}

type Members = Record<string, unknown>;

interface DraftOrder {
  /** The client whose access token it resembles; without one, it has only the given claims. */
  readonly client_id?: string | undefined;
  readonly sub?: string | undefined;
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
  readonly access_token_expires_in?: number | undefined;
  /** Replaces members of the header; null removes a member (RFC 7396). */
  readonly header?: Readonly<Members> | undefined;
  /** The same for the claims. */
  readonly claims?: Readonly<Members> | undefined;
}

/** The parts of the service that building and signing need. */
export type Signing = Pick<
  TokenService,
  'registry' | 'keyring' | 'ports' | 'settings' | 'shape' | 'issuer'
>;

const OF_CLIENT = ['sub', 'audience', 'scope', 'access_token_expires_in'] as const;

/** Returns the default claims. */
function contentFor(service: Signing, order: DraftOrder, jti: string) {
  const { client_id } = order;
  if (client_id === undefined) {
    const member = OF_CLIENT.find((name) => order[name] !== undefined);
    if (member === undefined) return { claims: null, typ: 'at+jwt' };
    throw new AuthorizationProblem('client_id', `is required with ${member}`);
  }
  const { registry, ports } = service;
  const [settings, issuer] = [service.settings(), service.issuer()];
  const about = checkOrder({ registry, settings, issuer }, { ...order, client_id });
  const { client, user, audience, scope } = about;
  const iat = secondsOf(ports.clock);
  const expires_in = order.access_token_expires_in ?? accessTokenLifetime(client, settings);
  const format = accessTokenFormat(client, settings);
  const facts = {
    client,
    user,
    scope,
    iat,
    exp: iat + expires_in,
    act: null,
    jkt: null,
    id: jti,
    issuer,
    sub: user.sub,
    audience: audience ?? issuer,
    lineage: formatLineageId({ number: 0, of_user: true }),
  };
  // An opaque token has no claims in which a mistake could be.
  const claimed = format === 'opaque' ? 'rfc9068' : format;
  return accessTokenContent(claimed, facts, service.shape(), ports.sha256, null);
}

const patched = (members: Members, patch: Readonly<Members> = {}): Members => {
  const merged = mergePatch(members, patch);
  return isJsonObject(merged) ? merged : {};
};

/** @throws AuthorizationProblem naming the member and the rule */
function draftToken(service: Signing, order: DraftOrder) {
  const jti = unissuedId(encodeRandom(service.ports.random(16)));
  const { claims, typ } = contentFor(service, order, jti);
  return {
    header: patched({ typ }, order.header),
    claims: { ...(claims === null ? order.claims : patched(claims, order.claims)), jti },
  };
}

const HOUR = 3600;

/** Names below `invalid` never resolve. */
const WRONG_ISSUER = 'https://wrong-issuer.invalid';
const WRONG_AUDIENCE = 'https://wrong-audience.invalid';
const CRITICAL = 'unknown-extension';

interface Content {
  readonly header: Members;
  readonly claims: Members;
}

const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));

/** An expired token must have been issued before it expired. */
function expired(claims: Members, now: number): Members {
  const earlier = Object.entries(claims).map(([name, value]) =>
    ['iat', 'nbf'].includes(name) && typeof value === 'number' && value > now - HOUR
      ? [name, now - 2 * HOUR]
      : [name, value],
  );
  return { ...(Object.fromEntries(earlier) as Members), exp: now - HOUR };
}

type Make = (content: Content, now: number) => Content;

const inClaims =
  (change: (claims: Members, now: number) => Members): Make =>
  ({ header, claims }, now) => ({ header, claims: change(claims, now) });

const inHeader =
  (change: (header: Members) => Members): Make =>
  ({ header, claims }) => ({ header: change(header), claims });

const MAKE: Readonly<Partial<Record<TokenMistake, Make>>> = {
  expired: inClaims(expired),
  not_yet_valid: inClaims((claims, now) => ({ ...claims, nbf: now + HOUR })),
  issued_in_future: inClaims((claims, now) => ({ ...claims, iat: now + HOUR })),
  no_exp: inClaims((claims) => without(claims, 'exp')),
  exp_text: inClaims((claims, now) => {
    const { exp } = claims;
    return { ...claims, exp: String(typeof exp === 'number' ? exp : now + HOUR) };
  }),
  wrong_issuer: inClaims((claims) => ({ ...claims, iss: WRONG_ISSUER })),
  wrong_audience: inClaims((claims) => ({ ...claims, aud: WRONG_AUDIENCE })),
  no_audience: inClaims((claims) => without(claims, 'aud')),
  wrong_typ: inHeader((header) => ({
    ...header,
    typ: header['typ'] === 'JWT' ? 'dpop+jwt' : 'JWT',
  })),
  no_typ: inHeader((header) => without(header, 'typ')),
  unknown_kid: inHeader((header) => ({ ...header, kid: 'unknown' })),
  no_kid: inHeader((header) => without(header, 'kid')),
  unknown_critical: inHeader((header) => ({ ...header, crit: [CRITICAL], [CRITICAL]: true })),
};

/** Returns the mistakes that are in the claims, whoever made them, each with what is wrong. */
function mistakesIn(
  { exp, nbf, iss, aud }: Members,
  { issuer, ports }: Signing,
): Map<TokenMistake, string> {
  const now = secondsOf(ports.clock);
  const found: readonly [boolean, TokenMistake, string][] = [
    [exp === undefined, 'no_exp', 'exp is missing.'],
    [exp !== undefined && typeof exp !== 'number', 'exp_text', 'exp is not a number.'],
    [typeof exp === 'number' && exp <= now, 'expired', 'exp is not in the future.'],
    [typeof nbf === 'number' && nbf > now, 'not_yet_valid', 'nbf is in the future.'],
    [iss !== issuer(), 'wrong_issuer', `iss is not ${issuer()}.`],
    [aud === undefined, 'no_audience', 'aud is missing.'],
  ];
  return new Map(found.flatMap(([is, name, text]) => (is ? [[name, text]] : [])));
}

/** @param now whole seconds of the sandbox clock */
const withWrongMembers = (
  content: Content,
  wrong: ReadonlySet<TokenMistake>,
  now: number,
): Content => [...wrong].reduce((made, mistake) => MAKE[mistake]?.(made, now) ?? made, content);

interface Signer {
  /** Returns the members of the header for algorithm and key. */
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
  ports.generateKey(alg, ports.clock.now());

function publicPart({ public_jwk, alg }: SigningKey, mistake: TokenMistake): JWK {
  if (public_jwk !== null) return public_jwk;
  throw new AuthorizationProblem('wrong', `cannot have ${mistake}: ${alg} has no public key`);
}

/** Returns the public key as the text of a PEM file. */
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

/** @throws AuthorizationProblem if there is no such key */
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
