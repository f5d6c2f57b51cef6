// Check 10 of the password grant (RFC 6749 4.3). The answer does not say whether it is the name or the
// password that is wrong; the trace does.

import type { Refusal } from './refusal.ts';
import { refusing } from './refusal.ts';

const invalid = refusing('invalid_grant');

const WRONG = 'username or password is wrong';

export const PASSWORD_REFUSALS = {
  username_unknown: invalid('credential_known', WRONG, 'No registered user has this username.', {
    detail: ({ got = 'another name' }) => `username is ${got}`,
    advice: 'Send the sub or the e-mail address of a registered user.',
  }),
  password_wrong: invalid('user', WRONG, 'The password is not that of the user.', {
    detail: ({ got = 'the user' }) => `the password of ${got} is another one`,
    advice: 'Set the password of the user again: grantbench users set <sub> --password <text>.',
  }),
} satisfies Record<string, Refusal>;
