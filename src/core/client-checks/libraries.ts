// How common client libraries make the checks that the cases of a client check are about, by topic. Every sentence is
// from the source or the documentation of the library: openid-client 6, oauth4webapi 3, Auth.js 5, msal-node,
// Spring Security 6 and 7, Authlib.

export const LIBRARIES = [
  'openid-client',
  'oauth4webapi',
  'Auth.js',
  'MSAL',
  'Spring Security',
  'Authlib',
] as const;

export interface LibraryAdvice {
  readonly library: (typeof LIBRARIES)[number];
  readonly text: string;
}

/** What to check; for each the sentences in the order of the libraries, empty where there is nothing to say. */
const SPELLINGS = {
  state: [
    'authorizationCodeGrant(config, url, { expectedState })',
    'validateAuthResponse(as, client, parameters, expectedState)',
    "checks: ['pkce', 'state'] in the provider; the default is pkce alone",
    'acquireTokenByCode({ state, … }, { code, state: received })',
    'oauth2Login() always compares it',
    'authorize_access_token() compares it; in OAuth2Session, pass authorization_response and state to fetch_token()',
  ],
  iss: [
    'authorizationCodeGrant() compares it if the metadata announces it: use discovery()',
    'validateAuthResponse() compares it if the metadata announces it',
    'Compared if the provider has an issuer and no token and userinfo URLs of its own',
    'Not compared: do it before acquireTokenByCode()',
    'Not compared (RFC 9207 is not implemented): do it in a filter of your own',
    "Not compared: do it with request.args['iss'] before authorize_access_token()",
  ],
  error: [
    'authorizationCodeGrant() throws an AuthorizationResponseError',
    'validateAuthResponse() throws an AuthorizationResponseError',
    'Shown by the sign-in page (pages.signIn), with error=OAuthCallbackError',
    'Look for error in the redirect before acquireTokenByCode()',
    'oauth2Login().failureHandler(…)',
    'authorize_access_token() raises an OAuthError',
  ],
  id_token: [
    'authorizationCodeGrant() validates it: use tokens.claims(), not a decoder of your own',
    'processAuthorizationCodeResponse() validates it: use getValidatedIdTokenClaims()',
    "type: 'oidc' in the provider validates it; type: 'oauth' takes the user from UserInfo",
    'Only decoded: check iss, aud and exp of idTokenClaims yourself',
    'OidcIdTokenValidator does it where the scope has openid; set issuer-uri',
    "authorize_access_token(claims_options={'iss': {'values': [issuer]}, 'aud': {'values': [client_id]}})",
  ],
  azp_and_age: [
    'Not checked: compare azp and iat of tokens.claims() yourself',
    'Not checked: compare azp and iat of getValidatedIdTokenClaims() yourself',
    'Not checked: compare azp and iat of profile in the signIn callback',
    'Not checked: compare azp and iat of idTokenClaims yourself',
    'azp is compared; for the age of iat, add a validator with setJwtValidatorFactory()',
    "azp is compared; check the age of token['userinfo']['iat'] yourself",
  ],
  nonce: [
    'authorizationCodeGrant(config, url, { expectedNonce })',
    'processAuthorizationCodeResponse(as, client, response, { expectedNonce })',
    "checks: ['pkce', 'nonce'] in the provider; the default is pkce alone",
    'acquireTokenByCode({ nonce, … })',
    'Sent and compared where the scope has openid',
    'authorize_access_token() compares it where the scope has openid',
  ],
  signature: [
    'enableNonRepudiationChecks(config)',
    'validateApplicationLevelSignature(as, response)',
    'Not verified in the code flow: verify account.id_token in the signIn callback',
    'Not verified: verify idToken with the keys of the issuer',
    'Always verified, with jwk-set-uri',
    'parse_id_token() verifies it, with jwks_uri of the metadata',
  ],
  algorithm: [
    "discovery(server, client_id, { id_token_signed_response_alg: 'ES256', … })",
    "id_token_signed_response_alg: 'ES256' in the client",
    "client: { id_token_signed_response_alg: 'ES256' } in the provider",
    'Not checked: verify idToken yourself, with a list of algorithms',
    'OidcIdTokenDecoderFactory.setJwsAlgorithmResolver(…); RS256 by default',
    'id_token_signing_alg_values_supported of the metadata limits it: none must not be in it',
  ],
  at_hash: [
    'Not compared in the code flow',
    'Not compared in the code flow',
    'Not compared in the code flow',
    'Not compared',
    'Not compared',
    'parse_id_token() compares it',
  ],
  token_response: [
    'authorizationCodeGrant() validates it; idTokenExpected: true demands an ID token',
    'processAuthorizationCodeResponse() validates it; requireIdToken: true demands an ID token',
    "Validated; type: 'oidc' demands an ID token",
    'Check that accessToken and idTokenClaims are there',
    'Validated; the scope openid demands an ID token',
    "Not validated: check 'access_token', 'token_type' and 'userinfo' in token",
  ],
  dpop: [
    "{ DPoP: getDPoPHandle(config, keyPair) } repeats a request once for a nonce; check tokens.token_type === 'dpop'",
    "{ DPoP: DPoP(client, keyPair) }: repeat once if isDPoPNonceError(error); check token_type === 'dpop'",
    '',
    '',
    '',
    '',
  ],
  userinfo: [
    'fetchUserInfo(config, access_token, sub)',
    'processUserInfoResponse(as, client, sub, response)',
    "type: 'oidc' with idToken: false compares it; type: 'oauth' does not",
    'Not fetched: compare it with idTokenClaims.sub where you do',
    'OidcUserService compares it',
    "Not compared: userinfo()['sub'] == token['userinfo']['sub']",
  ],
  refresh: [
    'refreshTokenGrant() validates the new ID token; compare claims()?.sub with that of the login',
    'processRefreshTokenResponse() validates the new ID token; compare its sub with that of the login',
    'Refreshing is up to your jwt callback: validate there; on an error, have the user sign in again',
    'acquireTokenSilent(); on InteractionRequiredAuthError, have the user sign in again',
    'OidcAuthorizedClientRefreshedEventListener compares iss and sub (since 6.5)',
    'Not validated: parse_id_token() and compare sub; on OAuthError, have the user sign in again',
  ],
  keys: [
    'Read and kept where signatures are verified: enableNonRepudiationChecks(config)',
    'Read and kept by validateApplicationLevelSignature(); again for an unknown kid',
    'Not read in the code flow',
    'Not read',
    'Read again for an unknown kid',
    'Read again for an unknown kid',
  ],
  logout: [
    'Not implemented: verify the token with jose and compare the claims yourself',
    'Not implemented: verify the token with jose and compare the claims yourself',
    'Not implemented: verify the token with jose and compare the claims yourself',
    'Not implemented: verify the token with jose and compare the claims yourself',
    'oidcLogout().backChannel(…) validates it',
    'Not implemented: verify the token with authlib.jose and compare the claims yourself',
  ],
  discovery: [
    'discovery(server, …) compares the issuer',
    'processDiscoveryResponse(issuer, response) compares the issuer',
    'issuer in the provider; compared at each sign-in',
    'Only scheme and host are compared with authority; knownAuthorities allows more',
    'issuer-uri; compared at the start',
    "Not compared: load_server_metadata()['issuer'] == issuer",
  ],
  transport: [
    'Throws: catch it around authorizationCodeGrant(); config.timeout in seconds; waiting for Retry-After is up to you',
    'Throws: catch it; signal: AbortSignal.timeout(ms); waiting for Retry-After is up to you',
    'Shown by the page of pages.error',
    'Throws a ServerError; sends nothing again before Retry-After is over',
    'oauth2Login().failureHandler(…)',
    "Raises: catch it; client_kwargs={'timeout': seconds}; waiting for Retry-After is up to you",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Topic = keyof typeof SPELLINGS;

/** The advice for a topic, by library; those with nothing to say are left out. */
export const adviceOf = (topic: Topic): readonly LibraryAdvice[] =>
  LIBRARIES.flatMap((library, index) => {
    const text = SPELLINGS[topic][index] ?? '';
    return text === '' ? [] : [{ library, text }];
  });
