// The clock, the server, its keys, and starting over.

import { z } from '../../core/records/zod.ts';
import { SIGNING_ALGS, signingKeySchema } from '../../core/records/schemas.ts';
import { at, whole } from './values.ts';

export const clockSchema = z.object({
  now: at,
  frozen: z.boolean(),
  /** Sandbox time less machine time, in seconds. */
  offset_seconds: z.number(),
});

export const clockPatchSchema = z
  .strictObject({
    /** Move forward by this many seconds. */
    advance_seconds: z.optional(z.number().check(z.nonnegative(), z.maximum(3_153_600_000))),
    frozen: z.optional(z.boolean()),
    now: z.optional(
      z.iso.datetime({
        offset: true,
        error: 'must be a time with an offset, as 2026-01-31T12:00:00Z (RFC 3339)',
      }),
    ),
    reset: z.optional(z.literal(true)),
  })
  .check(
    z.refine(
      (patch) => Object.values(patch).filter((value) => value !== undefined).length === 1,
      'must have exactly one of advance_seconds, frozen, now, reset',
    ),
  );

export const serverSchema = z.object({
  state: z.enum(['running', 'stopped', 'failed']),
  issuer: z.string(),
  token_endpoint: z.string(),
  /** The port bound, or the one wanted while not running. */
  port: whole,
  /** Why it is not running; `free_port` is one that could be had instead. */
  problem: z.nullable(
    z.object({ code: z.string(), message: z.string(), free_port: z.nullable(whole) }),
  ),
  /** Whether ::1 is served too. */
  ipv6: z.boolean(),
  /** The one address it listens on; null for both loopback addresses. */
  host: z.nullable(z.string()),
  /** Whether it speaks HTTPS, and no HTTP. */
  https: z.boolean(),
  version: z.string(),
  workspace: z.object({
    name: z.string(),
    /** File name only, or null for a workspace without file. */
    file: z.nullable(z.string()),
    /** `memory`: nothing is written (`serve` without `--save`). */
    state: z.enum(['saved', 'saving', 'memory', 'conflict', 'failed']),
    message: z.nullable(z.string()),
  }),
});

export const keySchema = z.object({
  kid: z.string(),
  alg: z.enum(SIGNING_ALGS),
  /** Whether new tokens are signed with it. */
  signing: z.boolean(),
  /** Whether it stands in the JWKS. */
  published: z.boolean(),
  created_at: at,
  /** The public JWK; null for HS256. */
  public_jwk: z.nullable(z.record(z.string(), z.unknown())),
});

/** A new key: made for an algorithm, the one in force by default, or imported. */
export const newKeySchema = z
  .strictObject({
    alg: z.optional(z.enum(SIGNING_ALGS)),
    /** A private JWK (RFC 7517) with its `alg`. */
    jwk: z.optional(signingKeySchema),
  })
  .check(
    z.refine(({ alg, jwk }) => alg === undefined || jwk === undefined, {
      path: ['alg'],
      message: 'must be left out beside jwk, which has its own',
    }),
  );

export const retiredKeySchema = z.object({
  kid: z.string(),
  retired_at: at,
  /** The key that signs now: a new one when the last of its algorithm was retired. */
  signing_kid: z.string(),
});

export const resetSchema = z.strictObject({
  /** Also return clients, users, audiences and settings to the workspace file. */
  workspace: z._default(z.boolean(), false),
});

export type ClockState = z.infer<typeof clockSchema>;
export type ServerState = z.infer<typeof serverSchema>;
export type SigningKey = z.infer<typeof keySchema>;
