// Tokens that are built and signed for a test, and not issued.

import { described } from '../../core/records/described.ts';
import { isJsonObject } from '../../core/records/json-object.ts';
import { jsonMembers, oneOf, uniqueList } from '../../core/records/members.ts';
import { TOKEN_MISTAKE_NAMES } from '../../core/records/token-mistakes.ts';
import { z } from '../../core/records/zod.ts';
import { mintTokensSchema } from './credentials.ts';

const KIB = 1024;

/** Of what is given of a token; the page asks before it sends. */
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
      const message = 'follows from the key; wrong can name a mistake with it';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  }),
);

export const signTokenSchema = z.strictObject({
  ...z.partial(mintTokensSchema).shape,
  client_id: described(
    z.optional(z.string()),
    'The client whose access token it is to be like. Left out, it has only the claims that are given.',
  ),
  header: described(
    z.optional(headerMembers),
    'Members of the header, added to typ or in its place; null removes one (RFC 7396). alg and kid are those of the key.',
  ),
  claims: described(
    z.optional(boundedMembers(TEST_TOKEN_BOUNDS.claims)),
    'Claims, added to those of the access token or in their place; null removes one (RFC 7396). Without client_id they are all there are. jti is always a new one.',
  ),
  wrong: described(
    z._default(uniqueList(oneOf(TOKEN_MISTAKE_NAMES), 'mistake', TOKEN_MISTAKE_NAMES.length), []),
    'What is to be wrong with the token; nothing by default.',
  ),
});

export const signedTokenSchema = z.object({
  token: described(
    z.string(),
    'The token. It was not issued: introspection, userinfo and token exchange of this service reject it.',
  ),
  header: described(z.record(z.string(), z.unknown()), 'Its header.'),
  claims: described(z.record(z.string(), z.unknown()), 'Its claims, as they are in the token.'),
  expected: described(
    z.enum(['accepted', 'rejected', 'either']),
    'What a resource server does that validates as the standards say; either where they leave it open.',
  ),
  answer: described(z.string(), 'The response that it should send.'),
  mistakes: described(
    z.array(
      z.object({
        name: described(z.enum(TOKEN_MISTAKE_NAMES), 'The mistake, as in wrong.'),
        text: described(z.string(), 'What is wrong with the token.'),
        rule: described(z.string(), 'The rule that it breaks, and where it is written.'),
      }),
    ),
    'The mistakes that it has.',
  ),
});

export type SignToken = z.input<typeof signTokenSchema>;
export type SignedToken = z.infer<typeof signedTokenSchema>;
