// Codes and tokens: ordered, issued, listed.

import { PARAMETER_LIMITS } from '../../core/records/parameter-limits.ts';
import { text } from '../../core/records/members.ts';
import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';
import { at, pageSchema, whole } from './values.ts';

const parameter = (name: keyof typeof PARAMETER_LIMITS) => z.optional(text(PARAMETER_LIMITS[name]));

export const issueCodeSchema = z.strictObject({
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  redirect_uri: described(z.string(), 'One of the redirect URIs of the client.'),
  sub: described(z.optional(z.string()), 'Identifier of the user; the first user by default.'),
  audience: described(
    z.optional(z.string()),
    'The API that the access token is for; the default audience of the client by default.',
  ),
  scope: described(parameter('scope'), 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
  state: described(parameter('state'), 'The state to return in redirect_to, as /authorize does.'),
  nonce: described(parameter('nonce'), 'The nonce to return in the id_token.'),
  code_challenge: described(z.optional(z.string()), 'PKCE challenge (RFC 7636 4.2).'),
  code_challenge_method: described(
    z.optional(z.enum(['S256', 'plain'])),
    'The transformation of the PKCE challenge: S256 or plain.',
  ),
  code_expires_in: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
    'Lifetime of the code in seconds; the lifetime in the settings by default.',
  ),
  access_token_expires_in: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
    'Lifetime of the access token in seconds; by default that of the client or the settings.',
  ),
});

export const issuedCodeSchema = z.object({
  code: described(z.string(), 'The authorization code.'),
  expires_at: described(at, 'When it expires.'),
  redirect_to: described(
    z.string(),
    'The redirect URI with the parameters code, state and iss of an authorization response.',
  ),
  lineage_id: described(
    z.string(),
    'Identifier of the lineage: all credentials of one authorization have the same.',
  ),
});

export const mintTokensSchema = z.strictObject({
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  sub: described(z.optional(z.string()), 'Identifier of the user; the first user by default.'),
  audience: described(
    z.optional(z.string()),
    'The API that the access token is for; the default audience of the client by default.',
  ),
  scope: described(parameter('scope'), 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
  access_token_expires_in: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
    'Lifetime of the access token in seconds; by default that of the client or the settings.',
  ),
});

export const mintedTokensSchema = z.object({
  access_token: described(z.string(), 'The access token.'),
  refresh_token: described(
    z.nullable(z.string()),
    'The refresh token; null for a client without that grant.',
  ),
  token_type: described(z.literal('Bearer'), 'Always Bearer.'),
  expires_in: described(whole, 'Lifetime of the access token in seconds.'),
  scope: described(z.nullable(z.string()), 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
  lineage_id: described(
    z.string(),
    'Identifier of the lineage: all credentials of one authorization have the same.',
  ),
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

/** What all credentials of one authorization have in common. */
const authorization = {
  lineage_id: described(
    z.string(),
    'Identifier of the lineage: all credentials of one authorization have the same.',
  ),
  client_id: described(z.string(), 'Identifier of the client (RFC 7591).'),
  sub: described(z.string(), 'Identifier of the user.'),
  audience: described(z.nullable(z.string()), 'The API that the access token is for.'),
  scope: described(z.string(), 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
};

/** A credential the service issued, in whatever state (behaviour 4). */
export const credentialSchema = z.object({
  id: described(
    z.string(),
    'Identifier of the record: a digest of the credential, or its jti. Safe to show and to use in a path.',
  ),
  kind: described(z.enum(CREDENTIAL_KINDS), 'Code, access token or refresh token.'),
  state: described(
    z.enum(CREDENTIAL_STATES),
    'The state of the credential. A terminal state does not change.',
  ),
  value: described(
    z.nullable(z.string()),
    'The credential itself; null unless secrets were requested.',
  ),
  ...authorization,
  redirect_uri: described(
    z.nullable(z.string()),
    'The redirect URI of the authorization; null unless it is a code.',
  ),
  code_challenge_method: described(
    z.nullable(z.enum(['S256', 'plain'])),
    'The transformation of the PKCE challenge; null without one.',
  ),
  issued_at: described(at, 'When it was issued.'),
  expires_at: described(at, 'When it expires.'),
  ended_at: described(z.nullable(at), 'When it reached a terminal state; null until then.'),
  issued_by: described(
    z.nullable(whole),
    'Number of the exchange that issued it; null if it was issued through the control API.',
  ),
  ended_by: described(
    z.nullable(whole),
    'Number of the exchange that redeemed, rotated or revoked it.',
  ),
});

export const credentialFilterSchema = z.extend(pageSchema, {
  kind: described(z.optional(z.enum(CREDENTIAL_KINDS)), 'Only credentials of this kind.'),
  state: described(z.optional(z.enum(CREDENTIAL_STATES)), 'Only credentials in this state.'),
  client_id: described(z.optional(z.string()), 'Only credentials of this client.'),
  text: described(
    z.optional(z.string()),
    'Part of the id, client, user, audience or scope; or a complete credential or its jti.',
  ),
});

/** All credentials of one authorization, as far as they are kept (behaviour 4). */
export const lineageSchema = z.object({
  ...authorization,
  created_at: described(at, 'When it was created.'),
  revoked_at: described(z.nullable(at), 'When it was revoked; null while it is not.'),
  count: described(whole, 'Number of credentials issued so far, including those no longer kept.'),
  exchanges: described(
    z.array(whole),
    'Numbers of its 50 newest exchanges, oldest first: those that issued or ended its newest members, those in which a device asked and the user decided, and the captured ones in which one of its credentials was presented.',
  ),
  members: described(
    z.array(
      z.extend(credentialSchema, {
        parent_id: described(
          z.nullable(z.string()),
          'The credential of the lineage that was presented for it; null for the first ones or if unknown.',
        ),
      }),
    ),
    'Its 50 newest credentials, the credentials presented for them, and the first one; oldest first.',
  ),
});

export type Credential = z.infer<typeof credentialSchema>;
export type CredentialFilter = z.input<typeof credentialFilterSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type IssueCode = z.infer<typeof issueCodeSchema>;
