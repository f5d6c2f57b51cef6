// What holds for a whole workspace.

import { z } from './zod.ts';
import {
  ACCESS_TOKEN_FORMATS,
  AUTHORIZE_MODES,
  DIALECTS,
  PROFILES,
  REGISTRATION_MODES,
  SIGNING_ALGS,
  THROTTLE_MODES,
} from './enumerations.ts';
import {
  bytes,
  flag,
  issuerSchema,
  oneOf,
  orEmpty,
  orNull,
  seconds,
  TEN_YEARS,
  visible,
  whole,
} from './members.ts';

export const settingsSchema = z.strictObject({
  /** null: `http://localhost:<bound port>`. */
  issuer: orNull(issuerSchema),
  profile: z._default(oneOf(PROFILES), 'documented'),
  dialect: z._default(oneOf(DIALECTS), 'rfc6749'),
  authorize: z._default(oneOf(AUTHORIZE_MODES), 'consent'),
  /** Seconds. */
  lifetimes: orEmpty(
    z.strictObject({
      access_token: z._default(seconds(1, TEN_YEARS), 86_400),
      /** From the first refresh token of an authorization on; replacing it gives no more. */
      refresh_token: z._default(seconds(1, TEN_YEARS), 2_592_000),
      /** A refresh token that is not used for so long expires; null: only the above counts. */
      refresh_token_idle: orNull(seconds(1, TEN_YEARS)),
      /** Of a person's sign-in at the authorization endpoint. */
      session: z._default(seconds(1, TEN_YEARS), 86_400),
      code: z._default(seconds(1, 86_400), 600),
    }),
  ),
  refresh_rotation: orEmpty(
    z.strictObject({
      enabled: z._default(flag(), false),
      grace_seconds: z._default(seconds(0, 60), 0),
    }),
  ),
  /** `refresh_token_timeout` and `authorization_expires_in` beside a refresh token. */
  expiry_members: z._default(flag(), false),
  /** Dynamic client registration (RFC 7591): `token` asks for the initial access token. */
  registration: orEmpty(
    z.strictObject({
      mode: z._default(oneOf(REGISTRATION_MODES), 'off'),
      token: orNull(visible(500)),
    }),
  ).check(
    z.superRefine(({ mode, token }, ctx) => {
      if (mode !== 'token' || token !== null) return;
      ctx.addIssue({ code: 'custom', path: ['token'], message: 'is required with mode token' });
    }),
  ),
  throttle: orEmpty(
    z.strictObject({
      mode: z._default(oneOf(THROTTLE_MODES), 'enforce'),
      limit: z._default(whole(1, 1_000_000_000), 30),
      window_seconds: z._default(seconds(1, 86_400), 60),
      trust_proxy: z._default(flag(), false),
      /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). */
      ratelimit_headers: z._default(flag(), true),
      /** `X-RateLimit-Limit`, `-Remaining`, `-Reset`. */
      x_ratelimit_headers: z._default(flag(), true),
      /** `Retry-After` on 429. */
      retry_after_header: z._default(flag(), true),
    }),
  ),
  access_token_format: z._default(oneOf(ACCESS_TOKEN_FORMATS), 'rfc9068'),
  signing_alg: z._default(oneOf(SIGNING_ALGS), 'RS256'),
  /** Whether pages of any origin may read the answers meant for apps (behaviour 7). */
  cors: z._default(flag(), true),
  /** Whether answers carry `Grantbench-Exchange`. */
  exchange_header: z._default(flag(), true),
  capture: orEmpty(
    z.strictObject({
      max_exchanges: z._default(whole(1, 1_000_000), 10_000),
      max_bytes: z._default(bytes(65_536, 4_294_967_296, '4 GiB'), 67_108_864),
    }),
  ),
  /** Largest request body in bytes; a larger one is answered 413. */
  max_body_bytes: z._default(bytes(1024, 16_777_216, '16 MiB'), 65_536),
});
