// Refusals at the authorization endpoint. They are shown on a page until the client and its redirect URI are known;
// later ones are sent to the client in a redirect.

import { REQUEST_OBJECT_REFUSALS } from './of-assertions.ts';
import { differs } from './of-credentials.ts';
import type { RefusalFacts, RefusalTexts } from './refusal.ts';
import { done, failing, field, owner, since, unknownClient } from './refusal.ts';

const got = (facts: RefusalFacts) => `got ${facts.got ?? 'something else'}`;
/** Compares with the registered value that has the longest common prefix. */
export const differsFromNearest = (name: string) => ({
  compared_with: 'nearest' as const,
  detail: (facts: RefusalFacts) => `${differs(name).detail(facts)} from the nearest registered one`,
});

const REDIRECT_URI_ADVICE =
  'Register exactly this value as a redirect URI of the client, or send a registered one.';

/** Why no redirect_uri was read, by the parameter that should have contained it. */
const NOT_READ: Readonly<Partial<Record<string, { why: string; advice: string }>>> = {
  claims: {
    why: 'the request object has no redirect_uri, and one beside it is ignored',
    advice: 'Add redirect_uri to the claims of the request object.',
  },
  request: {
    why: 'the request object cannot be read',
    advice: 'Send redirect_uri beside it: the response then says what is wrong with the object.',
  },
  request_uri: {
    why: 'the request_uri was not issued by this service, and is not fetched',
    advice: 'Push the request first, and send the request_uri of the response.',
  },
};

/** Also at the logout endpoint. */
export const CLIENT_UNKNOWN: RefusalTexts = {
  description: 'client_id must be that of a registered client',
  summary: 'No client is registered under this client_id.',
  detail: unknownClient,
  advice: ({ got = '' }) =>
    /^https?:\/\/[^/@]+\/[^#]+$/.test(got)
      ? 'Set registration.document_origins to the origin of this document if that is on this machine, otherwise to [], and import the document under Clients.'
      : 'Compare client_id with the list of clients, or register the client.',
};

/** Refusals that are shown on a page. */
export const ON_A_PAGE = {
  ...failing('content_type', 'invalid_request', {
    content_type_not_form: {
      description: 'the Content-Type header must be application/x-www-form-urlencoded',
      summary: 'The request was posted, but not as a form.',
      detail: got,
      advice: 'Send the parameters in the query of a GET, or post them as a form.',
    },
  }),
  ...failing('body', 'invalid_request', {
    parameters_not_utf8: {
      description: 'the parameters must be valid UTF-8',
      summary: 'The parameters contain bytes or percent-escapes that are not valid UTF-8.',
      advice: 'Encode the values as UTF-8 before they are percent-encoded.',
    },
    target_parameter_repeated: {
      description: (facts) => `${field(facts)} must not be repeated (RFC 6749 3.1)`,
      summary: (facts) => `The request has ${field(facts)} more than once.`,
      advice: 'Send each parameter once.',
    },
  }),

  // The consent form shown to the user
  ...failing('form', 'invalid_request', {
    form_incomplete: {
      description: 'the form must contain a decision, and the user who approves',
      summary: 'The form was submitted without a decision.',
      advice: 'Go back, select a user, and choose Approve or Deny.',
    },
    form_user_unknown: {
      description: 'the selected user must be registered',
      summary: 'The selected user is not registered or was deleted.',
      advice: 'Go back and reload the page: it lists the registered users.',
    },
    form_field_invalid: {
      description: (facts) => `${field(facts)} of the form ${facts.expected ?? 'is invalid'}`,
      summary: 'A field of the sign-in page is invalid.',
      detail: (facts) => `${field(facts)} ${facts.expected ?? 'is invalid'}`,
      advice: 'Go back and correct the field.',
    },
    form_unknown: {
      description: 'the form is unknown',
      summary: 'This service did not issue this form or no longer stores it.',
      advice: 'Start again in the app. Forms are lost when the sandbox is reset or restarted.',
    },
    form_of_other_browser: {
      description: 'the form must be submitted by the browser it was issued to',
      summary: 'The form was issued to another browser, or this browser lost its cookie.',
      advice: 'Allow cookies for this address, and start again in the app.',
    },
    form_sent_before: {
      description: 'the form can be submitted only once',
      summary: 'This form was already submitted and processed.',
      detail: done('submitted'),
      advice:
        'Start again in the app. A double click or the back button often submits a form twice.',
    },
    form_expired: {
      description: 'the form has expired',
      summary: 'The form expired before it was submitted.',
      detail: since,
      advice: 'Start again in the app.',
    },
  }),

  // The client and its redirect URI
  ...failing('client_id', 'invalid_request', {
    authorization_client_missing: {
      description: 'client_id is required and must not be empty',
      summary: 'The request does not identify the client.',
      detail: ({ got }) =>
        got && 'client_id is in the query, but the parameters of a POST are read from its body',
      advice: ({ got }) =>
        got ? 'Send the parameters as a form in the body, or with GET.' : 'Send client_id.',
    },
  }),
  ...failing('client_id', 'invalid_client', { authorization_client_unknown: CLIENT_UNKNOWN }),
  ...failing('client_id', 'invalid_request', {
    client_document_unusable: {
      description: 'the document at client_id cannot be used',
      summary: 'The client ID metadata document cannot be used.',
      detail: ({ expected }) => expected,
      advice: 'Correct the document, and serve it at exactly this URL as JSON of at most 5 kB.',
    },
  }),
  ...failing('redirect_uri', 'invalid_request', {
    redirect_uri_missing: {
      description: 'redirect_uri is required: the client has registered several (RFC 6749 3.1.2.3)',
      summary:
        'The client has several redirect URIs, and the request does not say which one to use.',
      detail: ({ field }) => NOT_READ[field ?? '']?.why,
      advice: ({ field }) => NOT_READ[field ?? '']?.advice ?? 'Send redirect_uri.',
    },
    redirect_uri_none_registered: {
      description: 'the client has no redirect_uri registered',
      summary: 'The client has no registered redirect URI.',
      advice: 'Register the callback URI of the app as a redirect URI of the client.',
    },
    redirect_uri_relative: {
      description: 'redirect_uri must be an absolute URI (RFC 6749 3.1.2)',
      summary: 'The redirect URI is not a valid absolute URI.',
      advice: 'Send the complete URI with its scheme, such as https://, and without blanks.',
    },
    redirect_uri_unsafe: {
      description: 'redirect_uri must not use a scheme that a browser executes or opens itself',
      summary: 'The redirect URI has a scheme that is not allowed for redirects.',
      advice: 'Send an http or https URI, or one with an app-specific scheme.',
    },
    redirect_uri_fragment: {
      description: 'redirect_uri must not have a fragment (RFC 6749 3.1.2)',
      summary: 'The redirect URI has a fragment.',
      advice: 'Remove the # and everything after it.',
    },
    redirect_uri_unregistered: {
      description: 'redirect_uri must be one of those registered for the client (RFC 9700 2.1)',
      summary: 'The redirect URI is not one of those registered for the client.',
      ...differsFromNearest('redirect_uri'),
      advice: REDIRECT_URI_ADVICE,
    },
  }),
};

/** Refusals that are sent to the client. */
export const BY_REDIRECT = {
  ...failing('parameters', 'invalid_request', {
    authorization_parameter_repeated: {
      description: (facts) => `${field(facts)} must not be repeated (RFC 6749 3.1)`,
      summary: (facts) => `The request has ${field(facts)} more than once.`,
      advice: 'Send each parameter once.',
    },
  }),
  ...failing('response_mode', 'invalid_request', {
    response_mode_unsupported: {
      description:
        'response_mode must be query, fragment, form_post, query.jwt, fragment.jwt, form_post.jwt, jwt, web_message or okta_post_message',
      summary: 'This service does not support this response_mode.',
      detail: (facts) => `${got(facts)}, supported are ${facts.expected ?? 'others'}`,
      advice: 'Send a supported response_mode, or leave it out.',
    },
    response_mode_query: {
      description:
        'response_mode must not be query with an id_token (OAuth 2.0 Multiple Response Types 5)',
      summary: 'The response has an ID token, which must not be in a query string.',
      advice: 'Leave response_mode out, which means fragment, or send form_post.',
    },
    message_mode_not_silent: {
      description: 'response_mode web_message and okta_post_message require prompt=none',
      summary:
        'This response_mode works only without user interaction, and the request does not have prompt=none.',
      detail: got,
      advice:
        'Send prompt=none with it, or query or fragment for a sign-in that the user sees. For a popup, set the client library to redirect instead.',
    },
    message_mode_without_origin: {
      description:
        'response_mode web_message and okta_post_message require a redirect_uri of http or https, not an IPv6 address',
      summary:
        'The response is posted to the origin of the redirect URI, which must be http or https and not an IPv6 address.',
      detail: got,
      advice: 'Register a redirect URI on the origin of the page that embeds it.',
    },
  }),
  ...failing('request_object', 'request_not_supported', {
    request_not_supported: {
      description: 'request must not be sent: request objects are not supported',
      summary:
        'The request contains a request object (parameter request), which only the interop profile accepts.',
      advice: 'Send each parameter in the request itself.',
      accepted_by: 'interop',
    },
  }),
  ...failing('request_object', 'request_uri_not_supported', {
    request_uri_not_supported: {
      description: 'request_uri must not be sent: request objects are not fetched',
      summary:
        'The request refers to a request object (parameter request_uri), which this service does not fetch.',
      advice: 'Send each parameter in the request itself, or push the request first.',
    },
  }),
  ...failing('request_object', 'registration_not_supported', {
    registration_not_supported: {
      description: 'registration must not be sent: clients are registered beforehand',
      summary:
        'The request contains client metadata (parameter registration), which this service does not support.',
      advice: 'Register the client and send its client_id.',
    },
  }),
  ...REQUEST_OBJECT_REFUSALS,
  ...failing('response_type', 'invalid_request', {
    response_type_missing: {
      description: 'response_type is required',
      summary: 'The request has no response_type.',
      advice: 'Send response_type=code.',
    },
  }),
  ...failing('response_type', 'unsupported_response_type', {
    response_type_unsupported: {
      description: ({ expected }) =>
        expected === 'code'
          ? 'response_type must be code'
          : 'response_type must be code, id_token or code id_token',
      summary: ({ expected }) =>
        expected === 'code'
          ? 'This profile supports response_type=code only.'
          : 'This service does not support this response_type.',
      detail: got,
      advice: ({ expected }) =>
        expected === 'code'
          ? 'Send response_type=code.'
          : 'Send response_type=code. Access tokens are never sent through the browser (RFC 9700 2.1.2); an ID token is with response_type id_token or code id_token, in the interop profile.',
      accepted_by: ({ expected }) => (expected === 'code' ? 'interop' : null),
    },
  }),
  ...failing('pkce', 'invalid_request', {
    challenge_method_unsupported: {
      description: 'code_challenge_method must be S256 or plain (RFC 7636 4.3)',
      summary: 'The code_challenge_method is not supported.',
      detail: got,
      advice: 'Send S256; it is case-sensitive.',
    },
    challenge_method_plain: {
      description: 'code_challenge_method must be S256: plain is switched off (RFC 7636 4.2)',
      summary: 'The code_challenge is plain, which the setting pkce_plain does not accept.',
      advice:
        'Send code_challenge_method=S256 with the hash of the verifier; without it, plain is meant.',
    },
    challenge_method_alone: {
      description: 'code_challenge is required with code_challenge_method (RFC 7636 4.3)',
      summary: 'The request has a code_challenge_method but no code_challenge.',
      advice: 'Send both, or neither.',
    },
    challenge_missing: {
      description: 'code_challenge is required for a client without a secret (RFC 9700 2.1.1)',
      summary: 'The client is public and must use PKCE.',
      advice: 'Send code_challenge and code_challenge_method=S256.',
    },
    challenge_malformed: {
      description: (facts) =>
        `code_challenge must be ${facts.expected ?? 'well formed'} (RFC 7636 4.2)`,
      summary: 'The code_challenge has a length or characters that RFC 7636 does not allow.',
      detail: (facts) => `it must be ${facts.expected ?? 'well formed'}`,
      advice: 'For S256, send the base64url of the SHA-256 of the verifier, without padding.',
    },
  }),
  ...failing('nonce', 'invalid_request', {
    nonce_missing: {
      description:
        'nonce is required with a response_type that has id_token (OpenID Connect Core 3.2.2.1)',
      summary: 'The request is for an ID token through the browser, but has no nonce.',
      advice:
        'Send a random nonce, store it with the session, and compare it with the nonce of the ID token.',
    },
    openid_not_requested: {
      description:
        'the scope openid is required with a response_type that has id_token (OpenID Connect Core 3.2.2.1)',
      summary: 'The request is for an ID token, but not for the scope openid.',
      advice: 'Add openid to scope.',
    },
  }),
  ...failing('prompt', 'invalid_request', {
    prompt_unknown: {
      description: 'prompt must contain only none, login, consent or select_account',
      summary: 'The request has an unsupported prompt value.',
      detail: got,
      advice:
        'Send none, login, consent or select_account; separate several values with single spaces.',
    },
    prompt_none_with_others: {
      description: 'prompt must not combine none with another value (OpenID Connect Core 3.1.2.1)',
      summary: 'The request combines prompt=none with a prompt that shows a page.',
      advice: 'Send none alone, or omit it.',
    },
    max_age_malformed: {
      description: 'max_age must be a whole number of seconds',
      summary: 'The max_age is not a number of seconds.',
      advice: 'Send a whole number, such as 3600 for an hour.',
    },
  }),
  ...failing('claims', 'invalid_request', {
    claims_malformed: {
      description: ({
        field: name = 'claims',
        expected = 'must be a JSON object with userinfo and id_token',
      }) => `${name} ${expected} (OpenID Connect Core 5.5)`,
      summary: 'The claims parameter cannot be read.',
      detail: ({ field: name = 'claims', expected = 'must be a JSON object' }) =>
        `${name} ${expected}`,
      advice:
        'Send JSON such as {"id_token": {"email": null}}: each claim is null or an object with essential, value or values.',
    },
  }),
};

export const AUTHORIZATION_REFUSALS = {
  ...ON_A_PAGE,
  ...BY_REDIRECT,
};

const NOT_OF_CLIENT = 'request_uri must be one that was issued to this client (RFC 9126 2.2)';

/**
 * Pushed authorization requests (RFC 9126). A request_uri that cannot be used is reported on a page, because the
 * redirect URI is part of the pushed request.
 */
export const PUSHED_REQUEST_REFUSALS = {
  ...failing('request_uri', 'invalid_request_uri', {
    request_uri_unknown: {
      description: NOT_OF_CLIENT,
      summary: 'This service did not issue this request_uri or no longer stores it.',
      advice:
        'Push the request again and send its request_uri unchanged. Pushed requests are lost when the sandbox is reset or restarted.',
    },
    request_uri_of_other_client: {
      description: NOT_OF_CLIENT,
      summary: 'The request_uri was issued to another client.',
      detail: owner,
      advice: 'Send the client_id of the client that pushed the request.',
    },
    request_uri_used: {
      description: 'request_uri can be used only once (RFC 9126 4)',
      summary: 'The request with this request_uri was already answered.',
      detail: done('answered'),
      advice: 'Push a new request for each authorization.',
    },
    request_uri_expired: {
      description: 'request_uri has expired (RFC 9126 4)',
      summary: 'The request_uri expired before it was used.',
      detail: since,
      advice:
        'Send the browser to the authorization endpoint right after the push; expires_in says how long it lasts.',
    },
  }),
  ...failing('request_uri', 'invalid_request', {
    request_uri_pushed: {
      description: 'request_uri must not be sent in a pushed request (RFC 9126 2.1)',
      summary: 'The pushed request refers to another request with request_uri.',
      advice: 'Push the parameters of the authorization request themselves.',
    },
  }),
  ...failing('pushed', 'invalid_request', {
    push_required: {
      description:
        'the request must be pushed to the pushed authorization request endpoint first (RFC 9126 4)',
      summary:
        'The request was sent to the authorization endpoint with its parameters, but it must be pushed first.',
      detail: ({ client }) =>
        client === undefined ? 'the settings require it' : `client ${client} requires it`,
      advice:
        'Post the parameters to the pushed authorization request endpoint, then send client_id and the request_uri of the response to the authorization endpoint.',
    },
  }),
};
