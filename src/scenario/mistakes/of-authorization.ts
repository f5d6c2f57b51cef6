// Mistakes in the authorization request and at the sign-in page: errors that must not be redirected are shown on a
// page, others are sent to the app (RFC 6749 4.1.2.1).

import type { ScenarioStep } from '../schema.ts';
import type { ExpectedResult, Mistake, Place } from './mistake.ts';

/** Returns the correct request with changed parameters. */
const asked = (
  id: string,
  title: string,
  sends: string,
  section: string,
  parameters: Readonly<Record<string, unknown>>,
  expects: Mistake['expects'],
): Mistake => ({ id, title, sends, section, change: { parameters }, expects });

/** A request object with deliberate mistakes, which only the interop profile evaluates. */
const signed = (
  id: string,
  title: string,
  sends: string,
  section: string,
  request_object: NonNullable<NonNullable<ScenarioStep['authorize']>['request_object']>,
  reason: ExpectedResult,
): Mistake => ({
  ...{ id, title, sends, section, change: { request_object } },
  expects: { interop: reason, otherwise: 'request_not_supported' },
  needs: ['request_object_key'],
});

const UNREGISTERED_URI = 'https://unregistered.example/callback';
const UNKNOWN_REQUEST_URI = 'urn:ietf:params:oauth:request_uri:never-issued';

export const AUTHORIZE: Place = {
  id: 'code',
  title: 'Issue a code',
  grants: ['authorization_code'],
  prepare: [],
  step: { authorize: { sign_in: 'stop', parameters: { scope: 'openid' } } },
  groups: [
    {
      name: 'Error page, no redirect',
      mistakes: [
        asked(
          'unregistered_redirect',
          'Unregistered redirect URI',
          'a URI that no client has registered',
          'behaviour 7.3, RFC 6749 4.1.2.1',
          { redirect_uri: UNREGISTERED_URI },
          'redirect_uri_unregistered',
        ),
        asked(
          'redirect_fragment',
          'Redirect URI with a fragment',
          'the registered URI with #here',
          'behaviour 7.3, RFC 6749 3.1.2',
          { redirect_uri: '{{client.redirect_uri}}#here' },
          'redirect_uri_fragment',
        ),
        asked(
          'unknown_client',
          'Unknown client',
          'a client_id that is not registered',
          'behaviour 7.3, RFC 6749 4.1.2.1',
          { client_id: 'an-unregistered-client' },
          'authorization_client_unknown',
        ),
        asked(
          'repeated_client',
          'Repeated client_id',
          'client_id twice',
          'behaviour 7.3, RFC 6749 3.1',
          { client_id: ['{{client.client_id}}', '{{client.client_id}}'] },
          'target_parameter_repeated',
        ),
      ],
    },
    {
      name: 'Error redirect to the app',
      mistakes: [
        asked(
          'implicit',
          'Implicit flow',
          'response_type=token',
          'behaviour 7.2, RFC 6749 4.1.2.1',
          { response_type: 'token' },
          'response_type_unsupported',
        ),
        {
          ...asked(
            'no_nonce',
            'Hybrid flow without a nonce',
            'response_type=code id_token and no nonce',
            'behaviour 7.23, OpenID Connect Core 3.2.2.1',
            { response_type: 'code id_token' },
            'nonce_missing',
          ),
          needs: ['id_token_response'],
        },
        {
          ...asked(
            'id_token_in_query',
            'ID token in the query',
            'response_type=id_token with response_mode=query',
            'behaviour 7.23',
            { response_type: 'id_token', response_mode: 'query', nonce: 'a-nonce' },
            'response_mode_query',
          ),
          needs: ['id_token_response'],
        },
        asked(
          'missing_response_type',
          'Missing response_type',
          'no response_type at all',
          'behaviour 7.2, RFC 6749 4.1.1',
          { response_type: null },
          'response_type_missing',
        ),
        asked(
          'challenge_method',
          'Unknown PKCE method',
          'code_challenge_method=S512',
          'behaviour 7.2, RFC 7636 4.4.1',
          {
            code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
            code_challenge_method: 'S512',
          },
          'challenge_method_unsupported',
        ),
        asked(
          'malformed_claims',
          'Malformed claims',
          'claims whose member is true instead of null',
          'behaviour 7.25, OpenID Connect Core 5.5',
          { claims: '{"id_token":{"email":true}}' },
          'claims_malformed',
        ),
        {
          ...asked(
            'unmet_acr',
            'Essential acr that is not supported',
            'claims that require the acr urn:unsupported',
            'behaviour 7.24, OpenID Connect Core 5.5.1.1',
            { claims: '{"id_token":{"acr":{"essential":true,"value":"urn:unsupported"}}}' },
            'acr_unmet',
          ),
          needs: ['approval'],
        },
        asked(
          'unknown_audience',
          'Unknown audience',
          'an audience that is not registered',
          'behaviour 3.7, RFC 8707 2',
          { audience: 'https://unregistered.example/api' },
          'audience_unknown',
        ),
        asked(
          'unknown_scope',
          'Unknown scope',
          'a scope that no audience defines',
          'behaviour 1.11, RFC 6749 4.1.2.1',
          { scope: 'never:defined' },
          { interop: 'accepted', otherwise: 'scope_unknown' },
        ),
        {
          ...asked(
            'silent',
            'Silent sign-in without a session',
            'prompt=none when nobody is signed in',
            'OpenID Connect Core 3.1.2.6',
            { prompt: 'none' },
            'sign_in_missing',
          ),
          needs: ['sign_in_page'],
        },
      ],
    },
    {
      name: 'Sign-in page',
      mistakes: [
        {
          id: 'deny',
          title: 'User denies',
          sends: 'the sign-in form with Deny',
          section: 'behaviour 7.3, RFC 6749 4.1.2.1',
          needs: ['sign_in_page'],
          change: { sign_in: 'deny' },
          expects: 'authorization_denied_by_person',
        },
        {
          id: 'login_required',
          title: 'Sign-in fails',
          sends: 'the sign-in form with login_required',
          section: 'behaviour 7.5, OpenID Connect Core 3.1.2.6',
          needs: ['sign_in_page'],
          change: { sign_in: 'login_required' },
          expects: 'sign_in_failed_by_person',
        },
        {
          id: 'server_error',
          title: 'Server fails',
          sends: 'the sign-in form with server_error',
          section: 'behaviour 7.5, RFC 6749 4.1.2.1',
          needs: ['sign_in_page'],
          change: { sign_in: 'server_error' },
          expects: 'server_error_by_person',
        },
        {
          id: 'temporarily_unavailable',
          title: 'Server is unavailable',
          sends: 'the sign-in form with temporarily_unavailable',
          section: 'behaviour 7.5, RFC 6749 4.1.2.1',
          needs: ['sign_in_page'],
          change: { sign_in: 'temporarily_unavailable' },
          expects: 'unavailable_by_person',
        },
        {
          id: 'form_twice',
          title: 'Form sent twice',
          sends: 'an approval that was sent just before',
          section: 'behaviour 7.5',
          needs: ['sign_in_page'],
          change: { sign_in: 'approve_twice' },
          expects: 'form_sent_before',
        },
        {
          id: 'other_browser',
          title: 'Form from another browser',
          sends: 'an approval without the browser’s cookie',
          section: 'behaviour 7.5, RFC 6749 10.12',
          needs: ['sign_in_page'],
          change: { sign_in: 'approve_without_cookie' },
          expects: 'form_of_other_browser',
        },
      ],
    },
    {
      name: 'Pushed request',
      mistakes: [
        {
          id: 'unknown_request_uri',
          title: 'Unknown request_uri',
          sends: 'a request_uri that was never issued',
          section: 'behaviour 7.18, RFC 9126 4',
          change: { parameters: { request_uri: UNKNOWN_REQUEST_URI } },
          expects: 'request_uri_unknown',
        },
        {
          id: 'pushed_request_uri',
          title: 'request_uri in the push',
          sends: 'a push that has a request_uri itself',
          section: 'behaviour 7.18, RFC 9126 2.1',
          change: { push: true, parameters: { request_uri: UNKNOWN_REQUEST_URI } },
          expects: 'request_uri_pushed',
        },
        {
          id: 'pushed_redirect',
          title: 'Unregistered redirect URI in the push',
          sends: 'a push with a URI that no client has registered',
          section: 'behaviour 7.3, RFC 9126 2.3',
          change: { push: true, parameters: { redirect_uri: UNREGISTERED_URI } },
          expects: 'redirect_uri_unregistered',
        },
      ],
    },
    {
      name: 'Signed request',
      mistakes: [
        signed(
          'request_other_key',
          'Request signed with another key',
          'a request object with an unregistered key',
          'behaviour 7.31, RFC 9101 6.2',
          { other_key: true },
          'request_object_signature_wrong',
        ),
        signed(
          'request_unsigned',
          'Request with alg none',
          'a request object whose header says none',
          'behaviour 7.31, RFC 9101 6.2',
          { header: { alg: 'none' } },
          'request_object_alg_refused',
        ),
        signed(
          'request_expired',
          'Expired request object',
          'a request object that was valid an hour ago',
          'behaviour 7.31, RFC 9101 6.3',
          { age_seconds: 3600 },
          'request_object_expired',
        ),
        signed(
          'request_other_aud',
          'Request for another server',
          'a request object with the aud of another server',
          'behaviour 7.31, RFC 9101 4',
          { claims: { aud: 'https://other-issuer.invalid' } },
          'request_object_aud_differs',
        ),
        signed(
          'request_other_client',
          'Request of another client',
          'a request object with another client_id',
          'behaviour 7.31, RFC 9101 6.3',
          { claims: { client_id: 'another-client' } },
          'request_object_client_differs',
        ),
        signed(
          'request_nested',
          'Request object in the request object',
          'a request object with a request_uri inside',
          'behaviour 7.31, RFC 9101 4',
          { claims: { request_uri: UNKNOWN_REQUEST_URI } },
          'request_object_nested',
        ),
        asked(
          'request_no_jwt',
          'Request that is no JWT',
          'request=not-a-jwt',
          'behaviour 7.31, RFC 9101 6.2',
          { request: 'not-a-jwt' },
          { interop: 'request_object_malformed', otherwise: 'request_not_supported' },
        ),
      ],
    },
  ],
};
