// The user whom a request is for, as far as it says.

import type { User } from '../records/schemas.ts';
import type { Registry } from './lists.ts';

/** By `sub`, or by the address that a person would give (OpenID Connect Core 3.1.2.1). */
export function findHinted(hint: string, { users }: Registry): User | undefined {
  const address = hint.toLowerCase();
  return users.get(hint) ?? users.list().find(({ email }) => email.toLowerCase() === address);
}
