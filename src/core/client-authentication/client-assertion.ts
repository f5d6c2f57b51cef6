// Client authentication with a signed JWT (private_key_jwt and client_secret_jwt: RFC 7523 3, OpenID Connect Core 9).

import { durationInWords } from '../../words.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { type TokenRequest, valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import {
  type Assertion,
  checkAudience,
  checkSecretSignature,
  checkSignature,
  checkTimes,
  checkUnused,
  decodeAssertion,
  requiredText,
  signatureWords,
} from './signed-assertion.ts';

export type ClientAssertion = Assertion<'client_assertion'>;

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Returns the client that an assertion names, before it is verified. */
export function subjectOf({ claims }: ClientAssertion): string | undefined {
  const { sub } = claims;
  return typeof sub === 'string' && sub !== '' ? sub : undefined;
}

/** The same for an assertion that is not decoded yet. */
export function assertedClient(token: string): string | undefined {
  const assertion = decodeAssertion('client_assertion', token);
  return assertion === null ? undefined : subjectOf(assertion);
}

/**
 * Returns the assertion of a request; undefined if it has none.
 * @throws OAuthError if it is incomplete, has another type, or is not a signed JWT
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
  const assertion = decodeAssertion('client_assertion', token);
  if (assertion === null) throw new OAuthError('client_assertion_malformed');
  return assertion;
}

function checkNamesClient(assertion: ClientAssertion, { client_id }: Client): void {
  for (const field of ['sub', 'iss'] as const) {
    const got = requiredText(assertion, field);
    if (got === client_id) continue;
    throw new OAuthError(`client_assertion_${field}_differs`, { expected: client_id, got });
  }
}

/**
 * Authenticates the client with its assertion.
 * @throws OAuthError `invalid_client` for each rule of RFC 7523 3 that it breaks
 */
export async function checkAssertion(
  assertion: ClientAssertion,
  client: Client,
  domain: Domain,
  evaluation: Evaluation,
): Promise<Client> {
  const { kind } = assertion;
  const method = client.token_endpoint_auth_method;
  if (method !== 'private_key_jwt' && method !== 'client_secret_jwt') {
    throw new OAuthError('client_assertion_unregistered', { expected: method });
  }
  checkNamesClient(assertion, client);
  if (method === 'client_secret_jwt') await checkSecretSignature(assertion, client);
  else await checkSignature(assertion, client, domain);
  const { issuer, base, shape } = domain;
  const service = { issuer: issuer(), base: base(), shape: shape() };
  checkAudience(assertion, service, evaluation);
  const now = domain.ports.clock.now() / 1000;
  const exp = checkTimes(assertion, now);
  checkUnused(
    { kind, jti: requiredText(assertion, 'jti'), exp },
    client,
    domain,
    evaluation.exchange,
  );
  const from = client.jwks_uri === undefined ? '' : ' of jwks_uri';
  pass(evaluation, 'client_secret', {
    got: `an assertion ${signatureWords(assertion)}${from}`,
    note: `expires in ${durationInWords(Math.ceil(exp - now))}`,
  });
  return client;
}
