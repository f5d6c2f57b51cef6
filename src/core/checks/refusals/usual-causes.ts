// What usually leads an app to each refusal, in one sentence for people. The list of refusals and the view of an exchange
// load this; a start does not.

import type { RefusalReason } from './index.ts';

const LOST_ON_RESTART = 'The sandbox was restarted or reset after it was issued';

/** The assertion that authenticates a client, the one that is a grant, and a request object fail in the same ways. */
const ASSERTION = {
  malformed: 'The value is the private key, an unsigned JSON object or a truncated JWT.',
  iss_differs: 'iss is the URL or the name of the app instead of its client_id.',
  keys_unavailable: 'The app that serves its JWK Set is not running, or uses another port.',
  alg_refused: 'The JWT library signs with HS256 and a shared secret by default.',
  key_unknown: 'The app rotated its key, but the new public key was not registered.',
  key_unfit: 'The app signs with ES256, for example, but only an RSA key is registered.',
  key_unreadable: 'The JWK was shortened or edited by hand, or is an RSA key of 1024 bits.',
  signature_wrong: 'The app signs with a new private key, but still sends the kid of the old one.',
  claim_missing: 'The JWT library does not add exp or aud by itself.',
  claim_malformed: 'A time was sent as a date string instead of a number of seconds.',
  aud_differs: 'aud still names another provider, or 127.0.0.1 where the issuer has localhost.',
  expired:
    'The app created the assertion once and reuses it, or the sandbox clock was moved forward.',
  too_long: 'exp is in milliseconds instead of seconds, or is a day or a year ahead.',
  too_early: 'iat or nbf is in milliseconds instead of seconds, or the sandbox clock was set back.',
  replayed: 'The app caches the assertion, or its HTTP client retried the request unchanged.',
};

/** Returns the same sentences under the names of one of them. */
const named = <Kind extends 'client_assertion' | 'assertion' | 'request_object'>(kind: Kind) =>
  Object.fromEntries(
    Object.entries(ASSERTION).map(([name, text]) => [`${kind}_${name}`, text]),
  ) as Record<`${Kind}_${keyof typeof ASSERTION}`, string>;

export const USUAL_CAUSES: Readonly<Record<RefusalReason, string>> = {
  // Requests that cannot be read
  method_not_allowed: 'The URL was opened in a browser, or called with GET instead of POST.',
  preflight_method:
    'A fetch call uses PUT or DELETE, or GET with a header that makes browsers ask first.',
  preflight_closed:
    'The page calls the authorization or logout endpoint with fetch instead of navigating to it.',
  preflight_off:
    'A single-page app calls the token endpoint with fetch, and the setting cors is off.',
  not_found: "The app still uses another provider's path, such as /oauth2/token, or /token alone.",
  registration_off: 'The app registers itself, which a new workspace does not allow.',
  malformed_http: 'The request was written by hand, or the port was called with another protocol.',
  tls_required: 'The base URL in the app begins with http://, but Grantbench runs with --https.',
  tls_unexpected:
    'The base URL in the app begins with https://, but Grantbench runs without --https.',
  tls_failed: 'The client does not trust the certificate of the server.',
  headers_too_large: 'The browser sends the cookies of every other app that ran on localhost.',
  request_slow:
    'The client was paused in a debugger, or never sent the empty line after its headers.',
  expectation_unknown: 'An HTTP library or a proxy sent an Expect header other than 100-continue.',
  body_stalled: 'Content-Length was set by hand and is larger than the body.',
  body_cut: 'The client timed out or was stopped, or the user left the page.',
  body_too_large: 'The app sent a file or a whole profile where parameters are expected.',
  content_type_missing:
    "The HTTP client sets no Content-Type by itself, as Node's http.request does not.",
  content_type_unreadable:
    'fetch sent a string as text/plain, or a FormData object as multipart/form-data.',
  charset_unsupported: 'An older HTTP library adds charset=ISO-8859-1 to every form.',
  content_encoding_unsupported: 'The HTTP client or a proxy compresses request bodies with gzip.',
  body_not_utf8: 'A value was encoded as Latin-1, or a percent-escape was cut in half.',
  body_missing:
    'The parameters were sent in the query string, or in an option that the HTTP library ignores.',
  json_malformed: 'A form was sent with Content-Type: application/json.',
  json_not_object: 'The body was serialized twice, so it is a JSON string that contains JSON.',
  value_not_string: 'Scopes were sent as a JSON array, or a number was not quoted.',
  parameter_repeated: 'The client library sends the parameter, and the app adds it once more.',
  grant_type_missing:
    'The name is misspelled, such as grantType, or the body was sent in another format.',
  grant_type_unsupported:
    'The name is shortened, such as device_code without its urn: prefix, or is implicit.',
  content_type_not_documented:
    'The client library sends a form, but the code exchange is documented with JSON.',
  query_credentials:
    'The app appends its parameters to the URL instead of sending them in the body.',
  fault: 'The tests of Grantbench do not cover this combination of request and settings.',

  // Client authentication and required parameters
  basic_not_allowed: 'The client library authenticates with HTTP Basic by default.',
  header_not_allowed:
    'The client library uses HTTP Basic by default, or an interceptor adds a bearer token to every request.',
  two_client_authentications:
    'The client library sends HTTP Basic, and the app adds client_secret to the body.',
  client_ids_differ: 'The app has two clients, and only one of their ids was changed.',
  basic_malformed:
    'The value was not encoded as base64, or has no colon between client_id and client_secret.',
  client_authentication_missing: 'The environment variables with the credentials are unset.',
  client_id_missing:
    'An environment variable is unset, or the name is misspelled, such as clientId.',
  client_unknown: 'The client_id belongs to another provider or another workspace.',
  client_secret_missing:
    'An environment variable is unset, or the client library is configured for a public client.',
  client_secret_required:
    'A single-page or mobile app, which has no secret, is used with the documented or strict profile.',
  client_has_no_secret:
    'The client was registered as public, but the app is configured with a secret.',
  client_secret_wrong:
    'The secret belongs to another client, has been changed, or was copied with a line break.',
  client_secret_unexpected:
    'The app still sends the secret that the client had before it became public.',
  grant_not_allowed:
    'The app began to use another grant, such as client_credentials, that was not added to the client.',
  grant_not_allowed_for_id_token:
    'A middleware uses response_type=id_token or code id_token by default, as express-openid-connect does.',
  grant_not_for_public_client:
    'A client for a single-page or mobile app is used for a backend service.',
  grant_not_in_profile: 'The app has its own sign-in form instead of opening the browser.',
  parameter_missing: 'The app omits a value that is not set, or the name is misspelled.',
  parameter_empty: 'An environment variable is unset, so the app sends an empty value.',
  parameter_too_long: 'The app stores a whole page or session in state.',

  // Client assertions
  client_assertion_not_allowed:
    'The client library is configured for private_key_jwt, but the profile is documented or strict.',
  client_assertion_incomplete:
    'The app builds the request by hand and omits client_assertion_type.',
  client_assertion_type_unsupported:
    'The value is shortened to jwt-bearer, or is the one for SAML.',
  client_assertion_missing:
    'The client library is configured for a public client, or for a client_secret.',
  client_assertion_unregistered:
    'The client was registered with a client_secret, but the client library signs assertions.',
  client_assertion_secret_wrong:
    'The app decodes the secret from base64, or has the secret of another environment.',
  client_assertion_secret_short: 'The app signs with HS512 and a secret of 43 characters.',
  client_assertion_sub_differs: 'sub is a user, or the client_id of another environment.',
  ...named('client_assertion'),

  // DPoP
  dpop_not_supported:
    'The client was set to require DPoP, but the profile is documented or strict.',
  dpop_required: 'The client library supports DPoP, but it is not switched on.',
  dpop_missing: 'The app copied the scheme DPoP, but its HTTP client does not create proofs.',
  dpop_repeated: 'A retry added a second DPoP header to the headers of the first attempt.',
  dpop_too_long: 'The app put a whole JWK Set or a certificate chain in the header of the proof.',
  dpop_malformed: 'The header contains the public key or the access token instead of a proof.',
  dpop_typ_wrong: 'The JWT library sets typ to JWT by default.',
  dpop_alg_refused: 'The JWT library signs with HS256 and a shared secret by default.',
  dpop_jwk_missing: 'The app sends only the kid of its key, as it does in other JWTs.',
  dpop_jwk_private: 'The app exported the whole key pair instead of the public key.',
  dpop_claim_missing: 'A hand-written proof omits jti or iat, or omits ath at userinfo.',
  dpop_claim_malformed: 'iat was sent as a date string instead of a number of seconds.',
  dpop_key_unfit: 'The app changed its algorithm but kept its old key.',
  dpop_key_unreadable:
    'A member of the jwk, such as x or n, was truncated, or the RSA key has 1024 bits.',
  dpop_signature_wrong: 'The app created a new key pair and still sends the old public key.',
  dpop_htm_differs: 'The app reuses a proof for a GET request that it created for a POST request.',
  dpop_htu_differs:
    'htu names another host or port, as behind a proxy, or the path of another endpoint.',
  dpop_nonce_missing: 'The client library does not retry with the nonce in DPoP-Nonce.',
  dpop_nonce_unknown: 'The app uses the nonce of another server, or one from before a restart.',
  dpop_nonce_expired: 'The app keeps the first nonce instead of the one in the latest response.',
  dpop_old: 'The app reuses its proof, or the sandbox clock was moved forward.',
  dpop_ahead: 'iat is in milliseconds instead of seconds, or the sandbox clock was set back.',
  dpop_replayed: 'The app caches the proof, or its HTTP client retried the request unchanged.',
  dpop_ath_differs: 'The app refreshed its access token and sent the proof for the previous one.',
  dpop_key_unproven: 'The first token request had a proof, but the refresh request does not.',
  code_of_other_key:
    'The app created a new key pair after the redirect, for example after a page reload.',
  refresh_token_of_other_key: 'The app created a new key pair when it was restarted or reloaded.',
  access_token_bound: 'The API client always sends Authorization: Bearer.',
  access_token_not_bound: 'The token request had no proof, so a bearer token was issued.',
  access_token_of_other_key: 'The app created a new key pair when it was restarted or reloaded.',
  dpop_jkt_malformed: 'The value is the key itself, or a thumbprint in hexadecimal.',
  dpop_jkt_differs: 'The app calculates dpop_jkt from another key than the one it signs with.',

  // Codes, refresh tokens, audiences and scopes
  throttled: 'The app requests a token for each API call instead of reusing the one it has.',
  code_unknown: `${LOST_ON_RESTART}, or the code was truncated or encoded twice.`,
  code_is_other_credential: 'The app mixed up its variables and sent the refresh token as code.',
  code_of_other_client:
    'The browser part and the backend of the app are configured with two clients.',
  code_redeemed:
    'The callback ran twice: React runs effects twice in development, and users reload pages.',
  code_revoked: 'Someone revoked the code or its lineage in the workbench or over the control API.',
  code_expired: 'The app was stopped at a breakpoint, or the sandbox clock was moved forward.',
  refresh_token_unknown: `${LOST_ON_RESTART}, or the app stored it truncated.`,
  refresh_token_is_other_credential:
    'The app mixed up its variables and sent the access token or the code.',
  refresh_token_of_other_client:
    'Two apps share a token store, or the app was given a new client_id.',
  refresh_token_rotated:
    'Two tabs or threads refreshed at once, or the app did not store the new token.',
  refresh_token_revoked:
    'A code or refresh token of this lineage was used twice, or the app revoked a token.',
  refresh_token_expired: 'The app was idle for too long, or the sandbox clock was moved forward.',
  redirect_uri_differs:
    'The app builds the value twice and gets a trailing slash or another port the second time.',
  code_verifier_missing: 'The app stores the verifier in memory and loses it in the redirect.',
  code_verifier_unexpected:
    'The client library uses PKCE, but the link to the authorization endpoint was built by hand.',
  code_verifier_malformed: 'The verifier is a UUID or another value of fewer than 43 characters.',
  code_verifier_wrong:
    'The user started to sign in twice, and the second verifier replaced the first; or the method is plain.',
  challenge_required: 'The link to the authorization endpoint was built by hand, without PKCE.',
  audience_unknown: 'The URI has a trailing slash or another host than the registered audience.',
  audience_differs: 'The audience is configured in two places, and only one was changed.',
  resource_repeated: 'The app asks for one token for several APIs.',
  resource_differs:
    'The client library sends resource, and the app also sends a different audience.',
  scope_unknown:
    'The scope is misspelled or belongs to another audience, or commas separate the scopes.',
  scope_beyond_grant: 'The app was given new scopes, but still refreshes a grant that lacks them.',
  scope_malformed: 'The value has quotes around it, or a line break in it.',
  id_token_secret_short: 'The workspace signs with HS256, and the client has a short test secret.',

  // Device codes
  device_code_unknown: `${LOST_ON_RESTART}, or the device polls the wrong server.`,
  device_code_is_user_code: 'The device sends the short code that it shows to the user.',
  device_code_of_other_client:
    'The device requests its code with one client_id and polls with another.',
  device_code_redeemed: 'The device continues to poll after it received its tokens.',
  device_code_expired: 'The user did not approve in time, or the sandbox clock was moved forward.',
  device_polled_too_soon: 'The device polls every second, or ignores slow_down.',
  device_pending: 'The user has not opened the verification page or has not chosen yet.',
  device_denied: 'The user chose Deny, a test denied the device, or the setting authorize is deny.',

  // Assertions as grants
  ...named('assertion'),
  on_behalf_of_unknown:
    'The API sends its own token, an ID token, or the whole Authorization header.',
  on_behalf_of_audience: 'The calling app got its token for another API, such as userinfo.',
  on_behalf_of_ended: 'The API kept the token of an earlier call.',
  on_behalf_of_without_user: 'The caller got its token with client_credentials.',
  assertion_user_unknown: 'sub is an email address or the client_id instead of the sub of a user.',

  // The password grant
  username_unknown: 'The user was registered with another sub or email address.',
  username_locked: 'Someone tests how the app handles a locked account.',
  password_wrong: 'The password of the user was changed, or the app sends a placeholder.',

  // Token exchange
  token_type_unsupported:
    'The value is shortened, such as access_token, or is the type for plain JWTs.',
  actor_token_incomplete: 'The app builds the request by hand and omits actor_token_type.',
  subject_token_unknown:
    'The token is from another provider, or the type says access token for an ID token.',
  subject_token_of_other_client:
    'A backend exchanges the ID token or refresh token of its frontend.',
  subject_token_expired: 'The backend caches the token of its caller for too long.',
  subject_token_revoked:
    'A code or refresh token of this lineage was used twice, or the app revoked a token.',
  subject_token_rotated:
    'The app refreshed meanwhile and exchanges the refresh token it had before.',
  subject_user_unknown: 'The user was deleted, or another workspace was opened.',
  actor_token_not_valid: 'The token of the service that acts has expired, because it was cached.',
  actor_not_allowed: 'may_act names one service, and a different service exchanges the token.',
  actors_too_many: 'Two services exchange the same token in a loop.',
  scope_beyond_subject: 'The backend needs a scope that its frontend did not request.',

  // Access tokens
  access_token_missing:
    'The app sends the token in a cookie, in the query string or without the word Bearer.',
  access_token_twice:
    'An interceptor adds the header, and the app sends the token in the body as well.',
  access_token_malformed:
    'The token is from another provider, or was truncated or stored with quotes.',
  access_token_is_other_credential: 'The app sends the ID token, as it is a JWT as well.',
  access_token_key_unknown: 'The sandbox was restarted without saved signing keys.',
  access_token_signature_wrong: 'The token was edited by hand, or cut when it was copied.',
  access_token_not_issued: 'A token that was created to test an API was sent to Grantbench itself.',
  access_token_of_other_issuer:
    'The token is from another port or provider, or the issuer was changed since.',
  access_token_of_other_epoch: 'The sandbox was reset or restarted, and the app kept its token.',
  access_token_revoked:
    'A code or refresh token of its lineage was used twice, it was revoked by the app or by hand, or its client was deleted, possibly by an import.',
  access_token_expired:
    'The app does not check expires_in, or the sandbox clock was moved forward.',
  access_token_for_other_api: 'The app uses the token for its API at userinfo as well.',
  access_token_of_client:
    'A backend calls userinfo with its own token instead of that of the user.',
  access_token_of_former_user: 'The user was deleted, or another workspace was opened.',
  openid_missing: 'The app requests only the scopes of its API.',

  // Protected APIs
  api_path_without_rule: 'The app calls a path of the real API that the sandbox has no rule for.',
  access_token_in_query: 'A download link or a WebSocket URL has the token as access_token.',
  access_token_typ_wrong: 'The app sends the ID token, or a token that was built for a test.',
  access_token_of_other_audience:
    'The app requests tokens without audience or resource, so that they are for the issuer.',
  access_token_too_early: 'The sandbox clock was set back after the token was issued.',
  api_requires_dpop: 'The app requests its tokens without a DPoP proof.',
  api_requires_bearer: 'The HTTP client adds DPoP to all requests.',
  api_scope_missing: 'The app requests only the scopes of its first page.',
  api_sign_in_unknown: 'A backend calls the API with its own token instead of that of the user.',
  api_sign_in_old: 'The user has a long session, and the app does not handle the challenge.',
  api_acr_differs: 'The user signed in with a password only, and the app does not step up.',
  mcp_origin_foreign: 'A web app on another site calls the MCP server with fetch.',
  mcp_message_malformed: 'The message was written by hand, or several were sent as an array.',
  mcp_header_differs: 'A proxy removed the header, or the app sets Mcp-Name by hand.',
  mcp_version_unsupported: 'The client is newer or much older than this sandbox.',
  mcp_method_unknown: 'The app asks for resources or prompts without reading the capabilities.',
  mcp_tool_unknown: 'The app calls a tool of the real MCP server.',

  // Introspection and revocation
  client_not_authenticated: 'An API introspects tokens with the client_id of a single-page app.',
  token_unknown: `${LOST_ON_RESTART}, or it is an opaque token of another provider.`,
  token_is_code: 'The app mixed up its variables, or revokes a code after a failed sign-in.',
  token_of_other_client:
    'An admin tool or a backend revokes tokens of other clients with its own client_id.',
  token_rotated: 'The app revokes the refresh token that it had before the last refresh.',

  // Authorization requests
  content_type_not_form: 'A script posted the parameters as JSON.',
  parameters_not_utf8: 'A value in the link was encoded as Latin-1, or was cut in half.',
  target_parameter_repeated: 'The app appends a parameter to a link that already has it.',
  form_incomplete: 'A script posted the form without pressing one of its buttons.',
  form_field_invalid:
    'The claims are not a JSON object, or the email address belongs to a registered user.',
  form_user_unknown: 'The user was deleted while the page was open.',
  form_unknown: 'The sandbox was restarted or reset while the page was open.',
  form_of_other_browser:
    'The browser blocks cookies, or a script posts the form without the cookie.',
  form_sent_before: 'The user pressed the button twice, or went back and pressed it again.',
  form_expired: 'The page was left open for half an hour, or the sandbox clock was moved forward.',
  authorization_client_missing:
    'An environment variable is unset, or the name is misspelled, such as clientId.',
  client_document_unusable:
    'The client_id in the document differs from its URL by a port or a slash.',
  authorization_client_unknown: 'The client_id belongs to another provider or another workspace.',
  redirect_uri_missing:
    'The app relies on a default, but a second redirect URI was registered since.',
  redirect_uri_none_registered: 'The client was registered for client_credentials only.',
  redirect_uri_relative: 'The app sends a path such as /callback without its own origin.',
  redirect_uri_unsafe:
    'The URI was built from a wrong variable and begins with javascript: or data:.',
  redirect_uri_fragment: 'A single-page app with hash routing sends a URI such as /#/callback.',
  redirect_uri_unregistered:
    'The app sends http://localhost:3000/callback/ with a trailing slash, or another port than the registered one.',
  authorization_parameter_repeated: 'The app appends a parameter to a link that already has it.',
  response_mode_unsupported:
    'The mode is misspelled, such as form-post, or is one of another provider.',
  message_mode_not_silent:
    'A client library for Auth0 opens a popup, which needs a page that only Auth0 has.',
  message_mode_without_origin: 'A mobile app with its own URI scheme uses a mode for web pages.',
  request_not_supported: 'The client library is configured to sign its requests (JAR).',
  ...named('request_object'),
  request_object_required:
    'The client was registered for JAR, which is not switched on in the app.',
  request_object_alg_refused:
    'The app signs with ES256, but is registered with request_object_signing_alg RS256 or none.',
  request_object_claim_missing: 'The app sends client_id in the query, but not in the claims.',
  request_object_expired:
    'The user opened a link that was built some time ago, or the sandbox clock was moved forward.',
  request_object_client_differs:
    'The query or the claims have the client_id of another environment.',
  request_object_secret_wrong:
    'The app decodes the secret from base64, or has the secret of another environment.',
  request_object_secret_short: 'The app signs with HS512 and a secret of 43 characters.',
  request_object_nested: 'The app signs the whole query of an earlier request.',
  request_uri_not_supported: 'The request refers to a request object on a web server.',
  registration_not_supported: 'The client library sends metadata of a self-issued provider.',
  response_type_missing:
    'The link was built by hand, or the name is misspelled, such as responseType.',
  response_type_unsupported:
    'An older client library uses the implicit or hybrid flow, such as id_token token.',
  response_mode_query: 'An app that used the code flow with query was switched to the hybrid flow.',
  nonce_missing: 'The link was built by hand, or the nonce check of the library is switched off.',
  openid_not_requested: 'The scope was replaced by that of an API, without openid.',
  challenge_method_unsupported: 'The value is s256 in lower case, or SHA256.',
  challenge_method_plain: 'The library leaves out code_challenge_method, which means plain.',
  challenge_method_alone: 'The app failed to compute the challenge and sent the method alone.',
  challenge_missing: 'An older client library does not use PKCE, or it is switched off.',
  challenge_malformed:
    'The challenge is base64 with padding or in hexadecimal, instead of base64url.',
  prompt_unknown: 'The value is one of another provider, such as create.',
  claims_malformed:
    'The JSON was put into the URL without encoding it, or a claim is true instead of null.',
  prompt_none_with_others: 'The app adds login or consent to a silent request.',
  max_age_malformed: 'The value has a unit, such as 1h, or a fraction.',

  // Pushed requests
  request_uri_unknown: `${LOST_ON_RESTART}, or the request was pushed to another server.`,
  request_uri_of_other_client:
    'The app pushes with one client_id and sends another to the authorization endpoint.',
  request_uri_used: 'The user went back or reloaded the page, which sent the same link again.',
  request_uri_expired:
    'The app pushes when the page loads, and the user presses Sign in minutes later.',
  request_uri_pushed: 'The app pushes the link that it received from an earlier push.',
  push_required: 'The client library does not support PAR, or it is switched off.',

  // Sign-in, consent and logout
  id_token_hint_malformed: 'The app sends its own session id or an access token.',
  id_token_hint_signature_wrong: 'The token was edited by hand, or truncated in a URL.',
  id_token_hint_of_other_issuer:
    'The token is from another port or provider, or the issuer was changed since.',
  sign_in_missing:
    'The app renews silently in an iframe, and the user never signed in or signed out.',
  sign_in_too_old: 'The app renews silently with max_age, and the user signed in longer ago.',
  sign_in_of_other_user: 'Another user signed in in another tab.',
  sign_in_sub_differs: 'A different user was chosen on the page than the one that the app expects.',
  sign_in_password_wrong: 'The user mistyped the password, or someone tests the sign-in page.',
  sign_in_code_wrong: 'The user mistyped the code, or entered the code of another page.',
  sign_in_user_locked: 'Someone tests how the app behaves when its user cannot sign in.',
  sign_in_acr: 'A silent renewal asks for a stronger sign-in, which needs the user.',
  acr_unmet: 'The acr is that of another provider, such as urn:okta:loa:2fa:any.',
  sign_in_hint_unknown:
    'The user was deleted, or login_hint is a name instead of a sub or email address.',
  sign_in_without_users: 'The workspace has no users.',
  consent_missing: 'The app asks silently for a scope that the user was never asked about.',
  authorization_denied_by_setting:
    'Someone set authorize to deny for a test and did not change it back.',
  authorization_denied_by_person: 'The user chose Deny, perhaps to test this.',
  sign_in_failed_by_person: 'Someone tests how the app handles the error.',
  server_error_by_person: 'Someone tests how the app handles the error.',
  unavailable_by_person: 'Someone tests how the app handles the error.',
  logout_client_differs:
    'The app has two clients, and sends the ID token of one with the client_id of the other.',
  logout_client_unknown: 'The client_id belongs to another provider or another workspace.',
  logout_client_missing:
    'Two apps share a start page, and the app sends neither client_id nor id_token_hint.',
  logout_uri_of_no_client: 'The URI has a trailing slash or another port than the registered one.',
  logout_uri_none_registered: 'Only the redirect URI for sign-in was registered.',
  logout_uri_unregistered: 'The URI has a trailing slash or another port than the registered one.',

  // Registration
  registration_content_type: 'The client library sends a form, as it does to the token endpoint.',
  registration_token_missing: 'The app dropped the token after it had registered.',
  registration_token_wrong:
    'The client was deleted or registered again, or the app sends the initial access token.',
  initial_token_missing: 'The app expects open registration.',
  initial_token_wrong: 'The app sends an access token, or the token in the settings was changed.',
  metadata_redirect_uri:
    'A redirect URI is a path without an origin, has a fragment, or is listed twice.',
  metadata_invalid:
    'A grant type or authentication method is one that this server does not support.',
  registration_full: 'A test suite registers a client in every run and deletes none.',

  // The page where users enter the code of a device
  user_code_missing: 'The user pressed the button before entering the code.',
  user_code_too_long: 'The user pasted the whole message of the device.',
  user_code_guessed: 'A script tries codes, or a test enters wrong codes again and again.',
  user_code_unknown: 'The user mistyped the code, or the sandbox was restarted or reset since.',
  user_code_expired: 'The user took longer than the lifetime of the device code.',
  user_code_decided: 'The user entered the same code a second time.',
  device_form_of_other_browser:
    'The browser blocks cookies, or a script posts the form without the cookie.',
};
