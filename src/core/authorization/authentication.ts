// What a user enters on the sign-in page or the page for devices to prove who they are (behaviour 7.5): a password, and a
// code that the page itself shows.

import { OAuthError } from '../checks/errors.ts';
import type { Domain } from '../model/domain.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Authentication, User } from '../records/schemas.ts';

/** What a form asks for. */
export interface AuthenticationRequired {
  readonly authentication: Authentication;
  /** The code that the page shows and expects: six digits. null if it asks for none. */
  readonly one_time_code: string | null;
}

/** The same, on a page. */
export interface AuthenticationShown extends AuthenticationRequired {
  /** Whether a user is signed in already, who enters nothing. */
  readonly signed_in: boolean;
}

/** What the user entered; empty texts for nothing. */
export interface Credentials {
  readonly password: string;
  readonly one_time_code: string;
}

/** The code depends on the form, so nothing is stored, and another form has another code. */
function codeOf(form: string, sha256: Sha256): string {
  let number = 0;
  for (const one of sha256(`one-time code\n${form}`)) {
    number = (number * 31 + one.charCodeAt(0)) % 1_000_000;
  }
  return String(number).padStart(6, '0');
}

export function authenticationOf(
  { settings, ports }: Domain,
  form: string,
): AuthenticationRequired {
  const { authentication = 'none' } = settings().sign_in_page ?? {};
  const isAsked = authentication === 'password_and_code';
  return { authentication, one_time_code: isAsked ? codeOf(form, ports.sha256) : null };
}

/**
 * Checks what a user entered in the form. Returns what was checked, for the trace. A user without a password can enter
 * anything, as with the password grant. Digests are compared, so that the time does not depend on how much is correct.
 * @throws OAuthError `sign_in_user_locked`, `sign_in_password_wrong` or `sign_in_code_wrong`
 */
export function authenticate(
  user: User,
  { password, one_time_code: entered }: Credentials,
  domain: Domain,
  form: string,
): string {
  const { authentication, one_time_code } = authenticationOf(domain, form);
  const { sha256 } = domain.ports;
  if (user.locked === true) throw new OAuthError('sign_in_user_locked', { got: user.sub });
  if (authentication === 'none') return 'selected on the page';
  if (user.password !== null && sha256(password) !== sha256(user.password)) {
    throw new OAuthError('sign_in_password_wrong', { got: user.sub });
  }
  const checked = user.password === null ? 'no password is set' : 'with the password';
  if (one_time_code === null) return `selected on the page, ${checked}`;
  if (sha256(entered.replaceAll(/\s/g, '')) !== sha256(one_time_code)) {
    throw new OAuthError('sign_in_code_wrong', { got: user.sub });
  }
  return `selected on the page, ${checked}, with the code`;
}

/** Whether the page asks again, instead of sending the error to the app. */
export const isAskedAgain = ({ reason }: OAuthError): boolean =>
  reason === 'sign_in_user_locked' ||
  reason === 'sign_in_password_wrong' ||
  reason === 'sign_in_code_wrong';
