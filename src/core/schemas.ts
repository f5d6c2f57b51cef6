// The records of a workspace and their rules, as zod schemas: the one place where a stored field is
// defined. Types are inferred here; the rest of core uses only those types, so that nothing but the
// reading of a file or a control request pays for zod.

import { z } from 'zod';

export const PROFILES = ['documented', 'strict', 'interop'] as const;
export const DIALECTS = ['rfc6749', 'auth0'] as const;
export const AUTHORIZE_MODES = ['consent', 'auto', 'deny'] as const;
export const ACCESS_TOKEN_FORMATS = ['rfc9068', 'auth0', 'opaque'] as const;
export const THROTTLE_MODES = ['off', 'observe', 'enforce'] as const;
export const SIGNING_ALGS = ['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256'] as const;
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export const AUTH_METHODS = ['client_secret_post', 'client_secret_basic', 'none'] as const;

/** Claims the service itself writes; custom claims may not carry these names (behaviour 2). */
export const REGISTERED_CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'client_id',
  'scope',
  'azp',
  'sid',
] as const;

const TEN_YEARS = 10 * 365 * 86_400;
const VSCHAR = /^[\x20-\x7e]*$/;
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const seconds = (min: number, max: number) =>
  z
    .int('must be a whole number of seconds')
    .min(min, `must be at least ${min} s`)
    .max(max, `must be at most ${max} s`);

const visible = (max: number) =>
  z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .regex(VSCHAR, 'must be printable ASCII (RFC 6749 appendix A)');

const text = (max: number) =>
  z.string('must be a string').max(max, `must be at most ${max} characters`);

function absoluteUri(value: string): URL | null {
  return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value) ? new URL(value) : null;
}

const UNSAFE_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** An absolute URI without fragment that can be redirected to (RFC 6749 3.1.2). */
export const redirectUriSchema = visible(2000).superRefine((value, ctx) => {
  const uri = absoluteUri(value);
  if (uri === null || /\s/.test(value)) {
    ctx.addIssue({ code: 'custom', message: 'must be an absolute URI (RFC 6749 3.1.2)' });
  } else if (value.includes('#')) {
    ctx.addIssue({ code: 'custom', message: 'must not have a fragment (RFC 6749 3.1.2)' });
  } else if (UNSAFE_SCHEMES.includes(uri.protocol)) {
    ctx.addIssue({ code: 'custom', message: `must not use the scheme ${uri.protocol}` });
  }
});

/** An absolute URI without fragment that names a resource (RFC 8707 2). */
export const audienceUriSchema = visible(2000).refine(
  (value) => absoluteUri(value) !== null && !value.includes('#') && !/\s/.test(value),
  'must be an absolute URI without fragment (RFC 8707 2)',
);

export const scopeTokenSchema = z
  .string('must be a string')
  .max(200, 'must be at most 200 characters')
  .regex(SCOPE_TOKEN, 'must be a scope-token: visible ASCII without space, quote or backslash');

/** Runs beside other problems, so that all are told at once: what it gets may be half of a record. */
const ALWAYS = { when: () => true };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_CLAIM_DEPTH = 32;

/** Whether a value survives being written as JSON; looks no deeper than so many levels. */
function isJson(value: unknown, levels: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || levels === 0) return false;
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return plain && Object.values(value).every((member) => isJson(member, levels - 1));
}

/** Custom claims: JSON members that do not collide with the claims the service writes. */
export const claimsSchema = z
  .record(z.string(), z.unknown(), 'must be a JSON object')
  .superRefine((claims, ctx) => {
    for (const [name, value] of isObject(claims) ? Object.entries(claims) : []) {
      if (!isJson(value, MAX_CLAIM_DEPTH)) {
        const message = `must be JSON of at most ${MAX_CLAIM_DEPTH} levels`;
        ctx.addIssue({ code: 'custom', path: [name], message });
      }
      if ((REGISTERED_CLAIMS as readonly string[]).includes(name)) {
        ctx.addIssue({
          code: 'custom',
          path: [name],
          message: 'is a claim the service writes itself; choose another name',
        });
      }
    }
  }, ALWAYS);

const unique = (items: readonly unknown[], ctx: z.RefinementCtx, what: string) => {
  if (!Array.isArray(items)) return;
  items.forEach((item: unknown, index) => {
    if (typeof item === 'string' && items.indexOf(item) !== index) {
      ctx.addIssue({ code: 'custom', path: [index], message: `repeats the ${what} "${item}"` });
    }
  });
};

const uniqueList = <T extends z.ZodType<string>>(item: T, what: string, max: number) =>
  z
    .array(item, 'must be an array')
    .max(max, `must have at most ${max} entries`)
    .superRefine((items, ctx) => unique(items, ctx, what), ALWAYS);

/** A registered client, under its RFC 7591 names. */
export const clientSchema = z
  .strictObject({
    client_id: visible(200),
    /** null only for a public client (`token_endpoint_auth_method: none`). */
    client_secret: visible(500).nullable().default(null),
    client_name: text(200).default(''),
    redirect_uris: uniqueList(redirectUriSchema, 'redirect URI', 100).default([]),
    grant_types: uniqueList(
      z.enum(GRANT_TYPES, `must be one of ${GRANT_TYPES.join(', ')}`),
      'grant type',
      GRANT_TYPES.length,
    ).default([...GRANT_TYPES]),
    token_endpoint_auth_method: z
      .enum(AUTH_METHODS, `must be one of ${AUTH_METHODS.join(', ')}`)
      .default('client_secret_post'),
    /** Stands in where neither the authorization nor the request names one; null means the issuer. */
    default_audience: audienceUriSchema.nullable().default(null),
    /** Overrides the workspace's profile for this client. */
    profile: z
      .enum(PROFILES, `must be one of ${PROFILES.join(', ')}, or null`)
      .nullable()
      .default(null),
    /** Seconds; overrides `lifetimes.access_token` for this client. */
    access_token_expires_in: seconds(1, TEN_YEARS).nullable().default(null),
    /** Overrides the workspace's access token format for this client. */
    access_token_format: z
      .enum(ACCESS_TOKEN_FORMATS, `must be one of ${ACCESS_TOKEN_FORMATS.join(', ')}, or null`)
      .nullable()
      .default(null),
    /** Custom claims of every access token issued to this client. */
    claims: claimsSchema.default({}),
  })
  .superRefine((client, ctx) => {
    if (!isObject(client) || client.client_secret !== null) return;
    const method = client.token_endpoint_auth_method;
    if (AUTH_METHODS.includes(method) && method !== 'none') {
      ctx.addIssue({
        code: 'custom',
        path: ['client_secret'],
        message: `is required with token_endpoint_auth_method ${method}`,
      });
    }
  }, ALWAYS);

/** A person who can authorize. */
export const userSchema = z.strictObject({
  sub: visible(255),
  name: text(200).default(''),
  email: text(320).default(''),
  claims: claimsSchema.default({}),
});

/** An API that access tokens are issued for (RFC 8707 calls it a resource). */
export const audienceSchema = z.strictObject({
  uri: audienceUriSchema,
  name: text(200).default(''),
  scopes: uniqueList(scopeTokenSchema, 'scope', 500).default([]),
});

/** An issuer identifier: an http(s) URL without query, fragment or trailing slash (RFC 8414 2). */
export const issuerSchema = visible(500).refine((value) => {
  const uri = /^https?:\/\/[^/]/i.test(value) ? absoluteUri(value) : null;
  return uri !== null && !/[?#\s]|\/$/.test(value) && uri.username === '' && uri.password === '';
}, 'must be an http or https URL without query, fragment or trailing slash (RFC 8414 2)');

export const settingsSchema = z.strictObject({
  /** null: `http://localhost:<bound port>`. */
  issuer: issuerSchema.nullable().default(null),
  profile: z.enum(PROFILES, `must be one of ${PROFILES.join(', ')}`).default('documented'),
  dialect: z.enum(DIALECTS, `must be one of ${DIALECTS.join(', ')}`).default('rfc6749'),
  authorize: z
    .enum(AUTHORIZE_MODES, `must be one of ${AUTHORIZE_MODES.join(', ')}`)
    .default('consent'),
  /** Seconds. */
  lifetimes: z
    .strictObject({
      access_token: seconds(1, TEN_YEARS).default(86_400),
      refresh_token: seconds(1, TEN_YEARS).default(2_592_000),
      code: seconds(1, 86_400).default(600),
    })
    .prefault({}),
  refresh_rotation: z
    .strictObject({
      enabled: z.boolean('must be true or false').default(false),
      grace_seconds: seconds(0, 60).default(0),
    })
    .prefault({}),
  throttle: z
    .strictObject({
      mode: z
        .enum(THROTTLE_MODES, `must be one of ${THROTTLE_MODES.join(', ')}`)
        .default('enforce'),
      limit: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(1_000_000_000, 'must be at most 1,000,000,000')
        .default(30),
      window_seconds: seconds(1, 86_400).default(60),
      trust_proxy: z.boolean('must be true or false').default(false),
      /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
      ratelimit_headers: z.boolean('must be true or false').default(true),
      /** `X-RateLimit-Limit`, `-Remaining`, `-Reset`. */
      x_ratelimit_headers: z.boolean('must be true or false').default(true),
      /** `Retry-After` on 429. */
      retry_after_header: z.boolean('must be true or false').default(true),
    })
    .prefault({}),
  access_token_format: z
    .enum(ACCESS_TOKEN_FORMATS, `must be one of ${ACCESS_TOKEN_FORMATS.join(', ')}`)
    .default('rfc9068'),
  signing_alg: z.enum(SIGNING_ALGS, `must be one of ${SIGNING_ALGS.join(', ')}`).default('RS256'),
  /** Whether answers carry `Grantbench-Exchange`. */
  exchange_header: z.boolean('must be true or false').default(true),
  capture: z
    .strictObject({
      max_exchanges: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(1_000_000, 'must be at most 1,000,000')
        .default(10_000),
      max_bytes: z
        .int('must be a whole number of bytes')
        .min(65_536, 'must be at least 65536 bytes')
        .max(4_294_967_296, 'must be at most 4 GiB')
        .default(67_108_864),
    })
    .prefault({}),
  /** Largest request body in bytes; a larger one is answered 413. */
  max_body_bytes: z
    .int('must be a whole number of bytes')
    .min(1024, 'must be at least 1024 bytes')
    .max(16_777_216, 'must be at most 16 MiB')
    .default(65_536),
});

const KTY_OF_ALG = { RS256: 'RSA', PS256: 'RSA', ES256: 'EC', EdDSA: 'OKP', HS256: 'oct' } as const;

/** A private signing key as a JWK (RFC 7517) with its `alg`; `kid` defaults to its thumbprint. */
export const signingKeySchema = z
  .looseObject({
    kty: z.enum(['RSA', 'EC', 'OKP', 'oct'], 'must be RSA, EC, OKP or oct'),
    alg: z.enum(SIGNING_ALGS, `must be one of ${SIGNING_ALGS.join(', ')}`),
    kid: visible(200).optional(),
  })
  .superRefine((key, ctx) => {
    const { alg } = key;
    const kty = KTY_OF_ALG[alg];
    const secret = kty === 'oct' ? 'k' : 'd';
    if (key.kty !== kty) {
      ctx.addIssue({ code: 'custom', path: ['alg'], message: `${alg} needs a key of kty ${kty}` });
    } else if (typeof key[secret] !== 'string') {
      const message = 'is required: a signing key is private';
      ctx.addIssue({ code: 'custom', path: [secret], message });
    }
  });

export const workspaceSchema = z
  .strictObject({
    version: z.literal(1, 'must be 1: the only workspace format this release reads'),
    name: text(200).default('Untitled'),
    settings: settingsSchema.prefault({}),
    audiences: z.array(audienceSchema, 'must be an array').max(10_000).default([]),
    clients: z.array(clientSchema, 'must be an array').max(10_000).default([]),
    users: z.array(userSchema, 'must be an array').max(10_000).default([]),
    faults: z
      .array(z.unknown(), 'must be an array')
      .max(0, 'must be empty: this release has no fault rules')
      .default([]),
    /** Signing keys; the first one with the wanted `alg` signs. Empty: new ones at every start. */
    keys: z.array(signingKeySchema, 'must be an array').max(20).optional(),
  })
  .superRefine((workspace, ctx) => {
    if (!isObject(workspace)) return;
    const recordsOf = (list: 'audiences' | 'clients' | 'users'): Record<string, unknown>[] => {
      const records: unknown = workspace[list];
      return Array.isArray(records)
        ? records.map((record) => (isObject(record) ? record : {}))
        : [];
    };
    const repeated = (list: 'audiences' | 'clients' | 'users', key: string) => {
      const seen = new Set<unknown>();
      recordsOf(list).forEach((record, index) => {
        const value = record[key];
        if (typeof value === 'string' && seen.has(value)) {
          ctx.addIssue({ code: 'custom', path: [list, index, key], message: `repeats "${value}"` });
        }
        seen.add(value);
      });
    };
    repeated('clients', 'client_id');
    repeated('users', 'sub');
    repeated('audiences', 'uri');
    const settings: unknown = workspace.settings;
    const known = new Set(recordsOf('audiences').map((audience) => audience['uri']));
    if (isObject(settings)) known.add(settings['issuer']);
    recordsOf('clients').forEach((client, index) => {
      const wanted = client['default_audience'];
      if (typeof wanted === 'string' && !known.has(wanted)) {
        ctx.addIssue({
          code: 'custom',
          path: ['clients', index, 'default_audience'],
          message: `names "${wanted}", which is not among the audiences`,
        });
      }
    });
  }, ALWAYS);

export type Profile = (typeof PROFILES)[number];
export type Dialect = (typeof DIALECTS)[number];
export type AccessTokenFormat = (typeof ACCESS_TOKEN_FORMATS)[number];
export type SigningAlg = (typeof SIGNING_ALGS)[number];
export type GrantType = (typeof GRANT_TYPES)[number];
export type Client = z.infer<typeof clientSchema>;
export type User = z.infer<typeof userSchema>;
export type Audience = z.infer<typeof audienceSchema>;
export type Settings = z.infer<typeof settingsSchema>;
export type SigningKeyJwk = z.infer<typeof signingKeySchema>;
export type Workspace = z.infer<typeof workspaceSchema>;
