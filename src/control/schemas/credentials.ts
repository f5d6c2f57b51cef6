// Codes and tokens: issued, listed, and built for a test, which is not issuing.

import { PARAMETER_LIMITS } from '../../core/records/bounds.ts';
import { jsonMembers, oneOf, text, uniqueList } from '../../core/records/members.ts';
import { described, z } from '../../core/records/zod.ts';
import * as v from './values.ts';
import { isJsonObject } from '../../json.ts';
import { TOKEN_MISTAKE_NAMES } from '../../core/records/token-mistakes.ts';

const parameter = (name: keyof typeof PARAMETER_LIMITS) => z.optional(text(PARAMETER_LIMITS[name]));

const lineage_id = v.string(
  'Identifier of the lineage: all credentials of one authorization have the same.',
);

export const mintTokensSchema = z.strictObject({
  client_id: v.client_id,
  sub: v.optionalString('Identifier of the user; the first user by default.'),
  audience: v.optionalString(
    "The API that the access token is for; the client's default audience by default.",
  ),
  scope: described(parameter('scope'), 'Scope tokens, separated by spaces (RFC 6749 3.3).'),
  access_token_expires_in: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(315_360_000))),
    'Lifetime of the access token in seconds; by default that of the client or the settings.',
  ),
});

const ofMint = mintTokensSchema.shape;

export const issueCodeSchema = z.strictObject({
  client_id: v.client_id,
  redirect_uri: v.string('One of the redirect URIs of the client.'),
  sub: ofMint.sub,
  audience: ofMint.audience,
  scope: ofMint.scope,
  state: described(parameter('state'), 'The state to return in redirect_to, as /authorize does.'),
  nonce: described(parameter('nonce'), 'The nonce to return in the ID token.'),
  code_challenge: v.optionalString('PKCE challenge (RFC 7636 4.2).'),
  code_challenge_method: described(
    z.optional(z.enum(['S256', 'plain'])),
    'The code_challenge_method (RFC 7636): S256 or plain.',
  ),
  code_expires_in: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
    'Lifetime of the code in seconds; by default that of the settings.',
  ),
  access_token_expires_in: ofMint.access_token_expires_in,
});

export const issuedCodeSchema = z.object({
  code: v.string('The authorization code.'),
  expires_at: v.moment('When it expires.'),
  redirect_to: v.string(
    'The redirect URI with the authorization response parameters code, state and iss.',
  ),
  scope: v.stringOrNull('The scopes that were granted, separated by spaces; null for none.'),
  lineage_id,
});

export const mintedTokensSchema = z.object({
  access_token: v.string('The access token.'),
  refresh_token: v.stringOrNull('The refresh token; null for a client without that grant.'),
  token_type: described(z.literal('Bearer'), 'Always Bearer.'),
  expires_in: v.integer('Lifetime of the access token in seconds.'),
  scope: v.stringOrNull('Scope tokens, separated by spaces (RFC 6749 3.3).'),
  lineage_id,
});

export const CREDENTIAL_KINDS = ['code', 'access_token', 'refresh_token'] as const;
export const CREDENTIAL_STATES = [
  'issued',
  'redeemed',
  'active',
  'inactive',
  'rotated',
  'expired',
  'revoked',
] as const;

/** Members shared by all credentials of one authorization. */
const authorization = {
  lineage_id,
  client_id: v.client_id,
  sub: v.string('Identifier of the user.'),
  audience: v.stringOrNull('The API that the access token is for.'),
  scope: v.string('Scope tokens, separated by spaces (RFC 6749 3.3).'),
};

/** An issued credential, in any state (behaviour 4). */
export const credentialSchema = z.object({
  id: v.string(
    'Identifier of the record: a digest of the credential, or its jti. Not secret, and safe in a path.',
  ),
  kind: described(z.enum(CREDENTIAL_KINDS), 'Code, access token or refresh token.'),
  state: described(
    z.enum(CREDENTIAL_STATES),
    'The state of the credential. A terminal state does not change; an inactive access token was signed by a key that was retired, or names another issuer than the current one, and is active again if that is undone.',
  ),
  value: v.stringOrNull('The value of the credential; null unless secrets were requested.'),
  ...authorization,
  redirect_uri: v.stringOrNull('The redirect URI of the authorization; null unless it is a code.'),
  code_challenge_method: described(
    z.nullable(z.enum(['S256', 'plain'])),
    'The code_challenge_method; null without PKCE.',
  ),
  issued_at: v.moment('When it was issued.'),
  expires_at: v.moment('When it expires.'),
  ended_at: v.momentOrNull('When it reached a terminal state; null until then.'),
  issued_by: v.integerOrNull(
    'Number of the exchange that issued it; null if it was issued through the control API.',
  ),
  ended_by: v.integerOrNull('Number of the exchange that redeemed, rotated or revoked it.'),
});

const live = {
  codes: v.integer('Number of live codes.'),
  refresh_tokens: v.integer('Number of live refresh tokens.'),
  access_tokens: v.integer('Number of live access tokens.'),
};

export const liveCountsSchema = z.object(live);

export const credentialFilterSchema = z.extend(v.pageSchema, {
  kind: described(z.optional(z.enum(CREDENTIAL_KINDS)), 'Only credentials of this kind.'),
  state: described(z.optional(z.enum(CREDENTIAL_STATES)), 'Only credentials in this state.'),
  client_id: v.optionalString('Only credentials of this client.'),
  text: v.optionalString(
    'Part of the id, client, user, audience or scope; or a complete credential or its jti.',
  ),
  live_counts: described(
    v.flag,
    'Whether to return the numbers of live credentials, for the client with client_id or else for each client.',
  ),
});

export const credentialListSchema = z.extend(v.listOf(credentialSchema), {
  live: described(
    z.optional(
      z.array(
        z.object({
          client_id: v.client_id,
          ...live,
        }),
      ),
    ),
    'The numbers of live credentials for each client that has any; only with live_counts.',
  ),
});

/** All kept credentials of one authorization (behaviour 4). */
export const lineageSchema = z.object({
  ...authorization,
  created_at: v.moment('When it was created.'),
  revoked_at: v.momentOrNull('When it was revoked; null if it is not revoked.'),
  count: v.integer('Number of issued credentials, including those no longer kept.'),
  exchanges: described(
    z.array(v.whole),
    "Numbers of its 50 newest exchanges, oldest first: those that issued or ended its newest credentials, those of a device request and the user's decision, and captured ones that presented one of its credentials.",
  ),
  members: described(
    z.array(
      z.extend(credentialSchema, {
        parent_id: v.stringOrNull(
          'The credential of the lineage that was presented for it; null for the first ones or if unknown.',
        ),
      }),
    ),
    'Its 50 newest credentials, the credentials presented for them, and the first one; oldest first.',
  ),
});

export type LiveCounts = z.infer<typeof liveCountsSchema>;
export type Credential = z.infer<typeof credentialSchema>;
export type CredentialFilter = z.input<typeof credentialFilterSchema>;
export type Lineage = z.infer<typeof lineageSchema>;
export type IssueCode = z.infer<typeof issueCodeSchema>;
export type MintTokens = z.infer<typeof mintTokensSchema>;

const KIB = 1024;

/** Limits of the given members; the page also checks them before it sends. */
export const TEST_TOKEN_BOUNDS = {
  header: { entries: 50, bytes: 8 * KIB },
  claims: { entries: 500, bytes: 64 * KIB },
} as const;

function bytesOf(members: unknown): number {
  try {
    return new TextEncoder().encode(JSON.stringify(members)).length;
  } catch {
    return Infinity;
  }
}

const boundedMembers = ({ entries, bytes }: { readonly entries: number; readonly bytes: number }) =>
  jsonMembers().check(
    z.refine(
      (members) => Object.keys(members).length <= entries,
      `must have at most ${entries} members`,
    ),
    z.refine((members) => bytesOf(members) <= bytes, `must be at most ${bytes / KIB} KiB of JSON`),
  );

const OF_THE_KEY = ['alg', 'kid'];

const headerMembers = boundedMembers(TEST_TOKEN_BOUNDS.header).check(
  z.superRefine((members, ctx) => {
    for (const name of OF_THE_KEY) {
      if (!isJsonObject(members) || members[name] === undefined) continue;
      const message = 'is set by the key; use wrong to make a deliberate mistake';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  }),
);

export const signTokenSchema = z.strictObject({
  ...z.partial(mintTokensSchema).shape,
  client_id: v.optionalString(
    'The client whose access token to imitate. If omitted, the token has only the given claims.',
  ),
  header: described(
    z.optional(headerMembers),
    'Header members that are added or replaced; null removes a member (RFC 7396). The key sets alg and kid.',
  ),
  claims: described(
    z.optional(boundedMembers(TEST_TOKEN_BOUNDS.claims)),
    'Claims that are added to those of the access token or replace them; null removes a claim (RFC 7396). Without client_id, the token has only these claims. jti is always new.',
  ),
  wrong: described(
    z._default(uniqueList(oneOf(TOKEN_MISTAKE_NAMES), 'mistake', TOKEN_MISTAKE_NAMES.length), []),
    'Deliberate mistakes of the token; none by default.',
  ),
});

export const signedTokenSchema = z.object({
  token: v.string(
    'The token. Because it was not issued, introspection, userinfo and token exchange of this sandbox reject it.',
  ),
  header: described(z.record(z.string(), z.unknown()), 'The header of the token.'),
  claims: described(z.record(z.string(), z.unknown()), 'The claims of the token.'),
  expected: described(
    z.enum(['accepted', 'rejected', 'either']),
    'The expected result at a resource server that follows the standards and finds the given header and claims valid; either if the standards do not decide.',
  ),
  answer: v.string('The response that it should send to the client.'),
  mistakes: described(
    z.array(
      z.object({
        name: described(z.enum(TOKEN_MISTAKE_NAMES), 'Identifier of the mistake, as in wrong.'),
        text: v.string('What is wrong with the token.'),
        rule: v.string('The broken rule and its source.'),
      }),
    ),
    'The mistakes of the token.',
  ),
});

export type SignToken = z.input<typeof signTokenSchema>;
export type SignedToken = z.infer<typeof signedTokenSchema>;
