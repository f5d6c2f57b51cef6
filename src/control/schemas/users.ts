// A user as responses show it: without the password.

import { described } from '../../core/records/described.ts';
import { userSchema, type User as UserRecord } from '../../core/records/schemas.ts';
import { z } from '../../core/records/zod.ts';

const { password: _password, ...shown } = userSchema.shape;

export const answeredUserSchema = z.strictObject({
  ...shown,
  has_password: described(
    z.boolean(),
    'Whether the user has a password, which is never answered. Read-only: ignored when sent.',
  ),
});

export type User = z.infer<typeof answeredUserSchema>;

/** What can be set of a user. */
export type UserMembers = UserRecord & Pick<User, 'has_password'>;
