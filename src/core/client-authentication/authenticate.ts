// Client authentication at the token endpoint (spec 5, RFC 6749 2.3): checks 6 of the evaluation.

import {
  assertedClient,
  checkAssertion,
  type ClientAssertion,
  readAssertion,
  subjectOf,
} from './client-assertion.ts';
import {
  type BasicCredentials,
  isBasic,
  parseBasic,
  readBasicAsSent,
  readBasicIdAlone,
} from './authorization-header.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import type { MaybePromise } from '../model/ports.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Registry } from '../registry/lists.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';

interface Presented {
  readonly method: 'client_secret_post' | 'client_secret_basic' | 'private_key_jwt';
  readonly client_id: string | undefined;
  readonly client_secret?: string | undefined;
  readonly assertion?: ClientAssertion;
}

/** Whether the client can authenticate (RFC 6749 2.1). */
export function isConfidential(client: Client): boolean {
  return client.client_secret !== null || client.token_endpoint_auth_method === 'private_key_jwt';
}

/** Returns the client in Basic credentials, whether or not they are form-encoded. */
function basicClient(authorization: string, { clients }: Registry): Client | undefined {
  for (const read of [parseBasic, readBasicAsSent]) {
    const client = clients.get(read(authorization)?.id ?? '');
    if (client !== undefined) return client;
  }
  return undefined;
}

/** Returns the client_id of a Basic header that has nothing else, if the imitated provider accepts it. */
function idAlone(authorization: string, { shape }: Pick<Domain, 'shape'>): string | null {
  const accepted = shape()?.accepts.has('basic_client_id_alone') === true;
  return accepted ? readBasicIdAlone(authorization) : null;
}

/** Returns the client that the request claims to be from, before it is authenticated. It decides the profile. */
export function claimedClient(
  request: TokenRequest,
  domain: Pick<Domain, 'registry' | 'shape'>,
): Client | undefined {
  const { registry } = domain;
  const inBody = valueOf(request, 'client_id');
  if (inBody !== undefined) return registry.clients.get(inBody);
  const { authorization } = request;
  if (authorization !== null && readBasicAsSent(authorization) !== null) {
    return basicClient(authorization, registry);
  }
  const alone = authorization === null ? null : idAlone(authorization, domain);
  if (alone !== null) return registry.clients.get(alone);
  const assertion = valueOf(request, 'client_assertion');
  const claimed = assertion === undefined ? undefined : assertedClient(assertion);
  return claimed === undefined ? undefined : registry.clients.get(claimed);
}

function isSecretOf(client: Client, secret: string, { registry, ports }: Domain): boolean {
  return ports.sha256(secret) === registry.secretDigest(client);
}

function isProven(credentials: BasicCredentials | null, domain: Domain): boolean {
  if (credentials === null) return false;
  const client = domain.registry.clients.get(credentials.id);
  return client !== undefined && isSecretOf(client, credentials.secret, domain);
}

/**
 * Form-decodes the credentials. If they are then wrong, tries them as sent, because most clients do not encode them.
 */
function decideBasic(
  header: string,
  domain: Domain,
  evaluation: Evaluation,
): BasicCredentials | null {
  const decoded = parseBasic(header);
  if (isProven(decoded, domain)) return decoded;
  const sent = readBasicAsSent(header);
  // Credentials that cannot be decoded are wrong, but well formed.
  if (!isProven(sent, domain)) return decoded ?? sent;
  note(evaluation, 'basic_unencoded');
  return sent;
}

function readBasic(
  request: TokenRequest,
  header: string,
  domain: Domain,
  evaluation: Evaluation,
): Presented {
  const basic = decideBasic(header, domain, evaluation) ?? basicAlone(header, domain, evaluation);
  if (basic === null) throw new OAuthError('basic_malformed');
  const other = valueOf(request, 'client_id');
  const secret = valueOf(request, 'client_secret');
  const twice = other === basic.id && secret !== undefined && secret === basic.secret;
  if (twice && domain.shape()?.accepts.has('credentials_twice') === true) {
    note(evaluation, 'credentials_twice');
  } else if (secret !== undefined) {
    throw new OAuthError('two_client_authentications');
  } else if (other !== undefined && other !== basic.id) {
    throw new OAuthError('client_ids_differ', { expected: basic.id, got: other.slice(0, 200) });
  }
  if (valueOf(request, 'client_assertion') !== undefined) {
    throw new OAuthError('two_client_authentications');
  }
  return { method: 'client_secret_basic', client_id: basic.id, client_secret: basic.secret };
}

/** Names a Basic header for a refusal. No profile accepts it beside a secret, unless the imitated provider does. */
function basicWords(request: TokenRequest, { shape }: Domain): string {
  const isTwice = valueOf(request, 'client_secret') !== undefined;
  const isAccepted = shape()?.accepts.has('credentials_twice') === true;
  return isTwice && !isAccepted ? 'HTTP Basic beside client_secret' : 'HTTP Basic';
}

/** Returns credentials without a secret, for a header with a client_id alone. */
function basicAlone(header: string, domain: Domain, evaluation: Evaluation) {
  const id = idAlone(header, domain);
  if (id === null) return null;
  note(evaluation, 'basic_client_id_alone');
  return { id, secret: undefined };
}

/** Returns the assertion, if the profile accepts assertions. Otherwise an assertion beside a secret is ignored. */
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

/**
 * Reads the credentials from the Authorization header, as far as the profile accepts one (behaviour 1), or from the
 * body.
 */
function presented(
  request: TokenRequest,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Presented {
  const header = request.authorization;
  if (header !== null) {
    const basic = isBasic(header);
    const got = basic ? basicWords(request, domain) : 'another scheme';
    if (rules.authorization_header === 'rejected') {
      throw new OAuthError('header_not_allowed', { got });
    }
    if (basic) {
      if (rules.authorization_header === 'basic_rejected')
        throw new OAuthError('basic_not_allowed', { got });
      note(evaluation, 'basic_accepted');
      pass(evaluation, 'authorization_header', { got: 'HTTP Basic' });
      return readBasic(request, header, domain, evaluation);
    }
    note(evaluation, 'authorization_header_ignored');
  }
  return readBody(request, rules, evaluation);
}

/** Checks the secret. A client that has none fails, whatever it sends. */
function checkSecret(
  client: Client,
  { client_secret }: Presented,
  domain: Domain,
  evaluation: Evaluation,
): void {
  if (client.client_secret === null) {
    const { token_endpoint_auth_method: expected } = client;
    const field = evaluation.grant_type ?? evaluation.endpoint ?? 'token';
    const facts = { expected, field };
    throw new OAuthError(client_secret ? 'client_has_no_secret' : 'client_secret_required', facts);
  }
  if (!client_secret) throw new OAuthError('client_secret_missing');
  if (!isSecretOf(client, client_secret, domain)) throw new OAuthError('client_secret_wrong');
}

/** Accepts a public client: one without a secret that does not sign assertions. */
function checkWithoutSecret(client: Client, given: Presented, evaluation: Evaluation): void {
  if (isConfidential(client)) throw new OAuthError('client_assertion_missing');
  if (given.client_secret) throw new OAuthError('client_secret_unexpected');
  note(evaluation, 'public_client');
  pass(evaluation, 'client_secret', { note: 'public client' });
}

/** Returns the client_id. Without any authentication, the error depends on the profile: 401, or a missing parameter. */
function identify({ client_id, client_secret, assertion }: Presented, rules: ProfileRules): string {
  if (client_id !== undefined) return client_id;
  const nothing = client_secret === undefined && assertion === undefined;
  throw new OAuthError(
    nothing && rules.no_authentication === 'invalid_client'
      ? 'client_authentication_missing'
      : 'client_id_missing',
  );
}

/**
 * Authenticates the client with a method that the profile accepts.
 * @throws OAuthError 401 `invalid_client`, or 400 `invalid_request` without client_id
 */
export function authenticateClient(
  request: TokenRequest,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): MaybePromise<Client> {
  const given = presented(request, rules, domain, evaluation);
  const client_id = identify(given, rules);
  const client = domain.registry.clients.get(client_id);
  if (client === undefined) throw new OAuthError('client_unknown', { got: client_id });
  evaluation.client_id = client.client_id;
  pass(evaluation, 'client_id');

  const { assertion, method } = given;
  if (assertion !== undefined) return checkAssertion(assertion, client, domain, evaluation);
  const anyMethod = rules.authorization_header === 'basic_accepted';
  if (anyMethod && client.client_secret === null) {
    checkWithoutSecret(client, given, evaluation);
    return client;
  }
  checkSecret(client, given, domain, evaluation);
  if (client.token_endpoint_auth_method !== method)
    note(evaluation, 'auth_method_mismatch', method);
  pass(evaluation, 'client_secret');
  return client;
}
