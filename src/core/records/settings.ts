// The settings of a workspace, each with its bounds, default and description.

import { described, z } from './zod.ts';
import {
  ACCESS_TOKEN_FORMAT_WORDS,
  AUTHORIZE_WORDS,
  DIALECT_WORDS,
  PROFILE_WORDS,
  REGISTRATION_WORDS,
  SIGN_IN_AUTHENTICATION_WORDS,
  SIGN_IN_EXTRAS_WORDS,
  SIGNING_ALG_WORDS,
  THROTTLE_WORDS,
  USER_CODE_FORMAT_WORDS,
} from './enumeration-words.ts';
import { LONGEST_PROOF } from './bounds.ts';
import {
  acrSchema,
  bytes,
  flag,
  issuerSchema,
  oneOf,
  orEmpty,
  orNull,
  seconds,
  text,
  TEN_YEARS,
  uniqueList,
  visible,
  whole,
} from './members.ts';

const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?$/;

const loopbackOriginSchema = visible(100).check(
  z.refine(
    (value) =>
      LOOPBACK_ORIGIN.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'must be the origin of a loopback address, such as http://localhost:8080',
  ),
);

const colorSchema = z
  .string('must be a string')
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be # and six hexadecimal digits, such as #1d4ed8'));

/** How the images begin, in base64: the signatures of PNG and JPEG. */
const IMAGES = ['data:image/png;base64,iVBORw0KGgo', 'data:image/jpeg;base64,/9j/'];

const MAX_LOGO = 65_536;

const logoSchema = visible(MAX_LOGO).check(
  z.refine(
    (url) =>
      IMAGES.some((start) => url.startsWith(start)) &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(url.slice(url.indexOf(',') + 1)),
    'must be the data URL of a PNG or JPEG image, in base64',
  ),
);

export const settingsSchema = z.strictObject({
  issuer: described(orNull(issuerSchema), {
    title: 'Issuer',
    description:
      'The issuer identifier in tokens and in the metadata (RFC 8414 2). The default is the address of the running server.',
  }),
  profile: described(z._default(oneOf(PROFILE_WORDS), 'documented'), {
    title: 'Profile',
    description: 'How strictly requests are validated. A client may have its own profile.',
  }),
  dialect: described(z._default(oneOf(DIALECT_WORDS), 'rfc6749'), {
    title: 'Dialect',
    description:
      'The statuses and codes of error responses. The cause in the trace does not change.',
  }),
  authorize: described(z._default(oneOf(AUTHORIZE_WORDS), 'consent'), {
    title: 'Authorization',
    description: 'How the service responds to requests at /authorize.',
  }),
  lifetimes: described(
    orEmpty(
      z.strictObject({
        access_token: described(z._default(seconds(1, TEN_YEARS), 86_400), {
          title: 'Access token lifetime',
          description:
            'Lifetime of access tokens in seconds, sent as expires_in. A client may have its own lifetime.',
        }),
        refresh_token: described(z._default(seconds(1, TEN_YEARS), 2_592_000), {
          title: 'Refresh token lifetime',
          description: 'Seconds until the user must authorize again. Rotation does not extend it.',
        }),
        refresh_token_idle: described(orNull(seconds(1, TEN_YEARS)), {
          title: 'Refresh token idle time',
          description:
            'Seconds after which an unused refresh token expires; null for no limit besides its lifetime.',
        }),
        session: described(z._default(seconds(1, TEN_YEARS), 86_400), {
          title: 'Sign-in session',
          description: 'Seconds a user stays signed in at the authorization endpoint.',
        }),
        code: described(z._default(seconds(1, 86_400), 600), {
          title: 'Code lifetime',
          description: 'Seconds in which an authorization code can be redeemed.',
        }),
        pushed_request: described(z._default(seconds(5, 600), 60), {
          title: 'Pushed request lifetime',
          description:
            'Seconds in which a pushed authorization request can be used, sent as expires_in (RFC 9126 2.2).',
        }),
        device_code: described(z._default(seconds(1, 86_400), 600), {
          title: 'Device code lifetime',
          description:
            'Seconds in which a device code can be approved and redeemed, sent as expires_in (RFC 8628 3.2).',
        }),
      }),
    ),
    'Lifetimes in seconds.',
  ),
  require_pushed_authorization_requests: described(z._default(flag(), false), {
    title: 'Require pushed requests (PAR)',
    description:
      'Whether authorization requests must be pushed to /oauth/par first (RFC 9126 5). A client may require it for itself.',
  }),
  pkce_plain: described(z._default(flag(), true), {
    title: 'PKCE with plain',
    description:
      'Whether code_challenge_method plain is accepted, besides S256 (RFC 7636 4.2). When off, the metadata does not list it.',
  }),
  acr_values_supported: described(z._default(uniqueList(acrSchema, 'acr', 20), []), {
    title: 'Supported acr values',
    description:
      'Authentication context classes (OpenID Connect Core 2) that a sign-in may have, besides those that protected APIs require.',
  }),
  userinfo_audience: described(z._default(flag(), false), {
    title: 'Audience at userinfo',
    description:
      'Whether userinfo rejects an access token whose audience is another API, not the issuer.',
  }),
  device_authorization: described(
    orEmpty(
      z.strictObject({
        interval: described(z._default(seconds(1, 3600), 5), {
          title: 'Polling interval',
          description:
            'Seconds that a device must wait between two polls, sent as interval. A poll that comes too soon adds 5 s (RFC 8628 3.5).',
        }),
        user_code: described(z._default(oneOf(USER_CODE_FORMAT_WORDS), 'letters'), {
          title: 'User codes',
          description: 'The form of the codes that users type (RFC 8628 6.1).',
        }),
      }),
    ),
    'Device authorization (RFC 8628).',
  ),
  refresh_rotation: described(
    orEmpty(
      z.strictObject({
        enabled: described(z._default(flag(), false), {
          title: 'Refresh token rotation',
          description:
            'Each refresh issues a new refresh token and invalidates the old one (RFC 9700 4.14.2).',
        }),
        grace_seconds: described(z._default(seconds(0, 60), 0), {
          title: 'Rotation grace',
          description:
            'Seconds in which a replaced refresh token still works. Later use revokes its lineage.',
        }),
      }),
    ),
    'Refresh token rotation (RFC 9700 4.14.2).',
  ),
  expiry_members: described(z._default(flag(), false), {
    title: 'Expiry of the refresh token in responses',
    description:
      'Whether refresh_token_timeout and authorization_expires_in are sent with a refresh token (draft-ietf-oauth-refresh-token-expiration-03).',
  }),
  scope_member: described(z._default(flag(), false), {
    title: 'Scope in every token response',
    description:
      'Whether token responses always have scope; otherwise only when it differs from the scope requested (RFC 6749 5.1).',
  }),
  dpop: described(
    orEmpty(
      z.strictObject({
        require_nonce: described(z._default(flag(), false), {
          title: 'Require DPoP nonces',
          description:
            'Whether a DPoP proof must contain a nonce that the service supplied in DPoP-Nonce (RFC 9449 8).',
        }),
        nonce_seconds: described(z._default(seconds(1, 86_400), 300), {
          title: 'DPoP nonce lifetime',
          description: 'Seconds in which a nonce can be used.',
        }),
        proof_seconds: described(z._default(seconds(1, LONGEST_PROOF), 60), {
          title: 'DPoP proof window',
          description:
            'Seconds that iat of a DPoP proof may differ from the sandbox clock (RFC 9449 11.1).',
        }),
      }),
    ),
    'Proofs of possession (RFC 9449).',
  ),
  registration: described(
    orEmpty(
      z.strictObject({
        mode: described(z._default(oneOf(REGISTRATION_WORDS), 'off'), {
          title: 'Registration',
          description:
            'Whether POST /register is off, open to everyone, or requires the initial access token.',
        }),
        token: described(orNull(visible(500)), {
          title: 'Initial access token',
          description:
            'The token that a registration request must send as Authorization: Bearer in mode token (RFC 7591 3).',
        }),
        https_redirect_uris: described(z.optional(flag()), {
          title: 'HTTPS redirect URIs',
          description:
            'Whether clients that register themselves may use http only in redirect URIs of loopback addresses (RFC 9700 2.6, RFC 8252 7.3).',
        }),
        document_origins: described(z.optional(uniqueList(loopbackOriginSchema, 'origin', 20)), {
          title: 'Client ID metadata documents',
          description:
            'Origins on this machine, such as http://localhost:8080, from which client ID metadata documents are fetched. With an empty list, only imported documents are used; omitted if no client_id may be the URL of a document.',
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
        mode: described(z._default(oneOf(THROTTLE_WORDS), 'enforce'), {
          title: 'Mode',
          description: 'Off, observe (count without rejecting) or enforce (reject with 429).',
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
            'Whether requests are counted by the last address in X-Forwarded-For instead of the address of the connection.',
        }),
        ratelimit_headers: described(z._default(flag(), true), {
          title: 'RateLimit and RateLimit-Policy',
          description:
            'Whether responses to counted requests carry RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10).',
        }),
        x_ratelimit_headers: described(z._default(flag(), true), {
          title: 'X-RateLimit-Limit, -Remaining, -Reset',
          description:
            'Whether responses to counted requests carry X-RateLimit-Limit, -Remaining and -Reset. Reset is in UTC epoch seconds.',
        }),
        retry_after_header: described(z._default(flag(), true), {
          title: 'Retry-After',
          description: 'Whether 429 responses carry Retry-After, in seconds.',
        }),
      }),
    ),
    'Throttling at the token endpoint.',
  ),
  access_token_format: described(z._default(oneOf(ACCESS_TOKEN_FORMAT_WORDS), 'rfc9068'), {
    title: 'Access token format',
    description: 'The format of access tokens. A client may have its own format.',
  }),
  signing_alg: described(z._default(oneOf(SIGNING_ALG_WORDS), 'RS256'), {
    title: 'Signing algorithm',
    description: 'The algorithm that signs new tokens.',
  }),
  cors: described(z._default(flag(), true), {
    title: 'Allow any origin (CORS)',
    description:
      'Whether pages from any origin may read responses of token, revoke, introspect, par, device_authorization, userinfo, protected APIs, metadata and keys (CORS). When off, browsers block them.',
  }),
  exchange_header: described(z._default(flag(), true), {
    title: 'Grantbench-Exchange header',
    description:
      'Whether responses carry the number of their exchange in the Grantbench-Exchange header.',
  }),
  sign_in_page: described(
    z.optional(
      z.strictObject({
        name: described(z.optional(text(60).check(z.minLength(1, 'must not be empty'))), {
          title: 'Name',
          description:
            'The name on the sign-in page, beside the word sandbox; if absent, Grantbench.',
        }),
        color: described(z.optional(colorSchema), {
          title: 'Colour',
          description:
            'The colour of the main button of the sign-in page, as # and six hexadecimal digits; if absent, green.',
        }),
        logo: described(z.optional(logoSchema), {
          title: 'Logo',
          description:
            'The logo on the sign-in page: a PNG or JPEG image as a data URL of at most 65,536 characters.',
        }),
        authentication: described(z.optional(oneOf(SIGN_IN_AUTHENTICATION_WORDS)), {
          title: 'Authentication',
          description:
            'What the sign-in page and the page for devices ask of a user who signs in; none by default.',
        }),
        extras: described(z.optional(oneOf(SIGN_IN_EXTRAS_WORDS)), {
          title: 'Aids for testers',
          description:
            'Where the sign-in page lets a tester add a user, set claims and fail with an error; local by default.',
        }),
      }),
    ),
    'The look of the sign-in page, what it asks for, and its aids for testers.',
  ),
  capture: described(
    orEmpty(
      z.strictObject({
        max_exchanges: described(z._default(whole(1, 1_000_000), 10_000), {
          title: 'Maximum number of exchanges',
          description:
            'The maximum number of exchanges to keep, with their traces. The oldest is removed first.',
        }),
        max_bytes: described(z._default(bytes(65_536, 4_294_967_296, '4 GiB'), 67_108_864), {
          title: 'Memory for exchanges',
          description:
            'The maximum size of headers and bodies to keep, in bytes. The oldest exchange is removed first.',
        }),
      }),
    ),
    'How many exchanges are kept.',
  ),
  max_body_bytes: described(z._default(bytes(1024, 16_777_216, '16 MiB'), 65_536), {
    title: 'Largest request body',
    description: 'The maximum size of a request body in bytes. A larger one is rejected with 413.',
  }),
});
