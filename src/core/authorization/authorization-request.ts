// Reading a request at the authorization endpoint (behaviour 7, RFC 6749 4.1.1, OpenID Connect Core
// 3.1.2.1). In this order, as rules.ts has it:
//
//   client_id, redirect_uri       rejected on a page, without a redirect
//   repeats, response_mode, request objects, response_type, grant, PKCE, audience, scope, prompt,
//   id_token_hint                 rejected in a redirect to the client
//
// Sign-in and consent come afterwards: consent.ts.

import { checkAudience, namedAudience } from '../registry/audiences.ts';
import {
  checkResponseMode,
  responseModeOf,
  type ResponseTarget,
  signatureOf,
  responseTypeOf,
} from './response.ts';
import { RESPONSE_TYPES, type ResponseType } from '../records/response-types.ts';
import type { Domain } from '../model/domain.ts';
import { OAuthError } from '../checks/errors.ts';
import { knownScope, readScope, scopesOf } from '../registry/scopes.ts';
import { textBytes } from '../collections/weight.ts';
import {
  type AuthorizationRequest,
  isAuthorizationParameter,
  noteIgnored,
} from './request-parameters.ts';
import { checkRequestObject } from './request-object.ts';
import { type OpenIdParameters, readOpenIdParameters } from './openid-parameters.ts';
import { keptText } from '../collections/kept-text.ts';
import { checkLengths, safeParameterName } from '../checks/parameters.ts';
import {
  CHALLENGE_RULES,
  type ChallengeMethod,
  isChallenge,
  isChallengeMethod,
  mustChallenge,
} from './pkce.ts';
import { PROFILE_RULES, type ProfileRules } from '../checks/profiles.ts';
import { checkIdTokenKey } from '../issuing/id-token.ts';
import { checkRedirectUri } from '../registry/redirect-uris.ts';
import type { Registry } from '../registry/lists.ts';
import { valueOf } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';

/** A request whose client and redirect URI are known, so that a response can be sent. */
export interface AddressedRequest {
  readonly client: Client;
  readonly target: ResponseTarget;
  /** False if the request had none and the only registered one is used (RFC 6749 4.1.3). */
  readonly redirect_uri_given: boolean;
}

/** A valid authorization request, which can be granted if the user consents. */
export interface RequestedAuthorization extends AddressedRequest, OpenIdParameters {
  readonly response_type: ResponseType;
  /** null if it is decided when the code is exchanged. */
  readonly audience: string | null;
  readonly requested_scope: string;
  /** The requested scopes that can be granted. */
  readonly scopes: readonly string[];
  readonly nonce: string | null;
  readonly code_challenge: string | null;
  readonly code_challenge_method: ChallengeMethod | null;
  /** Thumbprint of the key that the code is bound to (RFC 9449 10); null for none. */
  readonly jkt: string | null;
}

const UNSUPPORTED = ['request_uri', 'registration'] as const;

/** @throws OAuthError naming the parameter that was sent more than once */
export function checkOnce(request: AuthorizationRequest, ...fields: readonly string[]): void {
  const field = fields.find((name) => request.repeated.has(name));
  if (field !== undefined) throw new OAuthError('target_parameter_repeated', { field });
}

/** Returns the client of the request. @throws OAuthError if there is none */
export function checkAuthorizingClient(
  request: AuthorizationRequest,
  registry: Registry,
  evaluation: Evaluation,
): Client {
  const client_id = valueOf(request, 'client_id');
  if (client_id === undefined) {
    const got = request.misplaced ? { got: 'in the query' } : {};
    throw new OAuthError('authorization_client_missing', got);
  }
  const client = registry.clients.get(client_id);
  if (client === undefined)
    throw new OAuthError('authorization_client_unknown', { got: client_id });
  evaluation.client_id = client.client_id;
  pass(evaluation, 'client_id');
  return client;
}

/**
 * Returns the client and the redirect URI. Until both are known, a refusal must not be redirected.
 * @throws OAuthError to be shown on a page
 */
export function addressRequest(
  request: AuthorizationRequest,
  { registry, settings }: Domain,
  evaluation: Evaluation,
): AddressedRequest {
  evaluation.profile = settings().profile;
  checkOnce(request, 'client_id', 'redirect_uri');
  pass(evaluation, 'body');
  const client = checkAuthorizingClient(request, registry, evaluation);
  evaluation.profile = client.profile ?? settings().profile;
  return addressTo(client, request, evaluation);
}

/** The same for a known client. @throws OAuthError for a redirect URI that the client has not registered */
export function addressTo(
  client: Client,
  request: AuthorizationRequest,
  evaluation: Evaluation,
): AddressedRequest {
  const given = valueOf(request, 'redirect_uri');
  const unread = ['request_uri', 'request'].find((name) => valueOf(request, name) !== undefined);
  const redirect_uri = checkRedirectUri(client, given, request.object ? 'claims' : unread);
  pass(evaluation, 'redirect_uri', {
    got: redirect_uri,
    ...(given === undefined ? { note: 'not sent: the only registered one was used' } : {}),
  });
  const state = request.repeated.has('state') ? undefined : valueOf(request, 'state');
  return {
    client,
    target: {
      redirect_uri: keptText(redirect_uri),
      response_mode: responseModeOf(request, redirect_uri),
      signed: signatureOf(request, client),
      state: state === undefined ? null : keptText(state),
    },
    redirect_uri_given: given !== undefined,
  };
}

function checkForm(
  request: AuthorizationRequest,
  { target }: AddressedRequest,
  evaluation: Evaluation,
): void {
  const [repeated] = [...request.repeated].filter((name) => name !== 'resource');
  if (repeated !== undefined) {
    throw new OAuthError('authorization_parameter_repeated', {
      field: safeParameterName(repeated),
    });
  }
  checkLengths(request);
  pass(evaluation, 'parameters');
  checkResponseMode(request, target.redirect_uri, evaluation);
  for (const name of UNSUPPORTED) {
    if (valueOf(request, name) !== undefined) throw new OAuthError(`${name}_not_supported`);
  }
}

function readResponseType(
  request: AuthorizationRequest,
  rules: ProfileRules,
  evaluation: Evaluation,
): ResponseType {
  const sent = valueOf(request, 'response_type');
  if (sent === undefined) throw new OAuthError('response_type_missing');
  const type = responseTypeOf(request);
  const got = sent.slice(0, 100);
  if (type === undefined)
    throw new OAuthError('response_type_unsupported', { expected: RESPONSE_TYPES.join(', '), got });
  if (type !== 'code') {
    if (rules.id_token_response === 'reject') {
      throw new OAuthError('response_type_unsupported', { expected: 'code', got });
    }
    note(evaluation, 'id_token_response', type);
  }
  pass(evaluation, 'response_type', { got });
  return type;
}

/** @throws OAuthError `unauthorized_client` if the client is not registered for the response type */
function checkGrants({ grant_types }: Client, type: ResponseType, evaluation: Evaluation): void {
  if (type !== 'id_token' && !grant_types.includes('authorization_code')) {
    throw new OAuthError('grant_not_allowed');
  }
  if (type !== 'code' && !grant_types.includes('implicit')) {
    throw new OAuthError('grant_not_allowed_for_id_token');
  }
  pass(evaluation, 'grant_allowed');
}

/**
 * Checks what an ID token in the response requires (OpenID Connect Core 3.2.2.1 and 3.3.2.1).
 * @throws OAuthError for a missing nonce or scope, or a client_secret that cannot sign
 */
function checkIdTokenResponse(
  request: AuthorizationRequest,
  client: Client,
  scopes: readonly string[],
  { settings }: Domain,
  evaluation: Evaluation,
): void {
  if (valueOf(request, 'nonce') === undefined) throw new OAuthError('nonce_missing');
  if (!scopes.includes('openid')) throw new OAuthError('openid_not_requested');
  pass(evaluation, 'nonce');
  checkIdTokenKey(client, settings().signing_alg);
}

type Challenge = Pick<RequestedAuthorization, 'code_challenge' | 'code_challenge_method'>;

function readChallenge(
  request: AuthorizationRequest,
  client: Client,
  type: ResponseType,
  { settings }: Domain,
  evaluation: Evaluation,
): Challenge {
  const challenge = valueOf(request, 'code_challenge');
  const method = valueOf(request, 'code_challenge_method') ?? 'plain';
  if (!isChallengeMethod(method)) {
    const got = method.slice(0, 100);
    throw new OAuthError('challenge_method_unsupported', { expected: 'S256 or plain', got });
  }
  if (challenge === undefined) {
    const alone = valueOf(request, 'code_challenge_method') !== undefined;
    if (alone) throw new OAuthError('challenge_method_alone');
    if (type !== 'id_token' && mustChallenge(client)) throw new OAuthError('challenge_missing');
    pass(evaluation, 'pkce', { note: 'not used' });
    return { code_challenge: null, code_challenge_method: null };
  }
  if (method === 'plain' && !settings().pkce_plain) throw new OAuthError('challenge_method_plain');
  if (!isChallenge(challenge, method)) {
    throw new OAuthError('challenge_malformed', { expected: CHALLENGE_RULES[method] });
  }
  pass(evaluation, 'pkce', { note: `method ${method}` });
  return { code_challenge: challenge, code_challenge_method: method };
}

const THUMBPRINT = /^[\w-]{43}$/;

/** Returns the thumbprint of the key to bind the code to, if the profile supports DPoP (RFC 9449 10). */
function readKey(
  request: AuthorizationRequest,
  rules: ProfileRules,
  evaluation: Evaluation,
): string | null {
  const jkt = valueOf(request, 'dpop_jkt');
  if (jkt === undefined || rules.dpop === 'ignored') return null;
  if (!THUMBPRINT.test(jkt)) throw new OAuthError('dpop_jkt_malformed');
  pass(evaluation, 'dpop_key', { got: jkt });
  return keptText(jkt);
}

function readAudience(
  request: AuthorizationRequest,
  rules: ProfileRules,
  { registry, issuer }: Domain,
  evaluation: Evaluation,
): string | null {
  const audience = namedAudience(request, rules, issuer());
  if (audience === undefined) {
    pass(evaluation, 'audience', { note: 'decided when the code is exchanged' });
    return null;
  }
  checkAudience(audience, request, registry, issuer());
  pass(evaluation, 'audience', { got: audience });
  return audience;
}

function readScopes(
  request: AuthorizationRequest,
  audience: string | null,
  rules: ProfileRules,
  registry: Registry,
  evaluation: Evaluation,
): readonly string[] {
  const asked = readScope(valueOf(request, 'scope') ?? '', rules, evaluation);
  return scopesOf(knownScope({ evaluation, rules, registry }, asked, audience));
}

/**
 * Validates the request and returns everything it asks for.
 * @throws OAuthError to be sent to the client in a redirect (RFC 6749 4.1.2.1)
 */
export async function readRequest(
  request: AuthorizationRequest,
  addressed: AddressedRequest,
  domain: Domain,
  evaluation: Evaluation,
): Promise<RequestedAuthorization> {
  const { client } = addressed;
  const rules = PROFILE_RULES[client.profile ?? domain.settings().profile];
  checkForm(request, addressed, evaluation);
  await checkRequestObject(request, client, rules, domain, evaluation);
  const response_type = readResponseType(request, rules, evaluation);
  checkGrants(client, response_type, evaluation);
  const challenge = readChallenge(request, client, response_type, domain, evaluation);
  const jkt = readKey(request, rules, evaluation);
  const audience = readAudience(request, rules, domain, evaluation);
  const scopes = readScopes(request, audience, rules, domain.registry, evaluation);
  if (response_type !== 'code') {
    checkIdTokenResponse(request, client, scopes, domain, evaluation);
  }
  const openid = await readOpenIdParameters(request, client, domain, evaluation);
  noteIgnored(request, rules, evaluation);
  return {
    ...addressed,
    response_type,
    ...challenge,
    jkt,
    audience,
    requested_scope: valueOf(request, 'scope') ?? '',
    scopes,
    nonce: valueOf(request, 'nonce') ?? null,
    ...openid,
  };
}

const PARAMETER_BYTES = 64;

/**
 * Returns the request to be stored after its exchange: until the user has decided, or between its push and its use.
 * Parameters that are never read are not stored, as there may be any number of them.
 */
export function keptRequest(request: AuthorizationRequest): AuthorizationRequest {
  const read = [...request.parameters].filter(([name]) => isAuthorizationParameter(name));
  const parameters = new Map(read.map(([name, value]) => [name, keptText(value)]));
  return { ...request, parameters, ...(request.object && { object: 'verified' }) };
}

/** Returns the weight of a stored request in a bounded collection. */
export function requestBytes({ parameters, request_uri }: AuthorizationRequest): number {
  let bytes = request_uri === undefined ? 0 : textBytes(request_uri);
  for (const [name, value] of parameters) {
    bytes += PARAMETER_BYTES + textBytes(name) + textBytes(value);
  }
  return bytes;
}
