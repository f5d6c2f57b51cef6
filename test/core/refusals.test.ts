// Behaviour 3: the description and the error code of each rejection.

import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/core/checks/refusals/index.ts';
import { OAuthError } from '../../src/core/checks/errors.ts';
import { describeCause, shortCause } from '../../src/core/checks/refusals/describe-cause.ts';
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

describe.each(REASONS)('%s', (reason) => {
  test(`behaviour 3.1: ${reason} is described in ASCII without quote or backslash, in one sentence`, () => {
    for (const facts of [{}, FACTS]) {
      const { description } = new OAuthError(reason, facts);
      expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      expect(description).not.toMatch(/[.!?](\s|$)/);
    }
    expect(new OAuthError(reason, FACTS).description).toMatch(/^\S.*\S$/);
  });

  test(`behaviour 3.1: ${reason} never echoes what the client sent`, () => {
    const { description } = new OAuthError(reason, FACTS);
    expect(description).not.toMatch(/hunter2|script|31m/);
    expect(description).toBe(
      new OAuthError(reason, { ...FACTS, got: 'x', client: 'y' }).description,
    );
  });

  test(`behaviour 3.12: the cause of ${reason} states a long duration in days, not in seconds`, () => {
    const { summary, detail, advice } = describeCause(
      new OAuthError(reason, { ...FACTS, expected: '3600', seconds: 86_399 }),
    );
    expect(`${summary} ${detail ?? ''} ${advice ?? ''}`).not.toMatch(/\d{3,} s\b/);
  });

  test(`behaviour 3: the cause of ${reason} consists of whole sentences`, () => {
    const { summary, advice } = describeCause(new OAuthError(reason, FACTS));
    for (const words of [summary, advice ?? 'None.']) expect(words).toMatch(/^[A-Z].*[^.]\.$/);
    expect(shortCause(new OAuthError(reason))).toMatch(/\S/);
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
  not_found: [/^not_found$/, /^api_path_without_rule$/, /^mcp_method_unknown$/],
  server_error: [/^fault$/, /^server_error_by_person$/],
  temporarily_unavailable: [/^unavailable_by_person$/],
};

test.each(REASONS)('spec 7, behaviour 3: %s has the error code of its row', (reason) => {
  const row = Object.entries(CODES).find(([, patterns]) =>
    patterns.some((one) => one.test(reason)),
  );
  expect(new OAuthError(reason).code).toBe(row?.[0] ?? 'invalid_request');
});

test('behaviour 3.2: reasons are listed in the order of evaluation', () => {
  const order = [
    'method',
    'path',
    'http',
    'body',
    'content_type',
    'body',
    'grant_type',
    'grant_content_type',
    'query',
    'authorization_header',
    'client_id',
    'client_secret',
    'grant_allowed',
    'parameters',
    'authorization_header',
    'client_secret',
    'dpop_proof',
    'dpop_signature',
    'dpop_target',
    'dpop_nonce',
    'dpop_time',
    'dpop_unused',
    'dpop_token',
    'dpop_key',
    'throttle',
    'credential_known',
    'credential_client',
    'credential_live',
    'credential_known',
    'credential_client',
    'credential_live',
    'redirect_uri',
    'pkce',
    'audience',
    'scope',
    'id_token',
    'credential_known',
    'credential_client',
    'credential_live',
    'polling',
    'consent',
    'credential_known',
    'credential_client',
    'credential_live',
    'user',
    'consume',
    'credential_known',
    'credential_client',
    'credential_live',
    'user',
    'credential_known',
    'user',
    'token_type',
    'credential_known',
    'credential_client',
    'credential_live',
    'user',
    'actor',
    'scope',
    'authorization_header',
    'credential_known',
    'credential_live',
    'user',
    'audience',
    'scope',
    'path',
    'authorization_header',
    'typ',
    'audience',
    'not_before',
    'token_type',
    'scope',
    'max_age',
    'acr',
    'origin',
    'message',
    'client_secret',
    'credential_known',
    'credential_client',
    'credential_live',
    'content_type',
    'body',
    'form',
    'client_id',
    'redirect_uri',
    'parameters',
    'response_mode',
    'request_object',
    'response_type',
    'pkce',
    'nonce',
    'prompt',
    'claims',
    'request_uri',
    'pushed',
    'id_token_hint',
    'user',
    'acr',
    'consent',
    'client_id',
    'redirect_uri',
    'content_type',
    'authorization_header',
    'metadata',
    'capacity',
    'parameters',
    'throttle',
    'credential_known',
    'credential_live',
    'form',
    'service',
  ];
  const told = REASONS.map((reason) => REFUSALS[reason].check);
  expect(told.filter((check, index) => check !== told[index - 1])).toEqual(order);
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
