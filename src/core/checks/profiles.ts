// How narrowly a request is read (behaviour 1), as data: each rule a profile differs in.

import type { Client, Profile } from '../records/schemas.ts';
import { AUTH_METHODS } from '../records/enumerations.ts';

export interface ProfileRules {
  /** The other body format than the one the specification names for a grant (spec 4.1). */
  readonly other_content_type: 'accept' | 'refuse';
  /** `audience` on authorization_code (spec 4.1.1). */
  readonly audience: 'required' | 'optional';
  /** `redirect_uri` on authorization_code: `as_authorized` asks for it if the authorization had it. */
  readonly redirect_uri: 'required' | 'as_authorized';
  /** How an Authorization header is met (spec 5.1). */
  readonly authorization_header: 'basic_refused' | 'refused' | 'basic_accepted';
  /** Client authentication by `private_key_jwt` (RFC 7523). */
  readonly client_assertion: 'refused' | 'accepted';
  /** Client credentials in the query string. */
  readonly query_credentials: 'note' | 'refuse';
  readonly unknown_parameters: 'note' | 'ignore';
  readonly unknown_scope: 'refuse' | 'drop';
  /** An access token without the scope openid at userinfo (behaviour 7). */
  readonly userinfo_without_openid: 'note' | 'refuse';
}

export const PROFILE_RULES: Readonly<Record<Profile, ProfileRules>> = {
  documented: {
    other_content_type: 'accept',
    audience: 'required',
    redirect_uri: 'required',
    authorization_header: 'basic_refused',
    client_assertion: 'refused',
    query_credentials: 'note',
    unknown_parameters: 'note',
    unknown_scope: 'refuse',
    userinfo_without_openid: 'note',
  },
  strict: {
    other_content_type: 'refuse',
    audience: 'required',
    redirect_uri: 'required',
    authorization_header: 'refused',
    client_assertion: 'refused',
    query_credentials: 'refuse',
    unknown_parameters: 'note',
    unknown_scope: 'refuse',
    userinfo_without_openid: 'refuse',
  },
  interop: {
    other_content_type: 'accept',
    audience: 'optional',
    redirect_uri: 'as_authorized',
    authorization_header: 'basic_accepted',
    client_assertion: 'accepted',
    query_credentials: 'note',
    unknown_parameters: 'ignore',
    unknown_scope: 'drop',
    userinfo_without_openid: 'note',
  },
};

/** How clients may authenticate under these rules, as the metadata has it (RFC 8414 2). */
export function authMethodsOf(
  rules: ProfileRules,
): readonly Client['token_endpoint_auth_method'][] {
  return rules.authorization_header === 'basic_accepted' ? AUTH_METHODS : ['client_secret_post'];
}
