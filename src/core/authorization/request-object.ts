// Request objects: the parameters of an authorization request as claims of a JWT that the client signed, sent by value or
// pushed (RFC 9101, OpenID Connect Core 6). A request is opened before its client and redirect URI are known, so that a
// refusal can be sent to the app, and verified once, by request.ts.

import { isJsonObject } from '../../json.ts';
import { OAuthError } from '../checks/errors.ts';
import { safeParameterName } from '../checks/parameters.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import {
  checkAudience,
  checkExpiry,
  checkSecretSignature,
  checkSignature,
  checkStart,
  decodeAssertion,
  requiredText,
  signatureWords,
} from '../client-authentication/signed-assertion.ts';
import { SECRET_ALGS } from '../issuing/foreign-signatures.ts';
import type { Domain } from '../model/domain.ts';
import { valueOf } from '../model/request.ts';
import { PARAMETER_LIMITS } from '../records/bounds.ts';
import { CLAIMS_OF_THE_JWT, REQUEST_OBJECT_ALGS } from '../records/enumerations.ts';
import type { Client } from '../records/schemas.ts';
import {
  type AuthorizationRequest,
  isAuthorizationParameter,
  type OpenedObject,
} from './request-parameters.ts';

const NESTED = ['request', 'request_uri'] as const;
/** Claims that are no parameters of the request: they are about the JWT, or are rejected or compared. */
const NOT_READ = new Set<string>([...CLAIMS_OF_THE_JWT, ...NESTED, 'client_id']);

/** Parameters that OpenID Connect Core 6.1 requires beside the object. */
const BESIDE = new Set<string>(['client_id', 'request', 'response_type', 'scope']);

/** Returns the values of the parameter in a claim; undefined if the claim has another type (RFC 9101 4). */
function valuesOf(name: string, claim: unknown): readonly string[] | undefined {
  if (typeof claim === 'string') return [claim];
  if (typeof claim === 'number') return [String(claim)];
  if (name === 'claims' && isJsonObject(claim)) return [JSON.stringify(claim)];
  const several = name === 'resource' && Array.isArray(claim) ? (claim as unknown[]) : undefined;
  return several?.every((one) => typeof one === 'string') === true ? several : undefined;
}

/**
 * Returns the request with the parameters of its request object, of which nothing is verified yet, and the client_id
 * beside it (RFC 9101 6.3). Returns the request itself if it has no object that can be read.
 */
export function openRequestObject(request: AuthorizationRequest): AuthorizationRequest {
  const token = valueOf(request, 'request') ?? '';
  const isReadable =
    token !== '' &&
    token.length <= PARAMETER_LIMITS.request &&
    !request.repeated.has('request') &&
    valueOf(request, 'request_uri') === undefined;
  const object = isReadable ? decodeAssertion('request_object', token) : null;
  if (object === null) return request;
  const parameters = new Map<string, string>(
    [...request.parameters].filter(([name]) => name === 'client_id'),
  );
  const repeated = new Set<string>([...request.repeated].filter((name) => name === 'client_id'));
  for (const [name, claim] of Object.entries(object.claims)) {
    const [first, second] = (NOT_READ.has(name) ? undefined : valuesOf(name, claim)) ?? [];
    if (first !== undefined) parameters.set(name, first);
    if (second !== undefined) repeated.add(name);
  }
  const beside = [...request.parameters.keys()].filter((name) => !BESIDE.has(name));
  return { ...request, parameters, repeated, object: { ...object, beside } };
}

/** @throws OAuthError if the object is not signed as the client registered, or by somebody else */
async function checkSigner(object: OpenedObject, client: Client, domain: Domain): Promise<void> {
  const { alg, token } = object;
  const { request_object_signing_alg: registered, require_signed_request_object: signed } = client;
  const isUnsigned = alg === 'none';
  if (
    alg !== (registered ?? alg) ||
    (isUnsigned && (registered === undefined || signed === true))
  ) {
    const expected = isUnsigned && registered === alg ? 'a signature' : registered;
    throw new OAuthError('request_object_alg_refused', {
      expected: expected ?? REQUEST_OBJECT_ALGS.filter((one) => one !== 'none').join(', '),
      got: alg,
    });
  }
  if (isUnsigned) {
    if (!token.endsWith('.')) throw new OAuthError('request_object_signature_wrong');
  } else if (SECRET_ALGS.some((one) => one === alg)) {
    await checkSecretSignature(object, client);
  } else {
    await checkSignature(object, client, domain);
  }
}

/** @throws OAuthError for a claim that contradicts the request, or that no request object may have */
function checkClaims(
  object: OpenedObject,
  { client_id }: Client,
  { issuer, base, shape, ports }: Domain,
  evaluation: Evaluation,
): void {
  const { claims } = object;
  const named = requiredText(object, 'client_id');
  if (named !== client_id) {
    throw new OAuthError('request_object_client_differs', { expected: client_id, got: named });
  }
  if (claims['iss'] !== undefined) {
    const got = requiredText(object, 'iss');
    if (got !== client_id) {
      throw new OAuthError('request_object_iss_differs', { expected: client_id, got });
    }
  }
  if (claims['aud'] !== undefined) {
    checkAudience(object, { issuer: issuer(), base: base(), shape: shape() }, evaluation);
  }
  const now = ports.clock.now() / 1000;
  if (claims['exp'] !== undefined) checkExpiry(object, now);
  checkStart(object, now);
  const nested = NESTED.find((name) => claims[name] !== undefined);
  if (nested !== undefined) throw new OAuthError('request_object_nested', { field: nested });
  const malformed = Object.keys(claims).find(
    (name) =>
      !NOT_READ.has(name) &&
      isAuthorizationParameter(name) &&
      valuesOf(name, claims[name]) === undefined,
  );
  if (malformed === undefined) return;
  throw new OAuthError('request_object_claim_malformed', {
    field: safeParameterName(malformed),
    expected: 'a string',
  });
}

/**
 * Verifies the request object of a request, if it has one.
 * @throws OAuthError `invalid_request_object`, `request_not_supported` if the profile has no request objects, or
 * `invalid_request` if the client must send one
 */
export async function checkRequestObject(
  request: AuthorizationRequest,
  client: Client,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Promise<void> {
  const { object } = request;
  if (object === undefined && valueOf(request, 'request') === undefined) {
    if (client.require_signed_request_object !== true) pass(evaluation, 'request_object');
    else throw new OAuthError('request_object_required');
    return;
  }
  if (rules.request_object === 'rejected') throw new OAuthError('request_not_supported');
  if (object === undefined) throw new OAuthError('request_object_malformed');
  if (object === 'verified') {
    pass(evaluation, 'request_object', { note: 'verified before' });
    return;
  }
  await checkSigner(object, client, domain);
  checkClaims(object, client, domain, evaluation);
  const { beside } = object;
  pass(evaluation, 'request_object', { got: `a JWT ${signatureWords(object)}` });
  if (beside.length === 0) return;
  const names = [...new Set(beside.map(safeParameterName))].join(', ');
  note(evaluation, 'beside_request_object', names);
}
