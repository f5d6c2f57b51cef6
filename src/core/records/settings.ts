// What holds for a whole workspace: each setting with its bounds, its default, and what it means.

import { described } from './described.ts';
import { z } from './zod.ts';
import {
  ACCESS_TOKEN_FORMATS,
  ACCESS_TOKEN_FORMAT_WORDS,
  AUTHORIZE_MODES,
  AUTHORIZE_WORDS,
  DIALECTS,
  DIALECT_WORDS,
  PROFILES,
  PROFILE_WORDS,
  REGISTRATION_MODES,
  REGISTRATION_WORDS,
  SIGNING_ALGS,
  SIGNING_ALG_WORDS,
  THROTTLE_MODES,
  THROTTLE_WORDS,
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
  issuer: described(orNull(issuerSchema), {
    title: 'Issuer',
    description:
      'The issuer identifier in every token and in the metadata (RFC 8414 2). Without one it is the address of the running server.',
  }),
  profile: described(z._default(oneOf(PROFILES), 'documented'), {
    title: 'Profile',
    description: 'How strictly requests are validated. A client may have a profile of its own.',
    values: PROFILE_WORDS,
  }),
  dialect: described(z._default(oneOf(DIALECTS), 'rfc6749'), {
    title: 'Dialect',
    description:
      'The statuses and codes of error responses. The cause in the trace stays the same.',
    values: DIALECT_WORDS,
  }),
  authorize: described(z._default(oneOf(AUTHORIZE_MODES), 'consent'), {
    title: 'Authorization',
    description: 'How requests at /authorize are answered.',
    values: AUTHORIZE_WORDS,
  }),
  lifetimes: described(
    orEmpty(
      z.strictObject({
        access_token: described(z._default(seconds(1, TEN_YEARS), 86_400), {
          title: 'Access token lifetime',
          description:
            'Seconds an access token lives; sent as expires_in. A client may have its own.',
        }),
        refresh_token: described(z._default(seconds(1, TEN_YEARS), 2_592_000), {
          title: 'Refresh token lifetime',
          description:
            'Seconds until the user has to authorize again; a replacement does not extend it.',
        }),
        refresh_token_idle: described(orNull(seconds(1, TEN_YEARS)), {
          title: 'Refresh token idle time',
          description:
            'Seconds after which an unused refresh token expires. Without one only its lifetime counts.',
        }),
        session: described(z._default(seconds(1, TEN_YEARS), 86_400), {
          title: 'Sign-in session',
          description: 'Seconds a user stays signed in at the authorization endpoint.',
        }),
        code: described(z._default(seconds(1, 86_400), 600), {
          title: 'Code lifetime',
          description: 'Seconds in which an authorization code can be redeemed.',
        }),
      }),
    ),
    'Lifetimes in seconds.',
  ),
  refresh_rotation: described(
    orEmpty(
      z.strictObject({
        enabled: described(z._default(flag(), false), {
          title: 'Refresh token rotation',
          description:
            'Each refresh issues a new refresh token and retires the old one (RFC 9700 4.14.2).',
        }),
        grace_seconds: described(z._default(seconds(0, 60), 0), {
          title: 'Rotation grace',
          description:
            'Seconds in which the former refresh token still works; later it revokes its lineage.',
        }),
      }),
    ),
    'Refresh token rotation (RFC 9700 4.14.2).',
  ),
  expiry_members: described(z._default(flag(), false), {
    title: 'Expiry of the refresh token in responses',
    description:
      'Whether refresh_token_timeout and authorization_expires_in are sent beside a refresh token (draft-ietf-oauth-refresh-token-expiration-03).',
  }),
  registration: described(
    orEmpty(
      z.strictObject({
        mode: described(z._default(oneOf(REGISTRATION_MODES), 'off'), {
          title: 'Registration',
          description:
            'Whether POST /register is off, open to everyone, or asks for the initial access token.',
          values: REGISTRATION_WORDS,
        }),
        token: described(orNull(visible(500)), {
          title: 'Initial access token',
          description:
            'Sent as Authorization: Bearer by whoever registers a client, in mode token (RFC 7591 3).',
        }),
      }),
    ).check(
      z.superRefine(({ mode, token }, ctx) => {
        if (mode !== 'token' || token !== null) return;
        ctx.addIssue({ code: 'custom', path: ['token'], message: 'is required with mode token' });
      }),
    ),
    'Dynamic client registration (RFC 7591).',
  ),
  throttle: described(
    orEmpty(
      z.strictObject({
        mode: described(z._default(oneOf(THROTTLE_MODES), 'enforce'), {
          title: 'Mode',
          description: 'Off, observe (count without rejecting), or enforce (reject with 429).',
          values: THROTTLE_WORDS,
        }),
        limit: described(z._default(whole(1, 1_000_000_000), 30), {
          title: 'Limit',
          description: 'Requests allowed in a window, for each credential and address.',
        }),
        window_seconds: described(z._default(seconds(1, 86_400), 60), {
          title: 'Window',
          description: 'Length of a window in seconds.',
        }),
        trust_proxy: described(z._default(flag(), false), {
          title: 'Trust X-Forwarded-For',
          description:
            'Counts by the last address in X-Forwarded-For instead of the address of the connection.',
        }),
        ratelimit_headers: described(z._default(flag(), true), {
          title: 'RateLimit and RateLimit-Policy',
          description:
            'Whether RateLimit and RateLimit-Policy are sent (draft-ietf-httpapi-ratelimit-headers-10), on allowed responses too.',
        }),
        x_ratelimit_headers: described(z._default(flag(), true), {
          title: 'X-RateLimit-Limit, -Remaining, -Reset',
          description:
            'Whether X-RateLimit-Limit, -Remaining and -Reset are sent, the reset as UTC epoch seconds.',
        }),
        retry_after_header: described(z._default(flag(), true), {
          title: 'Retry-After',
          description: 'Whether 429 responses carry Retry-After, the seconds to wait.',
        }),
      }),
    ),
    'Throttling at the token endpoint.',
  ),
  access_token_format: described(z._default(oneOf(ACCESS_TOKEN_FORMATS), 'rfc9068'), {
    title: 'Access token format',
    description: 'The format of access tokens. A client may have its own.',
    values: ACCESS_TOKEN_FORMAT_WORDS,
  }),
  signing_alg: described(z._default(oneOf(SIGNING_ALGS), 'RS256'), {
    title: 'Signing algorithm',
    description: 'The algorithm that signs new tokens.',
    values: SIGNING_ALG_WORDS,
  }),
  cors: described(z._default(flag(), true), {
    title: 'Allow any origin (CORS)',
    description:
      'Whether pages of any origin may read the responses of token, revoke, introspect, userinfo and metadata. Off: a browser shows your page no response, as with an API that does not know it.',
  }),
  exchange_header: described(z._default(flag(), true), {
    title: 'Grantbench-Exchange header',
    description: 'Whether responses carry the number under which their trace is found.',
  }),
  capture: described(
    orEmpty(
      z.strictObject({
        max_exchanges: described(z._default(whole(1, 1_000_000), 10_000), {
          title: 'Exchanges kept',
          description: 'The most exchanges kept, with their traces. The oldest goes first.',
        }),
        max_bytes: described(z._default(bytes(65_536, 4_294_967_296, '4 GiB'), 67_108_864), {
          title: 'Memory for exchanges',
          description: 'The most bytes of headers and bodies kept. The oldest exchange goes first.',
        }),
      }),
    ),
    'How much traffic is kept to look at.',
  ),
  max_body_bytes: described(z._default(bytes(1024, 16_777_216, '16 MiB'), 65_536), {
    title: 'Largest request body',
    description: 'Bytes of a request body at most; a larger one is answered 413.',
  }),
});
