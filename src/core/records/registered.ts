// The schemas of clients, users and audiences.

import { isJsonObject } from '../../json.ts';
import { described, z } from './zod.ts';
import { MAX_URI } from './redirect-uri.ts';
import {
  ACCESS_TOKEN_FORMAT_WORDS,
  APPLICATION_TYPE_WORDS,
  AUTH_METHOD_WORDS,
  GRANT_WORDS,
  PROFILE_WORDS,
} from './enumeration-words.ts';
import {
  AUTH_METHODS,
  CLIENT_GRANTS,
  PRIVATE_JWK_MEMBERS,
  REQUEST_OBJECT_ALGS,
  RESPONSE_ALGS,
} from './enumerations.ts';
import {
  acrSchema,
  ALWAYS,
  audienceUriSchema,
  claimsSchema,
  flag,
  oneOf,
  oneOfOrNull,
  orNull,
  passwordSchema,
  redirectUriSchema,
  scopeTokenSchema,
  seconds,
  TEN_YEARS,
  text,
  uniqueList,
  visible,
  whole,
  withinSize,
} from './members.ts';

/** The members of a public key by its type (RFC 7518 6, RFC 8037 2). */
const KEY_MEMBERS = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] } as const;

/** A public key as a JWK (RFC 7517). */
const publicKeySchema = z
  .looseObject(
    {
      kty: described(
        z.enum(['RSA', 'EC', 'OKP'], 'must be RSA, EC or OKP'),
        'Type of the key (RFC 7517).',
      ),
      kid: described(z.optional(visible(200)), 'Identifier of the key.'),
    },
    'must be a JSON object',
  )
  .check(
    z.superRefine((jwk, ctx) => {
      for (const name of KEY_MEMBERS[jwk.kty]) {
        if (typeof jwk[name] === 'string') continue;
        const message = `is required as a string in a key of kty ${jwk.kty}`;
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
      for (const name of PRIVATE_JWK_MEMBERS) {
        if (!(name in jwk)) continue;
        const message = 'is a private member; register only the public key';
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
    }),
  );

/** The keys with which a client signs its assertions (RFC 7591 2, RFC 7523). */
const clientKeysSchema = z.strictObject(
  {
    keys: described(
      z
        .array(publicKeySchema, 'must be an array')
        .check(
          z.minLength(1, 'must contain at least one key'),
          z.maxLength(20, 'must contain at most 20 keys'),
        ),
      'Public keys as JWKs.',
    ),
  },
  'must be a JSON object',
);

const LOOPBACK_URL = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

/** A URL that this machine serves: Grantbench requests nothing from other machines. @param otherwise ends the message */
const appUrlSchema = (otherwise = '') =>
  visible(MAX_URI).check(
    z.refine(
      (url) => LOOPBACK_URL.test(url) && URL.canParse(url) && !/[#\s]/.test(url),
      `must be an http or https URL of localhost, 127.0.0.1 or [::1], without a fragment${otherwise}`,
    ),
  );

/** Returns the member that the authentication method requires but that is missing; null if none is. */
function missingForMethod(client: Record<string, unknown>): string | null {
  const { client_secret, jwks, jwks_uri, token_endpoint_auth_method: method } = client;
  if (method === 'private_key_jwt') {
    return jwks === null && jwks_uri === undefined ? 'jwks' : null;
  }
  const usesSecret = (AUTH_METHODS as readonly unknown[]).includes(method) && method !== 'none';
  return usesSecret && client_secret === null ? 'client_secret' : null;
}

/** The bytes that the shortest HMAC needs (RFC 7518 3.2); secrets are ASCII. */
const HMAC_BYTES = 32;

/** Rules between members, each as the member and its message. */
function brokenRules(client: Record<string, unknown>): readonly [string, string][] {
  const { client_secret, jwks, jwks_uri, token_endpoint_auth_method: method } = client;
  const missing = missingForMethod(client);
  const broken: [string, string][] = [];
  if (missing !== null) {
    const unless = missing === 'jwks' ? ', unless jwks_uri is set' : '';
    broken.push([
      missing,
      `is required with token_endpoint_auth_method ${String(method)}${unless}`,
    ]);
  }
  if (jwks_uri !== undefined && jwks !== null) {
    broken.push(['jwks_uri', 'must not be combined with jwks (RFC 7591 2)']);
  }
  const signs = method === 'client_secret_jwt' && typeof client_secret === 'string';
  if (signs && client_secret.length < HMAC_BYTES) {
    const message = `must have at least ${HMAC_BYTES} bytes with token_endpoint_auth_method ${method} (RFC 7518 3.2)`;
    broken.push(['client_secret', message]);
  }
  return broken;
}

/** A registered client, with the names of RFC 7591. */
export const clientSchema = z
  .strictObject({
    client_id: described(visible(200), {
      title: 'client_id',
      description: 'Identifier of the client (RFC 7591).',
    }),
    client_secret: described(orNull(visible(500)), {
      title: 'client_secret',
      description:
        'Secret of the client; null for the methods none and private_key_jwt, required for the others. The control API generates one if a new client has none.',
    }),
    client_name: described(z._default(text(200), ''), {
      title: 'Name',
      description: 'Display name.',
    }),
    application_type: described(z._default(oneOf(APPLICATION_TYPE_WORDS), 'web'), {
      title: 'Application type',
      description:
        'For native clients, the port of a loopback redirect URI may vary (RFC 8252 7.3).',
    }),
    redirect_uris: described(z._default(uniqueList(redirectUriSchema, 'redirect URI', 100), []), {
      title: 'Redirect URIs',
      description:
        'Redirect URIs for authorization responses, compared character by character (RFC 6749 3.1.2.3).',
    }),
    post_logout_redirect_uris: described(
      z._default(uniqueList(redirectUriSchema, 'redirect URI', 100), []),
      {
        title: 'Post-logout redirect URIs',
        description: 'Redirect URIs after a logout (OpenID Connect RP-Initiated Logout 3).',
      },
    ),
    backchannel_logout_uri: described(z.optional(appUrlSchema()), {
      title: 'Back-channel logout URI',
      description:
        'URL of the app on this machine to which logout tokens are sent (OpenID Connect Back-Channel Logout 2.2).',
    }),
    backchannel_logout_session_required: described(z.optional(flag()), {
      title: 'Logout tokens need a session',
      description:
        'Whether every logout token must have the sid of the session that has ended (OpenID Connect Back-Channel Logout 2.2).',
    }),
    grant_types: described(
      z._default(uniqueList(oneOf(GRANT_WORDS), 'grant type', CLIENT_GRANTS.length), [
        'authorization_code',
        'refresh_token',
      ]),
      { title: 'Grants', description: 'Grants that the client may use.' },
    ),
    token_endpoint_auth_method: described(
      z._default(oneOf(AUTH_METHOD_WORDS), 'client_secret_post'),
      {
        title: 'Client authentication',
        description: 'How the client authenticates at the token endpoint (RFC 7591 2).',
      },
    ),
    require_pushed_authorization_requests: described(z._default(flag(), false), {
      title: 'Require pushed requests (PAR)',
      description:
        'Whether the client must push its authorization requests to /oauth/par first (RFC 9126 6).',
    }),
    dpop_bound_access_tokens: described(z._default(flag(), false), {
      title: 'DPoP required',
      description:
        'Whether the client must send a DPoP proof with every token request (RFC 9449 5.2). Requires the interop profile.',
    }),
    jwks: described(orNull(clientKeysSchema), {
      title: 'Public keys (JWK Set)',
      description:
        'Public keys of a client that signs assertions (RFC 7523) or requests (RFC 9101); null for none.',
    }),
    jwks_uri: described(z.optional(appUrlSchema('; use jwks for keys elsewhere')), {
      title: 'URL of the public keys',
      description:
        'URL on this machine from which the public keys are fetched, instead of jwks (RFC 7591 2).',
    }),
    request_object_signing_alg: described(z.optional(oneOf(REQUEST_OBJECT_ALGS)), {
      title: 'Signed requests',
      description:
        'The only algorithm with which this client may sign request objects (RFC 9101 10.2); if absent, any but none. Requires the interop profile.',
    }),
    require_signed_request_object: described(z.optional(flag()), {
      title: 'Require signed requests',
      description:
        'Whether every authorization request of the client must be a signed request object (RFC 9101 10.5). Requires the interop profile.',
    }),
    authorization_signed_response_alg: described(z.optional(oneOf(RESPONSE_ALGS)), {
      title: 'Signed authorization responses',
      description:
        'Algorithm with which authorization responses are signed in a response_mode with jwt (JARM 3); if absent, RS256.',
    }),
    userinfo_signed_response_alg: described(z.optional(oneOf(RESPONSE_ALGS)), {
      title: 'Signed userinfo',
      description:
        'Algorithm with which userinfo is signed as a JWT (OpenID Connect Core 5.3.2); if absent, it is JSON.',
    }),
    introspection_signed_response_alg: described(z.optional(oneOf(RESPONSE_ALGS)), {
      title: 'Signed introspection',
      description:
        'Algorithm with which an introspection response is signed, if the client accepts a JWT (RFC 9701 6); if absent, RS256.',
    }),
    registration_access_token: described(z.optional(visible(200)), {
      title: 'Registration access token',
      description:
        'The token with which a client that registered itself reads, changes and deletes its registration (RFC 7592).',
    }),
    default_audience: described(orNull(audienceUriSchema), {
      title: 'Default audience',
      description:
        'The audience when neither the authorization nor the request has one. It must be registered; null for the issuer.',
    }),
    profile: described(oneOfOrNull(PROFILE_WORDS), {
      title: 'Profile',
      description: 'Profile of this client; null for the profile in the settings.',
    }),
    access_token_expires_in: described(orNull(seconds(1, TEN_YEARS)), {
      title: 'Access token lifetime in seconds',
      description:
        'Lifetime of access tokens of this client in seconds; null for the lifetime in the settings.',
    }),
    refresh_token_expires_in: described(orNull(seconds(1, TEN_YEARS)), {
      title: 'Refresh token lifetime in seconds',
      description:
        'Lifetime of refresh tokens of this client in seconds; null for the lifetime in the settings.',
    }),
    access_token_format: described(oneOfOrNull(ACCESS_TOKEN_FORMAT_WORDS), {
      title: 'Access token format',
      description: 'Access token format of this client; null for the format in the settings.',
    }),
    default_max_age: described(orNull(seconds(0, TEN_YEARS)), {
      title: 'Default maximum age in seconds',
      description:
        'The max_age of authorization requests that have none; null for none (OpenID Connect Dynamic Client Registration 2).',
    }),
    require_auth_time: described(z._default(flag(), false), {
      title: 'Require auth_time',
      description:
        'Whether ID tokens for this client always have auth_time, even if the imitated provider omits it (OpenID Connect Dynamic Client Registration 2).',
    }),
    throttle: described(
      orNull(
        z.strictObject({
          limit: described(whole(1, 1_000_000_000), {
            title: 'Limit in requests',
            description: 'Requests allowed in a window.',
          }),
          window_seconds: described(seconds(1, 86_400), {
            title: 'Window in seconds',
            description: 'Length of a window in seconds.',
          }),
        }),
      ),
      {
        title: 'Throttling',
        description: 'Request limit of this client; null for the limit in the settings.',
      },
    ),
    claims: described(z._default(claimsSchema, {}), {
      title: 'Custom claims',
      description:
        'Custom claims in every access token issued to this client. Claims that the service sets itself are rejected.',
    }),
    claims_in_id_token: described(z._default(flag(), false), {
      title: 'Custom claims in the id_token',
      description:
        'Whether ID tokens for this client also have the custom claims of the user. Standard claims, such as given_name, are in them by scope (OpenID Connect Core 5.4).',
    }),
  })
  .check(
    z.superRefine((client, ctx) => {
      for (const [field, message] of isJsonObject(client) ? brokenRules(client) : []) {
        ctx.addIssue({ code: 'custom', path: [field], message });
      }
    }, ALWAYS),
    withinSize,
  );

const namesSchema = text(200).check(z.minLength(1, 'must not be empty'));

/** A user who can authorize clients. */
export const userSchema = z
  .strictObject({
    sub: described(visible(255), {
      title: 'Subject',
      description: 'Identifier of the user: the sub claim in tokens.',
    }),
    name: described(z._default(text(200), ''), { title: 'Name', description: 'Display name.' }),
    email: described(z._default(text(320), ''), {
      title: 'Email',
      description: 'E-mail address of the user.',
    }),
    password: described(orNull(passwordSchema), {
      title: 'Password',
      description:
        'Password for the password grant (RFC 6749 4.3), and for the sign-in page if it asks for one; null for none: then any is accepted.',
    }),
    locked: described(z.optional(flag()), {
      title: 'Locked',
      description:
        'Whether the account is locked: the user cannot sign in, but existing sessions and tokens stay valid. false by default.',
    }),
    claims: described(z._default(claimsSchema, {}), {
      title: 'Custom claims',
      description:
        'Custom claims in every access token issued for this user. Those with the name of a standard claim, such as given_name, are in ID tokens by scope (OpenID Connect Core 5.4). Claims that the service sets itself are rejected.',
    }),
    acr_values: described(z.optional(uniqueList(acrSchema, 'acr', 20)), {
      title: 'acr values',
      description:
        'Authentication context classes with which the user can sign in (OpenID Connect Core 2); all that are supported by default.',
    }),
    groups: described(z.optional(uniqueList(namesSchema, 'group', 200)), {
      title: 'Groups',
      description: 'Groups of the user, for the claims of a provider shape.',
    }),
    roles: described(z.optional(uniqueList(namesSchema, 'role', 200)), {
      title: 'Roles',
      description: 'Roles of the user, for the claims of a provider shape.',
    }),
  })
  .check(withinSize);

/** An API that access tokens are issued for (RFC 8707 calls it a resource). */
export const audienceSchema = z
  .strictObject({
    uri: described(audienceUriSchema, {
      title: 'URI',
      description:
        'Identifier of the API: an absolute URI without a fragment (RFC 8707 2), or a name for the parameter audience (RFC 8693 2.1).',
    }),
    name: described(z._default(text(200), ''), { title: 'Name', description: 'Display name.' }),
    scopes: described(z._default(uniqueList(scopeTokenSchema, 'scope', 500), []), {
      title: 'Scopes',
      description:
        'Scopes of this API, in addition to openid, profile, email, address, phone and offline_access.',
    }),
  })
  .check(withinSize);
