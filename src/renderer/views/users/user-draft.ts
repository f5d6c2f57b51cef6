// A user as the form holds it (claims as text), and its conversion to and from a record.

import type { FormErrors } from '@mantine/form';
import { userSchema, type User } from '../../../control/schemas.ts';
import { claimsText, readClaims } from '../../ui/typed-json.ts';
import { problemsByField } from '../../ui/problems.ts';

export interface UserDraft extends Record<string, unknown> {
  sub: string;
  name: string;
  email: string;
  /** A new password; empty to keep the current one. */
  password: string;
  /** Whether to remove the current password. */
  without_password: boolean;
  locked: boolean;
  claims: string;
}

/** The page never knows a password, only whether there is one. */
export const NO_PASSWORD = { password: '', without_password: false };

export const draftOf = ({ has_password: _has_password, ...user }: User): UserDraft => ({
  ...user,
  ...NO_PASSWORD,
  locked: user.locked ?? false,
  claims: claimsText(user.claims),
});

export const newDraft = (): UserDraft => ({
  sub: '',
  name: '',
  email: '',
  locked: false,
  ...NO_PASSWORD,
  claims: '',
});

/** The first unused subject among `ada-2`, `ada-3`, … */
export function freeSub(sub: string, users: readonly User[]): string {
  const stem = sub.replace(/-\d{1,4}$/, '');
  const taken = new Set(users.map((user) => user.sub));
  for (let count = 2; ; count += 1) {
    const free = `${stem}-${count}`;
    if (!taken.has(free)) return free;
  }
}

/** The same user with another subject. */
export const duplicateOf = (user: User, users: readonly User[]): UserDraft => ({
  ...draftOf(user),
  sub: freeSub(user.sub, users),
  name: user.name === '' ? '' : `${user.name} (copy)`,
});

/** The record for the draft; claims that cannot be parsed are empty (see `problemsOf`). */
export function userOf(draft: UserDraft): Omit<User, 'has_password'> {
  const { password: _password, without_password: _without_password, locked, ...user } = draft;
  const read = readClaims(draft.claims);
  return { ...user, ...(locked ? { locked } : {}), claims: read.ok ? read.claims : {} };
}

/** The member `password` of the request, present only if it is set or removed. */
export function passwordMember({ password, without_password }: UserDraft) {
  if (without_password) return { password: null };
  return password === '' ? {} : { password };
}

export function problemsOf(draft: UserDraft): FormErrors {
  const read = readClaims(draft.claims);
  const errors = problemsByField(userSchema, { ...userOf(draft), ...passwordMember(draft) }, [
    'claims',
  ]);
  return read.ok ? errors : { ...errors, claims: read.problem };
}
