// Where each refusal can occur, and how it is reported. Each group has its usual places, followed by the refusals of
// the group that occur elsewhere. A start does not load this.

import { DEVICE_CODE_GRANT, GRANT_TYPES } from '../../records/enumerations.ts';
import type { GrantType } from '../../records/schemas.ts';
import type { Endpoint } from '../trace.ts';
import { GROUPS, type RefusalReason } from './index.ts';
import { BY_REDIRECT, ON_A_PAGE } from './of-authorization.ts';
import { OF_CREDENTIALS, OF_HINTS, OF_LOGOUT, OF_THE_PERSON } from './of-sign-in.ts';
import { describeCause } from '../describe-cause.ts';
import { OAuthError } from '../errors.ts';

/**
 * How a refusal is reported to the client: in a JSON body, on a page, in the parameters of a redirect to the app, or
 * not at all: the response is that of a correct request, or there is none, and only the trace has the refusal.
 */
type Delivery = 'json' | 'page' | 'redirect' | 'none';

export interface PlaceOfRefusal {
  /** null for any path. */
  readonly endpoint: Endpoint | null;
  /** At the token endpoint, the grants with which it can occur; absent for all grants that make the check. */
  readonly grants?: readonly GrantType[];
  readonly delivery: Delivery;
  /** Only after the form of the sign-in page was submitted. */
  readonly by_form?: true;
}

type Places = readonly PlaceOfRefusal[];

const places =
  (delivery: Delivery) =>
  (...endpoints: readonly (Endpoint | null)[]): Places =>
    endpoints.map((endpoint) => ({ endpoint, delivery }));

const json = places('json');
const page = places('page');
const redirect = places('redirect');
const withoutError = places('none');
const grants = (...names: readonly GrantType[]): Places => [
  { endpoint: 'token', grants: names, delivery: 'json' },
];

const each = <Reason extends RefusalReason>(reasons: readonly Reason[], at: Places) =>
  Object.fromEntries(reasons.map((reason) => [reason, at])) as Readonly<Record<Reason, Places>>;

const all = <Reason extends RefusalReason>(group: Readonly<Record<Reason, unknown>>, at: Places) =>
  each(Object.keys(group) as Reason[], at);

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Grants without a preceding authorization: the request itself has the scope and audience. */
const ASKING: readonly GrantType[] = ['client_credentials', 'password', TOKEN_EXCHANGE, JWT_BEARER];

const WITH_CREDENTIAL = GRANT_TYPES.filter((grant) => grant !== 'client_credentials');

/** Where a client authenticates. */
const CLIENTS = ['token', 'par', 'revoke', 'introspect', 'device_authorization'] as const;

/** The sign-in page is shown again, so that the user can try once more. */
const ON_FORM: PlaceOfRefusal = { endpoint: 'authorize', delivery: 'page', by_form: true };

/** Endpoints that read parameters from a body. */
const BODIES = [...CLIENTS, 'userinfo'] as const;

/** Where an access token gives access. */
const RESOURCES = json('userinfo', 'api');

const IN_BROWSER = ['authorize', 'device', 'logout'] as const;
const EVERYWHERE = json(...BODIES, 'api', ...IN_BROWSER, 'register', null);

/** Once client and redirect URI are known. */
const AUTHORIZATION = [...redirect('authorize'), ...json('par')];

/** Where scope and audience are requested before there is a credential. */
const ASKED = [...AUTHORIZATION, ...json('device_authorization')];

const PRESENTED = withoutError('revoke', 'introspect');

export const PLACES: Readonly<Record<RefusalReason, Places>> = {
  ...all(GROUPS.requests, json(...BODIES, 'register')),
  ...each(['method_not_allowed', 'preflight_off'], EVERYWHERE),
  preflight_method: withoutError(...BODIES, 'api', null),
  preflight_closed: json(...IN_BROWSER, 'register', null),
  ...each(
    ['not_found', 'registration_off', 'malformed_http', 'tls_required', 'tls_unexpected'],
    json(null),
  ),
  tls_failed: withoutError(null),
  ...each(['headers_too_large', 'request_slow', 'expectation_unknown'], json(null)),
  ...each(['body_stalled', 'body_cut', 'body_too_large'], json(null)),
  ...each(
    ['charset_unsupported', 'content_encoding_unsupported', 'body_not_utf8'],
    [...json(...BODIES, 'register'), ...page(...IN_BROWSER)],
  ),
  body_missing: json(...CLIENTS, 'register'),
  ...each(
    ['value_not_string', 'content_type_not_documented', 'query_credentials'],
    json(...BODIES),
  ),
  ...each(['grant_type_missing', 'grant_type_unsupported'], json('token')),

  ...all(GROUPS.clients, json(...CLIENTS)),
  grant_not_allowed: [...json('token', 'par', 'device_authorization'), ...redirect('authorize')],
  grant_not_allowed_for_id_token: AUTHORIZATION,
  grant_not_for_public_client: grants('client_credentials', TOKEN_EXCHANGE, JWT_BEARER),
  grant_not_in_profile: grants('password'),
  ...each(
    ['parameter_missing', 'parameter_empty'],
    [...grants(...WITH_CREDENTIAL), ...json('par', 'revoke', 'introspect')],
  ),
  parameter_too_long: [...json(...CLIENTS), ...redirect('authorize')],

  ...all(GROUPS['client assertions'], json(...CLIENTS)),

  ...all(GROUPS.dpop, json('token', 'par', 'userinfo', 'api')),
  ...each(['dpop_not_supported', 'dpop_required'], json('token')),
  ...each(['dpop_missing', 'dpop_ath_differs', 'access_token_bound'], RESOURCES),
  ...each(['access_token_not_bound', 'access_token_of_other_key'], RESOURCES),
  dpop_key_unproven: grants('authorization_code', 'refresh_token'),
  code_of_other_key: grants('authorization_code'),
  refresh_token_of_other_key: grants('refresh_token'),
  dpop_jkt_malformed: AUTHORIZATION,
  dpop_jkt_differs: json('par'),

  ...all(GROUPS.credentials, grants('authorization_code')),
  throttled: json('token'),
  id_token_secret_short: [...json('token'), ...AUTHORIZATION],
  ...each(['refresh_token_unknown', 'refresh_token_is_other_credential'], grants('refresh_token')),
  ...each(['refresh_token_of_other_client', 'refresh_token_rotated'], grants('refresh_token')),
  ...each(
    ['refresh_token_revoked', 'refresh_token_expired'],
    [...grants('refresh_token'), ...PRESENTED],
  ),
  ...each(
    ['audience_unknown', 'resource_differs'],
    [...grants(...ASKING, 'authorization_code'), ...ASKED],
  ),
  audience_differs: grants('authorization_code', 'refresh_token', DEVICE_CODE_GRANT),
  resource_repeated: [...json('token'), ...ASKED],
  scope_unknown: [...grants(...ASKING, 'authorization_code', DEVICE_CODE_GRANT), ...ASKED],
  scope_beyond_grant: grants('refresh_token'),
  scope_malformed: [...grants(...ASKING, 'refresh_token'), ...ASKED],

  ...all(GROUPS['device codes'], grants(DEVICE_CODE_GRANT)),
  ...all(GROUPS.assertions, grants(JWT_BEARER)),
  ...all(GROUPS.passwords, grants('password')),
  ...all(GROUPS['token exchange'], grants(TOKEN_EXCHANGE)),

  ...all(GROUPS['access tokens'], [...RESOURCES, ...PRESENTED]),
  ...each(['access_token_missing', 'access_token_twice'], RESOURCES),
  ...each(['openid_missing', 'access_token_for_other_api'], json('userinfo')),
  ...all(GROUPS['protected apis'], json('api')),
  ...each(['access_token_of_client', 'access_token_of_former_user'], json('userinfo')),

  ...all(GROUPS['presented tokens'], PRESENTED),
  client_not_authenticated: json('introspect'),
  token_of_other_client: json('revoke'),

  ...all(ON_A_PAGE, page('authorize')),
  ...each(['content_type_not_form', 'parameters_not_utf8'], page(...IN_BROWSER)),
  target_parameter_repeated: page('authorize', 'logout'),
  ...each(['form_incomplete', 'form_user_unknown'], page('authorize', 'device')),
  client_document_unusable: [...page('authorize'), ...json('par')],
  ...each(
    ['redirect_uri_missing', 'redirect_uri_none_registered', 'redirect_uri_relative'],
    [...page('authorize'), ...json('par')],
  ),
  ...each(
    ['redirect_uri_unsafe', 'redirect_uri_fragment', 'redirect_uri_unregistered'],
    [...page('authorize'), ...json('par')],
  ),
  ...all(BY_REDIRECT, AUTHORIZATION),
  ...each(['authorization_parameter_repeated', 'request_uri_not_supported'], redirect('authorize')),

  ...all(GROUPS['pushed requests'], page('authorize')),
  request_uri_used: [...page('authorize'), ...redirect('authorize')],
  request_uri_pushed: json('par'),
  push_required: redirect('authorize'),

  ...all(OF_HINTS, [...AUTHORIZATION, ...page('logout')]),
  ...all(OF_CREDENTIALS, [ON_FORM, ...page('device')]),
  ...all(OF_THE_PERSON, redirect('authorize')),
  sign_in_user_locked: [...redirect('authorize'), ON_FORM, ...page('device')],
  authorization_denied_by_setting: [...redirect('authorize'), ...page('device')],
  ...each(
    [
      'authorization_denied_by_person',
      'sign_in_failed_by_person',
      'server_error_by_person',
      'unavailable_by_person',
    ],
    [{ endpoint: 'authorize', delivery: 'redirect', by_form: true }],
  ),
  ...all(OF_LOGOUT, page('logout')),

  ...all(GROUPS.registration, json('register')),
  ...all(GROUPS.devices, page('device')),
  fault: json(null),
};

interface GeneralWords {
  readonly description?: string;
  readonly summary?: string;
  readonly advice?: string;
}

const ofClaims = (jwt: string) => ({
  missing: { summary: `A claim that is required is missing in the ${jwt}.` },
  malformed: { summary: `A claim of the ${jwt} has the wrong type.` },
  early: { summary: `A claim of the ${jwt} is in the future.` },
});

const ASSERTION = ofClaims('assertion');
const PROOF = ofClaims('proof');
const REQUEST_OBJECT = ofClaims('request object');

const METADATA = { description: 'a member of the client metadata is invalid' };

const GENERAL: Readonly<Partial<Record<RefusalReason, GeneralWords>>> = {
  method_not_allowed: { advice: 'Send a method that the Allow header lists.' },
  preflight_method: { advice: 'Send a method that the endpoint supports from the page.' },
  body_too_large: {
    description: 'the request body must not exceed the limit in the settings',
    summary: 'The body exceeds the limit in the settings (max_body_bytes).',
  },
  value_not_string: { advice: 'Send every parameter as a JSON string.' },
  content_type_not_documented: {
    description: 'the Content-Type must be the documented one',
    advice: 'Send the body as JSON or as a form, as the endpoint or the grant documents it.',
  },
  parameter_missing: {
    summary: 'A required parameter is missing.',
    advice: 'Send it in the body.',
  },
  parameter_empty: {
    summary: 'A required parameter is empty.',
    advice: 'Set a value for it. An environment variable may be unset.',
  },
  parameter_too_long: {
    description: 'a parameter must not be longer than allowed',
    summary: 'A parameter is longer than allowed.',
    advice: 'Send the value as it was issued, or a shorter one.',
  },
  client_assertion_type_unsupported: {
    advice: 'Send the URN of the jwt-bearer type (RFC 7523 2.2) as client_assertion_type.',
  },
  client_assertion_claim_missing: ASSERTION.missing,
  client_assertion_claim_malformed: ASSERTION.malformed,
  client_assertion_too_early: ASSERTION.early,
  dpop_claim_missing: PROOF.missing,
  dpop_claim_malformed: PROOF.malformed,
  dpop_key_unproven: {
    description:
      'a DPoP proof is required: the code or refresh token is bound to a key (RFC 9449 5)',
    summary: 'The code or refresh token is bound to a key, but no DPoP proof was validated.',
  },
  throttled: {
    description: 'too many requests with this credential from this address; retry later',
    summary: 'Throttled: too many requests with this credential from this address.',
  },
  response_type_unsupported: {
    description: 'response_type is not supported',
    summary: 'The profile or the service does not support this response_type.',
    advice:
      'Send response_type=code. Only the interop profile accepts id_token and code id_token; access tokens are never sent through the browser.',
  },
  id_token_secret_short: {
    description: 'an id_token signed with HS256 needs a longer client_secret (RFC 7518 3.2)',
  },
  assertion_claim_missing: ASSERTION.missing,
  assertion_claim_malformed: ASSERTION.malformed,
  assertion_too_early: ASSERTION.early,
  request_object_claim_missing: REQUEST_OBJECT.missing,
  request_object_claim_malformed: REQUEST_OBJECT.malformed,
  request_object_too_early: REQUEST_OBJECT.early,
  token_type_unsupported: {
    description: 'the type of a token is not a supported token type (RFC 8693 3)',
    summary: 'The type of a token is not supported.',
  },
  metadata_redirect_uri: METADATA,
  metadata_invalid: METADATA,
  registration_full: { description: 'no more clients can be registered' },
  user_code_too_long: { description: 'user_code must not be longer than a code' },
  user_code_guessed: {
    description: 'too many wrong user codes from this address; retry later',
  },
};

/** A refusal without a request, whose texts are general. */
export class GeneralRefusal extends OAuthError {
  override get description(): string {
    return GENERAL[this.reason]?.description ?? super.description;
  }
}

/** Returns the check that fails, the cause in one sentence, and what to do. */
export function describeInGeneral(refusal: GeneralRefusal) {
  const { check, ...words } = describeCause(refusal);
  const { summary = words.summary, advice = words.advice } = GENERAL[refusal.reason] ?? {};
  return { check, summary, advice };
}
