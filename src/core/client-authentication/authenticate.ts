// Client authentication at the token endpoint (spec 5, RFC 6749 2.3): checks 6 of the evaluation.

import { readAuthorization } from './authorization-header.ts';
import type { ClientAssertion } from './assertion.ts';
import { assertedClient, checkAssertion, readAssertion, subjectOf } from './assertion.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { MaybePromise } from '../model/ports.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Registry } from '../registry/lists.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note, pass } from '../checks/trace.ts';

interface Presented {
  readonly method: 'client_secret_post' | 'client_secret_basic' | 'private_key_jwt';
  readonly client_id: string | undefined;
  readonly client_secret?: string | undefined;
  readonly assertion?: ClientAssertion;
}

/** Whether the client can prove who it is (RFC 6749 2.1). */
export function isConfidential(client: Client): boolean {
  return client.client_secret !== null || client.token_endpoint_auth_method === 'private_key_jwt';
}

const isBasic = (authorization: string) => readAuthorization(authorization).scheme === 'basic';

/** The alphabets of base64 and of base64url, which some clients write by mistake. */
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;

/** The credentials of an HTTP Basic header, form-decoded as RFC 6749 2.3.1 says; null if malformed. */
export function parseBasic(authorization: string): { id: string; secret: string } | null {
  const { scheme, credentials } = readAuthorization(authorization);
  if (scheme !== 'basic' || !BASE64.test(credentials)) return null;
  try {
    const text = decodeURIComponent(
      Array.from(
        atob(credentials.replaceAll('-', '+').replaceAll('_', '/')),
        (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ).join(''),
    );
    const colon = text.indexOf(':');
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
    return colon < 1
      ? null
      : { id: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}

/** The client a request claims to come from, before anything is checked: it decides the profile. */
export function claimedClient(request: TokenRequest, registry: Registry): Client | undefined {
  const inBody = valueOf(request, 'client_id');
  if (inBody !== undefined) return registry.clients.get(inBody);
  const basic = request.authorization === null ? null : parseBasic(request.authorization);
  const assertion = valueOf(request, 'client_assertion');
  const claimed = basic?.id ?? (assertion === undefined ? undefined : assertedClient(assertion));
  return claimed === undefined ? undefined : registry.clients.get(claimed);
}

function readBasic(request: TokenRequest, header: string): Presented {
  const basic = parseBasic(header);
  if (basic === null) throw new OAuthError('basic_malformed');
  const other = valueOf(request, 'client_id');
  if (
    valueOf(request, 'client_secret') !== undefined ||
    valueOf(request, 'client_assertion') !== undefined ||
    (other !== undefined && other !== basic.id)
  ) {
    throw new OAuthError('two_client_authentications');
  }
  return { method: 'client_secret_basic', client_id: basic.id, client_secret: basic.secret };
}

/** Where assertions are not taken, one beside a secret is a parameter too many, and ignored. */
function takeAssertion(request: TokenRequest, rules: ProfileRules): ClientAssertion | undefined {
  if (rules.client_assertion === 'accepted') return readAssertion(request);
  const alone = valueOf(request, 'client_secret') === undefined;
  if (alone && valueOf(request, 'client_assertion') !== undefined) {
    throw new OAuthError('client_assertion_not_allowed');
  }
  return undefined;
}

function readBody(request: TokenRequest, rules: ProfileRules, evaluation: Evaluation): Presented {
  const client_id = valueOf(request, 'client_id');
  const client_secret = valueOf(request, 'client_secret');
  const assertion = takeAssertion(request, rules);
  if (assertion === undefined) {
    pass(evaluation, 'authorization_header');
    return { method: 'client_secret_post', client_id, client_secret };
  }
  if (client_secret !== undefined) throw new OAuthError('two_client_authentications');
  note(evaluation, 'assertion_accepted');
  pass(evaluation, 'authorization_header', { got: 'a client assertion' });
  return { method: 'private_key_jwt', client_id: client_id ?? subjectOf(assertion), assertion };
}

/** The Authorization header comes first: what it may be depends on the profile (behaviour 1). */
function presented(request: TokenRequest, rules: ProfileRules, evaluation: Evaluation): Presented {
  const header = request.authorization;
  if (header !== null) {
    if (rules.authorization_header === 'refused') throw new OAuthError('header_not_allowed');
    if (isBasic(header)) {
      if (rules.authorization_header === 'basic_refused') throw new OAuthError('basic_not_allowed');
      note(evaluation, 'basic_accepted');
      pass(evaluation, 'authorization_header', { got: 'HTTP Basic' });
      return readBasic(request, header);
    }
    note(evaluation, 'authorization_header_ignored');
  }
  return readBody(request, rules, evaluation);
}

function checkSecret(client: Client, given: Presented, { registry, ports }: Domain): void {
  const { client_secret } = given;
  if (!client_secret) throw new OAuthError('client_secret_missing');
  if (ports.sha256(client_secret) !== registry.secretDigest(client)) {
    throw new OAuthError('client_secret_wrong');
  }
}

/** A client without secret is a public one, unless it signs assertions. */
function checkWithoutSecret(client: Client, given: Presented, evaluation: Evaluation): void {
  if (isConfidential(client)) throw new OAuthError('client_assertion_missing');
  if (given.client_secret) throw new OAuthError('client_secret_unexpected');
  note(evaluation, 'public_client');
  pass(evaluation, 'client_secret', { note: 'public client' });
}

/**
 * Authenticates the client by what the profile allows.
 * @throws OAuthError 400 `invalid_request` without client_id, else 401 `invalid_client`
 */
export function authenticateClient(
  request: TokenRequest,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): MaybePromise<Client> {
  const given = presented(request, rules, evaluation);
  if (given.client_id === undefined) throw new OAuthError('client_id_missing');
  const client = domain.registry.clients.get(given.client_id);
  if (client === undefined) throw new OAuthError('client_unknown', { got: given.client_id });
  evaluation.client_id = client.client_id;
  pass(evaluation, 'client_id');

  const { assertion, method } = given;
  if (assertion !== undefined) return checkAssertion(assertion, client, domain, evaluation);
  const anyMethod = rules.authorization_header === 'basic_accepted';
  if (anyMethod && client.client_secret === null) {
    checkWithoutSecret(client, given, evaluation);
    return client;
  }
  checkSecret(client, given, domain);
  if (client.token_endpoint_auth_method !== method)
    note(evaluation, 'auth_method_mismatch', method);
  pass(evaluation, 'client_secret');
  return client;
}
