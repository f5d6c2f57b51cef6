// Describes what a profile accepted although strict, or the standard, does not. The texts are generated when someone
// views an exchange.

import { type CheckId, type RefusalReason, REFUSALS } from './refusals/index.ts';
import type { DeviationId } from '../records/trace-ids.ts';
import type { DeviationRecord, Evaluation } from './trace.ts';

interface DeviationWords {
  readonly text: (about: string) => string;
  readonly section: string;
  /** The reason for which `strict` rejects it; null if `strict` only notes it as well. */
  readonly strict: RefusalReason | null;
  /** The check that passes with it, if it is not the check of that reason. */
  readonly check?: CheckId;
}

const DEVIATIONS: Readonly<Record<DeviationId, DeviationWords>> = {
  other_content_type: {
    text: (about) => `The body was sent as ${about}, not in the documented format.`,
    section: 'spec 4.1',
    strict: 'content_type_not_documented',
  },
  audience_defaulted: {
    text: (about) => `No audience was sent; ${about} was used.`,
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
    check: 'audience',
  },
  resource_as_audience: {
    text: () => 'No audience was sent; resource (RFC 8707) was used instead.',
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
    check: 'audience',
  },
  redirect_uri_omitted: {
    text: () => 'No redirect_uri was sent; the authorization request had none either.',
    section: 'spec 4.1.1',
    strict: 'parameter_missing',
    check: 'redirect_uri',
  },
  basic_accepted: {
    text: () => 'The client sent its credentials with HTTP Basic instead of body fields.',
    section: 'spec 5.1',
    strict: 'header_not_allowed',
  },
  basic_unencoded: {
    text: () =>
      'The Basic credentials were not form-encoded. They were accepted as sent; a server that decodes them, as the RFC says, rejects them.',
    section: 'RFC 6749 2.3.1',
    strict: 'header_not_allowed',
    check: 'client_secret',
  },
  basic_client_id_alone: {
    text: () =>
      'HTTP Basic had a client_id without a colon and a secret. It was read as a client that has no secret, as the imitated provider reads it.',
    section: 'RFC 7617 2',
    strict: 'header_not_allowed',
  },
  credentials_twice: {
    text: () =>
      'The same client credentials were sent in the header and in the body. They were accepted because the imitated provider accepts them.',
    section: 'RFC 6749 2.3',
    strict: 'header_not_allowed',
  },
  assertion_accepted: {
    text: () => 'The client sent a signed assertion instead of body fields.',
    section: 'spec 5.1',
    strict: 'client_assertion_not_allowed',
  },
  dpop_accepted: {
    text: () =>
      'The request has a DPoP proof, which binds access tokens to the key: they are not bearer tokens.',
    section: 'spec 5.2',
    strict: null,
  },
  dpop_ignored: {
    text: (about) => `${about} was sent and ignored: only the interop profile supports DPoP.`,
    section: 'spec 5.2',
    strict: null,
  },
  authorization_header_ignored: {
    text: () => 'The Authorization header was ignored: credentials are read from the body.',
    section: 'spec 5.1',
    strict: 'header_not_allowed',
  },
  auth_method_mismatch: {
    text: (about) => `The client is registered for an authentication method other than ${about}.`,
    section: 'RFC 7591 2',
    strict: null,
  },
  unknown_parameters: {
    text: (about) => `Unrecognized parameters were ignored: ${about}.`,
    section: 'RFC 6749 3.2',
    strict: null,
  },
  query_credentials: {
    text: (about) =>
      `The query string contained ${about}, which was ignored: query strings end up in logs.`,
    section: 'RFC 6749 2.3.1',
    strict: 'query_credentials',
  },
  query_ignored: {
    text: (about) =>
      `The query string contained ${about}, which was ignored: the parameters of a POST are read from its body.`,
    section: 'behaviour 1.10',
    strict: null,
  },
  access_token_in_query: {
    text: () =>
      'The access token was sent in the query string, which ends up in logs. It was accepted because the imitated provider accepts it.',
    section: 'RFC 6750 5.3',
    strict: 'query_credentials',
  },
  unknown_scope_dropped: {
    text: (about) => `Scopes that are not defined for the audience were dropped: ${about}.`,
    section: 'behaviour 1.11',
    strict: 'scope_unknown',
  },
  scope_blanks: {
    text: () => 'The scope has blanks beyond the single spaces between scopes; they were ignored.',
    section: 'RFC 6749 3.3',
    strict: 'scope_malformed',
  },
  public_client: {
    text: () =>
      'The client has no secret: only PKCE protects it, and only when a code is exchanged.',
    section: 'spec 4.1.1',
    strict: 'client_secret_missing',
  },
  metadata_ignored: {
    text: (about) => `Unsupported client metadata was ignored: ${about}.`,
    section: 'RFC 7591 2',
    strict: null,
  },
  auth_method_unusable: {
    text: (about) =>
      `The active profile does not accept ${about}: requests that authenticate this way are rejected. Register client_secret_post, or use the interop profile.`,
    section: 'spec 5.1',
    strict: null,
  },
  grant_unusable: {
    text: (about) =>
      `A client without a secret or key may not use ${about}: such requests are rejected in every profile.`,
    section: 'behaviour 1.7',
    strict: null,
  },
  password_grant: {
    text: () =>
      'The client used the password of a user. RFC 9700 forbids this grant, and OAuth 2.1 no longer has it: use authorization_code with PKCE.',
    section: 'RFC 9700 2.4',
    strict: 'grant_not_in_profile',
  },
  password_not_set: {
    text: (about) => `The user ${about} has no password, so any is accepted.`,
    section: 'behaviour 7.21',
    strict: null,
  },
  password_grant_unusable: {
    text: () =>
      'The active profile does not accept the password grant: such requests are rejected.',
    section: 'RFC 9700 2.4',
    strict: null,
  },
  id_token_response: {
    text: (about) =>
      `response_type ${about} sends an ID token through the browser; the specification has the code flow only.`,
    section: 'behaviour 7.23',
    strict: 'response_type_unsupported',
  },
  implicit_unusable: {
    text: () =>
      'Only the interop profile sends an ID token from the authorization endpoint: such requests are rejected.',
    section: 'behaviour 7.23',
    strict: null,
  },
  registered_scope_unknown: {
    text: (about) => `Scopes that no audience defines were omitted: ${about}.`,
    section: 'RFC 7591 2',
    strict: null,
  },
  hint_unknown: {
    text: () => 'The token_type_hint is not a supported token type and was ignored.',
    section: 'RFC 7009 2.1',
    strict: null,
  },
  hint_wrong: {
    text: (about) => `The token_type_hint is wrong: the token is ${about}.`,
    section: 'RFC 7009 2.1',
    strict: null,
  },
  other_clients_token: {
    text: (about) => `The token was issued to another client: ${about}.`,
    section: 'RFC 7662 4',
    strict: null,
  },
  openid_missing: {
    text: () =>
      'The access token does not have the scope openid, which a UserInfo request requires.',
    section: 'OpenID Connect Core 5.3',
    strict: 'openid_missing',
  },
  id_token_hint_unverified: {
    text: () =>
      'No current key can verify the id_token_hint; it was accepted without verification.',
    section: 'OpenID Connect Core 3.1.2.2',
    strict: null,
  },
  beside_request_uri: {
    text: (about) =>
      `The pushed request was used; parameters sent beside request_uri were ignored: ${about}.`,
    section: 'RFC 9101 6.3',
    strict: null,
  },
  beside_request_object: {
    text: (about) =>
      `The request object was used; parameters sent beside it were ignored: ${about}.`,
    section: 'RFC 9101 6.3',
    strict: null,
  },
  request_object_unusable: {
    text: () => 'The profile does not accept request objects, for which the client is registered.',
    section: 'behaviour 7.31',
    strict: null,
  },
  shape_applied: {
    text: (about) => `The response follows the provider shape ${about}.`,
    section: 'behaviour 12.7',
    strict: null,
  },
  no_refresh_token: {
    text: () => 'No refresh token was issued: the client may not use the refresh_token grant.',
    section: 'behaviour 2.2',
    strict: null,
  },
};

/**
 * Returns the checks that passed although strict rejects the request: the check of the reason, unless the deviation
 * has another one.
 */
export function toleratedChecks({ deviations }: Evaluation): ReadonlySet<CheckId> {
  const checks = deviations.flatMap(({ id }) => {
    const { strict, check } = DEVIATIONS[id];
    return strict === null ? [] : [check ?? REFUSALS[strict].check];
  });
  return new Set(checks);
}

export function describeDeviation({ id, about }: DeviationRecord) {
  const { text, section, strict } = DEVIATIONS[id];
  return { id, text: text(about ?? ''), section, strict };
}
