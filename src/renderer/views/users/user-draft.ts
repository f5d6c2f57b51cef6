// A user as the form holds it (claims as text), and the way there and back.

import type { FormErrors } from '@mantine/form';
import { userSchema, type User } from '../../../control/schemas.ts';
import { claimsText, readClaims } from '../../ui/claims-text.ts';
import { problemsByField } from '../../ui/problems.ts';

export interface UserDraft extends Record<string, unknown> {
  sub: string;
  name: string;
  email: string;
  claims: string;
}

export const draftOf = (user: User): UserDraft => ({ ...user, claims: claimsText(user.claims) });

export const newDraft = (): UserDraft => ({ sub: '', name: '', email: '', claims: '' });

/** The first of `ada-2`, `ada-3`, … that nobody has. */
export function freeSub(sub: string, users: readonly User[]): string {
  const stem = sub.replace(/-\d{1,4}$/, '');
  const taken = new Set(users.map((user) => user.sub));
  for (let count = 2; ; count += 1) {
    const free = `${stem}-${count}`;
    if (!taken.has(free)) return free;
  }
}

/** The same person under a subject of their own. */
export const duplicateOf = (user: User, users: readonly User[]): UserDraft => ({
  ...draftOf(user),
  sub: freeSub(user.sub, users),
  name: user.name === '' ? '' : `${user.name} (copy)`,
});

/** The record the draft stands for; claims that do not parse are left empty (see `problemsOf`). */
export function userOf(draft: UserDraft): User {
  const read = readClaims(draft.claims);
  return { ...draft, claims: read.ok ? read.claims : {} };
}

/** What is wrong with the draft, by field. */
export function problemsOf(draft: UserDraft): FormErrors {
  const read = readClaims(draft.claims);
  const errors = problemsByField(userSchema, userOf(draft), ['claims']);
  return read.ok ? errors : { ...errors, claims: read.problem };
}
