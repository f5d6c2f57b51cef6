// The claims that were entered on the sign-in page: the user whom they change, and the members of a token that name them.

import type { User } from '../records/schemas.ts';
import type { Lineage, SignInClaims } from './credentials.ts';

interface Users {
  readonly users: { get(sub: string): User | undefined };
}

/** Returns the user with the claims of a sign-in in place of the user's own. */
export function withSignInClaims(user: User, own: SignInClaims | null): User {
  if (own === null) return user;
  const { name = user.name, email = user.email, ...claims } = own;
  const lists = ['groups', 'roles'].flatMap((list) =>
    isListOfTexts(own[list]) ? [[list, own[list]] as const] : [],
  );
  return {
    ...user,
    ...Object.fromEntries(lists),
    name: String(name),
    email: String(email),
    claims: { ...user.claims, ...claims },
  };
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Returns the members with which an access token names the claims of its sign-in, and those that it lacks otherwise. */
export function signInMembers(own: SignInClaims | null): Readonly<Record<string, unknown>> {
  if (own === null) return {};
  const { name, email } = own;
  return {
    sign_in_claims: Object.keys(own),
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  };
}

/** Returns the user of a lineage; undefined if nobody signed in, or the user was deleted. */
export function userOf(
  { users }: Users,
  { user_sub, openid }: Pick<Lineage, 'user_sub' | 'openid'>,
): User | undefined {
  const user = user_sub === null ? undefined : users.get(user_sub);
  return user === undefined ? undefined : withSignInClaims(user, openid?.claims ?? null);
}
