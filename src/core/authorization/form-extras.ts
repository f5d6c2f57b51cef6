// What a tester may enter on the sign-in page besides a decision: a new user, and claims of this sign-in only. It imports
// the schemas, so it is loaded when somebody first enters them.

import { OAuthError } from '../checks/errors.ts';
import { jsonBytes } from '../collections/weight.ts';
import type { SignInClaims } from '../model/credentials.ts';
import { parseJsonText } from '../records/json-text.ts';
import { claimsSchema } from '../records/members.ts';
import { IN_WORDS, problemsOf } from '../records/problems.ts';
import { type User, userSchema } from '../records/schemas.ts';
import type { Registry } from '../registry/lists.ts';

export interface NewUser {
  readonly name: string;
  readonly email: string;
}

/** Each session and each authorization has a copy of them. */
const MOST_CLAIM_BYTES = 8192;

const invalid = (field: string, expected: string) =>
  new OAuthError('form_field_invalid', { field, expected });

/** @throws OAuthError `form_field_invalid`, with the first rule that they break */
export function readSignInClaims(text: string): SignInClaims | null {
  const parsed = parseJsonText(text);
  if ('problems' in parsed) throw invalid('claims', parsed.problems[0]?.message ?? 'is not JSON');
  const { success, data, error } = claimsSchema.safeParse(parsed.value, IN_WORDS);
  if (!success) {
    const [problem] = problemsOf(error.issues, parsed.value);
    const at = problem === undefined || problem.path === '' ? '' : `.${problem.path}`;
    throw invalid(`claims${at}`, problem?.message ?? 'must be a JSON object');
  }
  for (const name of ['name', 'email']) {
    if (!['string', 'undefined'].includes(typeof data[name])) {
      throw invalid(`claims.${name}`, 'must be a string');
    }
  }
  if (jsonBytes(data) > MOST_CLAIM_BYTES) {
    throw invalid('claims', `must not take more than ${MOST_CLAIM_BYTES / 1024} KiB in memory`);
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
export function readNewUser({ name, email }: NewUser, { users }: Registry): User {
  const sub = email === '' ? slugOf(name) : email;
  const field = email === '' ? 'new_name' : 'new_email';
  if (sub === '') throw invalid(field, 'must contain a letter or a digit of ASCII');
  const { success, data, error } = userSchema.safeParse({ sub, name, email }, IN_WORDS);
  if (!success) {
    throw invalid(field, problemsOf(error.issues, { sub })[0]?.message ?? 'is not valid');
  }
  if (users.get(sub) !== undefined) throw invalid(field, 'is that of a registered user');
  if (!users.hasRoomFor(data)) {
    throw invalid(field, `cannot be added: a workspace has at most ${users.bounds.entries} users`);
  }
  return data;
}
