// What holds for a whole workspace.

import { z } from '../zod.ts';
import {
  ACCESS_TOKEN_FORMATS,
  AUTHORIZE_MODES,
  DIALECTS,
  PROFILES,
  REGISTRATION_MODES,
  SIGNING_ALGS,
  THROTTLE_MODES,
} from './enumerations.ts';
import { flag, issuerSchema, oneOf, seconds, TEN_YEARS, visible, whole } from './members.ts';

export const settingsSchema = z.strictObject({
  /** null: `http://localhost:<bound port>`. */
  issuer: issuerSchema.nullable().default(null),
  profile: oneOf(PROFILES).default('documented'),
  dialect: oneOf(DIALECTS).default('rfc6749'),
  authorize: oneOf(AUTHORIZE_MODES).default('consent'),
  /** Seconds. */
  lifetimes: z
    .strictObject({
      access_token: seconds(1, TEN_YEARS).default(86_400),
      /** From the first refresh token of an authorization on; replacing it gives no more. */
      refresh_token: seconds(1, TEN_YEARS).default(2_592_000),
      /** A refresh token that is not used for so long expires; null: only the above counts. */
      refresh_token_idle: seconds(1, TEN_YEARS).nullable().default(null),
      /** Of a person's sign-in at the authorization endpoint. */
      session: seconds(1, TEN_YEARS).default(86_400),
      code: seconds(1, 86_400).default(600),
    })
    .prefault({}),
  refresh_rotation: z
    .strictObject({
      enabled: flag().default(false),
      grace_seconds: seconds(0, 60).default(0),
    })
    .prefault({}),
  /** `refresh_token_timeout` and `authorization_expires_in` beside a refresh token. */
  expiry_members: flag().default(false),
  /** Dynamic client registration (RFC 7591): `token` asks for the initial access token. */
  registration: z
    .strictObject({
      mode: oneOf(REGISTRATION_MODES).default('off'),
      token: visible(500).nullable().default(null),
    })
    .prefault({})
    .superRefine(({ mode, token }, ctx) => {
      if (mode !== 'token' || token !== null) return;
      ctx.addIssue({ code: 'custom', path: ['token'], message: 'is required with mode token' });
    }),
  throttle: z
    .strictObject({
      mode: oneOf(THROTTLE_MODES).default('enforce'),
      limit: whole(1, 1_000_000_000).default(30),
      window_seconds: seconds(1, 86_400).default(60),
      trust_proxy: flag().default(false),
      /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
      ratelimit_headers: flag().default(true),
      /** `X-RateLimit-Limit`, `-Remaining`, `-Reset`. */
      x_ratelimit_headers: flag().default(true),
      /** `Retry-After` on 429. */
      retry_after_header: flag().default(true),
    })
    .prefault({}),
  access_token_format: oneOf(ACCESS_TOKEN_FORMATS).default('rfc9068'),
  signing_alg: oneOf(SIGNING_ALGS).default('RS256'),
  /** Whether pages of any origin may read the answers meant for apps (behaviour 7). */
  cors: flag().default(true),
  /** Whether answers carry `Grantbench-Exchange`. */
  exchange_header: flag().default(true),
  capture: z
    .strictObject({
      max_exchanges: whole(1, 1_000_000).default(10_000),
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
