// How strictly requests are validated (behaviour 1), as data: every rule in which profiles differ.

import type { Client, Profile } from '../records/schemas.ts';
import { AUTH_METHODS } from '../records/enumerations.ts';

/** What each rule is in the profiles documented, strict and interop. */
const RULES = {
  /** The body format that is not the documented one for a grant (spec 4.1). */
  other_content_type: ['accept', 'reject', 'accept'],
  /** `audience` on authorization_code (spec 4.1.1). */
  audience: ['required', 'required', 'optional'],
  /** `redirect_uri` on authorization_code: `as_authorized` requires it if the authorization request had it. */
  redirect_uri: ['required', 'required', 'as_authorized'],
  /** Which Authorization headers are accepted (spec 5.1). */
  authorization_header: ['basic_rejected', 'rejected', 'basic_accepted'],
  /** Client authentication with `private_key_jwt` (RFC 7523). */
  client_assertion: ['rejected', 'rejected', 'accepted'],
  /** The error for a request without any client authentication. */
  no_authentication: ['invalid_request', 'invalid_request', 'invalid_client'],
  /** The password grant (RFC 6749 4.3), which OAuth 2.1 no longer has. */
  password_grant: ['note', 'reject', 'note'],
  /** A DPoP header at the token endpoint, and `dpop_jkt` (RFC 9449): the specification has bearer tokens only. */
  dpop: ['ignored', 'ignored', 'accepted'],
  query_credentials: ['note', 'reject', 'note'],
  unknown_parameters: ['note', 'note', 'ignore'],
  unknown_scope: ['reject', 'reject', 'drop'],
  /** More than one space between scopes, or spaces around them (RFC 6749 3.3). */
  scope_blanks: ['note', 'reject', 'note'],
  /** An id_token when a grant with `openid` is refreshed (OpenID Connect Core 12.2). */
  id_token_on_refresh: ['none', 'none', 'issued'],
  /** An ID token in the authorization response (OpenID Connect Core 3.2 and 3.3): the specification has codes only. */
  id_token_response: ['reject', 'reject', 'note'],
  /** Request objects (RFC 9101): the specification has plain parameters only. */
  request_object: ['rejected', 'rejected', 'accepted'],
  /** An access token without the scope openid at userinfo (behaviour 7). */
  userinfo_without_openid: ['note', 'reject', 'note'],
} as const satisfies Readonly<Record<string, readonly [unknown, unknown, unknown]>>;

export type ProfileRules = { readonly [Rule in keyof typeof RULES]: (typeof RULES)[Rule][number] };

const rulesIn = (column: 0 | 1 | 2) =>
  Object.fromEntries(
    Object.entries(RULES).map(([rule, values]) => [rule, values[column]]),
  ) as ProfileRules;

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  documented: rulesIn(0),
  strict: rulesIn(1),
  interop: rulesIn(2),
};

/** Returns the authentication methods that the profile accepts, as in the metadata (RFC 8414 2). */
export function authMethodsOf(
  rules: ProfileRules,
): readonly Client['token_endpoint_auth_method'][] {
  return rules.authorization_header === 'basic_accepted' ? AUTH_METHODS : ['client_secret_post'];
}
