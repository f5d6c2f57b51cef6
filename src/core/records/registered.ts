// What is registered: clients, users, audiences.

import { jsonBytes } from '../collections/weight.ts';
import { z } from './zod.ts';
import { MAX_RECORD_BYTES } from './bounds.ts';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  AUTH_METHODS,
  GRANT_TYPES,
  PROFILES,
} from './enumerations.ts';
import {
  ALWAYS,
  audienceUriSchema,
  claimsSchema,
  isObject,
  oneOf,
  oneOfOrNull,
  orNull,
  redirectUriSchema,
  scopeTokenSchema,
  seconds,
  TEN_YEARS,
  text,
  uniqueList,
  visible,
  whole,
} from './members.ts';

/** What a public key consists of, by its type (RFC 7518 6, RFC 8037 2). */
const KEY_MEMBERS = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] } as const;
const PRIVATE_JWK_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A public key as a JWK (RFC 7517). */
const publicKeySchema = z
  .looseObject(
    {
      kty: z.enum(['RSA', 'EC', 'OKP'], 'must be RSA, EC or OKP'),
      kid: z.optional(visible(200)),
    },
    'must be a JSON object',
  )
  .check(
    z.superRefine((jwk, ctx) => {
      for (const name of KEY_MEMBERS[jwk.kty]) {
        if (typeof jwk[name] === 'string') continue;
        const message = `is required as text in a key of kty ${jwk.kty}`;
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
      for (const name of PRIVATE_JWK_MEMBERS) {
        if (!(name in jwk)) continue;
        const message = 'is a private member; register only the public key';
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
    }),
  );

/** The keys a client signs its assertions with (RFC 7591 2, RFC 7523). */
const clientKeysSchema = z.strictObject(
  {
    keys: z
      .array(publicKeySchema, 'must be an array')
      .check(z.minLength(1, 'must hold a key'), z.maxLength(20, 'must hold at most 20 keys')),
  },
  'must be a JSON object',
);

/** What each way to authenticate needs of the record. */
function missingForMethod(client: Record<string, unknown>): readonly [string, string] | null {
  const { client_secret, jwks, token_endpoint_auth_method: method } = client;
  if (method === 'private_key_jwt') return jwks === null ? ['jwks', method] : null;
  const known = (AUTH_METHODS as readonly unknown[]).includes(method);
  if (!known || method === 'none' || client_secret !== null) return null;
  return ['client_secret', String(method)];
}

const KIB = 1024;

/** What a list of records may hold has a bound as well; this leaves room for more than one. */
const withinSize = z.refine(
  (record: unknown) => jsonBytes(record) <= MAX_RECORD_BYTES,
  `must not take more than ${MAX_RECORD_BYTES / KIB} KiB in memory`,
);

/** A registered client, under its RFC 7591 names. */
export const clientSchema = z
  .strictObject({
    client_id: visible(200),
    /** null for a public client (`none`) and for one that signs assertions (`private_key_jwt`). */
    client_secret: orNull(visible(500)),
    client_name: z._default(text(200), ''),
    /** For `native` ones, the port of a loopback redirect URI may vary (RFC 8252 7.3). */
    application_type: z._default(oneOf(APPLICATION_TYPES), 'web'),
    redirect_uris: z._default(uniqueList(redirectUriSchema, 'redirect URI', 100), []),
    /** Where a logout may return to (OpenID Connect RP-Initiated Logout 3). */
    post_logout_redirect_uris: z._default(uniqueList(redirectUriSchema, 'redirect URI', 100), []),
    grant_types: z._default(uniqueList(oneOf(GRANT_TYPES), 'grant type', GRANT_TYPES.length), [
      'authorization_code',
      'refresh_token',
    ]),
    token_endpoint_auth_method: z._default(oneOf(AUTH_METHODS), 'client_secret_post'),
    /** Public keys of a client that signs its assertions; null without. */
    jwks: orNull(clientKeysSchema),
    /** Stands in where neither the authorization nor the request names one; null means the issuer. */
    default_audience: orNull(audienceUriSchema),
    /** Overrides the workspace's profile for this client. */
    profile: oneOfOrNull(PROFILES),
    /** Seconds; overrides `lifetimes.access_token` for this client. */
    access_token_expires_in: orNull(seconds(1, TEN_YEARS)),
    /** Seconds; overrides `lifetimes.refresh_token` for this client. */
    refresh_token_expires_in: orNull(seconds(1, TEN_YEARS)),
    /** Overrides the workspace's access token format for this client. */
    access_token_format: oneOfOrNull(ACCESS_TOKEN_FORMATS),
    /** Overrides the workspace's throttling for requests of this client (behaviour 5). */
    throttle: orNull(
      z.strictObject({ limit: whole(1, 1_000_000_000), window_seconds: seconds(1, 86_400) }),
    ),
    /** Custom claims of every access token issued to this client. */
    claims: z._default(claimsSchema, {}),
  })
  .check(
    z.superRefine((client, ctx) => {
      const missing = isObject(client) ? missingForMethod(client) : null;
      if (missing === null) return;
      const [field, method] = missing;
      const message = `is required with token_endpoint_auth_method ${method}`;
      ctx.addIssue({ code: 'custom', path: [field], message });
    }, ALWAYS),
    withinSize,
  );

/** A person who can authorize. */
export const userSchema = z
  .strictObject({
    sub: visible(255),
    name: z._default(text(200), ''),
    email: z._default(text(320), ''),
    claims: z._default(claimsSchema, {}),
  })
  .check(withinSize);

/** An API that access tokens are issued for (RFC 8707 calls it a resource). */
export const audienceSchema = z
  .strictObject({
    uri: audienceUriSchema,
    name: z._default(text(200), ''),
    scopes: z._default(uniqueList(scopeTokenSchema, 'scope', 500), []),
  })
  .check(withinSize);
