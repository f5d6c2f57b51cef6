// Client authentication with a signed JWT (private_key_jwt: RFC 7523 3, OpenID Connect Core 9): reading
// the assertion, proving it by the keys the client registered, and seeing to it that it is used once.

import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { ASSERTION_ALGS, decodeJws, verifyWithKeys } from '../issuing/foreign-signatures.ts';
import type { Evaluation } from '../checks/trace.ts';
import { pass } from '../checks/trace.ts';

/** An assertion as it came; nothing of it is proven yet. */
export interface ClientAssertion {
  readonly token: string;
  readonly alg: string;
  readonly kid: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Seconds that the clocks of client and service may differ. */
const LEEWAY = 60;

/** Seconds that an assertion may live at most: each is remembered until it expires. */
const LONGEST = 3600;

function decodeAssertion(token: string): ClientAssertion | null {
  const decoded = decodeJws(token);
  if (decoded === null) return null;
  const { alg, kid, crit } = decoded.header;
  if (typeof alg !== 'string' || crit !== undefined) return null;
  if (kid !== undefined && typeof kid !== 'string') return null;
  return { token, alg, kid, claims: decoded.claims };
}

/** The client that an assertion is about, before anything is checked. */
export function subjectOf({ claims }: ClientAssertion): string | undefined {
  const { sub } = claims;
  return typeof sub === 'string' && sub !== '' ? sub : undefined;
}

/** The same, of one that nobody has read yet. */
export function assertedClient(token: string): string | undefined {
  const assertion = decodeAssertion(token);
  return assertion === null ? undefined : subjectOf(assertion);
}

/**
 * The assertion of a request; undefined when it has none.
 * @throws OAuthError when it is incomplete, of another type, or no signed JWT
 */
export function readAssertion(request: TokenRequest): ClientAssertion | undefined {
  const token = valueOf(request, 'client_assertion');
  const type = valueOf(request, 'client_assertion_type');
  if (token === undefined && type === undefined) return undefined;
  if (token === undefined || type === undefined) {
    const got = token === undefined ? 'client_assertion_type' : 'client_assertion';
    throw new OAuthError('client_assertion_incomplete', { got });
  }
  if (type !== JWT_BEARER) {
    throw new OAuthError('client_assertion_type_unsupported', { expected: JWT_BEARER });
  }
  const assertion = decodeAssertion(token);
  if (assertion === null) throw new OAuthError('client_assertion_malformed');
  return assertion;
}

/** @throws OAuthError when no key that the client registered made the signature */
async function checkSignature(assertion: ClientAssertion, client: Client): Promise<void> {
  const { token, kid } = assertion;
  const alg = ASSERTION_ALGS.find((known) => known === assertion.alg);
  if (alg === undefined) {
    const expected = ASSERTION_ALGS.join(', ');
    throw new OAuthError('client_assertion_alg_refused', { expected, got: assertion.alg });
  }
  const keys = client.jwks?.keys ?? [];
  const named = keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
  if (named.length === 0) {
    const expected = keys.map((key) => key.kid).join(', ');
    throw new OAuthError('client_assertion_key_unknown', { expected, got: kid ?? 'none' });
  }
  const outcome = await verifyWithKeys(token, named, alg);
  if (outcome === 'good') return;
  if (outcome === 'key_unfit') throw new OAuthError('client_assertion_key_unfit', { got: alg });
  throw new OAuthError(`client_assertion_${outcome}`);
}

/** A claim that has to be there. */
function required(claims: ClientAssertion['claims'], field: string): unknown {
  const value = claims[field];
  if (value === undefined) throw new OAuthError('client_assertion_claim_missing', { field });
  return value;
}

function requiredText(claims: ClientAssertion['claims'], field: string): string {
  const value = required(claims, field);
  if (typeof value === 'string' && value !== '') return value;
  throw new OAuthError('client_assertion_claim_malformed', { field, expected: 'a string' });
}

/** Seconds since the epoch. */
function checkedTime(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new OAuthError('client_assertion_claim_malformed', {
    field,
    expected: 'a number of seconds',
  });
}

function checkNamesClient(claims: ClientAssertion['claims'], { client_id }: Client): void {
  for (const field of ['sub', 'iss'] as const) {
    const got = requiredText(claims, field);
    if (got === client_id) continue;
    throw new OAuthError(`client_assertion_${field}_differs`, { expected: client_id, got });
  }
}

/** The service goes by its issuer identifier or by its token endpoint (RFC 7523 3). */
function checkAudience(claims: ClientAssertion['claims'], issuer: string): void {
  const aud = required(claims, 'aud');
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((one) => typeof one === 'string')) {
    const expected = 'a string or an array of strings';
    throw new OAuthError('client_assertion_claim_malformed', { field: 'aud', expected });
  }
  const own = [issuer, `${issuer}/oauth/token`];
  if (named.some((one) => own.includes(one))) return;
  throw new OAuthError('client_assertion_aud_differs', {
    expected: own.join(' or '),
    got: named.join(', '),
  });
}

/** @param now whole seconds of the sandbox clock. Answers when the assertion expires, in seconds */
function checkTimes(claims: ClientAssertion['claims'], now: number): number {
  const exp = checkedTime(required(claims, 'exp'), 'exp');
  if (exp <= now) {
    throw new OAuthError('client_assertion_expired', { seconds: Math.ceil(now - exp) });
  }
  if (exp > now + LONGEST) {
    const seconds = Math.ceil(exp - now);
    throw new OAuthError('client_assertion_too_long', { expected: String(LONGEST), seconds });
  }
  for (const field of ['nbf', 'iat']) {
    if (claims[field] === undefined) continue;
    const ahead = checkedTime(claims[field], field) - now;
    if (ahead <= LEEWAY) continue;
    throw new OAuthError('client_assertion_too_early', { field, seconds: Math.ceil(ahead) });
  }
  return exp;
}

/** Used once it has proven the client, whatever then becomes of the request. */
function checkUnused(jti: string, exp: number, client: Client, domain: Domain, exchange: number) {
  const { ports, registry, usedAssertions } = domain;
  const at = ports.clock.now();
  const { n } = registry.registrationOf(client);
  const key = ports.sha256(`${n}\n${jti}`);
  const before = usedAssertions.use(key, { at, exchange, until: exp * 1000 });
  if (before === null) return;
  throw new OAuthError('client_assertion_replayed', { at: before.at, exchange: before.exchange });
}

/**
 * Proves the client by its assertion.
 * @throws OAuthError `invalid_client` for each rule of RFC 7523 3 that it breaks
 */
export async function checkAssertion(
  assertion: ClientAssertion,
  client: Client,
  domain: Domain,
  evaluation: Evaluation,
): Promise<Client> {
  const { claims, alg, kid } = assertion;
  const method = client.token_endpoint_auth_method;
  if (method !== 'private_key_jwt') {
    throw new OAuthError('client_assertion_unregistered', { expected: method });
  }
  checkNamesClient(claims, client);
  await checkSignature(assertion, client);
  checkAudience(claims, domain.issuer());
  const now = domain.ports.clock.now() / 1000;
  const exp = checkTimes(claims, now);
  checkUnused(requiredText(claims, 'jti'), exp, client, domain, evaluation.exchange);
  pass(evaluation, 'client_secret', {
    got: `an assertion signed with ${alg}${kid === undefined ? '' : ` by key ${kid}`}`,
    note: `expires in ${Math.ceil(exp - now)} s`,
  });
  return client;
}
