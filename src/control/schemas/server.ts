// The clock, the server, its keys, its throttle counters, and reset.

import { LATEST_TIME } from '../../core/records/bounds.ts';
import { described, z } from '../../core/records/zod.ts';
import { ENDPOINT_NAMES } from '../../core/records/endpoints.ts';
import { SIGNING_ALGS } from '../../core/records/enumerations.ts';
import { signingKeySchema } from '../../core/records/usual-workspace.ts';
import * as v from './values.ts';

export const clockSchema = z.object({
  now: v.moment('The time on the sandbox clock.'),
  frozen: v.boolean('Whether the clock is frozen.'),
  offset_seconds: described(z.number(), 'Sandbox time minus machine time, in seconds.'),
});

const isClockTime = (text: string) => Date.parse(text) >= 0 && Date.parse(text) < LATEST_TIME;

export const clockPatchSchema = z
  .strictObject({
    advance_seconds: described(
      z.optional(z.number().check(z.nonnegative(), z.maximum(3_153_600_000))),
      'Moves the clock forward by this number of seconds.',
    ),
    frozen: described(z.optional(z.boolean()), 'Freezes or resumes the clock.'),
    now: described(
      z.optional(
        z.iso
          .datetime({
            offset: true,
            abort: true,
            error: 'must be a time with an offset, such as 2026-01-31T12:00:00Z (RFC 3339)',
          })
          .check(z.refine(isClockTime, 'must be between the years 1970 and 9900')),
      ),
      'Sets the clock to this time (RFC 3339).',
    ),
    reset: described(
      z.optional(z.literal(true)),
      'Resets the clock to machine time and resumes it.',
    ),
  })
  .check(
    z.refine(
      (patch) => Object.values(patch).filter((value) => value !== undefined).length === 1,
      'must have exactly one of advance_seconds, frozen, now, reset',
    ),
  );

export const serverSchema = z.object({
  state: described(
    z.enum(['running', 'stopped', 'failed']),
    'Whether the authorization server is listening.',
  ),
  issuer: v.string('The issuer identifier, as in tokens and metadata.'),
  token_endpoint: v.string(
    'The fixed URL of the token endpoint, which is also served under a provider shape.',
  ),
  endpoints: described(
    z.record(z.enum(ENDPOINT_NAMES), z.string()),
    'URL of each endpoint: that of the metadata, or the usual path for endpoints that the metadata does not have; of the metadata documents, where the path of a shape puts them.',
  ),
  port: v.integer('The port it listens on or, while stopped, the port of the next start.'),
  problem: described(
    z.nullable(
      z.object({
        code: v.string('Kind of the problem.'),
        message: v.string('The problem, as a sentence.'),
        free_port: v.integerOrNull('A free port; null if none was found.'),
      }),
    ),
    'Why the authorization server is not running; null while it is.',
  ),
  ipv6: v.boolean('Whether it also listens on ::1.'),
  host: v.stringOrNull('The address it listens on; null for both loopback addresses.'),
  https: v.boolean('Whether the server uses HTTPS instead of HTTP.'),
  certificate: v.stringOrNull('The file of the certificate, for clients to trust; null over HTTP.'),
  version: v.string('Version of Grantbench.'),
  workspace: described(
    z.object({
      name: v.string('Display name.'),
      file: v.stringOrNull('File name without the folder; null for a workspace without a file.'),
      state: described(
        z.enum(['saved', 'saving', 'memory', 'conflict', 'failed']),
        'Whether changes are saved; memory means that nothing is written.',
      ),
      message: v.stringOrNull('Why saving failed; null if it did not fail.'),
    }),
    'The current workspace.',
  ),
  keep_problem: v.stringOrNull(
    'Why keys and revocations could not be saved for the next run; null if they were, or are not to be.',
  ),
});

/** Where to listen. Omitted members keep their values. */
export const listenSchema = z.strictObject({
  port: described(
    z.optional(z.int().check(z.minimum(0), z.maximum(65_535))),
    'The port to listen on; 0 selects a free port.',
  ),
  host: described(
    z.optional(
      z.nullable(
        z
          .string('must be a string')
          .check(
            z.maxLength(253, 'must be at most 253 characters'),
            z.regex(/^[\w.:%-]+$/, 'must be a name or an address without scheme and port'),
          ),
      ),
    ),
    'The address to listen on, which other machines may reach; null for both loopback addresses.',
  ),
  https: described(
    z.optional(z.boolean()),
    'Whether to use HTTPS instead of HTTP, with a generated certificate that is kept.',
  ),
});

export const keySchema = z.object({
  kid: v.string('Identifier of the key.'),
  alg: described(z.enum(SIGNING_ALGS), 'The algorithm of the key.'),
  signing: v.boolean('Whether the key signs new tokens.'),
  published: v.boolean('Whether the key is in the JWK Set.'),
  created_at: v.moment('When it was created.'),
  public_jwk: described(
    z.nullable(z.record(z.string(), z.unknown())),
    'The public JWK; null for HS256.',
  ),
});

/** A new key: generated, by default for the algorithm of the settings, or imported. */
export const newKeySchema = z
  .strictObject({
    alg: described(
      z.optional(z.enum(SIGNING_ALGS)),
      'The algorithm of a new key; by default that of the settings.',
    ),
    jwk: described(z.optional(signingKeySchema), 'A private JWK (RFC 7517) to import, with alg.'),
  })
  .check(
    z.refine(({ alg, jwk }) => alg === undefined || jwk === undefined, {
      path: ['alg'],
      message: 'must be omitted with jwk, which has its own alg',
    }),
  );

const LOOPBACK_URL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/i;

export const keySetLocationSchema = z.strictObject({
  url: described(
    z
      .string()
      .check(
        z.maxLength(2048),
        z.regex(LOOPBACK_URL, 'must be an http or https URL at localhost, 127.0.0.1 or [::1]'),
      ),
    'An http or https URL at localhost, 127.0.0.1 or [::1].',
  ),
});

export const foreignKeysSchema = z.object({
  keys: described(
    z.array(z.record(z.string(), z.unknown())),
    'The public parts of its keys (RFC 7517 5). Symmetric keys have none and are omitted.',
  ),
});

export const retiredKeySchema = z.object({
  kid: v.string('Identifier of the key.'),
  retired_at: v.moment('When the key was retired.'),
  signing_kid: v.string(
    'The key that signs new tokens; newly generated if the last key of the algorithm was retired.',
  ),
});

export const logoutSchema = z.strictObject({
  sub: v.optionalString('The user who signs out.'),
  client_id: v.optionalString(
    'Only this client receives a logout token; every client with a backchannel_logout_uri by default.',
  ),
  exchange: described(
    z.optional(v.whole),
    'Instead of sub: the exchange whose logout token is sent again.',
  ),
});

const deliverySchema = z.object({
  client_id: v.string('The client that the logout token is for.'),
  exchange: v.integer('The exchange with the request and the response of the app.'),
  status: v.integer('Status of the response; 0 without one.'),
  accepted: v.boolean('Whether the app responded with 200 or 204.'),
  problem: v.stringOrNull('Why the app did not respond; null when it did.'),
});

export const loggedOutSchema = z.object({
  deliveries: described(z.array(deliverySchema), 'One for each client that got a logout token.'),
});

export const resetSchema = z.strictObject({
  workspace: described(
    z._default(z.boolean(), false),
    'Whether to also restore clients, users, audiences, settings, saved flows and saved requests from the workspace file.',
  ),
});

export type ClockState = z.infer<typeof clockSchema>;
export type ServerState = z.infer<typeof serverSchema>;
export type SigningKey = z.infer<typeof keySchema>;

export const counterSchema = z.object({
  id: v.string('Identifier of the counter: a digest of credential and address.'),
  kind: described(
    z.enum([
      'code',
      'refresh_token',
      'device_code',
      'subject_token',
      'username',
      'client',
      'unknown',
    ]),
    'What the counter counts: a code, a refresh token, a device code, a token to exchange, a username, a client, or unknown credentials.',
  ),
  credential: v.string('Short digest of the credential, as in logs.'),
  client_id: v.client_id,
  ip: v.string("The client's address."),
  used: v.integer('Number of requests in the current window.'),
  limit: v.integer('The limit: number of requests allowed in a window.'),
  limit_from: described(
    z.enum(['workspace', 'client']),
    'Whether the limit comes from the settings or the client.',
  ),
  window_seconds: v.integer('Length of a window in seconds.'),
  opened_at: v.moment('When the window started.'),
  resets_at: v.moment('When the window resets.'),
  allowed: v.integer('Number of requests within the limit, in all windows.'),
  blocked: v.integer('Number of requests throttled with 429, in all windows.'),
  last_seen_at: v.moment('When the last request was counted.'),
});

/** A counter with its 20 newest throttled requests, newest first. */
export const counterDetailSchema = z.extend(counterSchema, {
  blocked_requests: described(
    z.array(
      z.object({
        at: v.moment('When the request was throttled.'),
        exchange: v.integer('Number of the exchange.'),
      }),
    ),
    'The 20 newest throttled requests, newest first.',
  ),
});

export type Counter = z.infer<typeof counterSchema>;
