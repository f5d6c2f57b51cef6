// Which values of an unsupported grant_type may be shown: any other may be a secret in the wrong place.

/** Of RFCs, of OpenID and of providers, and what clients send instead of a grant's name. */
const KNOWN: readonly string[] = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  'implicit',
  'code',
  'token',
  'device_code',
  'token_exchange',
  'jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:pre-authorized_code',
  'urn:ietf:params:oauth:grant-type:uma-ticket',
  'urn:openid:params:grant-type:ciba',
  'http://auth0.com/oauth/grant-type/password-realm',
  'http://auth0.com/oauth/grant-type/passwordless/otp',
  'http://auth0.com/oauth/grant-type/mfa-otp',
  'http://auth0.com/oauth/grant-type/mfa-oob',
];

/** The value if it is the name of a known grant, however it is capitalized or padded, else words for it. */
export function safeGrantType(named: string): string {
  const plain = named.trim().toLowerCase();
  return KNOWN.includes(plain) ? JSON.stringify(named.slice(0, 100)) : 'an unknown grant_type';
}
