// The documents for discovery: authorization server metadata (RFC 8414), the OpenID document, the JWK Set. They
// describe the active profile and what this release supports.

import { RESPONSE_MODES } from '../../core/authorization/response.ts';
import { RESPONSE_TYPES } from '../../core/records/response-types.ts';
import { grantsServed } from '../../core/token-endpoint/grants/index.ts';
import { PROMPTS } from '../../core/authorization/openid-parameters.ts';
import { CHALLENGE_METHODS } from '../../core/authorization/pkce.ts';
import { authMethodsOf, PROFILE_RULES } from '../../core/checks/profiles.ts';
import { supportedAcrs } from '../../core/registry/apis.ts';
import { COMMON_SCOPES } from '../../core/registry/scopes.ts';
import { REQUEST_OBJECT_ALGS, RESPONSE_ALGS } from '../../core/records/enumerations.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../core/records/endpoints.ts';
import type { TokenService } from '../../core/service.ts';
import { DPOP_ALGS } from '../../core/dpop/proof.ts';
import { STANDARD_CLAIMS } from '../../core/issuing/id-token.ts';
import { ASSERTION_ALGS, SECRET_ALGS } from '../../core/issuing/foreign-signatures.ts';
import { type Answer, json } from '../reply.ts';

/** Claims of ID tokens and userinfo; users may have additional claims. */
const CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'sid',
  'at_hash',
  'c_hash',
  ...STANDARD_CLAIMS,
];

const REVALIDATE = ['Cache-Control', 'max-age=0, must-revalidate'];

/** The authentication methods of each endpoint, and the algorithms for assertions. */
function authentication(service: TokenService) {
  const methods = authMethodsOf(PROFILE_RULES[service.settings().profile]);
  const members = (endpoint: string, supported: readonly string[]) => ({
    [`${endpoint}_endpoint_auth_methods_supported`]: supported,
    ...(supported.includes('private_key_jwt')
      ? {
          [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [
            ...ASSERTION_ALGS,
            ...SECRET_ALGS,
          ],
        }
      : {}),
  });
  return {
    ...members('token', methods),
    ...members('revocation', methods),
    ...members(
      'introspection',
      methods.filter((method) => method !== 'none'),
    ),
  };
}

/** RFC 9449 5.1. */
function proofs(service: TokenService) {
  const { dpop } = PROFILE_RULES[service.settings().profile];
  return dpop === 'ignored' ? {} : { dpop_signing_alg_values_supported: DPOP_ALGS };
}

/** The URLs of the endpoints, without those that are switched off or that the imitated provider does not have. */
function endpoints(service: TokenService): Record<string, string> {
  const off = service.settings().registration.mode === 'off';
  const members = ENDPOINT_NAMES.flatMap((name) => {
    const { member } = ENDPOINTS[name];
    const address = service.addressOf(name);
    const absent = member === null || address === null || (name === 'registration' && off);
    return absent ? [] : [[member, address] as const];
  });
  return Object.fromEntries(members);
}

/** Adds the members of the imitated provider's metadata; null removes a member. */
function withShape(members: Record<string, unknown>, service: TokenService) {
  const shape = service.shape();
  if (shape === null) return members;
  const all = Object.entries({ ...members, ...shape.metadata });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** draft-ietf-oauth-refresh-token-expiration-03, 8. */
function expirationTypes(service: TokenService) {
  if (!service.settings().expiry_members) return {};
  return { refresh_token_expiration_types_supported: ['authorization', 'token_timeout'] };
}

const hasIdTokenResponses = (service: TokenService): boolean =>
  PROFILE_RULES[service.settings().profile].id_token_response === 'note';

/** The grants under their standard names, then those that the imitated provider names otherwise. */
function grants(service: TokenService): string[] {
  const served = grantsServed(PROFILE_RULES[service.settings().profile]);
  const others = [...(service.shape()?.grant_types ?? [])];
  const implicit = hasIdTokenResponses(service) ? ['implicit'] : [];
  return [
    ...served,
    ...implicit,
    ...others.filter(([, name]) => served.includes(name)).map(([name]) => name),
  ];
}

/** RFC 9101 10.5, OpenID Connect Discovery 3. */
function requestObjects(service: TokenService) {
  const { request_object } = PROFILE_RULES[service.settings().profile];
  if (request_object === 'rejected') return { request_parameter_supported: false };
  return {
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: REQUEST_OBJECT_ALGS,
    require_signed_request_object: false,
  };
}

function metadata(service: TokenService) {
  const issuer = service.issuer();
  const scopes = service.registry.definedScopes();
  return {
    issuer,
    ...endpoints(service),
    require_pushed_authorization_requests: service.settings().require_pushed_authorization_requests,
    response_types_supported: hasIdTokenResponses(service) ? RESPONSE_TYPES : ['code'],
    response_modes_supported: RESPONSE_MODES,
    authorization_signing_alg_values_supported: RESPONSE_ALGS,
    prompt_values_supported: PROMPTS,
    ...requestObjects(service),
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
    grant_types_supported: grants(service),
    ...authentication(service),
    introspection_signing_alg_values_supported: RESPONSE_ALGS,
    ...proofs(service),
    code_challenge_methods_supported: CHALLENGE_METHODS.filter(
      (method) => method !== 'plain' || service.settings().pkce_plain,
    ),
    scopes_supported: [...new Set([...COMMON_SCOPES, ...scopes])],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    ...(service.settings().registration.document_origins === undefined
      ? {}
      : { client_id_metadata_document_supported: true }),
    ...expirationTypes(service),
  };
}

/** GET /.well-known/oauth-authorization-server */
export function authorizationServerMetadata(service: TokenService): Answer {
  return json(withShape(metadata(service), service), REVALIDATE);
}

/** GET /.well-known/openid-configuration */
export function openidConfiguration(service: TokenService): Answer {
  const { signing_alg } = service.settings();
  const acrs = supportedAcrs(service.settings(), service.registry.apis.list());
  const members = {
    ...metadata(service),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signing_alg],
    userinfo_signing_alg_values_supported: RESPONSE_ALGS,
    claims_supported: CLAIMS,
    ...(acrs.length === 0 ? {} : { acr_values_supported: acrs }),
  };
  return json(withShape(members, service), REVALIDATE);
}

/** GET /.well-known/jwks.json */
export async function jwks(service: TokenService): Promise<Answer> {
  await service.keyring.signing(service.settings().signing_alg);
  return json(service.keyring.jwks(), REVALIDATE);
}
