// How strictly requests are validated (behaviour 1), as data: every rule in which profiles differ.

import type { Client, Profile } from '../records/schemas.ts';
import { AUTH_METHODS } from '../records/enumerations.ts';

export interface ProfileRules {
  /** The body format that is not the documented one for a grant (spec 4.1). */
  readonly other_content_type: 'accept' | 'reject';
  /** `audience` on authorization_code (spec 4.1.1). */
  readonly audience: 'required' | 'optional';
  /** `redirect_uri` on authorization_code: `as_authorized` requires it if the authorization request had it. */
  readonly redirect_uri: 'required' | 'as_authorized';
  /** Which Authorization headers are accepted (spec 5.1). */
  readonly authorization_header: 'basic_rejected' | 'rejected' | 'basic_accepted';
  /** Client authentication with `private_key_jwt` (RFC 7523). */
  readonly client_assertion: 'rejected' | 'accepted';
  /** The error for a request without any client authentication. */
  readonly no_authentication: 'invalid_request' | 'invalid_client';
  /** The password grant (RFC 6749 4.3), which OAuth 2.1 no longer has. */
  readonly password_grant: 'note' | 'reject';
  /** A DPoP header at the token endpoint, and `dpop_jkt` (RFC 9449): the specification has bearer tokens only. */
  readonly dpop: 'ignored' | 'accepted';
  /** Client credentials in the query string. */
  readonly query_credentials: 'note' | 'reject';
  readonly unknown_parameters: 'note' | 'ignore';
  readonly unknown_scope: 'reject' | 'drop';
  /** More than one space between scopes, or spaces around them (RFC 6749 3.3). */
  readonly scope_blanks: 'reject' | 'note';
  /** An id_token when a grant with `openid` is refreshed (OpenID Connect Core 12.2). */
  readonly id_token_on_refresh: 'none' | 'issued';
  /** An ID token in the authorization response (OpenID Connect Core 3.2 and 3.3): the specification has codes only. */
  readonly id_token_response: 'reject' | 'note';
  /** Request objects (RFC 9101): the specification has plain parameters only. */
  readonly request_object: 'rejected' | 'accepted';
  /** An access token without the scope openid at userinfo (behaviour 7). */
  readonly userinfo_without_openid: 'note' | 'reject';
}

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  documented: {
    other_content_type: 'accept',
    audience: 'required',
    redirect_uri: 'required',
    authorization_header: 'basic_rejected',
    client_assertion: 'rejected',
    no_authentication: 'invalid_request',
    password_grant: 'note',
    dpop: 'ignored',
    query_credentials: 'note',
    unknown_parameters: 'note',
    unknown_scope: 'reject',
    scope_blanks: 'note',
    id_token_on_refresh: 'none',
    id_token_response: 'reject',
    request_object: 'rejected',
    userinfo_without_openid: 'note',
  },
  strict: {
    other_content_type: 'reject',
    audience: 'required',
    redirect_uri: 'required',
    authorization_header: 'rejected',
    client_assertion: 'rejected',
    no_authentication: 'invalid_request',
    password_grant: 'reject',
    dpop: 'ignored',
    query_credentials: 'reject',
    unknown_parameters: 'note',
    unknown_scope: 'reject',
    scope_blanks: 'reject',
    id_token_on_refresh: 'none',
    id_token_response: 'reject',
    request_object: 'rejected',
    userinfo_without_openid: 'reject',
  },
  interop: {
    other_content_type: 'accept',
    audience: 'optional',
    redirect_uri: 'as_authorized',
    authorization_header: 'basic_accepted',
    client_assertion: 'accepted',
    no_authentication: 'invalid_client',
    password_grant: 'note',
    dpop: 'accepted',
    query_credentials: 'note',
    unknown_parameters: 'ignore',
    unknown_scope: 'drop',
    scope_blanks: 'note',
    id_token_on_refresh: 'issued',
    id_token_response: 'note',
    request_object: 'accepted',
    userinfo_without_openid: 'note',
  },
};

/** Returns the authentication methods that the profile accepts, as in the metadata (RFC 8414 2). */
export function authMethodsOf(
  rules: ProfileRules,
): readonly Client['token_endpoint_auth_method'][] {
  return rules.authorization_header === 'basic_accepted' ? AUTH_METHODS : ['client_secret_post'];
}
