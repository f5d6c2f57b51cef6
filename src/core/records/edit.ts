// Edits of a response by fault rules (docs/reference/faults.md): what may be changed in a JSON document, in a JWT and in
// the parameters of an authorization response.

import { ALWAYS, atMostEntries, isJson, seconds, TEN_YEARS, text, visible } from './members.ts';
import { described, z } from './zod.ts';

const MOST_EDITS = 16;
/** In characters of JSON. */
const LONGEST_VALUE = 8192;

const memberSchema = described(
  visible(200).check(
    z.refine(
      (member) => !/(^|\/)(__proto__|constructor|prototype)(\/|$)/.test(member),
      'must not name a prototype',
    ),
  ),
  'Name of a member, or a JSON Pointer (RFC 6901) such as /keys/0/kid.',
);

const valueSchema = z.unknown().check(
  z.superRefine((value, ctx) => {
    const small = isJson(value, 8) && JSON.stringify(value).length <= LONGEST_VALUE;
    if (small) return;
    const message = `must be JSON of at most 8 levels and ${LONGEST_VALUE} characters`;
    ctx.addIssue({ code: 'custom', message });
  }, ALWAYS),
);

const op = <const K extends string>(kind: K) => described(z.literal(kind), 'The change.');

const OPERATIONS = [
  z.strictObject({
    member: memberSchema,
    do: op('set'),
    value: described(valueSchema, 'The new value: any JSON; text for a parameter.'),
  }),
  z.strictObject({ member: memberSchema, do: op('remove') }),
  z.strictObject({
    member: memberSchema,
    do: op('append'),
    text: described(text(1000), 'Text that is appended to the value.'),
  }),
  z.strictObject({
    member: memberSchema,
    do: op('add'),
    value: described(
      valueSchema,
      'One more value: the member becomes a list of the former value and this one; a parameter is sent a second time.',
    ),
  }),
  z.strictObject({ member: memberSchema, do: op('list') }),
  z.strictObject({
    member: memberSchema,
    do: op('from_now'),
    seconds: described(
      seconds(-TEN_YEARS, TEN_YEARS),
      'Seconds after (or, negative, before) now on the sandbox clock.',
    ),
  }),
  z.strictObject({ member: memberSchema, do: op('swap_case') }),
  z.strictObject({ member: memberSchema, do: op('to_text') }),
] as const;

const NAMES = OPERATIONS.map((operation) => operation.shape.do.def.values[0]);

const editSchema = z.discriminatedUnion('do', OPERATIONS, {
  error: () => `must be an edit whose do is one of ${NAMES.join(', ')}`,
});

/** One change of a response. */
export type Edit = z.infer<typeof editSchema>;

/** A list of edits, carried out in their order. @param least entries it must have */
export const editsSchema = (least: 0 | 1) =>
  z
    .array(editSchema, 'must be a list of edits')
    .check(z.minLength(least, 'must have at least one edit'), atMostEntries(MOST_EDITS));

/** What the ID token is signed with. */
export const SIGNATURE_WORDS = {
  published_key: 'The published key',
  unpublished_key: 'An unpublished key, under the published kid',
  altered: 'The published key; then the signature is altered',
  none: 'Nothing (alg none)',
  hs256_client_secret: 'The client_secret, with HS256',
  hs256_public_key: 'The public key as a secret, with HS256',
} as const;
export type IdTokenSignature = keyof typeof SIGNATURE_WORDS;
