// What a tester may enter on the sign-in page besides a decision: a new user, and claims of this sign-in only. It imports
// the schemas, so it is loaded when someone first enters such values.

import { OAuthError } from '../checks/errors.ts';
import { jsonBytes } from '../collections/weight.ts';
import { OF_THE_REQUEST } from '../issuing/id-token.ts';
import type { SignInClaims } from '../model/credentials.ts';
import { parseJsonText } from '../records/json-text.ts';
import { claimsSchema } from '../records/members.ts';
import { IN_WORDS, problemsOf } from '../records/problems.ts';
import { type User, userSchema } from '../records/schemas.ts';
import { findHinted, type Registry } from '../registry/lists.ts';

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** Whether the user is left out of the workspace, so that a reset or a restart forgets it. */
  readonly temporary: boolean;
}

/** Each session and each authorization has a copy of them. */
const MOST_CLAIM_BYTES = 8192;

/** Claims that depend on the request or its tokens. Those that the service always sets are in the schema. */
const OF_THE_SERVICE = ['act', 'acr', ...OF_THE_REQUEST, 'userinfo_claims', 'sign_in_claims'];

const invalid = (field: string, expected: string) =>
  new OAuthError('form_field_invalid', { field, expected });

const broken = (path: string, message: string) =>
  invalid(path === '' ? 'claims' : `claims.${path}`, message);

/** @throws OAuthError `form_field_invalid`, with the first rule that they break */
export function readSignInClaims(text: string): SignInClaims | null {
  const parsed = parseJsonText(text);
  if ('problems' in parsed) {
    const { path, message } = parsed.problems[0] ?? { path: '', message: 'is not JSON' };
    throw broken(path, message);
  }
  const { success, data, error } = claimsSchema.safeParse(parsed.value, IN_WORDS);
  if (!success) {
    const [problem] = problemsOf(error.issues, parsed.value);
    throw broken(problem?.path ?? '', problem?.message ?? 'must be a JSON object');
  }
  const reserved = OF_THE_SERVICE.find((name) => Object.hasOwn(data, name));
  if (reserved !== undefined) throw broken(reserved, 'is a claim that the service sets itself');
  const unreadable = ['name', 'email'].find(
    (name) => !['string', 'undefined'].includes(typeof data[name]),
  );
  if (unreadable !== undefined) throw broken(unreadable, 'must be a string');
  if (jsonBytes(data) > MOST_CLAIM_BYTES) {
    throw broken('', `must not take more than ${MOST_CLAIM_BYTES / 1024} KiB in memory`);
  }
  return Object.keys(data).length === 0 ? null : data;
}

/** Letters and digits of a name, joined by hyphens. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * Returns the user to add: its `sub` is the email address, or else made of the name.
 * @throws OAuthError `form_field_invalid` if there is such a user, no room for another one, or a member is invalid
 */
export function readNewUser({ name, email }: Omit<NewUser, 'temporary'>, registry: Registry): User {
  if (name === '' && email === '') throw invalid('new_name', 'or new_email is required');
  const sub = email === '' ? slugOf(name) : email;
  const field = email === '' ? 'new_name' : 'new_email';
  if (sub === '') throw invalid(field, 'must contain a letter or a digit of ASCII');
  const draft = { sub, name, email };
  const { success, data, error } = userSchema.safeParse(draft, IN_WORDS);
  if (!success) {
    const [problem] = problemsOf(error.issues, draft);
    const at = problem?.path === 'name' ? 'new_name' : field;
    throw invalid(at, problem?.message ?? 'is not valid');
  }
  const known = findHinted(sub, registry);
  if (known !== undefined) throw invalid(field, `is that of the registered user ${known.sub}`);
  if (!registry.users.hasRoomFor(data)) {
    throw invalid(field, 'cannot be added: the workspace has no room for another user');
  }
  return data;
}
