// Behaviour 3: the description and the error code of each rejection.

import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/core/checks/refusals/index.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { describeCause, shortCause } from '../../src/core/checks/describe-cause.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';
import { REFUSALS } from '../../src/core/checks/refusals/index.ts';

const REASONS = Object.keys(REFUSALS) as RefusalReason[];

/** The worst client-supplied text; `field` and `expected` are our own words. */
const HOSTILE = '"\\\r\n\u0000\u001b[31mhunter2-é<script>';
const FACTS = {
  field: 'code',
  expected: 'application/json',
  got: HOSTILE,
  client: HOSTILE,
  other_client: HOSTILE,
  at: 1,
  exchange: 2,
  seconds: 3,
};

describe('each reason', () => {
  test('behaviour 3.1: is described in ASCII without quote or backslash, in one sentence', () => {
    for (const reason of REASONS) {
      for (const facts of [{}, FACTS]) {
        const { description } = new OAuthError(reason, facts);
        expect(description, reason).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
        expect(description, reason).not.toMatch(/[.!?](\s|$)/);
      }
      expect(new OAuthError(reason, FACTS).description, reason).toMatch(/^\S.*\S$/);
    }
  });

  test('behaviour 3.1: never echoes what the client sent', () => {
    for (const reason of REASONS) {
      const { description } = new OAuthError(reason, FACTS);
      expect(description, reason).not.toMatch(/hunter2|script|31m/);
      const other = new OAuthError(reason, { ...FACTS, got: 'x', client: 'y' });
      expect(description, reason).toBe(other.description);
    }
  });

  test('behaviour 3.12: has a cause that states a long duration in days, not in seconds', () => {
    for (const reason of REASONS) {
      const error = new OAuthError(reason, { ...FACTS, expected: '3600', seconds: 86_399 });
      const { summary, detail, advice } = describeCause(error);
      expect(`${summary} ${detail ?? ''} ${advice ?? ''}`, reason).not.toMatch(/\d{3,} s\b/);
    }
  });

  test('behaviour 12.4: has a cause without paths of endpoints, which depend on the issuer and the shape', () => {
    for (const reason of REASONS) {
      const { summary, advice } = describeCause(new OAuthError(reason));
      expect(`${summary} ${advice ?? ''}`, reason).not.toMatch(/(?<!\S)\/[a-z]/);
    }
  });

  test('behaviour 3.12: has advice, unless its detail names the member and what it must be', () => {
    const without = REASONS.filter(
      (reason) => describeCause(new OAuthError(reason)).advice === null,
    );
    expect(without).toEqual([
      'client_assertion_claim_malformed',
      'dpop_claim_malformed',
      'assertion_claim_malformed',
      'mcp_message_malformed',
      'request_object_claim_malformed',
    ]);
    for (const reason of without)
      expect(describeCause(new OAuthError(reason, FACTS)).detail, reason).not.toBeNull();
  });

  test('behaviour 3: has a cause of whole sentences', () => {
    for (const reason of REASONS) {
      const { summary, advice } = describeCause(new OAuthError(reason, FACTS));
      for (const words of [summary, advice ?? 'None.']) {
        expect(words, reason).toMatch(/^[A-Z].*[^.]\.$/);
      }
      expect(shortCause(new OAuthError(reason)), reason).toMatch(/\S/);
    }
  });
});

const CODES: Readonly<Partial<Record<ErrorCode, readonly RegExp[]>>> = {
  invalid_client: [
    /^basic_/,
    /^header_not_allowed$/,
    /^client_unknown$/,
    /^client_secret_(missing|wrong|required)$/,
    /^client_has_no_secret$/,
    /^client_authentication_missing$/,
    /^client_assertion_(?!incomplete$)/,
    /^client_not_authenticated$/,
    /^(authorization|logout)_client_unknown$/,
  ],
  invalid_grant: [
    /^(code|refresh_token)_/,
    /^device_code_(?!expired$)/,
    /^redirect_uri_differs$/,
    /^challenge_required$/,
    /^token_of_other_client$/,
    /^assertion_/,
    /^on_behalf_of_/,
    /^(username_unknown|username_locked|password_wrong)$/,
  ],
  invalid_token: [
    /^access_token_(?!twice$|in_query$|of_client$)/,
    /^api_requires_/,
    /^(initial|registration)_token_/,
    /^token_(unknown|is_code|rotated)$/,
  ],
  invalid_redirect_uri: [/^metadata_redirect_uri$/],
  invalid_client_metadata: [/^metadata_invalid$/],
  insufficient_scope: [/^access_token_of_client$/, /^openid_missing$/, /^api_scope_missing$/],
  insufficient_user_authentication: [/^api_(sign_in|acr)_/],
  invalid_target: [/^audience_/, /^resource_/],
  invalid_scope: [/^scope_/],
  unauthorized_client: [/^grant_not_/],
  unsupported_grant_type: [/^grant_type_unsupported$/],
  unsupported_response_type: [/^response_type_unsupported$/],
  request_not_supported: [/^request_not_supported$/],
  request_uri_not_supported: [/^request_uri_not_supported$/],
  invalid_request_uri: [/^request_uri_(unknown|of_other_client|used|expired)$/],
  invalid_request_object: [/^request_object_(?!required$)/],
  registration_not_supported: [/^registration_not_supported$/],
  login_required: [/^sign_in_(?!user_locked$|password_wrong$|code_wrong$)/],
  consent_required: [/^consent_missing$/],
  unmet_authentication_requirements: [/^acr_unmet$/],
  access_denied: [
    /^sign_in_(user_locked|password_wrong|code_wrong)$/,
    /^authorization_denied_/,
    /^device_denied$/,
    /^mcp_origin_foreign$/,
  ],
  authorization_pending: [/^device_pending$/],
  slow_down: [/^device_polled_too_soon$/],
  expired_token: [/^device_code_expired$/],
  use_dpop_nonce: [/^dpop_nonce_/],
  invalid_dpop_proof: [/^dpop_(?!nonce_|not_supported$|jkt_(malformed|differs)$)/],
  too_many_requests: [/^throttled$/, /^user_code_guessed$/],
  method_not_allowed: [/^method_not_allowed$/, /^preflight_/],
  not_found: [/^(not_found|registration_off|api_path_without_rule|mcp_method_unknown)$/],
  server_error: [/^fault$/, /^server_error_by_person$/],
  temporarily_unavailable: [/^unavailable_by_person$/],
};

test('spec 7, behaviour 3: each reason has the error code of its row', () => {
  const rows = Object.entries(CODES);
  const codeOf = (reason: string) =>
    rows.find(([, patterns]) => patterns.some((one) => one.test(reason)))?.[0] ?? 'invalid_request';
  const codes = REASONS.map((reason) => `${reason}: ${new OAuthError(reason).code}`);
  expect(codes).toEqual(REASONS.map((reason) => `${reason}: ${codeOf(reason)}`));
});

/** All reasons in the order of evaluation: `check: reason reason …` for each run of reasons with the same check. */
const ORDER = `
  method: method_not_allowed preflight_method preflight_closed preflight_off
  path: not_found registration_off
  http: malformed_http tls_required tls_unexpected tls_failed headers_too_large request_slow
    expectation_unknown
  body: body_stalled body_cut body_too_large
  content_type: content_type_missing content_type_unreadable charset_unsupported
    content_encoding_unsupported
  body: body_not_utf8 body_missing json_malformed json_not_object value_not_string
    parameter_repeated
  grant_type: grant_type_missing grant_type_unsupported
  grant_content_type: content_type_not_documented
  query: query_credentials
  authorization_header: basic_not_allowed header_not_allowed two_client_authentications
    client_ids_differ basic_malformed
  client_id: client_authentication_missing client_id_missing client_unknown
  client_secret: client_secret_missing client_secret_required client_has_no_secret
    client_secret_wrong client_secret_unexpected
  grant_allowed: grant_not_allowed grant_not_allowed_for_id_token grant_not_for_public_client
    grant_not_in_profile
  parameters: parameter_missing parameter_empty parameter_too_long
  authorization_header: client_assertion_not_allowed client_assertion_incomplete
    client_assertion_type_unsupported client_assertion_malformed
  client_secret: client_assertion_missing client_assertion_unregistered
    client_assertion_secret_wrong client_assertion_secret_short client_assertion_sub_differs
    client_assertion_iss_differs client_assertion_alg_refused client_assertion_keys_unavailable
    client_assertion_key_unknown client_assertion_key_unfit client_assertion_key_unreadable
    client_assertion_signature_wrong client_assertion_claim_missing client_assertion_claim_malformed
    client_assertion_aud_differs client_assertion_expired client_assertion_too_long
    client_assertion_too_early client_assertion_replayed
  dpop_proof: dpop_not_supported dpop_required dpop_missing dpop_repeated dpop_too_long
    dpop_malformed dpop_typ_wrong dpop_alg_refused dpop_jwk_missing dpop_jwk_private
    dpop_claim_missing dpop_claim_malformed
  dpop_signature: dpop_key_unfit dpop_key_unreadable dpop_signature_wrong
  dpop_target: dpop_htm_differs dpop_htu_differs
  dpop_nonce: dpop_nonce_missing dpop_nonce_unknown dpop_nonce_expired
  dpop_time: dpop_old dpop_ahead
  dpop_unused: dpop_replayed
  dpop_token: dpop_ath_differs
  dpop_key: dpop_key_unproven code_of_other_key refresh_token_of_other_key access_token_bound
    access_token_not_bound access_token_of_other_key dpop_jkt_malformed dpop_jkt_differs
  throttle: throttled
  credential_known: code_unknown code_is_other_credential
  credential_client: code_of_other_client
  credential_live: code_redeemed code_revoked code_expired
  credential_known: refresh_token_unknown refresh_token_is_other_credential
  credential_client: refresh_token_of_other_client
  credential_live: refresh_token_rotated refresh_token_revoked refresh_token_expired
  redirect_uri: redirect_uri_differs
  pkce: code_verifier_missing code_verifier_unexpected code_verifier_malformed code_verifier_wrong
    challenge_required
  audience: audience_unknown audience_differs resource_repeated resource_differs
  scope: scope_unknown scope_beyond_grant scope_malformed
  id_token: id_token_secret_short
  credential_known: device_code_unknown device_code_is_user_code
  credential_client: device_code_of_other_client
  credential_live: device_code_redeemed device_code_expired
  polling: device_polled_too_soon
  consent: device_pending device_denied
  credential_known: assertion_malformed
  credential_client: assertion_iss_differs assertion_alg_refused assertion_keys_unavailable
    assertion_key_unknown assertion_key_unfit assertion_key_unreadable assertion_signature_wrong
  credential_live: assertion_claim_missing assertion_claim_malformed assertion_aud_differs
    assertion_expired assertion_too_long assertion_too_early
  user: assertion_user_unknown
  consume: assertion_replayed
  credential_known: on_behalf_of_unknown
  credential_client: on_behalf_of_audience
  credential_live: on_behalf_of_ended
  user: on_behalf_of_without_user
  credential_known: username_unknown
  user: password_wrong username_locked
  token_type: token_type_unsupported actor_token_incomplete
  credential_known: subject_token_unknown
  credential_client: subject_token_of_other_client
  credential_live: subject_token_expired subject_token_revoked subject_token_rotated
  user: subject_user_unknown
  actor: actor_token_not_valid actor_not_allowed actors_too_many
  scope: scope_beyond_subject
  authorization_header: access_token_missing access_token_twice
  credential_known: access_token_malformed access_token_is_other_credential access_token_key_unknown
    access_token_signature_wrong access_token_not_issued access_token_of_other_issuer
    access_token_of_other_epoch
  credential_live: access_token_revoked access_token_expired
  user: access_token_of_client access_token_of_former_user
  audience: access_token_for_other_api
  scope: openid_missing
  path: api_path_without_rule
  authorization_header: access_token_in_query
  typ: access_token_typ_wrong
  audience: access_token_of_other_audience
  not_before: access_token_too_early
  token_type: api_requires_dpop api_requires_bearer
  scope: api_scope_missing
  max_age: api_sign_in_unknown api_sign_in_old
  acr: api_acr_differs
  origin: mcp_origin_foreign
  message: mcp_message_malformed mcp_header_differs mcp_version_unsupported mcp_method_unknown
    mcp_tool_unknown
  client_secret: client_not_authenticated
  credential_known: token_unknown token_is_code
  credential_client: token_of_other_client
  credential_live: token_rotated
  content_type: content_type_not_form
  body: parameters_not_utf8 target_parameter_repeated
  form: form_incomplete form_user_unknown form_field_invalid form_unknown form_of_other_browser
    form_sent_before form_expired
  client_id: authorization_client_missing authorization_client_unknown client_document_unusable
  redirect_uri: redirect_uri_missing redirect_uri_none_registered redirect_uri_relative
    redirect_uri_unsafe redirect_uri_fragment redirect_uri_unregistered
  parameters: authorization_parameter_repeated
  response_mode: response_mode_unsupported response_mode_query message_mode_not_silent
    message_mode_without_origin
  request_object: request_not_supported request_uri_not_supported registration_not_supported
    request_object_required request_object_malformed request_object_iss_differs
    request_object_alg_refused request_object_keys_unavailable request_object_key_unknown
    request_object_key_unfit request_object_key_unreadable request_object_signature_wrong
    request_object_claim_missing request_object_claim_malformed request_object_aud_differs
    request_object_expired request_object_too_early request_object_client_differs
    request_object_secret_wrong request_object_secret_short request_object_nested
  response_type: response_type_missing response_type_unsupported
  pkce: challenge_method_unsupported challenge_method_plain challenge_method_alone challenge_missing
    challenge_malformed
  nonce: nonce_missing openid_not_requested
  prompt: prompt_unknown prompt_none_with_others max_age_malformed
  claims: claims_malformed
  request_uri: request_uri_unknown request_uri_of_other_client request_uri_used request_uri_expired
    request_uri_pushed
  pushed: push_required
  id_token_hint: id_token_hint_malformed id_token_hint_signature_wrong id_token_hint_of_other_issuer
  user: sign_in_password_wrong sign_in_code_wrong sign_in_missing sign_in_too_old
    sign_in_of_other_user sign_in_sub_differs sign_in_acr sign_in_hint_unknown sign_in_without_users
    sign_in_user_locked
  acr: acr_unmet
  consent: consent_missing authorization_denied_by_setting authorization_denied_by_person
    sign_in_failed_by_person server_error_by_person unavailable_by_person
  client_id: logout_client_differs logout_client_unknown
  redirect_uri: logout_client_missing logout_uri_of_no_client logout_uri_none_registered
    logout_uri_unregistered
  content_type: registration_content_type
  authorization_header: initial_token_missing initial_token_wrong registration_token_missing
    registration_token_wrong
  metadata: metadata_redirect_uri metadata_invalid
  capacity: registration_full
  parameters: user_code_missing user_code_too_long
  throttle: user_code_guessed
  credential_known: user_code_unknown
  credential_live: user_code_expired user_code_decided
  form: device_form_of_other_browser
  service: fault
`;

test('behaviour 3.2: reasons are listed in the order of evaluation', () => {
  const order = ORDER.trim()
    .split(/(?<=\S)\s+(?=\S+:)/)
    .flatMap((run) => {
      const [check = '', ...reasons] = run.split(/:?\s+/);
      return reasons.map((reason) => `${check}: ${reason}`);
    });
  expect(REASONS.map((reason) => `${REFUSALS[reason].check}: ${reason}`)).toEqual(order);
});

test('an OAuthError is an Error whose message is its reason, not what the client sent', () => {
  const error = new OAuthError('client_unknown', { got: HOSTILE });
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.message, error.check]).toEqual([
    'OAuthError',
    'client_unknown',
    'client_id',
  ]);
});
