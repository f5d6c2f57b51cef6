// What the enumerated settings mean, in one line each, wherever the page offers them.

import type {
  Client,
  Dialect,
  GrantType,
  Profile,
  Settings,
  SigningAlg,
} from '../../control/schemas.ts';

export const PROFILE_WORDS: Record<Profile, string> = {
  documented:
    'As the specification says, forgiving about form or JSON; what strict would refuse is noted.',
  strict: 'Only what the specification documents: finds what breaks in production.',
  interop: 'For stock OAuth clients: Basic authentication, and no audience needed.',
};

export const DIALECT_WORDS: Record<Dialect, string> = {
  rfc6749: 'Error answers as RFC 6749 5.2 has them.',
  auth0: 'Error answers with the statuses and codes Auth0 uses.',
};

export const AUTHORIZE_WORDS: Record<Settings['authorize'], string> = {
  consent: 'A page asks who signs in and what is granted.',
  auto: 'Granted at once, for the user of login_hint or else the first one.',
  deny: 'Every request is answered access_denied.',
};

export const AUTH_METHOD_WORDS: Record<Client['token_endpoint_auth_method'], string> = {
  client_secret_post: 'Secret in the body (client_secret_post)',
  client_secret_basic: 'Secret in the Authorization header (client_secret_basic)',
  private_key_jwt: 'Assertion signed with the client’s key (private_key_jwt)',
  none: 'Public client, no secret (none)',
};

export const APPLICATION_TYPE_WORDS: Record<Client['application_type'], string> = {
  web: 'Web: redirect URIs are compared exactly',
  native: 'Native: the port of a loopback redirect URI may vary',
};

export const REGISTRATION_WORDS: Record<Settings['registration']['mode'], string> = {
  off: 'Nothing is at /register.',
  open: 'Whoever reaches the server may register.',
  token: 'Registering takes the initial access token.',
};

export const GRANT_WORDS: Record<GrantType, string> = {
  authorization_code: 'Exchange a code for tokens.',
  refresh_token: 'Get new access tokens with a refresh token.',
  client_credentials: 'Get a token for the client itself, without a user.',
};

export const FORMAT_WORDS: Record<Settings['access_token_format'], string> = {
  rfc9068: 'JWT as RFC 9068 has it',
  auth0: 'JWT with Auth0’s claims',
  opaque: 'Opaque string',
};

export const ALG_WORDS: Record<SigningAlg, string> = {
  RS256: 'RSA, SHA-256: read by every library.',
  ES256: 'ECDSA P-256: short signatures, fast to make.',
  EdDSA: 'Ed25519: fastest, not known everywhere.',
  PS256: 'RSA-PSS, SHA-256.',
  HS256: 'Shared secret: cannot be verified with published keys.',
};
