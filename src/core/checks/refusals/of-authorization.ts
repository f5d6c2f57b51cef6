// A request at the authorization endpoint. What fails before the client and its redirect URI are known is
// told on a page; the rest goes to the client by a redirect.

import { differs } from './of-credentials.ts';
import type { Refusal, RefusalFacts } from './refusal.ts';
import { clockTime, refusing, since } from './refusal.ts';

const invalid = refusing('invalid_request');

const field = (facts: RefusalFacts) => facts.field ?? 'a parameter';
const got = (facts: RefusalFacts) => `got ${facts.got ?? 'something else'}`;
/** The one registered that agrees with it the longest. */
export const differsFromNearest = (name: string) => ({
  compared_with: 'nearest' as const,
  detail: (facts: RefusalFacts) => `${differs(name).detail(facts)} from the nearest registered one`,
});

const REDIRECT_URI_ADVICE =
  "Register exactly this value among the client's redirect URIs, or send one of those registered.";

/** Nobody is redirected. */
const ON_A_PAGE = {
  content_type_not_form: invalid(
    'content_type',
    'the Content-Type header must be application/x-www-form-urlencoded',
    'The request was posted, but not as a form.',
    { detail: got, advice: 'Send the parameters in the query of a GET, or post them as a form.' },
  ),
  parameters_not_utf8: invalid(
    'body',
    'the parameters must be valid UTF-8',
    'The parameters hold bytes or escapes that are not UTF-8.',
  ),
  target_parameter_repeated: invalid(
    'body',
    (facts) => `${field(facts)} must not be repeated (RFC 6749 3.1)`,
    (facts) => `The request has ${field(facts)} more than once.`,
    { advice: 'Send each parameter once.' },
  ),

  // The form that a person was asked with
  form_incomplete: invalid(
    'form',
    'the form must say who decides and whether access is approved',
    'The form came back without a decision.',
    { advice: 'Go back, pick a user, and approve or deny.' },
  ),
  form_user_unknown: invalid(
    'form',
    'the user who was picked must be registered',
    'The user who was picked is not registered, or no longer.',
    { advice: 'Go back and load the page again: it lists those who are.' },
  ),
  form_unknown: invalid(
    'form',
    'the form is not known here',
    'This service never made such a form, or forgot it.',
    {
      advice:
        'Start again in the app. The sandbox forgets its forms when it is reset or restarted.',
    },
  ),
  form_of_other_browser: invalid(
    'form',
    'the form must be sent by the browser it was made for',
    'The form was made for another browser, or this one has lost its cookie.',
    { advice: 'Allow cookies for this address, and start again in the app.' },
  ),
  form_sent_before: invalid(
    'form',
    'the form can be sent once',
    'This form was sent before: what it decided has been answered.',
    {
      detail: (facts) => `sent at ${clockTime(facts.at)} by exchange ${facts.exchange ?? '?'}`,
      advice: 'Start again in the app. A double click or the back button often sends a form twice.',
    },
  ),
  form_expired: invalid(
    'form',
    'the form has expired',
    'The form waited too long for its decision.',
    { detail: since, advice: 'Start again in the app.' },
  ),

  // The client and where it is answered
  authorization_client_missing: invalid(
    'client_id',
    'client_id is required and must not be empty',
    'The request does not say which client it comes from.',
    { advice: 'Send client_id.' },
  ),
  authorization_client_unknown: refusing('invalid_client')(
    'client_id',
    'client_id must be that of a registered client',
    'No client is registered under this client_id.',
    { advice: 'Compare client_id with the list of clients, or register it.' },
  ),
  redirect_uri_missing: invalid(
    'redirect_uri',
    'redirect_uri is required: the client has registered several (RFC 6749 3.1.2.3)',
    'The client has several redirect URIs, and the request names none.',
    { advice: 'Send redirect_uri.' },
  ),
  redirect_uri_none_registered: invalid(
    'redirect_uri',
    'the client has no redirect_uri registered',
    'The client has no redirect URI to answer to.',
    { advice: "Register the app's callback among the client's redirect URIs." },
  ),
  redirect_uri_relative: invalid(
    'redirect_uri',
    'redirect_uri must be an absolute URI (RFC 6749 3.1.2)',
    'The redirect URI is not absolute.',
    { advice: 'Send the whole address, beginning with https:// or http://.' },
  ),
  redirect_uri_unsafe: invalid(
    'redirect_uri',
    'redirect_uri must not use a scheme that a browser runs or reads itself',
    'The redirect URI has a scheme that nobody may be redirected to.',
    { advice: 'Send an http, https or app-specific address.' },
  ),
  redirect_uri_fragment: invalid(
    'redirect_uri',
    'redirect_uri must not have a fragment (RFC 6749 3.1.2)',
    'The redirect URI has a fragment.',
    { advice: 'Leave out the number sign and what follows it.' },
  ),
  redirect_uri_unregistered: invalid(
    'redirect_uri',
    'redirect_uri must be one of those registered for the client (RFC 9700 2.1)',
    'The redirect URI is not one of those registered for the client.',
    { ...differsFromNearest('redirect_uri'), advice: REDIRECT_URI_ADVICE },
  ),
} satisfies Record<string, Refusal>;

/** Told to the client. */
const BY_REDIRECT = {
  authorization_parameter_repeated: invalid(
    'parameters',
    (facts) => `${field(facts)} must not be repeated (RFC 6749 3.1)`,
    (facts) => `The request has ${field(facts)} more than once.`,
    { advice: 'Send each parameter once.' },
  ),
  response_mode_unsupported: invalid(
    'response_mode',
    'response_mode must be query or form_post',
    'This service does not answer in that response_mode.',
    { detail: got, advice: 'Send query or form_post, or leave response_mode out.' },
  ),
  request_not_supported: refusing('request_not_supported')(
    'request_object',
    'request must not be sent: request objects are not supported',
    'The request comes as a signed object, which this service does not read.',
    { advice: 'Send each parameter by itself.' },
  ),
  request_uri_not_supported: refusing('request_uri_not_supported')(
    'request_object',
    'request_uri must not be sent: request objects are not supported',
    'The request is kept elsewhere, where this service does not fetch it.',
    { advice: 'Send each parameter by itself; pushed requests are not supported either.' },
  ),
  registration_not_supported: refusing('registration_not_supported')(
    'request_object',
    'registration must not be sent: clients are registered beforehand',
    'The request brings its own registration, which this service does not read.',
    { advice: 'Register the client and send its client_id.' },
  ),
  response_type_missing: invalid(
    'response_type',
    'response_type is required',
    'The request does not say what kind of answer it wants.',
    { advice: 'Send response_type=code.' },
  ),
  response_type_unsupported: refusing('unsupported_response_type')(
    'response_type',
    'response_type must be code',
    'This service answers with a code and nothing else.',
    {
      detail: got,
      advice: 'Send response_type=code; the implicit and hybrid flows are not served.',
    },
  ),
  challenge_method_unsupported: invalid(
    'pkce',
    'code_challenge_method must be S256 or plain (RFC 7636 4.3)',
    'The code_challenge_method is not one this service knows.',
    { detail: got, advice: 'Send S256; it is case-sensitive.' },
  ),
  challenge_method_alone: invalid(
    'pkce',
    'code_challenge is required with code_challenge_method (RFC 7636 4.3)',
    'The request names a code_challenge_method but has no code_challenge.',
    { advice: 'Send both, or neither.' },
  ),
  challenge_missing: invalid(
    'pkce',
    'code_challenge is required for a client without secret (RFC 9700 2.1.1)',
    'The client is public and must use PKCE.',
    { advice: 'Send code_challenge and code_challenge_method=S256.' },
  ),
  challenge_malformed: invalid(
    'pkce',
    (facts) => `code_challenge must be ${facts.expected ?? 'well formed'} (RFC 7636 4.2)`,
    'The code_challenge has a length or characters that RFC 7636 does not allow.',
    {
      detail: (facts) => `it must be ${facts.expected ?? 'well formed'}`,
      advice: 'For S256, send the base64url of the SHA-256 of the verifier, without padding.',
    },
  ),
  prompt_unknown: invalid(
    'prompt',
    'prompt must hold only none, login, consent or select_account',
    'The request asks for a prompt that this service does not know.',
    { detail: got, advice: 'Separate several with single spaces.' },
  ),
  prompt_none_with_others: invalid(
    'prompt',
    'prompt must not hold none beside another value (OpenID Connect Core 3.1.2.1)',
    'The request wants a person to be asked and not to be asked.',
    { advice: 'Send none alone, or leave it out.' },
  ),
  max_age_malformed: invalid(
    'prompt',
    'max_age must be a whole number of seconds',
    'The max_age is not a number of seconds.',
  ),
} satisfies Record<string, Refusal>;

export const AUTHORIZATION_REFUSALS = {
  ...ON_A_PAGE,
  ...BY_REDIRECT,
} satisfies Record<string, Refusal>;
