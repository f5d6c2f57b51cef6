// Codes and tokens: ordered, issued, listed.

import { PARAMETER_LIMITS } from '../../core/checks/parameter-limits.ts';
import { text } from '../../core/records/members.ts';
import { z } from '../../core/records/zod.ts';
import { at, pageSchema, whole } from './values.ts';

const parameter = (name: keyof typeof PARAMETER_LIMITS) => z.optional(text(PARAMETER_LIMITS[name]));

export const issueCodeSchema = z.strictObject({
  client_id: z.string(),
  redirect_uri: z.string(),
  /** Defaults to the first user. */
  sub: z.optional(z.string()),
  audience: z.optional(z.string()),
  /** Space-separated scope tokens (RFC 6749 3.3). */
  scope: parameter('scope'),
  state: parameter('state'),
  nonce: parameter('nonce'),
  code_challenge: z.optional(z.string()),
  code_challenge_method: z.optional(z.enum(['S256', 'plain'])),
  code_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  access_token_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
});

export const issuedCodeSchema = z.object({
  code: z.string(),
  expires_at: at,
  /** The redirect URI with `code`, `state` and `iss`, as an authorization response has them. */
  redirect_to: z.string(),
  lineage_id: z.string(),
});

export const mintTokensSchema = z.strictObject({
  client_id: z.string(),
  sub: z.optional(z.string()),
  audience: z.optional(z.string()),
  scope: parameter('scope'),
  access_token_expires_in: z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
});

export const mintedTokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.nullable(z.string()),
  token_type: z.literal('Bearer'),
  expires_in: whole,
  scope: z.nullable(z.string()),
  lineage_id: z.string(),
});

export const CREDENTIAL_KINDS = ['code', 'access_token', 'refresh_token'] as const;
export const CREDENTIAL_STATES = [
  'issued',
  'redeemed',
  'active',
  'rotated',
  'expired',
  'revoked',
] as const;

/** A credential the service issued, in whatever state (behaviour 4). */
export const credentialSchema = z.object({
  /** Digest of the credential, or `jti`: safe to show and to put into a path. */
  id: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  state: z.enum(CREDENTIAL_STATES),
  /** The credential itself; null unless `secrets` was asked for. */
  value: z.nullable(z.string()),
  lineage_id: z.string(),
  client_id: z.string(),
  sub: z.string(),
  audience: z.nullable(z.string()),
  scope: z.string(),
  /** What the authorization was asked with; null for whatever is no code. */
  redirect_uri: z.nullable(z.string()),
  code_challenge_method: z.nullable(z.enum(['S256', 'plain'])),
  issued_at: at,
  expires_at: at,
  /** When a terminal state was entered; null while the credential is live. */
  ended_at: z.nullable(at),
  /** Number of the exchange that issued it; null when it came over control. */
  issued_by: z.nullable(whole),
  /** Number of the exchange that redeemed, rotated or revoked it. */
  ended_by: z.nullable(whole),
});

export const credentialFilterSchema = z.extend(pageSchema, {
  kind: z.optional(z.enum(CREDENTIAL_KINDS)),
  state: z.optional(z.enum(CREDENTIAL_STATES)),
  client_id: z.optional(z.string()),
  /** Part of the id, client, user, audience or scope; or a whole credential, or its `jti`. */
  text: z.optional(z.string()),
});

/** Everything that came of one authorization, as far as it is kept (behaviour 4). */
export const lineageSchema = z.object({
  lineage_id: z.string(),
  client_id: z.string(),
  sub: z.string(),
  audience: z.nullable(z.string()),
  scope: z.string(),
  created_at: at,
  revoked_at: z.nullable(at),
  /** Credentials issued so far, kept or not. */
  count: whole,
  /** Numbers of its newest exchanges, at most 50, oldest first. */
  exchanges: z.array(whole),
  /** Its newest 50 credentials, those they came of, and the first one; oldest first. */
  members: z.array(
    z.extend(credentialSchema, {
      /** The member that was presented for it; null for the first ones, or when nobody knows. */
      parent_id: z.nullable(z.string()),
    }),
  ),
});

export type Credential = z.infer<typeof credentialSchema>;
export type CredentialFilter = z.input<typeof credentialFilterSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type IssueCode = z.infer<typeof issueCodeSchema>;
