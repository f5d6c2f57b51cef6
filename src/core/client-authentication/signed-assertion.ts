// Decodes and checks a JWT that a client signed with a registered key or with its secret (RFC 7523 3), whether it authenticates the
// client (`client_assertion`, 2.2), is an authorization grant (`assertion`, 2.1), or is a request object (RFC 9101).

import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { addressOf, namesIssuer } from '../shape/address.ts';
import { ENDPOINTS, type EndpointName } from '../records/endpoints.ts';
import type { ResolvedShape } from '../shape/resolve.ts';
import type { Client } from '../records/schemas.ts';
import {
  ASSERTION_ALGS,
  decodeJws,
  SECRET_ALGS,
  verifyWithKeys,
  verifyWithSecret,
} from '../issuing/foreign-signatures.ts';
import type { Evaluation } from '../checks/trace.ts';

/** The parameter of an assertion, after which its refusals are named. */
type AssertionKind = 'client_assertion' | 'assertion' | 'request_object';

/** A decoded assertion that is not verified yet. */
export interface Assertion<Kind extends AssertionKind = AssertionKind> {
  readonly kind: Kind;
  readonly token: string;
  readonly alg: string;
  readonly kid: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Seconds that the clocks of client and service may differ. */
const LEEWAY = 60;

/** Maximum lifetime of an assertion in seconds: each is remembered until it expires. */
const LONGEST = 3600;

/** Returns null if the token is not a signed JWT. */
export function decodeAssertion<Kind extends AssertionKind>(
  kind: Kind,
  token: string,
): Assertion<Kind> | null {
  const decoded = decodeJws(token);
  if (decoded === null) return null;
  const { alg, kid, crit } = decoded.header;
  if (typeof alg !== 'string' || crit !== undefined) return null;
  if (kid !== undefined && typeof kid !== 'string') return null;
  return { kind, token, alg, kid, claims: decoded.claims };
}

/** Returns how it is signed, for the trace. */
export const signatureWords = ({ alg, kid }: Assertion): string =>
  `signed with ${alg}${kid === undefined ? '' : ` by key ${kid}`}`;

/** Returns the algorithm of the assertion. @throws OAuthError if it is none of these */
function algOf<Alg extends string>({ kind, alg }: Assertion, algs: readonly Alg[]): Alg {
  const known = algs.find((one) => one === alg);
  if (known !== undefined) return known;
  throw new OAuthError(`${kind}_alg_refused`, { expected: algs.join(', '), got: alg });
}

/** @throws OAuthError if none of the client's keys verifies the signature */
export async function checkSignature(
  assertion: Assertion,
  client: Client,
  { clientKeys }: Pick<Domain, 'clientKeys'>,
): Promise<void> {
  const { kind, token, kid } = assertion;
  const alg = algOf(assertion, ASSERTION_ALGS);
  const found = await clientKeys.of(client, kid);
  if ('problem' in found) {
    throw new OAuthError(`${kind}_keys_unavailable`, { got: found.problem });
  }
  const { keys } = found;
  const named = keys.filter(
    (key) => kid === undefined || key['kid'] === undefined || key['kid'] === kid,
  );
  if (named.length === 0) {
    const expected = keys.map((key) => String(key['kid'])).join(', ') || 'none';
    throw new OAuthError(`${kind}_key_unknown`, { expected, got: kid ?? 'none' });
  }
  const outcome = await verifyWithKeys(token, named, alg);
  if (outcome === 'good') return;
  if (outcome === 'key_unfit') throw new OAuthError(`${kind}_key_unfit`, { got: alg });
  throw new OAuthError(`${kind}_${outcome}`);
}

/** @throws OAuthError if it is not an HMAC with the client's secret (client_secret_jwt: OpenID Connect Core 9) */
export async function checkSecretSignature(
  assertion: Assertion<'client_assertion' | 'request_object'>,
  { client_secret }: Client,
): Promise<void> {
  const { kind } = assertion;
  const alg = algOf(assertion, SECRET_ALGS);
  const outcome = await verifyWithSecret(assertion.token, client_secret ?? '', alg);
  if (outcome === 'good') return;
  if (outcome === 'signature_wrong') throw new OAuthError(`${kind}_secret_wrong`);
  const { needs, has } = outcome;
  throw new OAuthError(`${kind}_secret_short`, { expected: String(needs), got: alg, bytes: has });
}

/** The claims of a JWT that a client signed: an assertion or a DPoP proof. */
interface ClientClaims extends Pick<Assertion, 'claims'> {
  readonly kind: AssertionKind | 'dpop';
}

function required({ kind, claims }: ClientClaims, field: string): unknown {
  const value = claims[field];
  if (value === undefined) throw new OAuthError(`${kind}_claim_missing`, { field });
  return value;
}

/** @throws OAuthError if the claim is missing, or not a string with at least one character */
export function requiredText(jwt: ClientClaims, field: string): string {
  const value = required(jwt, field);
  if (typeof value === 'string' && value !== '') return value;
  throw new OAuthError(`${jwt.kind}_claim_malformed`, { field, expected: 'a string' });
}

/** @returns seconds since the epoch. @throws OAuthError if the claim is missing, or not a number */
export function requiredTime(jwt: ClientClaims, field: string): number {
  const value = required(jwt, field);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new OAuthError(`${jwt.kind}_claim_malformed`, { field, expected: 'a number of seconds' });
}

/** The names by which an assertion may identify this service. */
interface Service {
  readonly issuer: string;
  /** The URL below which the endpoints are. */
  readonly base: string;
  readonly shape: ResolvedShape | null;
}

/**
 * Returns the audiences that identify this service: the issuer identifier, with or without a trailing slash, the
 * token endpoint (RFC 7523 3), and for a pushed request also the endpoint for pushed requests (RFC 9126 2). A request
 * object is for the issuer (RFC 9101 4).
 */
function ownNames(
  kind: AssertionKind,
  { issuer, base, shape }: Service,
  { endpoint }: Evaluation,
): readonly string[] {
  if (kind === 'request_object') return [issuer];
  const names: readonly EndpointName[] =
    endpoint === 'par' ? ['token', 'pushed_authorization_request'] : ['token'];
  const addresses = names.flatMap((name) => [
    `${base}${ENDPOINTS[name].path}`,
    addressOf(name, base, shape),
  ]);
  return [...new Set([issuer, ...addresses.filter((address) => address !== null)])];
}

export function checkAudience(
  assertion: Assertion,
  service: Service,
  evaluation: Evaluation,
): void {
  const { kind } = assertion;
  const aud = required(assertion, 'aud');
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((one): one is string => typeof one === 'string')) {
    const expected = 'a string or an array of strings';
    throw new OAuthError(`${kind}_claim_malformed`, { field: 'aud', expected });
  }
  const own = ownNames(kind, service, evaluation);
  if (named.some((one) => own.includes(one) || namesIssuer(one, service.issuer))) return;
  throw new OAuthError(`${kind}_aud_differs`, {
    expected: own.join(' or '),
    got: named.join(', '),
  });
}

/**
 * @param now seconds of the sandbox clock
 * @returns when the assertion expires, in seconds
 */
export function checkExpiry(assertion: Assertion, now: number): number {
  const exp = requiredTime(assertion, 'exp');
  if (exp > now) return exp;
  throw new OAuthError(`${assertion.kind}_expired`, { seconds: Math.ceil(now - exp) });
}

/** The same for an assertion that is remembered until it expires, which must be soon. */
export function checkTimes(
  assertion: Assertion<Exclude<AssertionKind, 'request_object'>>,
  now: number,
): number {
  const exp = checkExpiry(assertion, now);
  if (exp > now + LONGEST) {
    const seconds = Math.ceil(exp - now);
    throw new OAuthError(`${assertion.kind}_too_long`, { expected: String(LONGEST), seconds });
  }
  checkStart(assertion, now);
  return exp;
}

/** @throws OAuthError if nbf or iat is in the future */
export function checkStart(assertion: Assertion, now: number): void {
  const { kind, claims } = assertion;
  for (const field of ['nbf', 'iat']) {
    if (claims[field] === undefined) continue;
    const ahead = requiredTime(assertion, field) - now;
    if (ahead <= LEEWAY) continue;
    throw new OAuthError(`${kind}_too_early`, { field, seconds: Math.ceil(ahead) });
  }
}

/** What is remembered of an assertion: its `jti`, until `exp` (in seconds). */
interface Use {
  readonly kind: Exclude<AssertionKind, 'request_object'>;
  readonly jti: string;
  readonly exp: number;
}

/** Marks the assertion as used. @throws OAuthError if the client has already sent one with this `jti` */
export function checkUnused(
  { kind, jti, exp }: Use,
  client: Client,
  { ports, registry, usedOnce }: Pick<Domain, 'ports' | 'registry' | 'usedOnce'>,
  exchange: number,
): void {
  const at = ports.clock.now();
  const { n } = registry.registrationOf(client);
  const key = ports.sha256(`${n}\n${jti}`);
  const before = usedOnce.use(key, { at, exchange, until: exp * 1000 });
  if (before === null) return;
  throw new OAuthError(`${kind}_replayed`, { at: before.at, exchange: before.exchange });
}
